/* From a command line to an open session, and what probes may look at. */
#ifndef WS_CLI_OPEN_H
#define WS_CLI_OPEN_H

#include "activity/session.h"
#include "cli/arguments.h"
#include "probe/probe.h"

/* Opens the machine that the command line names; no back end yet. */
int ws_cli_open(const struct ws_arguments *arguments, struct ws_session **out, struct ws_error *error);

/*
 * Opens back ends: of those families (by spaces; NULL = all), the ones that --backend leaves. What is absent is no
 * failure.
 */
int ws_cli_need(const struct ws_arguments *arguments, struct ws_session *session, const char *families,
		struct ws_error *error);

/* The facts and wishes for probes. Points into the arguments, the session and `text`. */
struct ws_cli_wishes {
	struct ws_expand expand;
	char pair[2][48];
	char host_node[24];
};
void ws_cli_wish(const struct ws_arguments *arguments, const struct ws_session *session, struct ws_cli_wishes *out);

#endif
