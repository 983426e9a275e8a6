/* A scripted activity on a simulated clock. */
#include "fake/scripted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/item.h"
#include "base/record.h"

/* How far the clock moves with every look at it: time must pass, or deadlines never would. */
#define TICK_NS 10

struct scripted {
	struct ws_activity activity;
	struct script *script;
	const struct ws_step *step;
	const struct ws_shot *shot;
	int64_t start_ns[SCRIPT_ITEMS_MAX][2], end_ns[SCRIPT_ITEMS_MAX][2], trail_ns[SCRIPT_ITEMS_MAX][2];
	bool stopped, hangs;
};

static int64_t now_ns(void *context)
{
	struct script *script = context;

	script->now_ns += TICK_NS;
	return script->now_ns;
}

static void sleep_until_ns(void *context, int64_t time_ns)
{
	struct script *script = context;

	if (time_ns > script->now_ns)
		script->now_ns = time_ns;
}

void script_init(struct script *script)
{
	script->clock = (struct ws_clock){now_ns, sleep_until_ns, script};
	script->now_ns = 1000000;
	script->log[0] = '\0';
}

static struct scripted *of(struct ws_activity *activity)
{
	return (struct scripted *)(void *)activity;
}

static void note(struct script *script, char letter)
{
	const size_t length = strlen(script->log);

	if (length + 1 < sizeof(script->log)) {
		script->log[length] = letter;
		script->log[length + 1] = '\0';
	}
}

static bool faulty(const struct script *script, enum script_fault fault)
{
	return script->fault == fault && (script->fault_shot < 0 || script->fault_shot == script->shots);
}

static int offer(struct ws_activity *activity, int64_t deadline_ns, struct json_t *into, struct ws_error *error)
{
	(void)deadline_ns;
	(void)error;
	note(of(activity)->script, 'o');
	return json_object_set_new(into, "scripted", json_integer(42)) == 0 ? WS_OK : WS_ENOMEM;
}

static int prepare(struct ws_activity *activity, const struct json_t *offers, int64_t deadline_ns, struct ws_error *error)
{
	struct script *script = of(activity)->script;

	(void)deadline_ns;
	note(script, 'p');
	if (json_integer_value(json_object_get(offers, "scripted")) != 42)
		return ws_fail(error, WS_EINVAL, "the offer did not come back");
	return script->fail_prepare ? ws_fail(error, WS_EDRIVER, "%s", script->fail_prepare) : WS_OK;
}

static int refill(struct ws_activity *activity, uint64_t seed, int64_t deadline_ns, struct ws_error *error)
{
	struct script *script = of(activity)->script;

	(void)deadline_ns;
	(void)error;
	note(script, 'F');
	script->refills++;
	script->last_seed = seed;
	script->now_ns += script->refill_ns;
	return WS_OK;
}

static int arm(struct ws_activity *activity, const struct ws_shot *shot, int64_t deadline_ns, struct ws_error *error)
{
	struct scripted *scripted = of(activity);
	struct script *script = scripted->script;

	(void)deadline_ns;
	note(script, 'a');
	scripted->shot = shot;
	script->last_lead = shot->lead_loops;
	script->last_size_index = shot->size_index;
	script->last_gated = shot->gated;
	for (int i = 0; i < scripted->step->item_count; i++) {
		script->last_loops[i] = shot->loops[i];
		script->last_trail[i] = shot->trail_loops[i];
	}
	for (int i = 0; i < scripted->step->item_count && script->loops_max; i++)
		if (shot->loops[i] != WS_LOOPS_UNTIL_STOPPED && shot->loops[i] > script->loops_max)
			return ws_fail(error, WS_EINVAL, "%u loops are more than the script's queue holds", shot->loops[i]);
	if (faulty(script, SCRIPT_FAIL_ARM))
		return ws_fail(error, WS_EDRIVER, "scripted failure to arm");
	return WS_OK;
}

/* The time of one loop of an item in this shot. */
static int64_t loop_ns(const struct scripted *scripted, int item, int lane)
{
	const struct script *script = scripted->script;
	const struct script_item *row = &script->items[item];
	const struct ws_item *of_step = &scripted->step->items[item];
	const int size = of_step->size_count == 2 ? scripted->shot->size_index : 0;
	double time = (double)row->fixed_ns + row->ns_per_kib * (double)of_step->size_bytes[size] / 1024;

	time *= lane == 1 && row->back_factor > 0 ? row->back_factor : 1;
	time *= 1 + script->drift * script->shots;
	time *= script->noise_count ? script->noise[script->shots % script->noise_count] : 1;
	time *= faulty(script, SCRIPT_STALL) ? 5 : 1;
	return (int64_t)(time + 0.5);
}

static void release(struct ws_activity *activity)
{
	struct scripted *scripted = of(activity);
	struct script *script = scripted->script;

	note(script, 'R');
	scripted->stopped = false;
	scripted->hangs = faulty(script, SCRIPT_HANG) || faulty(script, SCRIPT_LOST);
	for (int i = 0; i < scripted->step->item_count; i++) {
		const int lanes = ws_verb_row(scripted->step->items[i].verb)->lanes;

		for (int lane = 0; lane < lanes; lane++) {
			const int64_t one = loop_ns(scripted, i, lane);
			const uint32_t loops = scripted->shot->loops[i];

			scripted->start_ns[i][lane] = script->now_ns + script->late_release_ns +
						      one * scripted->shot->lead_loops;
			scripted->end_ns[i][lane] = loops == WS_LOOPS_UNTIL_STOPPED
							    ? INT64_MAX
							    : scripted->start_ns[i][lane] + one * loops;
			scripted->trail_ns[i][lane] = one * scripted->shot->trail_loops[i];
		}
	}
}

static int64_t item_end(const struct scripted *scripted, int item)
{
	const int lanes = ws_verb_row(scripted->step->items[item].verb)->lanes;
	const int64_t first = scripted->end_ns[item][0] == INT64_MAX
				      ? INT64_MAX
				      : scripted->end_ns[item][0] + scripted->trail_ns[item][0];
	const int64_t second = lanes == 2 ? scripted->end_ns[item][1] + scripted->trail_ns[item][1] : 0;

	return lanes == 2 && second > first ? second : first;
}

/* Moves the clock to the next end, so that the simulated wait costs nothing. */
static int poll(struct ws_activity *activity, int64_t wait_until_ns, bool *item_done, struct ws_error *error)
{
	struct scripted *scripted = of(activity);
	struct script *script = scripted->script;
	int64_t next = INT64_MAX;

	(void)wait_until_ns;
	(void)error;
	for (int i = 0; i < scripted->step->item_count; i++)
		if (!item_done[i] && item_end(scripted, i) < next)
			next = item_end(scripted, i);
	if (scripted->hangs || next == INT64_MAX)
		script->now_ns += 1000000000;
	else if (script->poll_ns)
		script->now_ns += script->poll_ns;
	else if (next > script->now_ns)
		script->now_ns = next;
	for (int i = 0; i < scripted->step->item_count && !scripted->hangs; i++)
		if (script->now_ns >= item_end(scripted, i))
			item_done[i] = true;
	return WS_OK;
}

static void stop(struct ws_activity *activity)
{
	struct scripted *scripted = of(activity);
	struct script *script = scripted->script;

	for (int i = 0; i < scripted->step->item_count; i++) {
		if (scripted->end_ns[i][0] == INT64_MAX) {
			note(script, 's');
			scripted->end_ns[i][0] = script->now_ns;
		}
	}
}

static int add_lane(struct scripted *scripted, int item, int lane_number, struct ws_sample *sample)
{
	const struct script_item *row = &scripted->script->items[item];
	const struct ws_item *of_step = &scripted->step->items[item];
	const int size = of_step->size_count == 2 ? scripted->shot->size_index : 0;
	struct ws_lane *lane = ws_sample_add_lane(sample, item, lane_number);
	uint32_t loops = scripted->shot->loops[item];

	if (!lane)
		return WS_ENOMEM;
	if (loops == WS_LOOPS_UNTIL_STOPPED)
		loops = (uint32_t)((scripted->end_ns[item][0] - scripted->start_ns[item][0]) /
				   loop_ns(scripted, item, 0));
	lane->loops = loops;
	lane->lead_loops = scripted->shot->lead_loops;
	lane->trail_loops = scripted->shot->trail_loops[item];
	lane->issue_ns = 25 * (int64_t)lane->loops;
	lane->gated = scripted->shot->gated && !ws_item_flag(of_step, "ungated");
	lane->bytes = of_step->size_bytes[size] * loops;
	lane->start_ns = scripted->start_ns[item][lane_number];
	lane->end_ns = scripted->end_ns[item][lane_number];
	lane->has_device = row->clock != NULL;
	snprintf(lane->clock, sizeof(lane->clock), "%s", row->clock ? row->clock : "");
	if (row->value_count > 0) {
		lane->values = malloc((size_t)row->value_count * sizeof(*lane->values));
		if (!lane->values)
			return WS_ENOMEM;
		memcpy(lane->values, row->values, (size_t)row->value_count * sizeof(*lane->values));
		lane->value_count = row->value_count;
		strcpy(lane->value_unit, "ns");
	}
	return WS_OK;
}

static int read_lanes(struct ws_activity *activity, int64_t deadline_ns, struct ws_sample *sample, struct ws_error *error)
{
	struct scripted *scripted = of(activity);
	struct script *script = scripted->script;
	int rc = WS_OK;

	(void)deadline_ns;
	note(script, 'r');
	if (faulty(script, SCRIPT_FAIL_READ))
		return ws_fail(error, WS_EDRIVER, "scripted failure to read");
	for (int i = 0; i < scripted->step->item_count && rc == WS_OK; i++)
		for (int lane = 0; lane < ws_verb_row(scripted->step->items[i].verb)->lanes && rc == WS_OK; lane++)
			rc = add_lane(scripted, i, lane, sample);
	if (rc == WS_OK && script->counter_step && (scripted->shot->counters || scripted->shot->link_counters)) {
		const struct ws_counter counter = {"sim0.bytes", script->counter_step};

		rc = ws_sample_add_counter(sample, &counter);
	}
	script->shots++;
	return rc;
}

static int verify(struct ws_activity *activity, int64_t deadline_ns, struct ws_check *check, struct ws_error *error)
{
	struct script *script = of(activity)->script;

	(void)deadline_ns;
	(void)error;
	note(script, 'v');
	script->verifies++;
	script->now_ns += 100000;
	script->shots--; /* the shot that is looked at */
	if (faulty(script, SCRIPT_WRONG))
		ws_check_add(check, 1, 4096, 0x1111, 0x2222, 0, WS_RANK_NONE);
	script->shots++;
	return WS_OK;
}

static int cancel(struct ws_activity *activity)
{
	struct script *script = of(activity)->script;

	note(script, 'c');
	if (!faulty(script, SCRIPT_LOST))
		return WS_OK;
	if (script->lost_count == SCRIPT_ITEMS_MAX)
		abort();
	script->lost[script->lost_count++] = activity;
	return WS_ELOST;
}

static void free_activity(struct ws_activity *activity)
{
	note(of(activity)->script, 'f');
	of(activity)->script->freed++;
	free(activity);
}

static const struct ws_activity_ops scripted_ops = {
	.offer = offer,
	.prepare = prepare,
	.refill = refill,
	.arm = arm,
	.release = release,
	.poll = poll,
	.stop = stop,
	.read = read_lanes,
	.verify = verify,
	.cancel = cancel,
	.free = free_activity,
};

static int open_activity(void *context, const struct ws_step *step, const struct ws_settings *settings,
			 struct ws_activity ***list, int *count, struct ws_error *error)
{
	struct script *script = context;
	struct scripted *scripted = calloc(1, sizeof(*scripted));

	(void)settings;
	*list = malloc(sizeof(**list));
	if (!scripted || !*list || step->item_count > SCRIPT_ITEMS_MAX) {
		free(scripted);
		free(*list);
		return ws_fail(error, WS_ENOMEM, "no memory for a scripted activity");
	}
	scripted->activity.ops = &scripted_ops;
	scripted->activity.loops_max = script->loops_max;
	scripted->script = script;
	scripted->step = step;
	(*list)[0] = &scripted->activity;
	*count = 1;
	script->opened++;
	return WS_OK;
}

struct ws_activity_source script_source(struct script *script)
{
	return (struct ws_activity_source){.open = open_activity, .context = script};
}

void script_release(struct script *script)
{
	while (script->lost_count > 0)
		free(script->lost[--script->lost_count]);
}
