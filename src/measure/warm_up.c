/* What precedes a step's first sample: choosing loops and warming up. */
#include "measure/warm_up.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/record.h"
#include "measure/stats.h"

#define WARM_UP_NS 500000000    /* at most, and at most a part of the step's budget */
#define WARM_UP_SHARE 8
#define WARM_UP_SHOTS 6         /* at least: three are compared with the three before */
#define SAMPLE_NS 2000000       /* a sample lasts so long, a thousand times what any clock used resolves */

static bool by_cpu(const struct ws_item *item)
{
	return strcmp(item->engine.name, "cpu") == 0;
}

/*
 * Interference that goes on until the measured items have ended: by a CPU, which takes orders while it runs; by a GPU of
 * CUDA beside work of a CPU, which may last longer than all that can be queued.
 */
static bool goes_on(const struct ws_step *step, const struct ws_item *item)
{
	if (by_cpu(item))
		return true;
	if (strcmp(item->engine.place.family, "cuda") != 0 || item->verb == WS_CHASE || item->verb == WS_PINGPONG ||
	    item->verb == WS_NOOP || (item->verb == WS_COPY2 && strcmp(item->engine.name, "ce") != 0))
		return false;
	for (int i = 0; i < step->item_count; i++)
		if (by_cpu(&step->items[i]) && !ws_item_flag(&step->items[i], "interfering"))
			return true;
	return false;
}

static bool interferes(const struct ws_step_run *step, int item)
{
	return ws_item_flag(&step->step->items[item], "interfering");
}

/* Most bytes of a measured item in the next shot, by its larger size. */
static double measured_bytes(const struct ws_step_run *step)
{
	const struct ws_shooter *shooter = &step->shooter;
	double most = 0;

	for (int i = 0; i < step->step->item_count; i++)
		if (!interferes(step, i))
			most = fmax(most, ((double)shooter->loops[i] + shooter->trail_loops[i]) *
						  (double)ws_item_largest_size(&step->step->items[i]));
	return most;
}

/* A first guess: a quarter more bytes than the measured items move, or twice as many loops if one moves none. */
static uint32_t loops_beside(const struct ws_step_run *step, const struct ws_item *item)
{
	const double most = ws_shooter_loops_max(&step->shooter), own = (double)ws_item_largest_size(item);
	const double measured = measured_bytes(step);
	const double loops = own > 0 && measured > 0 ? 1.25 * measured / own : 2.0 * step->chosen_loops;

	return (uint32_t)fmin(ceil(loops), most);
}

static uint32_t loops_said(const struct ws_run *run, const struct ws_item *item)
{
	return item->loops ? item->loops : run->settings->loops;
}

/*
 * Loops of every item of the next shot: as the item says, as the plan says, else as many as were chosen. What is measured
 * together goes on a quarter longer; interference after them all.
 */
static void set_loops(const struct ws_run *run, struct ws_step_run *step)
{
	struct ws_shooter *shooter = &step->shooter;

	for (int i = 0; i < step->step->item_count; i++) {
		const struct ws_item *item = &step->step->items[i];
		const uint32_t loops = loops_said(run, item);

		if (interferes(step, i))
			continue;
		shooter->loops[i] = loops ? loops : step->chosen_loops;
		shooter->trail_loops[i] = ws_item_flag(item, "together") ? shooter->loops[i] / 4 + 1 : 0;
	}
	for (int i = 0; i < step->step->item_count; i++) {
		const struct ws_item *item = &step->step->items[i];
		const uint32_t loops = loops_said(run, item);

		if (!interferes(step, i))
			continue;
		shooter->loops[i] = loops			? loops
				    : goes_on(step->step, item) ? WS_LOOPS_UNTIL_STOPPED
								: loops_beside(step, item);
	}
}

static bool loops_are_chosen(const struct ws_run *run, const struct ws_step_run *step)
{
	for (int i = 0; i < step->step->item_count; i++)
		if (loops_said(run, &step->step->items[i]) == 0 && !interferes(step, i))
			return true;
	return false;
}

/* Something goes on beside the timed loops. */
static bool has_interference(const struct ws_step_run *step)
{
	for (int i = 0; i < step->step->item_count; i++)
		if (interferes(step, i) || ws_item_flag(&step->step->items[i], "together"))
			return true;
	return false;
}

struct ws_shot ws_warm_shot(const struct ws_run *run, const struct ws_step_run *step, int size_index)
{
	struct ws_shot shot = {
		.size_index = size_index,
		.lead_loops = run->settings->lead_loops,
		.loops = step->shooter.loops,
		.trail_loops = step->shooter.trail_loops,
		.gated = !run->settings->ungated,
		.counters = run->settings->counters,
	};

	for (int i = 0; i < step->step->item_count; i++)
		shot.mark_every_loop = shot.mark_every_loop || ws_item_flag(&step->step->items[i], "marks");
	return shot;
}

/* The longest time of a measured lane. */
static int64_t longest_ns(const struct ws_step_run *step, const struct ws_sample *sample)
{
	int64_t longest = 1;

	for (int i = 0; i < sample->lane_count; i++) {
		const struct ws_lane *lane = &sample->lanes[i];

		if (!interferes(step, lane->item) && ws_lane_time_ns(lane) > longest)
			longest = ws_lane_time_ns(lane);
	}
	return longest;
}

int ws_warm_shoot(struct ws_run *run, struct ws_step_run *step, int size_index, int64_t *time_ns, struct ws_error *error)
{
	const struct ws_shot shot = ws_warm_shot(run, step, size_index);
	struct ws_sample sample;
	int rc;

	step->filled = false;
	rc = ws_shooter_sample(&step->shooter, &shot, &sample, error);
	if (rc != WS_OK)
		return rc;
	if (time_ns)
		*time_ns = longest_ns(step, &sample);
	ws_sample_release(&sample);
	return WS_OK;
}

/* Interference may need more loops, which must also fit, and room to be raised once. */
static uint32_t loops_limit(const struct ws_run *run, const struct ws_step_run *step)
{
	const uint32_t lead = run->settings->lead_loops, depth = ws_shooter_loops_max(&step->shooter);
	const uint32_t most = depth > lead ? depth - lead : 1;

	if (!has_interference(step))
		return most;
	return most > 4 ? most / 4 : 1;
}

/* A plan's own number may be more than can wait behind a closed gate, which would then stay closed. CPUs do not queue. */
static int check_loops(const struct ws_run *run, const struct ws_step_run *step, struct ws_error *error)
{
	for (int i = 0; i < step->step->item_count && !run->settings->ungated; i++) {
		const struct ws_item *item = &step->step->items[i];
		const uint32_t most = ws_shooter_item_loops_max(&step->shooter, i);
		const uint32_t loops = step->shooter.loops[i];
		const uint32_t untimed = step->shooter.trail_loops[i];
		char beside[40] = "";

		if ((uint64_t)loops + untimed <= most || loops == WS_LOOPS_UNTIL_STOPPED || ws_item_flag(item, "ungated"))
			continue;
		if (untimed)
			snprintf(beside, sizeof(beside), " and %" PRIu32 " untimed ones", untimed);
		return ws_fail(error, WS_EINVAL,
			       "item %d has %" PRIu32 " loops%s, and at most %" PRIu32 " of it can be queued in this step",
			       i + 1, loops, beside, most);
	}
	return WS_OK;
}

int ws_warm_choose_loops(struct ws_run *run, struct ws_step_run *step, struct ws_error *error)
{
	const uint32_t limit = loops_limit(run, step);
	int rc;

	step->begun_ns = ws_run_now(run);
	step->chosen_loops = 1;
	set_loops(run, step);
	rc = check_loops(run, step, error);
	if (rc != WS_OK)
		return rc;
	if ((step->size_count == 2 && !has_interference(step)) || !loops_are_chosen(run, step))
		return WS_OK;
	for (int tries = 0; tries < 6 && rc == WS_OK; tries++) {
		int64_t time_ns = 1;
		double wanted;

		rc = ws_warm_shoot(run, step, step->size_count - 1, &time_ns, error);
		/* The first shots are slow (pages, caches, clocks): grow by at most ten at a time. */
		wanted = (double)step->chosen_loops * SAMPLE_NS / (double)time_ns;
		wanted = wanted > 10.0 * step->chosen_loops ? 10.0 * step->chosen_loops : wanted;
		if (rc != WS_OK || time_ns >= SAMPLE_NS || step->chosen_loops >= limit)
			break;
		step->chosen_loops = wanted >= limit ? limit : (uint32_t)wanted + 1;
		set_loops(run, step);
	}
	return rc;
}

static double median3(const double *values)
{
	double sorted[3];

	ws_stats_sort(values, 3, sorted);
	return sorted[1];
}

int ws_warm_up(struct ws_run *run, struct ws_step_run *step, struct ws_error *error)
{
	const int64_t budget_ns = run->settings->time_limit_ns / WARM_UP_SHARE;
	const int64_t until_ns = step->begun_ns + (budget_ns < WARM_UP_NS ? budget_ns : WARM_UP_NS);
	double times[WARM_UP_SHOTS] = {0};
	int rc = WS_OK;

	for (int i = 0; rc == WS_OK && !ws_run_interrupted(run); i++) {
		int64_t time_ns = 0;
		double before, after;

		rc = ws_warm_shoot(run, step, i < 2 ? i % step->size_count : step->size_count - 1, &time_ns, error);
		memmove(times, times + 1, (WARM_UP_SHOTS - 1) * sizeof(*times));
		times[WARM_UP_SHOTS - 1] = (double)time_ns;
		if (i + 1 < WARM_UP_SHOTS && ws_run_now(run) < until_ns)
			continue;
		before = median3(times);
		after = median3(times + 3);
		if (ws_run_now(run) >= until_ns || (after <= 1.01 * before && after >= 0.99 * before))
			break;
	}
	return rc;
}
