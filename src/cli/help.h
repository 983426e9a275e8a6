/* Help on a terminal and the manual page's section on options, both from the tables. */
#ifndef WS_CLI_HELP_H
#define WS_CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"

/* Usage of the whole program, with the options of its first command; or of one command. */
void ws_help_program(FILE *to);
void ws_help_command(const struct ws_command *command, FILE *to);

/* The text between ".Sh OPTIONS" and the next section of doc/wirespeed.1, headings included. */
void ws_help_mdoc(FILE *to);

#endif
