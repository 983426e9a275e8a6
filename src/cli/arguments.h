/* A command line as data: the command, its operands and the value of every option. */
#ifndef WS_CLI_ARGUMENTS_H
#define WS_CLI_ARGUMENTS_H

#include "base/error.h"
#include "cli/option.h"

struct ws_command;
struct ws_ranks;

struct ws_arguments {
	const struct ws_command *command;
	bool command_named; /* not the one that runs if none is named */
	char **operands; /* what is no option, without the command's name; owned, the strings are argv's */
	int operand_count;
	char **rest; /* what stood behind "--", of a command that takes it apart from operands; part of argv */
	int rest_count;
	bool given[WS_CLI_OPTION_MAX]; /* by index of the option's row */
	struct ws_ranks *ranks; /* that run the command together, set by "launch"; NULL = alone */

	/* Destinations of options; 0, false or NULL where not given. */
	const char *device, *pair, *backend, *memory;
	struct ws_cli_sizes size, sizes;
	uint64_t host_node, threads;
	uint64_t samples, seed;
	uint64_t rank_count;
	int64_t time_limit_ns, timeout_ns;
	bool quick, thorough, no_verify;
	const char *format, *output, *plan, *machine, *color;
	bool dry_run, here, json, help, version, mdoc;
};

/*
 * Parses a whole command line. A word that is no option is the command if it is the first one and names one, else an
 * operand of `run`. Checks each argument by its row, repeated and contradicting options, and that the command takes
 * them; not whether probes or devices exist. WS_EINVAL or WS_EUNSUPPORTED with one line that names the argument, what
 * is wrong and what is allowed.
 */
int ws_arguments_parse(int argc, char **argv, struct ws_arguments *out, struct ws_error *error);
void ws_arguments_release(struct ws_arguments *arguments);

/* Whether the option with that name was given; the name is one of the table. */
bool ws_arguments_given(const struct ws_arguments *arguments, const char *name);

#define WS_QUOTE_TEXT 64
/* A word of the user's for a message: in quotes, without control characters, cut to what fits. Returns text. */
const char *ws_cli_quote(const char *word, size_t length, char *text);

/* "; did you mean "X"?" if a name is near, else "". Returns text. */
const char *ws_cli_near(const char *word, const char *const *names, size_t count, char *text, size_t size);

#endif
