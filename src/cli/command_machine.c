/* The command "machine": places, back ends and surroundings. */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/facts.h"
#include "cli/open.h"
#include "cli/output.h"
#include "report/json_put.h"

static int print_json(const struct ws_session *session, const struct ws_environment *environment, FILE *to,
		      struct ws_error *error)
{
	json_t *machine = NULL, *surroundings = NULL, *all;
	int status = ws_facts_machine(session, ws_session_places(session), &machine, error);

	if (status == WS_OK)
		status = ws_environment_json(environment, &surroundings, error);
	if (status != WS_OK) {
		json_decref(machine);
		return status;
	}
	/* Takes over both references, also on failure. */
	all = json_pack("{s:s, s:i, s:o, s:o}", "schema", "wirespeed-machine", "version", 1, "machine", machine,
			"environment", surroundings);
	if (!all || !ws_json_print(all, to))
		status = ws_fail(error, WS_ENOMEM, "no memory for the machine as JSON");
	json_decref(all);
	return status;
}

static int print(const struct ws_arguments *arguments, const struct ws_session *session, char **text, size_t *size,
		 struct ws_error *error)
{
	struct ws_environment environment;
	FILE *to;
	int status = ws_facts_environment(session, &environment, error);

	if (status != WS_OK)
		return status;
	to = open_memstream(text, size);
	if (!to) {
		ws_environment_release(&environment);
		return ws_fail(error, WS_ENOMEM, "no memory for the machine's facts");
	}
	if (arguments->json)
		status = print_json(session, &environment, to, error);
	else
		ws_facts_print(session, &environment, to);
	if ((ferror(to) | fclose(to)) != 0 && status == WS_OK)
		status = ws_fail(error, WS_ENOMEM, "no memory for the machine's facts");
	ws_environment_release(&environment);
	return status;
}

int ws_command_machine(const struct ws_arguments *arguments, struct ws_error *error)
{
	struct ws_session *session = NULL;
	char *text = NULL;
	size_t size = 0;
	int code, status = ws_output_check(arguments->output, error);

	if (status != WS_OK)
		return WS_EXIT_OUTPUT;
	status = ws_cli_open(arguments, &session, error);
	if (status == WS_OK)
		status = ws_cli_need(arguments, session, NULL, error);
	if (status == WS_OK)
		status = print(arguments, session, &text, &size, error);
	code = ws_exit_code(status);
	if (status == WS_OK && ws_output_write(arguments->output, text, size, error) != WS_OK)
		code = WS_EXIT_OUTPUT;
	free(text);
	ws_session_close(session);
	return code;
}
