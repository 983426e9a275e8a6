/* Steps over ranks: order of phases, records, findings, offers, places, and ranks that fail, hang, leave or are lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "activity/proxy.h"
#include "base/clock.h"
#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "fake/seam_probes.h"
#include "measure/run.h"
#include "plan/follow.h"
#include "probe/fold.h"
#include "ranks/self.h"
#include "ranks/thread.h"

#define RANKS_MAX 4
#define SIM "sim0:event"
#define LONG_NS 20000000000
#define LOG_MAX 1000

/* All ranks of a run, each with a script of its own; one log of all, in the order in which things happened. */
struct world {
	int size;
	size_t offers; /* how many ranks take part, each with an offer */
	struct script scripts[RANKS_MAX];
	struct ws_places places[RANKS_MAX];
	struct ws_activity_source inner[RANKS_MAX], source[RANKS_MAX];
	struct observer {
		struct world *world;
		int rank;
		int64_t prepare_ns;     /* how long it takes to prepare */
		int prepare_status;     /* what it then says */
		bool no_places;
		bool same_offer;
	} observers[RANKS_MAX];
	pthread_mutex_t lock;
	struct {
		int rank;
		char call;
	} log[LOG_MAX];
	int log_count;
	struct ws_ranks *ranks; /* rank 0's */
	struct ws_proxies *proxies;
	pthread_t threads[RANKS_MAX];
};

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

static void follow(struct ws_ranks *ranks, void *context)
{
	struct world *world = context;
	const struct ws_follow_options options = {open_rank, &world->observers[ranks->rank], seam_probe};
	bool lost = false;

	ws_follow(ranks, &options, &lost, NULL);
}

static void add_place(struct ws_places *places, const char *text, int cpus)
{
	struct ws_place_facts facts = {.numa_node = -1, .cpu_count = cpus, .memory_bytes = UINT64_MAX - 1};

	assert_int_equal(ws_place_parse(text, &facts.place, NULL), WS_OK);
	snprintf(facts.name, sizeof(facts.name), "of %d cpus \xff", cpus);
	assert_int_equal(ws_places_add(places, &facts, NULL), WS_OK);
}

static struct world *new_world(int size)
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
		world->source[i] = (struct ws_activity_source){open_observed, &world->observers[i]};
		add_place(&world->places[i], "host0", i + 1);
	}
	return world;
}

static void start(struct world *world)
{
	struct ws_places places = {0};
	struct ws_error error = {0};

	if (ws_ranks_thread(world->size, follow, world, &world->ranks, &error) != WS_OK ||
	    ws_proxies_new(world->ranks, &world->source[0], &world->proxies, &error) != WS_OK ||
	    ws_proxies_places(world->proxies, "host cuda", &world->places[0], LONG_NS, &places, &error) != WS_OK)
		fail_msg("%s", error.text);
	ws_places_release(&places);
}

/* Runs a plan over a world that was started, and folds it. */
static void run(struct world *world, const char *plan_text, struct ws_result *result)
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

static void end(struct world *world)
{
	ws_proxies_free(world->proxies);
	if (world->ranks)
		world->ranks->ops->close(world->ranks, ws_clock_now_ns(ws_clock_monotonic()) + LONG_NS);
	for (int i = 0; i < world->size; i++) {
		script_release(&world->scripts[i]);
		ws_places_release(&world->places[i]);
	}
	pthread_mutex_destroy(&world->lock);
	free(world);
}

static int count_calls(const struct world *world, int rank, char call)
{
	int count = 0;

	for (int i = 0; i < world->log_count; i++)
		count += world->log[i].rank == rank && world->log[i].call == call;
	return count;
}

/* All but the calls to stop, which say nothing where no item runs until it is stopped. */
static const char *calls_of(const struct world *world, int rank, char *text)
{
	int length = 0;

	for (int i = 0; i < world->log_count; i++)
		if (world->log[i].rank == rank && world->log[i].call != 's')
			text[length++] = world->log[i].call;
	text[length] = '\0';
	return text;
}

/* Nobody's n-th call of the second kind comes before everybody's n-th call of the first kind. */
static void expect_before(const struct world *world, char first, char second)
{
	int firsts[RANKS_MAX] = {0}, seconds[RANKS_MAX] = {0};

	for (int i = 0; i < world->log_count; i++) {
		const int rank = world->log[i].rank;

		firsts[rank] += world->log[i].call == first;
		if (world->log[i].call != second)
			continue;
		seconds[rank]++;
		for (int other = 0; other < world->size; other++)
			if (firsts[other] < seconds[rank])
				fail_msg("rank %d: %c before rank %d: %c", rank, second, other, first);
	}
}

#define THREE                                                                                                          \
	"first[row=r0 column=a]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4 + "                                          \
	"[row=r1 column=a] r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 2M x4 + "                                                 \
	"[row=r2 column=a] r2/cuda0 -> r2/cuda1 by r2/cuda0.ce 3M x4\n"

static void phases_are_in_step_over_all_ranks(void **state)
{
	struct world *world = new_world(3);
	struct ws_result result;
	char text[LOG_MAX];

	(void)state;
	start(world);
	run(world, "with samples=2 lead=3\n" THREE, &result);
	for (int rank = 0; rank < 3; rank++) {
		assert_string_equal(calls_of(world, rank, text), "opFaRrvaRrFaRrvf");
		assert_int_equal(world->scripts[rank].last_lead, 3);
		assert_int_equal(world->scripts[rank].last_loops[0], 4);
		assert_int_equal(world->scripts[rank].last_seed, world->scripts[0].last_seed);
		assert_int_equal(world->scripts[rank].opened, world->scripts[rank].freed);
	}
	expect_before(world, 'o', 'p');
	expect_before(world, 'a', 'R');
	expect_before(world, 'R', 'r');
	assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
	assert_true(result.steps[0].check.done);
	/* A KiB in 16 ns, whatever the rank, and each lane has its rank's clock. */
	seam_assert_near(seam_value(&result, "first", "row=r0 column=a", 0), 64);
	seam_assert_near(seam_value(&result, "first", "row=r1 column=a", 0), 64);
	seam_assert_near(seam_value(&result, "first", "row=r2 column=a", 0), 64);
	ws_result_release(&result);
	end(world);
}

static void ranks_without_items_are_left_alone(void **state)
{
	struct world *world = new_world(3);
	struct ws_result result;
	char text[LOG_MAX];

	(void)state;
	world->offers = 1;
	start(world);
	run(world, "with samples=1 lead=1\nfirst[row=r1 column=a]: r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4\n", &result);
	assert_string_equal(calls_of(world, 0, text), "");
	assert_string_equal(calls_of(world, 1, text), "opFaRrvFaRrvf");
	assert_string_equal(calls_of(world, 2, text), "");
	seam_assert_near(seam_value(&result, "first", "row=r1 column=a", 0), 64);
	ws_result_release(&result);
	end(world);
}

static const struct ws_sample *first_sample(const struct ws_result *result)
{
	assert_true(result->steps[0].records.count > 0);
	return &result->steps[0].records.samples[0];
}

static const struct ws_lane *lane_of(const struct ws_sample *sample, int item, int lane)
{
	for (int i = 0; i < sample->lane_count; i++)
		if (sample->lanes[i].item == item && sample->lanes[i].lane == lane)
			return &sample->lanes[i];
	fail_msg("no lane %d of item %d", lane, item);
	return NULL;
}

static void records_arrive_exactly(void **state)
{
	static const double values[] = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 0, -0.0, 123456789.123456789};
	struct world *world = new_world(2);
	const struct ws_sample *sample;
	const struct ws_lane *lane;
	struct ws_result result;
	int counters = 0;

	(void)state;
	world->scripts[1].items[0].values = values;
	world->scripts[1].items[0].value_count = 7;
	world->scripts[1].items[1].back_factor = 3;
	world->scripts[1].counter_step = UINT64_MAX - 5;
	world->scripts[0].counter_step = 17;
	world->scripts[1].now_ns = INT64_C(0x7fffffff00000000);
	start(world);
	run(world,
	    "with samples=1 lead=2 counters\n"
	    "custom: r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4 + r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1000001 x5 + "
	    "r1/cuda0 <-> r1/cuda1 by r1/cuda0.ce 4K x6\n", &result);
	sample = first_sample(&result);
	assert_int_equal(sample->lane_count, 4);
	lane = lane_of(sample, 0, 0);
	assert_string_equal(lane->clock, "r1/" SIM);
	assert_int_equal(lane->value_count, 7);
	assert_memory_equal(lane->values, values, sizeof(values));
	assert_string_equal(lane->value_unit, "ns");
	assert_int_equal(lane->bytes, 4 << 20);
	assert_int_equal(lane->loops, 4);
	assert_int_equal(lane->lead_loops, 2);
	assert_true(lane->gated);
	assert_int_equal(lane->end_ns - lane->start_ns, 4 * 16 * 1024);
	assert_true(lane->start_ns > INT64_C(0x7fffffff00000000));
	/* Its times on rank 0's clock are rank 0's. */
	assert_true(lane->host_start_ns == sample->host_start_ns && lane->host_end_ns > lane->host_start_ns);
	lane = lane_of(sample, 1, 0);
	assert_string_equal(lane->clock, "r0/" SIM);
	assert_int_equal(lane->bytes, 5000005);
	assert_int_equal(lane_of(sample, 2, 0)->end_ns - lane_of(sample, 2, 0)->start_ns, 6 * 64);
	assert_int_equal(lane_of(sample, 2, 1)->end_ns - lane_of(sample, 2, 1)->start_ns, 6 * 192);
	/* Two ranks' clocks are not one. */
	assert_false(sample->has_span);
	for (int i = 0; i < sample->counter_count; i++) {
		const struct ws_counter *counter = &sample->counters[i];

		if (strcmp(counter->name, "r0/sim0.bytes") == 0 && counter->delta == 17)
			counters |= 1;
		if (strcmp(counter->name, "r1/sim0.bytes") == 0 && counter->delta == UINT64_MAX - 5)
			counters |= 2;
	}
	assert_int_equal(counters, 3);
	/* Facts of a path, by rank. */
	assert_int_equal(json_integer_value(json_object_get(json_object_get(result.steps[0].path, "r0"), "width")), 1);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(result.steps[0].path, "r1"), "width")), 2);
	ws_result_release(&result);
	end(world);
}

static void interference_on_another_rank_is_stopped(void **state)
{
	struct world *world = new_world(2);
	struct ws_result result;

	(void)state;
	start(world);
	run(world, "with samples=1 lead=0 verify=none\ncustom: r0/host0 -> r0/host0 by r0/host0.cpu 1M x4 + "
	    "r1/host0 -> r1/host0 by r1/host0.cpu 1M interfering\n", &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
	assert_true(count_calls(world, 1, 's') > 0);
	assert_int_equal(count_calls(world, 1, 's'), count_calls(world, 1, 'a'));
	assert_int_equal(first_sample(&result)->lane_count, 2);
	assert_false(first_sample(&result)->discarded);
	ws_result_release(&result);
	end(world);
}

static void wrong_data_is_told_with_its_rank(void **state)
{
	struct world *world = new_world(3);
	struct ws_result result;

	(void)state;
	world->scripts[2].fault = SCRIPT_WRONG;
	world->scripts[2].fault_shot = -1;
	start(world);
	run(world, "with samples=3 lead=1\n" THREE, &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_WRONG_DATA);
	assert_int_equal(result.steps[0].check.rank, 2);
	assert_int_equal(result.steps[0].check.item, 2);
	assert_int_equal(result.steps[0].check.wrong_count, 1);
	assert_int_equal(result.steps[0].check.first_offset, 4096);
	assert_int_equal(result.steps[0].check.expected, 0x1111);
	assert_int_equal(result.steps[0].check.found, 0x2222);
	assert_non_null(strstr(seam_cell(&result, "first", "row=r2 column=a")->reason, "of rank 2"));
	ws_result_release(&result);
	end(world);
}

static void wrong_data_of_rank_0_has_its_rank_too(void **state)
{
	struct world *world = new_world(2);
	struct ws_result result;

	(void)state;
	world->scripts[0].fault = SCRIPT_WRONG;
	world->scripts[0].fault_shot = -1;
	start(world);
	run(world, "with samples=3 lead=1\nfirst[row=a column=b]: r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4 + "
	    "r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4\n", &result);
	assert_int_equal(result.steps[0].check.rank, 0);
	assert_int_equal(result.steps[0].check.item, 1);
	ws_result_release(&result);
	end(world);
}

static void the_worst_rank_is_named_after_prepare(void **state)
{
	struct world *world = new_world(4);
	struct ws_result result;
	char text[LOG_MAX];

	(void)state;
	/* Rank 1 would wait for rank 2 until the deadline; rank 2 knows what is wrong. */
	world->observers[1].prepare_ns = 300000000;
	world->observers[1].prepare_status = WS_ETIMEOUT;
	world->scripts[2].fail_prepare = "out of paper";
	start(world);
	run(world, "with samples=2 lead=1\n"
	    "first[row=a column=b]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M + r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M + "
	    "r2/cuda0 -> r2/cuda1 by r2/cuda0.ce 1M + r3/cuda0 -> r3/cuda1 by r3/cuda0.ce 1M\n", &result);
	assert_int_equal(result.steps[0].status, WS_EDRIVER);
	assert_string_equal(result.steps[0].reason, "rank 2: out of paper");
	for (int rank = 0; rank < 4; rank++)
		assert_string_equal(calls_of(world, rank, text), "opcf");
	assert_false(result.lost);
	ws_result_release(&result);
	end(world);
}

/* One that is still busy when another has failed is waited for before it is given up. */
static void a_busy_rank_is_not_lost(void **state)
{
	struct world *world = new_world(3);
	struct ws_result result;

	(void)state;
	world->scripts[1].fail_prepare = "out of paper";
	world->observers[2].prepare_ns = 2500000000;
	start(world);
	run(world, "with samples=2 lead=1\n" THREE, &result);
	assert_string_equal(result.steps[0].reason, "rank 1: out of paper");
	assert_false(result.lost);
	world->scripts[1].fail_prepare = NULL;
	world->observers[2].prepare_ns = 0;
	ws_result_release(&result);
	run(world, "with samples=2 lead=1\n" THREE, &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
	ws_result_release(&result);
	end(world);
}

static void failures_while_sampling_name_the_rank(void **state)
{
	static const struct {
		enum script_fault fault;
		const char *reason;
	} rows[] = {
		{SCRIPT_FAIL_ARM, "rank 1: scripted failure to arm"},
		{SCRIPT_FAIL_READ, "rank 1: scripted failure to read"},
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct world *world = new_world(3);
		struct ws_result result;

		world->scripts[1].fault = rows[i].fault;
		world->scripts[1].fault_shot = 1;
		start(world);
		run(world, "with samples=3 lead=1\n" THREE, &result);
		assert_int_equal(result.steps[0].status, WS_EDRIVER);
		assert_string_equal(result.steps[0].reason, rows[i].reason);
		for (int rank = 0; rank < 3; rank++)
			assert_int_equal(world->scripts[rank].opened, world->scripts[rank].freed);
		/* And it can go on. */
		world->scripts[1].fault = SCRIPT_FINE;
		ws_result_release(&result);
		run(world, "with samples=3 lead=1\n" THREE, &result);
		assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
		ws_result_release(&result);
		end(world);
	}
}

static void a_hang_on_another_rank_ends_at_the_deadline(void **state)
{
	struct world *world = new_world(2);
	const int64_t start_ns = ws_clock_now_ns(ws_clock_monotonic());
	struct ws_result result;

	(void)state;
	world->scripts[1].fault = SCRIPT_HANG;
	world->scripts[1].fault_shot = 0;
	start(world);
	run(world, "with samples=2 lead=1 timeout=300ms\n"
	    "first[row=a column=b]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4 + r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4\n",
	    &result);
	assert_int_equal(result.steps[0].status, WS_ETIMEOUT);
	assert_non_null(strstr(result.steps[0].reason, "item 2, by r1/cuda0.ce"));
	assert_false(result.lost);
	assert_true(ws_clock_now_ns(ws_clock_monotonic()) - start_ns < 5000000000);
	ws_result_release(&result);
	end(world);
}

#define TWO_STEPS                                                                                                      \
	"first[row=a column=b]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4 + r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4\n" \
	"first[row=a column=c]: r0/host0 -> r0/host1 by r0/host0.cpu 1M x4 + r1/host0 -> r1/host1 by r1/host0.cpu 1M x4\n"

static void a_lost_place_of_another_rank_stays_lost(void **state)
{
	struct world *world = new_world(2);
	struct ws_result result;

	(void)state;
	world->scripts[1].fault = SCRIPT_LOST;
	world->scripts[1].fault_shot = 0;
	start(world);
	run(world, "with samples=2 lead=1 timeout=300ms\n" TWO_STEPS, &result);
	assert_int_equal(result.steps[0].status, WS_ETIMEOUT);
	assert_true(result.lost);
	ws_result_release(&result);
	end(world);
}

static void a_rank_that_leaves_is_named_and_the_rest_goes_on(void **state)
{
	struct world *world = new_world(3);
	struct ws_result result;

	(void)state;
	world->observers[1].no_places = false;
	start(world);
	run(world, "with samples=2 lead=1\n" THREE, &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
	ws_result_release(&result);
	world->scripts[1].fault = SCRIPT_FINE;
	world->ranks->ops->send(world->ranks, 1, "leave, please", 13, INT64_MAX, NULL);
	run(world, "with samples=2 lead=1\n" THREE "custom: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4\n", &result);
	assert_int_equal(result.steps[0].status, WS_ELOST);
	assert_string_equal(result.steps[0].reason, "rank 1 has closed its connection");
	ws_result_release(&result);
	end(world);
}

static void places_of_all_ranks(void **state)
{
	struct world *world = new_world(3);
	struct ws_places places = {0};
	struct ws_error error = {0};
	char text[WS_PLACE_TEXT];

	(void)state;
	add_place(&world->places[2], "cuda3", 0);
	strcpy(world->places[2].at[1].same_as, "ocl0");
	world->places[2].at[1].numa_node = 5;
	world->places[2].at[1].simulated = true;
	world->places[2].at[1].on_cpu = true;
	world->places[2].at[1].peers = UINT64_C(1) << 63 | 5;
	world->places[2].at[1].linked_peers = 4;
	world->places[2].at[1].linked_host = true;
	assert_int_equal(ws_ranks_thread(3, follow, world, &world->ranks, NULL), WS_OK);
	assert_int_equal(ws_proxies_new(world->ranks, &world->source[0], &world->proxies, NULL), WS_OK);
	if (ws_proxies_places(world->proxies, "host cuda", &world->places[0], LONG_NS, &places, &error) != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(places.count, 4);
	assert_string_equal(ws_place_format(&places.at[0].place, text, sizeof(text)), "r0/host0");
	assert_string_equal(ws_place_format(&places.at[1].place, text, sizeof(text)), "r1/host0");
	assert_string_equal(ws_place_format(&places.at[3].place, text, sizeof(text)), "r2/cuda3");
	assert_int_equal(places.at[1].cpu_count, 2);
	assert_int_equal(places.at[1].numa_node, -1);
	assert_true(places.at[1].memory_bytes == UINT64_MAX - 1);
	assert_string_equal(places.at[1].name, "of 2 cpus ?");
	assert_string_equal(places.at[3].same_as, "r2/ocl0");
	assert_int_equal(places.at[3].numa_node, 5);
	assert_true(places.at[3].simulated && !places.at[1].simulated);
	assert_true(places.at[3].on_cpu && !places.at[1].on_cpu);
	assert_true(places.at[3].peers == (UINT64_C(1) << 63 | 5));
	assert_int_equal(places.at[3].linked_peers, 4);
	assert_true(places.at[3].linked_host && !places.at[1].linked_host);
	ws_places_release(&places);
	end(world);
}

static void a_rank_that_cannot_open_says_why(void **state)
{
	struct world *world = new_world(3);
	struct ws_places places = {0};
	struct ws_error error = {0};

	(void)state;
	world->observers[2].no_places = true;
	assert_int_equal(ws_ranks_thread(3, follow, world, &world->ranks, NULL), WS_OK);
	assert_int_equal(ws_proxies_new(world->ranks, &world->source[0], &world->proxies, NULL), WS_OK);
	assert_int_equal(ws_proxies_places(world->proxies, "host cuda", &world->places[0], LONG_NS, &places, &error), WS_EABSENT);
	assert_string_equal(error.text, "rank 2: no memory at all here");
	assert_int_equal(places.count, 0);
	end(world);
}

static void what_ranks_cannot_run_is_said(void **state)
{
	static const struct {
		const char *step, *reason;
		int status;
	} rows[] = {
		{"custom: cuda0 -> cuda1 by cuda0.ce 1M\n",
		 "cuda0: of 2 ranks, whose? A place is written r0/cuda0 to r1/cuda0", WS_EINVAL},
		{"custom: r2/cuda0 -> r2/cuda1 by r2/cuda0.ce 1M\n", "r2/cuda0: there is no rank 2, only 0 to 1", WS_EINVAL},
		{"custom: r1/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M\n",
		 "r0/cuda0 and r1/cuda0 belong to two ranks, and \"->\" does not reach from one to the other",
		 WS_EUNSUPPORTED},
	};
	struct world *world = new_world(2);

	(void)state;
	start(world);
	for (size_t i = 0; i < 3; i++) {
		struct ws_result result;

		run(world, rows[i].step, &result);
		assert_int_equal(result.steps[0].status, rows[i].status);
		assert_string_equal(result.steps[0].reason, rows[i].reason);
		ws_result_release(&result);
	}
	end(world);
}

static void offers_must_differ(void **state)
{
	struct world *world = new_world(2);
	struct ws_result result;

	(void)state;
	world->observers[1].same_offer = true;
	start(world);
	run(world, "with samples=1 lead=1\n" TWO_STEPS, &result);
	assert_string_equal(result.steps[0].reason, "rank 1 offers \"id.0\", which another has offered already");
	ws_result_release(&result);
	end(world);
}

static void groups_are_interleaved_over_ranks(void **state)
{
	struct world *world = new_world(2);
	struct ws_result result;

	(void)state;
	start(world);
	run(world, "with samples=2 lead=1 verify=none\n"
	    "first[row=a column=b]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4 + r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4 group=1\n"
	    "first[row=a column=c]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x5 + r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x7 group=1\n",
	    &result);
	assert_int_equal(result.steps[0].ending, WS_ENDED_COUNT);
	assert_int_equal(result.steps[1].ending, WS_ENDED_COUNT);
	assert_int_equal(lane_of(&result.steps[0].records.samples[1], 1, 0)->loops, 4);
	assert_int_equal(lane_of(&result.steps[1].records.samples[1], 1, 0)->loops, 7);
	assert_int_equal(world->scripts[1].opened, 2);
	assert_int_equal(world->scripts[1].freed, 2);
	ws_result_release(&result);
	end(world);
}

static void alone_it_is_the_local_source(void **state)
{
	struct ws_activity_source local = {open_observed, NULL}, source = {0};
	struct ws_ranks self = ws_ranks_self();
	struct ws_places own = {0}, places = {0};
	struct ws_proxies *proxies = NULL;

	(void)state;
	add_place(&own, "host0", 4);
	assert_int_equal(ws_proxies_new(&self, &local, &proxies, NULL), WS_OK);
	assert_int_equal(ws_proxies_source(proxies, "", &source, NULL), WS_OK);
	assert_true(source.open == open_observed);
	assert_int_equal(ws_proxies_places(proxies, NULL, &own, LONG_NS, &places, NULL), WS_OK);
	assert_int_equal(places.count, 1);
	assert_int_equal(places.at[0].place.rank, WS_RANK_NONE);
	ws_places_release(&own);
	ws_places_release(&places);
	ws_proxies_free(proxies);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_are_in_step_over_all_ranks),
		cmocka_unit_test(ranks_without_items_are_left_alone),
		cmocka_unit_test(records_arrive_exactly),
		cmocka_unit_test(interference_on_another_rank_is_stopped),
		cmocka_unit_test(wrong_data_is_told_with_its_rank),
		cmocka_unit_test(wrong_data_of_rank_0_has_its_rank_too),
		cmocka_unit_test(the_worst_rank_is_named_after_prepare),
		cmocka_unit_test(a_busy_rank_is_not_lost),
		cmocka_unit_test(failures_while_sampling_name_the_rank),
		cmocka_unit_test(a_hang_on_another_rank_ends_at_the_deadline),
		cmocka_unit_test(a_lost_place_of_another_rank_stays_lost),
		cmocka_unit_test(a_rank_that_leaves_is_named_and_the_rest_goes_on),
		cmocka_unit_test(places_of_all_ranks),
		cmocka_unit_test(a_rank_that_cannot_open_says_why),
		cmocka_unit_test(what_ranks_cannot_run_is_said),
		cmocka_unit_test(offers_must_differ),
		cmocka_unit_test(groups_are_interleaved_over_ranks),
		cmocka_unit_test(alone_it_is_the_local_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
