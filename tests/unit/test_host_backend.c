/* The host back end's work on this machine's own memory: every verb, odd sizes, threads, endless loops, cancelling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "host_bench.h"
#include "kernel/host_pattern.h"

static const uint64_t odd_sizes[] = {1, 7, 63, 64, 4097, MIB + 1, 9 * MIB + 5};

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
		assert_int_equal(
			ops->alloc(&bench->backend, &item->source, NULL, item->size_bytes[0], &rig->source, NULL),
			WS_OK);
		assert_int_equal(ops->fill(&bench->backend, &rig->source, item->size_bytes[0], seed, NULL), WS_OK);
		rig->op.source = &rig->source;
	}
	if (ws_place_is_set(&item->destination)) {
		assert_int_equal(ops->alloc(&bench->backend, &item->destination, NULL, item->size_bytes[0],
					    &rig->destination, NULL),
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

static unsigned count_threads(void)
{
	DIR *folder = opendir("/proc/self/task");
	unsigned count = 0;

	assert_non_null(folder);
	for (struct dirent *entry; (entry = readdir(folder));)
		count += entry->d_name[0] != '.';
	closedir(folder);
	return count;
}

static unsigned threads_of(struct bench *bench, const struct ws_item *item, struct ws_queue **queue)
{
	const unsigned before = count_threads();

	assert_int_equal(bench->backend.ops->queue(&bench->backend, item, queue, NULL), WS_OK);
	return count_threads() - before;
}

/* Two queues of a step take different CPUs as long as there are any; steps leave each other alone. */
static void default_threads_share_out_the_cores(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	const struct ws_topology_node *node = ws_topology_find_node(bench->topology, (unsigned)bench->node.index);
	const unsigned cores = (unsigned)node->core_count;
	struct ws_item chase = new_item(bench, WS_CHASE, 4096), read = new_item(bench, WS_READ, 4096);
	struct ws_item both = new_item(bench, WS_COPY2, 4096), one = read;
	struct ws_queue *queues[6];

	flag(&one, "threads", "1");
	ops->begin_step(&bench->backend);
	assert_int_equal(threads_of(bench, &chase, &queues[0]), 1);
	assert_int_equal(threads_of(bench, &read, &queues[1]), cores > 1 ? cores - 1 : 1);
	assert_int_equal(threads_of(bench, &one, &queues[2]), 1);
	ops->begin_step(&bench->backend);
	assert_int_equal(threads_of(bench, &read, &queues[3]), cores);
	ops->begin_step(&bench->backend);
	assert_int_equal(threads_of(bench, &both, &queues[4]), cores > 1 ? cores / 2 : 1);
	assert_int_equal(threads_of(bench, &both, &queues[5]), cores > 1 ? cores / 2 : 1);
	for (int i = 0; i < 6; i++)
		ops->queue_free(&bench->backend, queues[i]);
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
		cmocka_unit_test(default_threads_share_out_the_cores),
		cmocka_unit_test(host_is_a_back_end_of_this_build),
	};

	return cmocka_run_group_tests(tests, open_bench, close_bench);
}
