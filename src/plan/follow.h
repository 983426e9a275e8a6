/* What a rank other than 0 does: it obeys rank 0 until that is gone. */
#ifndef WS_PLAN_FOLLOW_H
#define WS_PLAN_FOLLOW_H

#include "base/error.h"
#include "plan/plan_text.h"
#include "seam/activity.h"
#include "seam/place.h"
#include "seam/ranks.h"

struct ws_follow_options {
	/*
	 * Opens what this rank measures with: of those families (by spaces; NULL = all). Asked when rank 0 wants to know the
	 * places, which have no rank; the source gets items without the rank's prefix. Its error goes to rank 0.
	 */
	int (*open)(void *context, const char *families, const struct ws_places **places,
		    const struct ws_activity_source **source, struct ws_error *error);
	void *context;
	ws_probe_lookup *find;
};

/*
 * Returns WS_OK when rank 0 has closed the connection, WS_ECORRUPT if it does not keep to the protocol. What is open is
 * freed, unless *lost: something hangs, and the process must leave by _exit.
 */
int ws_follow(struct ws_ranks *ranks, const struct ws_follow_options *options, bool *lost, struct ws_error *error);

#endif
