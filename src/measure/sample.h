/* One sample of one step: arm, release, poll, read, verify. */
#ifndef WS_MEASURE_SAMPLE_H
#define WS_MEASURE_SAMPLE_H

#include "base/clock.h"
#include "seam/activity.h"

/* A step whose activities are open. All arrays are per item of the step and owned. */
struct ws_shooter {
	const struct ws_clock *clock;
	const struct ws_step *step;
	struct ws_activity **activities; /* owned, with the activities */
	int activity_count;
	int64_t timeout_ns;
	uint32_t *loops, *trail_loops;   /* of the next shot */
	bool *done, *done_before;
	int64_t *end_ns, *gap_ns;
	int64_t last_end_ns;             /* when the path was last busy */
	bool lost;                       /* an activity answered WS_ELOST: nothing of it is touched again */
};

/* Opens and prepares the step's activities. On failure nothing is left open; shooter->lost is still valid. */
int ws_shooter_init(struct ws_shooter *shooter, const struct ws_step *step, const struct ws_settings *settings,
		    const struct ws_clock *clock, const struct ws_activity_source *source, struct ws_error *error);
void ws_shooter_release(struct ws_shooter *shooter);

/* Most timed loops of an item in one shot that the queues of all activities hold. */
uint32_t ws_shooter_loops_max(const struct ws_shooter *shooter);

/* Of one item: CPUs do not queue. */
uint32_t ws_shooter_item_loops_max(const struct ws_shooter *shooter, int item);

int ws_shooter_refill(struct ws_shooter *shooter, uint64_t seed, struct ws_error *error);

/*
 * Takes one sample. shot->loops and trail_loops must be the shooter's. On success *sample is the caller's; it may be
 * discarded (with the reason) because something beside the measured loops ended early, and then the loops that were too
 * few have been raised for the next one. On failure the activities have been cancelled and can be used again, unless
 * shooter->lost.
 */
int ws_shooter_sample(struct ws_shooter *shooter, const struct ws_shot *shot, struct ws_sample *sample,
		      struct ws_error *error);

/* Compares the data of the last sample; adds to check. */
int ws_shooter_verify(struct ws_shooter *shooter, struct ws_check *check, struct ws_error *error);

/* Adds what the activities know of their paths to a JSON object. */
int ws_shooter_path(struct ws_shooter *shooter, struct json_t *into, struct ws_error *error);

#endif
