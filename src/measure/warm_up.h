/* A step while it is measured, and what precedes its first sample: choosing loops and warming up. Private to measure. */
#ifndef WS_MEASURE_WARM_UP_H
#define WS_MEASURE_WARM_UP_H

#include "base/item.h"
#include "measure/run.h"
#include "measure/sample.h"

/* A step while it is measured. */
struct ws_step_run {
	struct ws_step_result *result;
	const struct ws_step *step;
	struct ws_cell_items *cells;
	int cell_count;
	struct ws_shooter shooter;
	bool open, finished;
	uint64_t seed;         /* of its buffers' pattern */
	bool filled;           /* destinations are as no shot leaves them */
	int size_count; /* 1 or 2 */
	int kept[2], discarded;
	uint32_t chosen_loops;
	int64_t begun_ns;      /* when its shots began */
};

struct ws_run {
	const struct ws_run_options *options;
	const struct ws_settings *settings;
	struct ws_result *result;
	struct ws_place *lost; /* devices not to be touched again */
	int lost_count;
	int64_t started_ns;
	int64_t step_started_ns;
	int step_index;
};

static inline int64_t ws_run_now(const struct ws_run *run)
{
	return ws_clock_now_ns(run->options->clock);
}

static inline bool ws_run_interrupted(const struct ws_run *run)
{
	return run->options->interrupted && *run->options->interrupted;
}

/* The orders of the next shot; its loops are the shooter's. */
struct ws_shot ws_warm_shot(const struct ws_run *run, const struct ws_step_run *step, int size_index);

/* Takes a shot that is not recorded; the longest time of a measured lane, if wanted. */
int ws_warm_shoot(struct ws_run *run, struct ws_step_run *step, int size_index, int64_t *time_ns, struct ws_error *error);

/*
 * Sets the shooter's loops: as the item says, as the plan says, else as many as make a sample long enough. A slope needs
 * one, as what a loop costs beside its bytes cancels out; unless something interferes: how flows share a path changes from
 * one copy to the next, and what goes on after the measured ones is the smaller part of the whole the longer they last.
 */
int ws_warm_choose_loops(struct ws_run *run, struct ws_step_run *step, struct ws_error *error);

/*
 * Shoots until three shots agree with the three before, within 1 %, or the time for it is over, which begins with the
 * shots that chose the loops.
 */
int ws_warm_up(struct ws_run *run, struct ws_step_run *step, struct ws_error *error);

#endif
