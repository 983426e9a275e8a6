/* Counters of the engines' places around one sample of a step. */
#ifndef WS_ACTIVITY_STEP_COUNT_H
#define WS_ACTIVITY_STEP_COUNT_H

#include "activity/step_lane.h"
#include "seam/record.h"

struct counted;

struct step_counters {
	const struct ws_step *step; /* not NULL: the first measured engine of each cell, if its bytes go by links */
	struct counted *at; /* owned; each place once; NULL until counters are asked for */
	int count;
};

/* Reads the counters of the lanes' engines, each place once. Those of links that cannot be read are no failure. */
int step_count_before(struct step_counters *counters, const struct step_lane *lanes, int lane_count,
		      struct ws_error *error);
/* Adds to the sample what every counter has risen by since. */
int step_count_after(struct step_counters *counters, struct ws_sample *sample, struct ws_error *error);
void step_count_release(struct step_counters *counters);

#endif
