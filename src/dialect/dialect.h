/* Dialects: front ends that take another tool's command line and print that tool's text. */
#ifndef WS_DIALECT_DIALECT_H
#define WS_DIALECT_DIALECT_H

#include <signal.h>
#include <stddef.h>

#include "base/error.h"

/* A command line in a dialect. */
struct ws_dialect_call {
	const char *version; /* behind an @ in the name, as in nvbandwidth@0.9; NULL = the newest spoken */
	int argc;	     /* argv[0] is the link's path, or the tool's name behind "as" */
	char **argv;
	const volatile sig_atomic_t *interrupted; /* not 0 once the user asked to stop */
};

struct ws_dialect {
	const char *name;     /* of the tool, behind "as", and of a link to the program */
	const char *versions; /* spoken, by spaces, the newest first; "" = the tool has none */
	const char *summary;  /* one line for help */
	/* Parses, measures and prints it all, errors too, in the tool's own way; returns the tool's exit code. */
	int (*run)(const struct ws_dialect_call *call);
};

/* All rows. */
const struct ws_dialect *ws_dialects(size_t *count);

/*
 * The dialect of "TOOL" or "TOOL@VERSION". WS_EINVAL: no such tool, or that version is not spoken. *version points into
 * name, or is NULL.
 */
int ws_dialect_find(const char *name, const struct ws_dialect **out, const char **version, struct ws_error *error);

/* The dialect that a program's name asks for, whatever folder it is in; NULL if it is no tool's. */
const struct ws_dialect *ws_dialect_of_program(const char *path);

#endif
