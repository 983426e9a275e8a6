/* The command "launch": ranks on this machine that run one command together. */
#include "cli/command.h"

#include <string.h>

#include "base/clock.h"
#include "cli/ranks.h"
#include "ranks/launch.h"

#define END_NS 5000000000 /* for the others, which have nothing left to do */
#define USAGE "wirespeed launch -n 2 -- run PROBE..."

static int check(const struct ws_arguments *arguments, struct ws_error *error)
{
	char quoted[WS_QUOTE_TEXT];

	if (arguments->operand_count)
		return ws_fail(error, WS_EINVAL, "\"launch\": the command stands behind --, but got %s; as in: " USAGE,
			       ws_cli_quote(arguments->operands[0], strlen(arguments->operands[0]), quoted));
	if (!arguments->rank_count)
		return ws_fail(error, WS_EINVAL, "\"launch\" needs -n N, the number of ranks, 1 to %d; as in: " USAGE,
			       WS_RANKS_LAUNCH_MAX);
	if (!arguments->rest)
		return ws_fail(error, WS_EINVAL, "\"launch\" needs a command behind --; as in: " USAGE);
	return WS_OK;
}

/* The command line behind "--". Only measuring is something that ranks do together. */
static int parse_rest(const struct ws_arguments *arguments, struct ws_arguments *out, struct ws_error *error)
{
	/* The "--" itself stands where a program's name would. */
	int status = ws_arguments_parse(arguments->rest_count + 1, arguments->rest - 1, out, error);

	if (status != WS_OK)
		return status;
	if (out->command->run == ws_command_run && !out->help && !out->version)
		return WS_OK;
	status = ws_fail(error, WS_EINVAL, "\"launch\": ranks can only run \"run\", not \"%s\"",
			 out->help      ? "--help"
			 : out->version ? "--version"
					: out->command->name);
	ws_arguments_release(out);
	return status;
}

int ws_command_launch(const struct ws_arguments *arguments, struct ws_error *error)
{
	struct ws_arguments inner = {0};
	int code, status = check(arguments, error);

	if (status == WS_OK)
		status = parse_rest(arguments, &inner, error);
	if (status != WS_OK)
		return ws_exit_code(status);
	/* Before anything starts a thread or loads a driver: neither lives on in a child. */
	status = ws_ranks_launch((int)arguments->rank_count, ws_cli_follow, &inner, &inner.ranks, error);
	if (status != WS_OK) {
		ws_arguments_release(&inner);
		return ws_exit_code(status);
	}
	code = ws_command_run(&inner, error);
	inner.ranks->ops->close(inner.ranks, ws_clock_now_ns(ws_clock_monotonic()) + END_NS);
	ws_arguments_release(&inner);
	return code;
}
