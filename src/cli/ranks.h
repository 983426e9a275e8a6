/* A command over several ranks: places of all of them, and steps that they run together. */
#ifndef WS_CLI_RANKS_H
#define WS_CLI_RANKS_H

#include "activity/session.h"
#include "cli/arguments.h"
#include "seam/item.h"
#include "seam/ranks.h"

struct ws_proxies;

/* Rank 0's view. All zero = nothing open. */
struct ws_cli_ranks {
	struct ws_ranks alone;       /* where the command has no ranks */
	struct ws_ranks *ranks;
	struct ws_proxies *proxies;
	struct ws_places places;     /* of all ranks; without rank where there is only one */
};

/*
 * The ranks of a command line (arguments->ranks; NULL = alone) on top of a session of rank 0, which has opened the back
 * ends of those families already; the others open theirs now. The session outlives this.
 */
int ws_cli_ranks_open(const struct ws_arguments *arguments, struct ws_session *session, const char *families,
		      struct ws_cli_ranks *out, struct ws_error *error);

/*
 * The same for a plan that was read: the families are those of its places. WS_EINVAL or WS_EUNSUPPORTED names the first
 * step that these ranks cannot run.
 */
int ws_cli_ranks_open_plan(const struct ws_arguments *arguments, struct ws_session *session, const struct ws_plan *plan,
			   struct ws_cli_ranks *out, struct ws_error *error);

/* The places of all ranks; of one alone, those that its session has opened until now. */
const struct ws_places *ws_cli_ranks_places(const struct ws_cli_ranks *ranks, const struct ws_session *session);

/* Where the steps of a plan get their activities from; valid until release. */
int ws_cli_ranks_source(struct ws_cli_ranks *ranks, const struct ws_settings *settings,
			struct ws_activity_source *out, struct ws_error *error);

void ws_cli_ranks_release(struct ws_cli_ranks *ranks);

/* What every rank but 0 does with the command line, until rank 0 is gone. For ws_ranks_launch; context = arguments. */
void ws_cli_follow(struct ws_ranks *ranks, void *context);

#endif
