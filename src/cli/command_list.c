/* The command "list": the table of probes, and with --here what of it this machine can run. */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

#include "cli/open.h"
#include "probe/probe.h"

#define REASON 160

static int longest(bool family)
{
	const struct ws_probe *probe;
	size_t most = 0;

	for (size_t i = 0; (probe = ws_probe_row(i)) != NULL; i++) {
		const size_t length = strlen(family ? probe->family : probe->name);

		most = length > most ? length : most;
	}
	return (int)most;
}

static void list_all(void)
{
	const int name = longest(false), family = longest(true);
	const struct ws_probe *probe;

	for (size_t i = 0; (probe = ws_probe_row(i)) != NULL; i++)
		printf("%-*s  %-*s  %s\n", name, probe->name, family, probe->family, probe->summary);
}

static int list_here(const struct ws_arguments *arguments, const struct ws_session *session, struct ws_error *error)
{
	const int name = longest(false);
	struct ws_cli_wishes wishes;
	const struct ws_probe *probe;
	char reason[REASON];

	ws_cli_wish(arguments, session, &wishes);
	for (size_t i = 0; (probe = ws_probe_row(i)) != NULL; i++) {
		const int status = ws_probe_applies(probe, &wishes.expand, reason, sizeof(reason), error);

		if (status != WS_OK)
			return status;
		printf("%-*s  %s%s\n", name, probe->name, reason[0] ? "no: " : "yes", reason);
	}
	return WS_OK;
}

int ws_command_list(const struct ws_arguments *arguments, struct ws_error *error)
{
	struct ws_session *session = NULL;
	int status;

	if (!arguments->here) {
		if (arguments->machine || arguments->backend)
			return ws_exit_code(ws_fail(error, WS_EINVAL, "--%s goes with --here only",
						    arguments->machine ? "machine" : "backend"));
		list_all();
		return WS_EXIT_OK;
	}
	status = ws_cli_open(arguments, &session, error);
	if (status == WS_OK)
		status = ws_cli_need(arguments, session, NULL, error);
	if (status == WS_OK)
		status = list_here(arguments, session, error);
	ws_session_close(session);
	return ws_exit_code(status);
}
