/* Runs a plan: the only loop that takes samples. It drives activities, and prints nothing. */
#ifndef WS_MEASURE_RUN_H
#define WS_MEASURE_RUN_H

#include <signal.h>

#include "base/clock.h"
#include "base/error.h"
#include "seam/activity.h"
#include "seam/result.h"

struct ws_progress {
	const struct ws_step *step; /* being measured */
	int step_index, step_count;
	int64_t elapsed_ns;
	int64_t left_ns; /* estimate; -1 = too early to tell */
};

struct ws_run_options {
	const struct ws_clock *clock;
	const struct ws_activity_source *source;
	/* May be NULL. Once not 0, the sample in hand is finished, and nothing more is measured. */
	const volatile sig_atomic_t *interrupted;
	/* May be NULL. Called between samples only, never while anything is timed. */
	void (*progress)(void *context, const struct ws_progress *);
	void *context;
};

/*
 * Lets the source make ready what the steps use, measures every step of the plan and appends to result->steps, in the
 * plan's order; sets settings, incomplete, lost and elapsed_s. A step that fails carries status and reason, and the rest
 * is measured. The return value tells only of failures that end the whole run (out of memory). Steps of one group are
 * interleaved, sample by sample.
 */
int ws_run_plan(const struct ws_plan *plan, const struct ws_run_options *options, struct ws_result *result,
		struct ws_error *error);

#endif
