/* The commands as a table, and the exit codes they share. */
#ifndef WS_CLI_COMMAND_H
#define WS_CLI_COMMAND_H

#include "base/error.h"
#include "cli/arguments.h"

/* Exit codes; 130 and 143 are 128 plus the signal. */
enum ws_exit {
	WS_EXIT_OK = 0,
	WS_EXIT_MISSING = 3,  /* a cell that should have a figure has none */
	WS_EXIT_WRONG = 4,    /* wrong data arrived */
	WS_EXIT_USAGE = 64,   /* also an option that nothing honours, and a file named by the user that is no good */
	WS_EXIT_SYSTEM = 71,  /* the system refused what is needed to measure at all: memory, threads */
	WS_EXIT_OUTPUT = 74   /* a report could not be written */
};

struct ws_command {
	const char *name;
	enum ws_command_bit bit;
	const char *operands; /* for the usage line; "" = takes none */
	bool takes_rest;      /* what stands behind "--" is another command line, not operands */
	bool foreign;         /* all that follows its name is another tool's command line */
	const char *summary;  /* one line for help */
	/* Does it all, but for printing the error: returns the exit code. NULL: not in this build. */
	int (*run)(const struct ws_arguments *, struct ws_error *);
};

/* All rows; the first is what runs if no command is named. */
const struct ws_command *ws_commands(size_t *count);
const struct ws_command *ws_command_find(const char *name);

/* The exit code that goes with a status. */
int ws_exit_code(int status);

int ws_command_run(const struct ws_arguments *, struct ws_error *);
int ws_command_list(const struct ws_arguments *, struct ws_error *);
int ws_command_machine(const struct ws_arguments *, struct ws_error *);
int ws_command_launch(const struct ws_arguments *, struct ws_error *);
int ws_command_as(const struct ws_arguments *, struct ws_error *);
/* The dialect that the program's own name asks for: true, and *code is its exit code. */
bool ws_command_link(int argc, char **argv, int *code);
int ws_command_help(const struct ws_arguments *, struct ws_error *);

#endif
