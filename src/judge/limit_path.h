/* From a step's items and the facts of its path to flows through segments. */
#ifndef WS_JUDGE_LIMIT_PATH_H
#define WS_JUDGE_LIMIT_PATH_H

#include "judge/limit_net.h"
#include "seam/result.h"

/* A step of more items has no limits. */
#define WS_PATH_ITEMS_MAX 1024

/*
 * Appends the flows of a step's items, one for each lane, in the order of items and lanes: first[i] is set to the
 * index of item i's first one, first[*items] to their number, with room for WS_PATH_ITEMS_MAX + 1. An item that moves
 * no bytes between places has none; one of a kind whose path is not known here has one through a segment that says so.
 * *items is 0 where there is nothing or too much. WS_ENOMEM.
 */
int ws_path_step_flows(const struct ws_step_result *step, struct ws_net *net, int *first, int *items,
		       struct ws_error *error);

#endif
