/* One rank's part of a step: the items that it runs, as one activity that speaks of the whole step. */
#ifndef WS_ACTIVITY_PART_H
#define WS_ACTIVITY_PART_H

#include "base/error.h"
#include "seam/activity.h"

/* Whether a rank takes part in an item: its engine is the rank's, or without an engine any of its places. */
bool ws_part_takes(const struct ws_item *item, int rank);

/*
 * Whether ranks can run a step. WS_EINVAL: a place without a rank or of one that does not exist, or with a rank where
 * there is only one; WS_EUNSUPPORTED: an engine of one rank and memory of another, where the verb is none that reaches
 * across.
 */
int ws_part_check(const struct ws_step *step, int size, struct ws_error *error);

/*
 * Opens the items of a rank, which has some, by a source that knows of no ranks: places of the rank's own lose their
 * prefix. In what the activity takes and gives, items have the step's numbers, clocks and counters the prefix "r1/",
 * path facts stand under "r1", and a check names the rank. Step and settings are copied.
 */
int ws_part_open(const struct ws_activity_source *source, const struct ws_step *step,
		 const struct ws_settings *settings, int rank, struct ws_activity **out, struct ws_error *error);

#endif
