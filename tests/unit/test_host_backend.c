/* The host back end on this machine's own memory: every verb, odd sizes, page sizes, and what it must refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/backend.h"
#include "backend/host.h"
#include "base/clock.h"
#include "base/item.h"
#include "base/place.h"
#include "base/system.h"
#include "base/topology.h"
#include "kernel/host_pattern.h"

#define MIB ((uint64_t)1 << 20)

static const uint64_t odd_sizes[] = {1, 7, 63, 64, 4097, MIB + 1, 9 * MIB + 5};

struct bench {
	struct ws_topology *topology;
	struct ws_backend backend;
	struct ws_places places;
	struct ws_place node; /* one with CPUs */
	unsigned cpus;
};

static int open_bench(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	struct ws_backend_options options = {.timeout_ns = 20000000000};

	assert_non_null(bench);
	assert_int_equal(ws_topology_open(NULL, &bench->topology, NULL), WS_OK);
	options.topology = bench->topology;
	bench->backend.ops = &ws_host_backend;
	assert_int_equal(ws_host_backend.open(&bench->backend, &options, NULL), WS_OK);
	assert_int_equal(ws_host_backend.places(&bench->backend, &bench->places, NULL), WS_OK);
	for (int i = bench->places.count - 1; i >= 0; i--) {
		if (bench->places.at[i].cpu_count > 0 && !bench->places.at[i].absent[0]) {
			bench->node = bench->places.at[i].place;
			bench->cpus = (unsigned)bench->places.at[i].cpu_count;
		}
	}
	assert_true(bench->cpus > 0);
	*state = bench;
	return 0;
}

static int close_bench(void **state)
{
	struct bench *bench = *state;

	ws_host_backend.close(&bench->backend);
	ws_places_release(&bench->places);
	ws_topology_close(bench->topology);
	free(bench);
	return 0;
}

static int64_t soon_ns(void)
{
	return ws_clock_now_ns(ws_clock_monotonic()) + 20000000000;
}

static struct ws_item new_item(const struct bench *bench, enum ws_verb verb, uint64_t size_bytes)
{
	struct ws_item item = {.verb = verb, .engine = {.place = bench->node, .name = "cpu"}};

	if (ws_verb_row(verb)->source)
		item.source = bench->node;
	if (ws_verb_row(verb)->destination)
		item.destination = bench->node;
	item.size_bytes[0] = size_bytes;
	item.size_count = 1;
	return item;
}

/* An item with its own buffers, ready to run. */
struct rig {
	struct bench *bench;
	struct ws_item item;
	struct ws_buffer source, destination;
	struct ws_queue *queue;
	struct ws_op op;
};

static void build(struct rig *rig, struct bench *bench, const struct ws_item *item, uint64_t seed)
{
	const struct ws_backend_ops *ops = bench->backend.ops;

	*rig = (struct rig){.bench = bench, .item = *item};
	rig->op = (struct ws_op){.item = &rig->item, .seed = seed};
	if (ws_place_is_set(&item->source)) {
		assert_int_equal(ops->alloc(&bench->backend, &item->source, NULL, item->size_bytes[0], &rig->source, NULL),
				 WS_OK);
		assert_int_equal(ops->fill(&bench->backend, &rig->source, item->size_bytes[0], seed, NULL), WS_OK);
		rig->op.source = &rig->source;
	}
	if (ws_place_is_set(&item->destination)) {
		assert_int_equal(
			ops->alloc(&bench->backend, &item->destination, NULL, item->size_bytes[0], &rig->destination, NULL),
			WS_OK);
		assert_int_equal(ops->fill(&bench->backend, &rig->destination, item->size_bytes[0],
					   seed ^ WS_PATTERN_INVERSE, NULL),
				 WS_OK);
		rig->op.destination = &rig->destination;
	}
	assert_int_equal(ops->queue(&bench->backend, &rig->item, &rig->queue, NULL), WS_OK);
	assert_int_equal(ops->prepare(rig->queue, &rig->op, soon_ns(), NULL), WS_OK);
	assert_int_equal(ops->refilled(rig->queue, &rig->op, NULL), WS_OK);
}

static void take_apart(struct rig *rig)
{
	const struct ws_backend_ops *ops = rig->bench->backend.ops;

	ops->queue_free(&rig->bench->backend, rig->queue);
	ops->free(&rig->bench->backend, &rig->source);
	ops->free(&rig->bench->backend, &rig->destination);
}

static struct ws_lane run(struct rig *rig, uint32_t lead, uint32_t loops)
{
	const struct ws_backend_ops *ops = rig->bench->backend.ops;
	struct ws_lane lane = {.bytes = loops * rig->item.size_bytes[0], .loops = loops};
	bool done = false;

	assert_int_equal(ops->gate(rig->queue, NULL), WS_OK);
	assert_int_equal(ops->submit(rig->queue, &rig->op, 0, lead, NULL), WS_OK);
	assert_int_equal(ops->mark(rig->queue, 0, NULL), WS_OK);
	assert_int_equal(ops->submit(rig->queue, &rig->op, 0, loops, NULL), WS_OK);
	assert_int_equal(ops->mark(rig->queue, 1, NULL), WS_OK);
	assert_int_equal(ops->flush(rig->queue, NULL), WS_OK);
	assert_int_equal(ops->poll(rig->queue, 0, &done, NULL), WS_OK);
	assert_false(done);
	ops->release(&rig->bench->backend);
	assert_int_equal(ops->poll(rig->queue, soon_ns(), &done, NULL), WS_OK);
	assert_true(done);
	assert_int_equal(ops->read(rig->queue, &rig->op, &lane, NULL), WS_OK);
	assert_true(lane.has_device);
	assert_string_equal(lane.clock, "host:monotonic");
	assert_true(lane.end_ns > lane.start_ns);
	return lane;
}

static struct ws_check verify(struct rig *rig)
{
	const struct ws_backend_ops *ops = rig->bench->backend.ops;
	struct ws_check check = {0};

	if (ws_place_is_set(&rig->item.source) && ws_place_is_set(&rig->item.destination))
		assert_int_equal(ops->check(&rig->bench->backend, &rig->destination, rig->item.size_bytes[0],
					    rig->op.seed, &check, NULL),
				 WS_OK);
	else
		assert_int_equal(ops->verify(rig->queue, &rig->op, &check, NULL), WS_OK);
	return check;
}

static void flag(struct ws_item *item, const char *name, const char *value)
{
	assert_int_equal(ws_item_option_set(item, name, value, NULL), WS_OK);
}

static void every_verb_moves_odd_sizes_right(void **state)
{
	static const enum ws_verb verbs[] = {WS_COPY, WS_READ, WS_WRITE};
	struct bench *bench = *state;

	for (size_t v = 0; v < sizeof(verbs) / sizeof(verbs[0]); v++) {
		for (size_t s = 0; s < sizeof(odd_sizes) / sizeof(odd_sizes[0]); s++) {
			for (int nt = 0; nt <= (verbs[v] != WS_READ); nt++) {
				struct ws_item item = new_item(bench, verbs[v], odd_sizes[s]);
				struct rig rig;

				if (nt)
					flag(&item, "nt", NULL);
				build(&rig, bench, &item, 100 + s);
				/* Before anything ran the data is wrong, so the check below says something. */
				assert_true(verify(&rig).wrong_count > 0);
				run(&rig, 1, 2);
				assert_int_equal(verify(&rig).wrong_count, 0);
				take_apart(&rig);
			}
		}
	}
}

static void wrong_byte_is_found_wherever_it_is(void **state)
{
	static const enum ws_verb verbs[] = {WS_COPY, WS_READ, WS_WRITE};
	struct bench *bench = *state;

	for (size_t v = 0; v < sizeof(verbs) / sizeof(verbs[0]); v++) {
		for (size_t s = 0; s < sizeof(odd_sizes) / sizeof(odd_sizes[0]); s++) {
			const uint64_t size = odd_sizes[s], at[] = {0, size / 2, size - 1};

			for (size_t i = 0; i < 3; i++) {
				struct ws_item item = new_item(bench, verbs[v], size);
				struct rig rig;
				struct ws_check check;
				unsigned char *bytes;

				build(&rig, bench, &item, 7);
				bytes = verbs[v] == WS_READ ? rig.source.host : rig.destination.host;
				if (verbs[v] == WS_READ)
					bytes[at[i]] ^= 0x10;
				run(&rig, 0, 3);
				if (verbs[v] != WS_READ)
					bytes[at[i]] ^= 0x10;
				check = verify(&rig);
				assert_int_equal(check.wrong_count, 1);
				if (verbs[v] != WS_READ)
					assert_true(check.first_offset <= at[i] && at[i] < check.first_offset + 8);
				take_apart(&rig);
			}
		}
	}
}

static void chase_yields_a_time_per_load_and_its_end(void **state)
{
	struct bench *bench = *state;
	struct ws_item item = new_item(bench, WS_CHASE, 4 * MIB);
	struct ws_lane lane;
	struct rig rig;

	build(&rig, bench, &item, 3);
	for (uint32_t loops = 1; loops <= 3; loops++) {
		lane = run(&rig, loops - 1, loops);
		assert_int_equal(lane.value_count, 1);
		assert_string_equal(lane.value_unit, "ns");
		assert_int_equal(lane.bytes, (uint64_t)loops * WS_HOST_CHASE_STEPS * 64);
		assert_true(fabs(lane.values[0] * loops * WS_HOST_CHASE_STEPS - (double)(lane.end_ns - lane.start_ns)) <
			    1);
		/* A load takes time, and no memory takes 100 us. */
		assert_true(lane.values[0] > 0.1 && lane.values[0] < 1e5);
		assert_int_equal(verify(&rig).wrong_count, 0);
		free(lane.values);
	}
	/* A chain led astray ends elsewhere: every pointer to one node that points to itself. */
	for (uint64_t at = 0; at < 4 * MIB; at += 64)
		memcpy((char *)rig.source.host + at, &rig.source.host, sizeof(void *));
	free(run(&rig, 0, 1).values);
	assert_int_equal(verify(&rig).wrong_count, 1);
	take_apart(&rig);
}

static void noop_and_loop_times(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_item item = {.verb = WS_NOOP, .source = bench->node, .engine = {.place = bench->node, .name = "cpu"}};
	struct rig rig = {.bench = bench, .item = item};
	struct ws_lane lane = {.loops = 4};
	bool done = false;
	double sum = 0;

	rig.op = (struct ws_op){.item = &rig.item};
	assert_int_equal(ops->queue(&bench->backend, &rig.item, &rig.queue, NULL), WS_OK);
	assert_int_equal(ops->prepare(rig.queue, &rig.op, soon_ns(), NULL), WS_OK);
	assert_int_equal(ops->mark(rig.queue, 0, NULL), WS_OK);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(ops->submit(rig.queue, &rig.op, 0, 1, NULL), WS_OK);
		assert_int_equal(ops->mark(rig.queue, i < 3 ? i + 2 : 1, NULL), WS_OK);
	}
	assert_int_equal(ops->flush(rig.queue, NULL), WS_OK);
	assert_int_equal(ops->poll(rig.queue, soon_ns(), &done, NULL), WS_OK);
	assert_true(done);
	assert_int_equal(ops->read(rig.queue, &rig.op, &lane, NULL), WS_OK);
	assert_int_equal(lane.value_count, 4);
	for (int i = 0; i < 4; i++)
		sum += lane.values[i];
	assert_true(fabs(sum - (double)(lane.end_ns - lane.start_ns)) < 0.5);
	free(lane.values);
	take_apart(&rig);
}

static void endless_read_counts_what_it_did(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_item item = new_item(bench, WS_READ, 3 * MIB + 1);
	struct ws_lane lane = {0};
	struct rig rig;
	bool done = true;

	flag(&item, "threads", "1");
	build(&rig, bench, &item, 9);
	assert_int_equal(ops->mark(rig.queue, 0, NULL), WS_OK);
	assert_int_equal(ops->submit(rig.queue, &rig.op, 0, WS_LOOPS_UNTIL_STOPPED, NULL), WS_OK);
	assert_int_equal(ops->mark(rig.queue, 1, NULL), WS_OK);
	assert_int_equal(ops->flush(rig.queue, NULL), WS_OK);
	assert_int_equal(ops->poll(rig.queue, ws_clock_now_ns(ws_clock_monotonic()) + 5000000, &done, NULL), WS_OK);
	assert_false(done);
	ops->stop(rig.queue);
	assert_int_equal(ops->poll(rig.queue, soon_ns(), &done, NULL), WS_OK);
	assert_true(done);
	assert_int_equal(ops->read(rig.queue, &rig.op, &lane, NULL), WS_OK);
	assert_true(lane.loops >= 1);
	assert_true(lane.bytes >= lane.loops * item.size_bytes[0]);
	assert_true(lane.bytes < (lane.loops + 1ull) * item.size_bytes[0]);
	assert_int_equal(verify(&rig).wrong_count, 0);
	take_apart(&rig);
}

static void cancelled_queue_works_again(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_item item = new_item(bench, WS_READ, MIB);
	struct rig rig;

	build(&rig, bench, &item, 5);
	assert_int_equal(ops->gate(rig.queue, NULL), WS_OK);
	assert_int_equal(ops->submit(rig.queue, &rig.op, 0, UINT32_MAX - 1, NULL), WS_OK);
	assert_int_equal(ops->cancel(rig.queue), WS_OK);
	assert_int_equal(ops->submit(rig.queue, &rig.op, 0, UINT32_MAX - 1, NULL), WS_OK);
	assert_int_equal(ops->flush(rig.queue, NULL), WS_OK);
	assert_int_equal(ops->cancel(rig.queue), WS_OK);
	run(&rig, 0, 1);
	assert_int_equal(verify(&rig).wrong_count, 0);
	take_apart(&rig);
}

static void page_sizes_are_what_was_asked_for(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_place place = bench->node;
	struct ws_buffer buffer;
	struct ws_error error = {0};
	enum ws_thp mode = WS_THP_NEVER;

	if (sysconf(_SC_PAGESIZE) == 4096) {
		strcpy(place.pages, "4k");
		assert_int_equal(ops->alloc(&bench->backend, &place, NULL, 8 * MIB, &buffer, NULL), WS_OK);
		assert_string_equal(buffer.pages_obtained, "4k");
		assert_int_equal((uintptr_t)buffer.host % (2 * MIB), 0);
		ops->free(&bench->backend, &buffer);
	}
	strcpy(place.pages, "thp");
	ws_system_thp("", &mode, NULL);
	if (mode == WS_THP_NEVER) {
		assert_int_equal(ops->alloc(&bench->backend, &place, NULL, 8 * MIB, &buffer, NULL), WS_EUNSUPPORTED);
	} else {
		assert_int_equal(ops->alloc(&bench->backend, &place, NULL, 8 * MIB, &buffer, NULL), WS_OK);
		/* A kernel short of free huge pages gives fewer: then it must be said. */
		assert_true(strcmp(buffer.pages_obtained, "thp") == 0 || strcmp(buffer.pages_obtained, "mixed") == 0 ||
			    strcmp(buffer.pages_obtained, "4k") == 0);
		ops->free(&bench->backend, &buffer);
	}
	strcpy(place.pages, "1g");
	assert_int_equal(ops->alloc(&bench->backend, &place, NULL, MIB, &buffer, &error), WS_EUNSUPPORTED);
	assert_non_null(strstr(error.text, "page size 1g is not available"));
}

static void too_much_memory_is_refused(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_buffer buffer = {0};
	struct ws_error error = {0};

	assert_int_equal(ops->alloc(&bench->backend, &bench->node, NULL, UINT64_C(1) << 45, &buffer, &error), WS_ENOMEM);
	assert_non_null(strstr(error.text, "32768.00 GiB asked for in host"));
	error = (struct ws_error){0};
	assert_int_equal(ops->alloc(&bench->backend, &bench->node, NULL, UINT64_MAX, &buffer, &error), WS_ENOMEM);
	assert_null(buffer.host);
	ops->free(&bench->backend, &buffer);
}

static void expect_refusal(struct bench *bench, const struct ws_item *item, int status, const char *text)
{
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_error error = {0};
	struct ws_queue *queue = NULL;
	static char memory[4096];
	struct ws_buffer buffer = {.owner = &bench->backend, .host = memory, .size_bytes = sizeof(memory)};
	struct ws_op op = {.item = item, .source = &buffer, .destination = &buffer};
	int rc = ops->queue(&bench->backend, item, &queue, &error);

	buffer.place = item->source;
	if (rc == WS_OK)
		rc = ops->prepare(queue, &op, soon_ns(), &error);
	assert_int_equal(rc, status);
	if (!strstr(error.text, text))
		fail_msg("\"%s\" is not in \"%s\"", text, error.text);
	ops->queue_free(&bench->backend, queue);
}

static void what_cpus_cannot_do_is_said(void **state)
{
	struct bench *bench = *state;
	struct ws_item item = new_item(bench, WS_PINGPONG, 64);
	char many[16], text[64];

	expect_refusal(bench, &item, WS_EUNSUPPORTED, "CPUs do not offer \"pingpong\"");
	item = new_item(bench, WS_READ, 64);
	strcpy(item.engine.name, "sm");
	expect_refusal(bench, &item, WS_EUNSUPPORTED, "has no engine \"sm\"");
	item = new_item(bench, WS_READ, 64);
	item.engine.place.index = 999;
	expect_refusal(bench, &item, WS_EABSENT, "there is no NUMA node 999");
	item = new_item(bench, WS_READ, 64);
	snprintf(many, sizeof(many), "%u", bench->cpus + 1);
	snprintf(text, sizeof(text), "threads=%s, but node %d has %u CPUs", many, bench->node.index, bench->cpus);
	flag(&item, "threads", many);
	expect_refusal(bench, &item, WS_EINVAL, text);
	item = new_item(bench, WS_CHASE, 63);
	expect_refusal(bench, &item, WS_EINVAL, "at least 64 bytes");
	item = new_item(bench, WS_CHASE, 64);
	item.size_bytes[1] = 128;
	item.size_count = 2;
	expect_refusal(bench, &item, WS_EUNSUPPORTED, "a chase takes one size");
	item = new_item(bench, WS_READ, 64);
	strcpy(item.source.memory, "pinned");
	expect_refusal(bench, &item, WS_EUNSUPPORTED, "no device takes part that could pin it");
}

static void foreign_kinds_and_places_are_refused(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_place place = bench->node;
	struct ws_buffer buffer = {0};
	struct ws_error error = {0};

	strcpy(place.memory, "wc");
	assert_int_equal(ops->alloc(&bench->backend, &place, NULL, 64, &buffer, &error), WS_EUNSUPPORTED);
	assert_non_null(strstr(error.text, "kind wc comes from a device's driver"));
	place = bench->node;
	place.index = 12345;
	assert_int_equal(ops->alloc(&bench->backend, &place, NULL, 64, &buffer, NULL), WS_EABSENT);
}

static void state_tells_how_memory_was_placed(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_buffer buffer;
	json_t *object = json_object();

	assert_int_equal(ops->alloc(&bench->backend, &bench->node, NULL, MIB, &buffer, NULL), WS_OK);
	assert_int_equal(ops->state(&bench->backend, &bench->node, object, NULL), WS_OK);
	assert_true(json_is_string(json_object_get(object, "instructions")));
	assert_true(json_is_boolean(json_object_get(object, "memory_bound")));
	assert_true(json_is_true(json_object_get(object, "memory_bound")) ||
		    json_is_string(json_object_get(object, "memory_bound_reason")));
	assert_true(json_is_integer(json_object_get(object, "placement_checked_pages")));
	json_decref(object);
	ops->free(&bench->backend, &buffer);
}

/* Two queues on one node take different CPUs as long as there are any. */
static void default_threads_leave_used_cpus_alone(void **state)
{
	struct bench *bench = *state;
	struct ws_item chase = new_item(bench, WS_CHASE, 4096), read = new_item(bench, WS_READ, 8 * MIB + 8);
	struct rig first, second;

	build(&first, bench, &chase, 1);
	build(&second, bench, &read, 2);
	free(run(&first, 1, 1).values);
	run(&second, 1, 2);
	assert_int_equal(verify(&first).wrong_count, 0);
	assert_int_equal(verify(&second).wrong_count, 0);
	take_apart(&second);
	take_apart(&first);
}

static void host_is_a_back_end_of_this_build(void **state)
{
	size_t count;
	const struct ws_backend_ops *const *backends = ws_backends(&count);

	(void)state;
	assert_true(count >= 1);
	assert_string_equal(backends[0]->name, "host");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_verb_moves_odd_sizes_right),
		cmocka_unit_test(wrong_byte_is_found_wherever_it_is),
		cmocka_unit_test(chase_yields_a_time_per_load_and_its_end),
		cmocka_unit_test(noop_and_loop_times),
		cmocka_unit_test(endless_read_counts_what_it_did),
		cmocka_unit_test(cancelled_queue_works_again),
		cmocka_unit_test(page_sizes_are_what_was_asked_for),
		cmocka_unit_test(too_much_memory_is_refused),
		cmocka_unit_test(what_cpus_cannot_do_is_said),
		cmocka_unit_test(foreign_kinds_and_places_are_refused),
		cmocka_unit_test(state_tells_how_memory_was_placed),
		cmocka_unit_test(default_threads_leave_used_cpus_alone),
		cmocka_unit_test(host_is_a_back_end_of_this_build),
	};

	return cmocka_run_group_tests(tests, open_bench, close_bench);
}
