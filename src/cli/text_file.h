/* Reading a file that the user named into memory. */
#ifndef WS_CLI_TEXT_FILE_H
#define WS_CLI_TEXT_FILE_H

#include <stddef.h>

#include "base/error.h"

/*
 * Reads a file, or standard input if path is "-", of at most maximum bytes; what is longer is not read to its end.
 * The text, which the caller frees, ends with a 0 byte that size does not count. WS_EINVAL names the option. WS_ENOMEM.
 */
int ws_text_file_read(const char *option, const char *path, size_t maximum, char **text, size_t *size,
		      struct ws_error *error);

/* What a message calls the file; text has WS_QUOTE_TEXT bytes. */
const char *ws_text_file_name(const char *path, char *text);

#endif
