/* Writing text out whole or not at all: to standard output or to a file. */
#ifndef WS_CLI_OUTPUT_H
#define WS_CLI_OUTPUT_H

#include <stddef.h>

#include "base/error.h"

/* Call first: a file opened later must not take the place of a standard stream that the caller has closed. */
void ws_output_init(void);

/* Standard output has taken all that was printed; WS_ESYSTEM if not. */
int ws_output_flush(struct ws_error *error);

/* Before measuring: whether a file can be written under this path. NULL and "-", standard output, are taken as good. */
int ws_output_check(const char *path, struct ws_error *error);

/*
 * Writes text to standard output (path NULL or "-"), or to a file that stands under its name only once it is complete;
 * what was there before stays until then, and its permissions remain. Devices and pipes are written to directly.
 * WS_ESYSTEM.
 */
int ws_output_write(const char *path, const char *text, size_t size, struct ws_error *error);

#endif
