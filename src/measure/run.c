/* Runs a plan: the only loop that takes samples. */
#include "measure/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "kernel/host_pattern.h"
#include "measure/warm_up.h"
#include "measure/stats_interval.h"
#include "seam/probe.h"

#define IDLE_NS 10000000        /* links sleep: a path that rested so long gets an untimed shot first */
#define SAMPLES_MIN 10          /* fewer hardly give an interval: the budget is exceeded for them ... */
#define BUDGET_MAX 4            /* ... so many times */
#define DISCARDED_MAX 20        /* more discarded samples than this and than kept ones: it does not work */

static void report_progress(const struct ws_run *run, const struct ws_step *step)
{
	struct ws_progress progress = {
		.step = step,
		.step_index = run->step_index,
		.step_count = run->result->step_count,
		.elapsed_ns = ws_run_now(run) - run->started_ns,
		.left_ns = -1,
	};

	if (!run->options->progress)
		return;
	if (run->step_index > 0) {
		const int64_t before_ns = run->step_started_ns - run->started_ns;
		const int64_t whole_ns = before_ns / run->step_index * progress.step_count;

		progress.left_ns = whole_ns > progress.elapsed_ns ? whole_ns - progress.elapsed_ns : 0;
	}
	run->options->progress(run->options->context, &progress);
}

/* Ends a step for a reason. What it has recorded stays. */
static void fail_step(struct ws_step_run *step, int status, const char *reason)
{
	step->finished = true;
	step->result->ending = status == WS_EINTERRUPTED ? WS_ENDED_INTERRUPTED : WS_ENDED_FAILED;
	step->result->status = status;
	snprintf(step->result->reason, sizeof(step->result->reason), "%s", reason);
}

static void finish_step(struct ws_step_run *step, enum ws_ending ending)
{
	step->finished = true;
	step->result->ending = ending;
}

static bool any_pending(const struct ws_step_run *step)
{
	for (int i = 0; step->shooter.done && i < step->step->item_count; i++)
		if (!step->shooter.done[i])
			return true;
	return false;
}

/* The engines that did not end what they had to do. If all did, or that is not known, it may be any of them. */
static void remember_lost(struct ws_run *run, const struct ws_step_run *step)
{
	const bool known = any_pending(step);

	run->result->lost = true;
	for (int i = 0; i < step->step->item_count; i++) {
		struct ws_place *lost;

		if (known && step->shooter.done[i])
			continue;
		lost = realloc(run->lost, ((size_t)run->lost_count + 1) * sizeof(*lost));
		if (!lost)
			return;
		run->lost = lost;
		lost[run->lost_count++] = ws_place_device(&step->step->items[i].engine.place);
	}
}

static bool uses(const struct ws_item *item, const struct ws_place *place)
{
	return ws_place_same_device(&item->engine.place, place) || ws_place_same_device(&item->source, place) ||
	       ws_place_same_device(&item->destination, place);
}

/* The lost place that a step would touch, or NULL. */
static const struct ws_place *touches_lost(const struct ws_run *run, const struct ws_step *step)
{
	for (int i = 0; i < step->item_count; i++)
		for (int k = 0; k < run->lost_count; k++)
			if (uses(&step->items[i], &run->lost[k]))
				return &run->lost[k];
	return NULL;
}

static void fail_by(struct ws_run *run, struct ws_step_run *step, int rc, const struct ws_error *error)
{
	fail_step(step, rc, error->text[0] ? error->text : ws_status_name(rc));
	if (step->shooter.lost)
		remember_lost(run, step);
}

/* Makes destinations differ from what is to be copied there, if a shot has been taken since they did. */
static int refill(struct ws_step_run *step, struct ws_error *error)
{
	int rc = WS_OK;

	if (!step->filled)
		rc = ws_shooter_refill(&step->shooter, step->seed, error);
	step->filled = rc == WS_OK;
	return rc;
}

static void start_step(struct ws_run *run, struct ws_step_run *step)
{
	const struct ws_place *lost = touches_lost(run, step->step);
	char text[WS_PLACE_TEXT], reason[120];
	struct ws_error error = {0};
	int rc;

	if (step->step->reason[0] || step->step->item_count == 0) {
		step->finished = true;
		return;
	}
	if (lost) {
		snprintf(reason, sizeof(reason), "%s does not answer any more since an earlier step",
			 ws_place_format(lost, text, sizeof(text)));
		fail_step(step, WS_ELOST, reason);
		return;
	}
	rc = ws_step_cells(step->step, &step->cells, &step->cell_count, &error);
	if (rc == WS_OK) {
		rc = ws_shooter_init(&step->shooter, step->step, run->settings, run->options->clock, run->options->source,
				     &error);
		step->open = rc == WS_OK;
	}
	/* Any two seeds differ in many bits of the pattern's hash; one apart is enough. */
	step->seed = ws_pattern_seed(run->settings, (uint64_t)(step->result - run->result->steps));
	if (rc == WS_OK && run->settings->verify != WS_VERIFY_NONE)
		rc = refill(step, &error);
	if (rc == WS_OK)
		rc = ws_warm_choose_loops(run, step, &error);
	if (rc == WS_OK && run->settings->samples == 0)
		rc = ws_warm_up(run, step, &error);
	if (rc != WS_OK)
		fail_by(run, step, rc, &error);
}

/* Takes a sample and puts it into the records; a failed one is recorded as discarded, with the reason. */
static int take_sample(struct ws_run *run, struct ws_step_run *step, int size_index, bool verify, struct ws_error *error)
{
	struct ws_sample sample = {.size_index = size_index};
	struct ws_shot shot;
	int rc = WS_OK;

	if (verify)
		rc = refill(step, error);
	if (rc == WS_OK && run->settings->lead_loops == 0 && ws_run_now(run) - step->shooter.last_end_ns >= IDLE_NS)
		rc = ws_warm_shoot(run, step, size_index, NULL, error);
	shot = ws_warm_shot(run, step, size_index);
	step->filled = false;
	if (rc == WS_OK)
		rc = ws_shooter_sample(&step->shooter, &shot, &sample, error);
	if (rc == WS_OK && verify && !sample.discarded)
		rc = ws_shooter_verify(&step->shooter, &sample.check, error);
	if (rc != WS_OK) {
		ws_sample_release(&sample);
		sample.size_index = size_index;
		sample.discarded = true;
		snprintf(sample.discard_reason, sizeof(sample.discard_reason), "%.79s", error->text);
	}
	if (sample.discarded)
		step->discarded++;
	else
		step->kept[size_index]++;
	ws_check_merge(&step->result->check, &sample.check);
	step->result->check.done = step->result->check.done || sample.check.done;
	if (ws_records_add(&step->result->records, &sample, error) != WS_OK) {
		ws_sample_release(&sample);
		return WS_ENOMEM;
	}
	return rc;
}

/* The widest relative interval of the step's cells, as their fold sees it; false while one has none. */
static bool step_precision(const struct ws_run *run, const struct ws_step_run *step, double *precision)
{
	double worst = 0;

	for (int i = 0; i < step->cell_count; i++) {
		const struct ws_fold_input input = {step->step, step->cells[i].items, step->cells[i].count,
						    &step->result->records, run->settings};
		struct ws_folded folded = {0};

		step->step->probe->fold(&input, &folded);
		if (!folded.has_precision)
			return false;
		worst = folded.precision > worst ? folded.precision : worst;
	}
	*precision = worst;
	return true;
}

static void decide(struct ws_run *run, struct ws_step_run *step, int64_t used_ns, int group_size)
{
	const int kept = step->size_count == 2 && step->kept[1] < step->kept[0] ? step->kept[1] : step->kept[0];
	const double used = (double)used_ns / ((double)run->settings->time_limit_ns * group_size);
	double precision = 0;
	bool known;

	if (step->result->check.wrong_count) {
		finish_step(step, WS_ENDED_WRONG_DATA);
		return;
	}
	if (step->discarded > DISCARDED_MAX && step->discarded > 2 * kept) {
		fail_step(step, WS_EDRIVER, step->result->records.samples[step->result->records.count - 1].discard_reason);
		return;
	}
	if (run->settings->samples) {
		if (kept >= (int)run->settings->samples)
			finish_step(step, WS_ENDED_COUNT);
		return;
	}
	if (kept < SAMPLES_MIN && used < BUDGET_MAX)
		return;
	known = (used >= 1 || ws_stop_look((size_t)kept)) && step_precision(run, step, &precision);
	switch (ws_stop_decide((size_t)kept, known, precision, run->settings->precision, used)) {
	case WS_STOP_CONVERGED:
		finish_step(step, WS_ENDED_PRECISE);
		break;
	case WS_STOP_BUDGET:
		finish_step(step, WS_ENDED_BUDGET);
		break;
	case WS_STOP_GO_ON:
		break;
	}
}

/* One sample of every size. */
static void take_round(struct ws_run *run, struct ws_step_run *step)
{
	const enum ws_verify_policy policy = run->settings->verify;
	const int wanted = (int)run->settings->samples;
	struct ws_error error = {0};
	int rc = WS_OK;

	for (int size = 0; size < step->size_count && rc == WS_OK; size++) {
		const bool verify = policy == WS_VERIFY_EACH || (policy == WS_VERIFY_ENDS && step->kept[size] == 0);

		if (ws_run_interrupted(run)) {
			fail_step(step, WS_EINTERRUPTED, "interrupted");
			return;
		}
		if (wanted && step->kept[size] >= wanted)
			continue;
		rc = take_sample(run, step, size, verify, &error);
	}
	if (rc != WS_OK)
		fail_by(run, step, rc, &error);
}

/*
 * Puts what a sample counted to the facts of the places: "cuda0.nvlink.raw_tx_bytes" to the counters of cuda0. A counter
 * that ran backwards is null.
 */
static int keep_counters(const struct ws_sample *sample, json_t *path, struct ws_error *error)
{
	for (int i = 0; i < sample->counter_count; i++) {
		const struct ws_counter *counter = &sample->counters[i];
		const char *rest = strchr(counter->name, '.');
		char name[sizeof(counter->name)];
		json_t *place, *counters, *delta;
		int failed = 0;

		if (!rest)
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(rest - counter->name), counter->name);
		delta = counter->delta <= INT64_MAX ? json_integer((json_int_t)counter->delta) : json_null();
		place = json_object_get(path, name);
		if (!place)
			failed |= json_object_set_new(path, name, place = json_object());
		counters = json_object_get(place, "counters");
		if (!counters)
			failed |= json_object_set_new(place, "counters", counters = json_object());
		failed |= json_object_set_new(counters, rest + 1, delta);
		if (failed)
			return ws_fail(error, WS_ENOMEM, "no memory for the facts of a path");
	}
	return WS_OK;
}

/* One more shot whose data is compared: what went wrong between the ends shows here. It also shows what links count. */
static int check_end(struct ws_run *run, struct ws_step_run *step, struct ws_error *error)
{
	struct ws_shot shot;
	struct ws_sample sample;
	int rc = refill(step, error);

	shot = ws_warm_shot(run, step, step->size_count - 1);
	shot.link_counters = true;
	if (rc == WS_OK)
		rc = ws_shooter_sample(&step->shooter, &shot, &sample, error);
	if (rc != WS_OK)
		return rc;
	if (step->result->path)
		rc = keep_counters(&sample, step->result->path, error);
	ws_sample_release(&sample);
	if (rc == WS_OK)
		rc = ws_shooter_verify(&step->shooter, &step->result->check, error);
	if (rc == WS_OK && step->result->check.wrong_count)
		step->result->ending = WS_ENDED_WRONG_DATA;
	return rc;
}

/* Facts under load, and the check at the end. */
static void end_step(struct ws_run *run, struct ws_step_run *step)
{
	struct ws_error error = {0};
	int rc = WS_OK;

	if (!step->open || step->result->ending == WS_ENDED_FAILED)
		return;
	step->result->path = json_object();
	if (step->result->path)
		rc = ws_shooter_path(&step->shooter, step->result->path, &error);
	if (rc == WS_OK && run->settings->verify == WS_VERIFY_ENDS && step->result->ending != WS_ENDED_WRONG_DATA &&
	    step->result->ending != WS_ENDED_INTERRUPTED)
		rc = check_end(run, step, &error);
	if (rc != WS_OK)
		fail_by(run, step, rc, &error);
}

static int sizes_of(const struct ws_step *step)
{
	for (int i = 0; i < step->item_count; i++)
		if (step->items[i].size_count == 2)
			return 2;
	return 1;
}

/* Measures the steps [first, first + count): one step, or the members of a group, interleaved. */
static int run_group(struct ws_run *run, int first, int count, struct ws_error *error)
{
	struct ws_step_run *steps = calloc((size_t)count, sizeof(*steps));
	int64_t started_ns;
	bool busy = true;

	if (!steps)
		return ws_fail(error, WS_ENOMEM, "no memory for a group of %d steps", count);
	for (int i = 0; i < count; i++) {
		steps[i].result = &run->result->steps[first + i];
		steps[i].step = &steps[i].result->step;
		steps[i].size_count = sizes_of(steps[i].step);
		report_progress(run, steps[i].step);
		start_step(run, &steps[i]);
	}
	started_ns = ws_run_now(run);
	while (busy) {
		busy = false;
		for (int i = 0; i < count; i++) {
			if (steps[i].finished)
				continue;
			take_round(run, &steps[i]);
			if (!steps[i].finished)
				decide(run, &steps[i], ws_run_now(run) - started_ns, count);
			busy = busy || !steps[i].finished;
		}
		report_progress(run, steps[0].step);
	}
	for (int i = 0; i < count; i++) {
		end_step(run, &steps[i]);
		if (steps[i].open)
			ws_shooter_release(&steps[i].shooter);
		free(steps[i].cells);
	}
	free(steps);
	return WS_OK;
}

/* What a plan leaves open. */
static struct ws_settings complete(struct ws_settings settings)
{
	const struct ws_settings usual = ws_settings_default(false);

	settings.time_limit_ns = settings.time_limit_ns ? settings.time_limit_ns : usual.time_limit_ns;
	settings.timeout_ns = settings.timeout_ns ? settings.timeout_ns : usual.timeout_ns;
	settings.precision = settings.precision > 0 ? settings.precision : usual.precision;
	if (!settings.statistic[0])
		strcpy(settings.statistic, usual.statistic);
	return settings;
}

static int add_steps(const struct ws_plan *plan, struct ws_result *result, struct ws_error *error)
{
	for (int i = 0; i < plan->step_count; i++) {
		struct ws_step_result *step = ws_result_add_step(result);
		int rc = step ? ws_step_copy(&plan->steps[i], &step->step, error)
			      : ws_fail(error, WS_ENOMEM, "no memory for %d steps", plan->step_count);

		if (rc != WS_OK)
			return rc;
		step->check.rank = WS_RANK_NONE;
	}
	return WS_OK;
}

/* What steps would else wait for one by one. */
static int make_ready(const struct ws_run *run, const struct ws_plan *plan, struct ws_error *error)
{
	const struct ws_activity_source *source = run->options->source;
	struct ws_place *places = NULL;
	int count = 0, rc;

	if (!source->begin || ws_run_interrupted(run))
		return WS_OK;
	rc = ws_plan_places(plan, &places, &count, error);
	if (rc == WS_OK && count > 0)
		rc = source->begin(source->context, places, count, run->settings->timeout_ns, error);
	free(places);
	return rc;
}

int ws_run_plan(const struct ws_plan *plan, const struct ws_run_options *options, struct ws_result *result,
		struct ws_error *error)
{
	struct ws_run run = {.options = options, .settings = &result->settings, .result = result};
	const int first = result->step_count;
	int rc = add_steps(plan, result, error);

	result->settings = complete(plan->settings);
	run.started_ns = ws_run_now(&run);
	if (rc == WS_OK)
		rc = make_ready(&run, plan, error);
	for (int i = first; i < result->step_count && rc == WS_OK;) {
		const int group = result->steps[i].step.group;
		int count = 1;

		while (group && i + count < result->step_count && result->steps[i + count].step.group == group)
			count++;
		run.step_index = i;
		run.step_started_ns = ws_run_now(&run);
		if (ws_run_interrupted(&run)) {
			for (int k = i; k < result->step_count; k++)
				fail_step(&(struct ws_step_run){.result = &result->steps[k]}, WS_EINTERRUPTED, "interrupted");
			break;
		}
		rc = run_group(&run, i, count, error);
		i += count;
	}
	result->incomplete = ws_run_interrupted(&run);
	result->elapsed_s = (double)(ws_run_now(&run) - run.started_ns) / 1e9;
	free(run.lost);
	return rc;
}
