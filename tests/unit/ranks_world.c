/* Ranks as threads of a test, each with a scripted activity of its own. */
#include "unit/ranks_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/item.h"
#include "base/place.h"
#include "measure/run.h"
#include "plan/follow.h"
#include "probe/fold.h"

/* An activity that notes the calls and passes them on. */
struct observed {
	struct ws_activity activity;
	struct ws_activity *inner;
	struct observer *by;
};

static struct observed *of(struct ws_activity *activity)
{
	return (struct observed *)(void *)activity;
}

static void note(struct observer *by, char call)
{
	struct world *world = by->world;

	pthread_mutex_lock(&world->lock);
	if (world->log_count < LOG_MAX) {
		world->log[world->log_count].rank = by->rank;
		world->log[world->log_count++].call = call;
	}
	pthread_mutex_unlock(&world->lock);
}

static int offer(struct ws_activity *activity, int64_t deadline_ns, json_t *into, struct ws_error *error)
{
	struct observer *by = of(activity)->by;
	char key[20];

	(void)deadline_ns;
	(void)error;
	note(by, 'o');
	snprintf(key, sizeof(key), "id.%d", by->same_offer ? 0 : by->rank);
	return json_object_set_new(into, key, json_integer(100 + by->rank)) == 0 ? WS_OK : WS_ENOMEM;
}

static int prepare(struct ws_activity *activity, const json_t *offers, int64_t deadline_ns, struct ws_error *error)
{
	struct observer *by = of(activity)->by;
	json_t *scripted = json_pack("{s:i}", "scripted", 42);
	size_t found = 0;
	int rc;

	note(by, 'p');
	for (int rank = 0; rank < by->world->size; rank++) {
		char key[20];

		snprintf(key, sizeof(key), "id.%d", rank);
		found += json_integer_value(json_object_get(offers, key)) == 100 + rank;
	}
	if (found != by->world->offers || json_object_size(offers) != found) {
		json_decref(scripted);
		return ws_fail(error, WS_EINVAL, "%zu of %zu offers are right", found, by->world->offers);
	}
	rc = of(activity)->inner->ops->prepare(of(activity)->inner, scripted, deadline_ns, error);
	json_decref(scripted);
	if (by->prepare_ns) {
		const int64_t done_ns = ws_clock_now_ns(ws_clock_monotonic()) + by->prepare_ns;

		ws_clock_sleep_until_ns(ws_clock_monotonic(), done_ns < deadline_ns ? done_ns : deadline_ns);
	}
	return by->prepare_status ? ws_fail(error, by->prepare_status, "trouble of its own") : rc;
}

static int refill(struct ws_activity *activity, uint64_t seed, int64_t deadline_ns, struct ws_error *error)
{
	note(of(activity)->by, 'F');
	return of(activity)->inner->ops->refill(of(activity)->inner, seed, deadline_ns, error);
}

static int arm(struct ws_activity *activity, const struct ws_shot *shot, int64_t deadline_ns, struct ws_error *error)
{
	note(of(activity)->by, 'a');
	return of(activity)->inner->ops->arm(of(activity)->inner, shot, deadline_ns, error);
}

static void release(struct ws_activity *activity)
{
	note(of(activity)->by, 'R');
	of(activity)->inner->ops->release(of(activity)->inner);
}

static int poll(struct ws_activity *activity, int64_t wait_until_ns, bool *item_done, struct ws_error *error)
{
	return of(activity)->inner->ops->poll(of(activity)->inner, wait_until_ns, item_done, error);
}

static void stop(struct ws_activity *activity)
{
	note(of(activity)->by, 's');
	of(activity)->inner->ops->stop(of(activity)->inner);
}

static int read_lanes(struct ws_activity *activity, int64_t deadline_ns, struct ws_sample *sample,
		      struct ws_error *error)
{
	note(of(activity)->by, 'r');
	return of(activity)->inner->ops->read(of(activity)->inner, deadline_ns, sample, error);
}

static int verify(struct ws_activity *activity, int64_t deadline_ns, struct ws_check *check, struct ws_error *error)
{
	note(of(activity)->by, 'v');
	return of(activity)->inner->ops->verify(of(activity)->inner, deadline_ns, check, error);
}

static int cancel(struct ws_activity *activity)
{
	note(of(activity)->by, 'c');
	return of(activity)->inner->ops->cancel(of(activity)->inner);
}

static int path(struct ws_activity *activity, json_t *into, struct ws_error *error)
{
	(void)error;
	return json_object_set_new(into, "width", json_integer(of(activity)->by->rank + 1)) == 0 ? WS_OK : WS_ENOMEM;
}

static void free_observed(struct ws_activity *activity)
{
	note(of(activity)->by, 'f');
	of(activity)->inner->ops->free(of(activity)->inner);
	free(activity);
}

static const struct ws_activity_ops observed_ops = {
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
	.path = path,
	.free = free_observed,
};

/* Where the last steps were: what is lost is never freed, and the leak checker must still find it. */
#define KEPT 512
static const struct ws_step *kept[KEPT];
static int kept_count;

static int open_observed(void *context, const struct ws_step *step, const struct ws_settings *settings,
			 struct ws_activity ***list, int *count, struct ws_error *error)
{
	struct observer *by = context;
	struct ws_activity_source *inner = &by->world->inner[by->rank];
	int rc = inner->open(inner->context, step, settings, list, count, error);
	struct observed *observed = calloc(1, sizeof(*observed));

	if (rc != WS_OK || !observed)
		abort();
	/* A rank's own source sees nothing of ranks. */
	for (int i = 0; i < step->item_count; i++)
		if (step->items[i].engine.place.rank != WS_RANK_NONE || step->items[i].source.rank != WS_RANK_NONE)
			abort();
	pthread_mutex_lock(&by->world->lock);
	kept[kept_count++ % KEPT] = step;
	pthread_mutex_unlock(&by->world->lock);
	*observed = (struct observed){{.ops = &observed_ops, .loops_max = (uint32_t)(1000 + by->rank)}, (*list)[0], by};
	(*list)[0] = &observed->activity;
	return WS_OK;
}

static int begin_observed(void *context, const struct ws_place *places, int count, int64_t timeout_ns,
			  struct ws_error *error)
{
	struct observer *by = context;
	size_t length = strlen(by->begun);

	if (timeout_ns <= 0)
		abort();
	for (int i = 0; i < count; i++) {
		char text[WS_PLACE_TEXT];

		length += (size_t)snprintf(by->begun + length, sizeof(by->begun) - length, "%s%s", length ? " " : "",
					   ws_place_format(&places[i], text, sizeof(text)));
	}
	return by->begin_status ? ws_fail(error, by->begin_status, "trouble before it began") : WS_OK;
}

static int open_rank(void *context, const char *families, const struct ws_places **places,
		     const struct ws_activity_source **source, struct ws_error *error)
{
	struct observer *by = context;

	if (!families || strcmp(families, "host cuda") != 0)
		return ws_fail(error, WS_EINVAL, "families are missing");
	if (by->no_places)
		return ws_fail(error, WS_EABSENT, "no memory at all here");
	*places = &by->world->places[by->rank];
	*source = &by->world->source[by->rank];
	return WS_OK;
}

void world_follow(struct ws_ranks *ranks, void *context)
{
	struct world *world = context;
	const struct ws_follow_options options = {open_rank, &world->observers[ranks->rank], seam_probe};
	bool lost = false;

	ws_follow(ranks, &options, &lost, NULL);
}

void world_add_place(struct ws_places *places, const char *text, int cpus)
{
	struct ws_place_facts facts = {.numa_node = -1, .cpu_count = cpus, .memory_bytes = UINT64_MAX - 1};

	assert_int_equal(ws_place_parse(text, &facts.place, NULL), WS_OK);
	snprintf(facts.name, sizeof(facts.name), "of %d cpus \xff", cpus);
	assert_int_equal(ws_places_add(places, &facts, NULL), WS_OK);
}

struct world *world_new(int size)
{
	struct world *world = calloc(1, sizeof(*world));

	assert_non_null(world);
	world->size = size;
	world->offers = (size_t)size;
	pthread_mutex_init(&world->lock, NULL);
	for (int i = 0; i < size; i++) {
		script_init(&world->scripts[i]);
		for (int k = 0; k < SCRIPT_ITEMS_MAX; k++)
			world->scripts[i].items[k] = (struct script_item){.ns_per_kib = 16, .clock = SIM};
		world->inner[i] = script_source(&world->scripts[i]);
		world->observers[i] = (struct observer){.world = world, .rank = i};
		world->source[i] = (struct ws_activity_source){
			.begin = begin_observed, .open = open_observed, .context = &world->observers[i]};
		world_add_place(&world->places[i], "host0", i + 1);
	}
	return world;
}

void world_start(struct world *world)
{
	struct ws_places places = {0};
	struct ws_error error = {0};

	if (ws_ranks_thread(world->size, world_follow, world, &world->ranks, &error) != WS_OK ||
	    ws_proxies_new(world->ranks, &world->source[0], &world->proxies, &error) != WS_OK ||
	    ws_proxies_places(world->proxies, "host cuda", &world->places[0], LONG_NS, &places, &error) != WS_OK)
		fail_msg("%s", error.text);
	ws_places_release(&places);
}

void world_run(struct world *world, const char *plan_text, struct ws_result *result)
{
	struct ws_run_options options = {.clock = ws_clock_monotonic()};
	struct ws_activity_source source;
	struct ws_error error = {0};
	struct ws_plan plan = {0}, with;
	char *with_text = NULL;

	*result = (struct ws_result){0};
	if (ws_plan_parse(plan_text, strlen(plan_text), seam_probe, &plan, &error) != WS_OK)
		fail_msg("%s", error.text);
	with = (struct ws_plan){.settings = plan.settings};
	assert_int_equal(ws_plan_print(&with, &with_text, NULL), WS_OK);
	assert_int_equal(ws_proxies_source(world->proxies, with_text, &source, NULL), WS_OK);
	options.source = &source;
	if (ws_run_plan(&plan, &options, result, &error) != WS_OK || ws_result_fold(result, &error) != WS_OK)
		fail_msg("%s", error.text);
	free(with_text);
	ws_plan_release(&plan);
}

void world_leave(struct world *world)
{
	ws_proxies_free(world->proxies);
	world->proxies = NULL;
	if (world->ranks)
		world->ranks->ops->close(world->ranks, ws_clock_now_ns(ws_clock_monotonic()) + LONG_NS);
	world->ranks = NULL;
}

void world_end(struct world *world)
{
	world_leave(world);
	for (int i = 0; i < world->size; i++) {
		script_release(&world->scripts[i]);
		ws_places_release(&world->places[i]);
	}
	pthread_mutex_destroy(&world->lock);
	free(world);
}

int world_count(const struct world *world, int rank, char call)
{
	int count = 0;

	for (int i = 0; i < world->log_count; i++)
		count += world->log[i].rank == rank && world->log[i].call == call;
	return count;
}

const char *world_calls(const struct world *world, int rank, char *text)
{
	int length = 0;

	for (int i = 0; i < world->log_count; i++)
		if (world->log[i].rank == rank && world->log[i].call != 's')
			text[length++] = world->log[i].call;
	text[length] = '\0';
	return text;
}
