/* Parse, dispatch, say what went wrong; nothing else. */
#include <stdio.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/signals.h"

static int dispatch(const struct ws_arguments *arguments, struct ws_error *error)
{
	const struct ws_command *command = arguments->command;

	if (arguments->version) {
		printf("wirespeed %s\n", WS_VERSION);
		return WS_EXIT_OK;
	}
	if (!arguments->help)
		return command->run(arguments, error);
	if (arguments->command_named)
		ws_help_command(command, stdout);
	else
		ws_help_program(stdout);
	return WS_EXIT_OK;
}

int main(int argc, char **argv)
{
	struct ws_arguments arguments = {0};
	struct ws_error error = {0};
	int code;

	ws_output_init();
	ws_signals_init();
	if (!ws_command_link(argc, argv, &code)) {
		code = ws_exit_code(ws_arguments_parse(argc, argv, &arguments, &error));
		if (code == WS_EXIT_OK)
			code = dispatch(&arguments, &error);
	}
	/* A dialect that cannot print ends early, with the code of its tool. */
	if (!error.code && !ws_signals_exit_code() && ws_output_flush(&error) < 0 && code == WS_EXIT_OK)
		code = WS_EXIT_OUTPUT;
	if (error.code)
		fprintf(stderr, "wirespeed: %s\n", error.text);
	ws_arguments_release(&arguments);
	return code;
}
