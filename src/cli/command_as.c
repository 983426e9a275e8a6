/* The command "as": another tool's command line, answered in that tool's text; also by the program's own name. */
#include "cli/command.h"

#include "cli/signals.h"
#include "dialect/dialect.h"

static int speak(const struct ws_dialect *dialect, struct ws_dialect_call *call)
{
	int code;

	call->interrupted = ws_signals_catch();
	code = dialect->run(call);
	return ws_signals_exit_code() ? ws_signals_exit_code() : code;
}

bool ws_command_link(int argc, char **argv, int *code)
{
	const struct ws_dialect *dialect = argc > 0 ? ws_dialect_of_program(argv[0]) : NULL;
	struct ws_dialect_call call = {.argc = argc, .argv = argv};

	if (!dialect)
		return false;
	*code = speak(dialect, &call);
	return true;
}

int ws_command_as(const struct ws_arguments *arguments, struct ws_error *error)
{
	const struct ws_dialect *dialect;
	struct ws_dialect_call call = {.argc = arguments->rest_count, .argv = arguments->rest};
	int status;

	if (arguments->rest_count == 0)
		return ws_exit_code(ws_fail(error, WS_EINVAL, "\"as\" needs the name of a tool; see: wirespeed as --help"));
	status = ws_dialect_find(call.argv[0], &dialect, &call.version, error);
	return status == WS_OK ? speak(dialect, &call) : ws_exit_code(status);
}
