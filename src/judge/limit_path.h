/* From a step's items and the facts of its path to flows through segments. */
#ifndef WS_JUDGE_LIMIT_PATH_H
#define WS_JUDGE_LIMIT_PATH_H

#include "judge/limit_net.h"
#include "seam/result.h"

/*
 * Appends the flows of an item, one for each lane, in the order of lanes. An item that moves no bytes between places
 * has none; one of a kind whose path is not known here has one through a segment that says so. WS_ENOMEM.
 */
int ws_path_flows(const struct ws_item *item, const struct json_t *facts, struct ws_net *net, struct ws_error *error);

#endif
