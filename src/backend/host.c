/* The host back end: memory of NUMA nodes, moved by pinned threads of their CPUs. */
#include "backend/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "backend/host_private.h"
#include "base/clock.h"
#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "base/system.h"

/* What a thread in a loop gets to notice that it was cancelled. */
#define CANCEL_NS 5000000000

static int64_t after_ns(int64_t time_ns)
{
	return ws_clock_now_ns(ws_clock_monotonic()) + time_ns;
}

static void host_close(struct ws_backend *backend)
{
	struct host *host = backend->state;

	for (size_t i = 0; host && i < host->node_count; i++) {
		ws_team_free(host->nodes[i].team);
		free(host->nodes[i].uses);
	}
	if (host)
		free(host->nodes);
	free(host);
	backend->state = NULL;
}

static int host_open(struct ws_backend *backend, const struct ws_backend_options *options, struct ws_error *error)
{
	struct host *host = aligned_alloc(_Alignof(struct host), sizeof(*host));
	const struct ws_topology_node *nodes;
	size_t count;

	if (!host)
		return ws_fail(error, WS_ENOMEM, "no memory for the host back end");
	memset(host, 0, sizeof(*host));
	host->topology = options->topology;
	host->timeout_ns = options->timeout_ns;
	host->kernels = ws_host_kernels();
	nodes = ws_topology_nodes(options->topology, &count);
	host->nodes = calloc(count, sizeof(*host->nodes));
	backend->state = host;
	for (; host->nodes && host->node_count < count; host->node_count++) {
		struct host_node *node = &host->nodes[host->node_count];

		node->facts = &nodes[host->node_count];
		node->uses = calloc(node->facts->cpu_count + 1, sizeof(*node->uses));
		if (!node->uses)
			break;
	}
	if (host->node_count == count)
		return WS_OK;
	host_close(backend);
	return ws_fail(error, WS_ENOMEM, "no memory for %zu NUMA nodes", count);
}

static int host_places(struct ws_backend *backend, struct ws_places *places, struct ws_error *error)
{
	const struct host *host = backend->state;
	int rc = WS_OK;

	for (size_t i = 0; i < host->node_count && rc == WS_OK; i++) {
		const struct ws_topology_node *node = host->nodes[i].facts;
		struct ws_place_facts facts = {
			.place = {.rank = WS_RANK_NONE, .family = "host", .index = (int)node->os_index},
			.memory_bytes = node->memory_bytes,
			.cache_bytes = ws_topology_cache_bytes(host->topology),
			.numa_node = (int)node->os_index,
			.cpu_count = (int)node->cpu_count,
		};

		snprintf(facts.name, sizeof(facts.name), "NUMA node %u, %zu core%s, %zu CPU%s", node->os_index,
			 node->core_count, node->core_count == 1 ? "" : "s", node->cpu_count,
			 node->cpu_count == 1 ? "" : "s");
		snprintf(facts.pci, sizeof(facts.pci), "%s", node->pci);
		if (node->cpu_count > 0)
			strcpy(facts.engines, "cpu");
		if (!node->allowed)
			snprintf(facts.absent, sizeof(facts.absent), "%s", node->reason);
		rc = ws_places_add(places, &facts, error);
	}
	return rc;
}

static int host_state(struct ws_backend *backend, const struct ws_place *place, struct json_t *into,
		      struct ws_error *error)
{
	struct host *host = backend->state;
	struct host_node *node = NULL;
	enum ws_thp mode;
	int rc = host_find_node(host, place, &node, error), failed = 0;

	if (rc != WS_OK)
		return rc;
	failed |= json_object_set_new(into, "instructions", json_string(host->kernels->isa));
	if (ws_system_thp("", &mode, NULL) == WS_OK)
		failed |= json_object_set_new(into, "transparent_huge_pages", json_string(ws_thp_name(mode)));
	if (node->allocated) {
		failed |= json_object_set_new(into, "memory_bound", json_boolean(node->bound));
		if (!node->bound)
			failed |= json_object_set_new(into, "memory_bound_reason", json_string(node->not_bound));
		failed |= json_object_set_new(into, "placement_checked_pages", json_integer(node->checked));
	}
	return failed ? ws_fail(error, WS_ENOMEM, "no memory for a place's state") : WS_OK;
}

/* Device memory that has a host address is reached like any other; there is nothing to register. */
static int host_attach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place,
		       struct ws_error *error)
{
	char text[WS_PLACE_TEXT];

	(void)backend;
	(void)place;
	if (buffer->host)
		return WS_OK;
	return ws_fail(error, WS_EUNSUPPORTED, "%s has no address that CPUs could use",
		       ws_place_format(&buffer->place, text, sizeof(text)));
}

static void host_detach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place)
{
	(void)backend;
	(void)buffer;
	(void)place;
}

static bool is_single(enum ws_verb verb)
{
	return verb == WS_CHASE || verb == WS_NOOP;
}

static int count_threads(const struct host_node *node, const struct ws_item *item, unsigned *count,
			 struct ws_error *error)
{
	const uint64_t wanted = ws_item_number(item, "threads", 0);
	const unsigned cores = (unsigned)node->facts->core_count;
	unsigned unused = 0;

	if (wanted > node->facts->cpu_count)
		return ws_fail(error, WS_EINVAL, "threads=%llu, but node %u has %zu CPUs that may be used",
			       (unsigned long long)wanted, node->facts->os_index, node->facts->cpu_count);
	if (wanted > 1 && item->verb == WS_CHASE)
		return ws_fail(error, WS_EUNSUPPORTED, "a chase runs on one thread, not on %llu",
			       (unsigned long long)wanted);
	if (wanted == 1 && item->verb == WS_COPY2)
		return ws_fail(error, WS_EINVAL, "a two-way copy needs a thread for each way");
	for (unsigned i = 0; i < cores; i++)
		unused += node->uses[i] == 0;
	*count = wanted ? (unsigned)wanted : is_single(item->verb) ? 1 : unused ? unused : cores;
	if (item->verb == WS_COPY2)
		*count = wanted ? (unsigned)wanted / 2 : cores > 1 ? cores / 2 : 1;
	return WS_OK;
}

/* Those that the fewest queues of the step use; of equals the first in the node's list, which begins with one CPU of
 * each core. */
static void choose_cpus(struct host_node *node, unsigned *cpus, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned best = 0;

		for (unsigned k = 1; k < node->facts->cpu_count; k++)
			if (node->uses[k] < node->uses[best])
				best = k;
		node->uses[best]++;
		cpus[i] = node->facts->cpus[best];
	}
}

static void host_begin_step(struct ws_backend *backend)
{
	struct host *host = backend->state;

	for (size_t i = 0; i < host->node_count; i++)
		memset(host->nodes[i].uses, 0, host->nodes[i].facts->cpu_count * sizeof(*host->nodes[i].uses));
}

static void host_queue_free(struct ws_backend *backend, struct ws_queue *queue)
{
	(void)backend;
	/* Threads that hang still use all of it. */
	if (!queue || queue->lost)
		return;
	ws_team_free(queue->team);
	for (struct host_op *next, *state = queue->ops; state; state = next) {
		next = state->next;
		host_op_free(state);
	}
	free(queue);
}

static int host_queue(struct ws_backend *backend, const struct ws_item *item, struct ws_queue **out,
		      struct ws_error *error)
{
	struct ws_queue *queue;
	struct host_node *node = NULL;
	unsigned *cpus, count = 0;
	int rc = host_find_node(backend->state, &item->engine.place, &node, error);

	if (rc != WS_OK)
		return rc;
	if (strcmp(item->engine.name, "cpu") != 0)
		return ws_fail(error, WS_EUNSUPPORTED, "host%u has no engine \"%s\"", node->facts->os_index,
			       item->engine.name);
	if (node->facts->cpu_count == 0)
		return ws_fail(error, WS_EUNSUPPORTED, "host%u has no engine cpu: %s", node->facts->os_index,
			       node->facts->cpu_reason);
	rc = count_threads(node, item, &count, error);
	if (rc != WS_OK)
		return rc;
	queue = calloc(1, sizeof(*queue));
	cpus = calloc(count, sizeof(*cpus));
	if (!queue || !cpus) {
		rc = ws_fail(error, WS_ENOMEM, "no memory for a queue of %u threads", count);
	} else {
		queue->host = backend->state;
		queue->node = node;
		queue->cpu_count = count;
		choose_cpus(node, cpus, count);
		rc = ws_team_new(cpus, count, &queue->team, error);
	}
	free(cpus);
	if (rc == WS_OK)
		*out = queue;
	else
		host_queue_free(backend, queue);
	return rc;
}

static int host_prepare(struct ws_queue *queue, struct ws_op *op, int64_t deadline_ns, struct ws_error *error)
{
	struct host_op *state = calloc(1, sizeof(*state));
	int rc;

	(void)deadline_ns;
	if (!state)
		return ws_fail(error, WS_ENOMEM, "no memory for an item");
	state->op = op;
	rc = host_op_prepare(state, queue, error);
	if (rc != WS_OK) {
		host_op_free(state);
		return rc;
	}
	state->next = queue->ops;
	queue->ops = state;
	op->state = state;
	return WS_OK;
}

static int host_refilled(struct ws_queue *queue, struct ws_op *op, struct ws_error *error)
{
	struct ws_team *team = host_node_team(queue->host, queue->node, error);

	return team ? host_op_refilled(op->state, team, after_ns(queue->host->timeout_ns), error) : WS_ESYSTEM;
}

/* The first order of a run. */
static void begin(struct ws_queue *queue)
{
	if (queue->building)
		return;
	queue->building = true;
	queue->until_stopped = false;
	queue->mark_count = 0;
	for (struct host_op *state = queue->ops; state; state = state->next)
		host_op_begin(state, 0);
}

static int host_gate(struct ws_queue *queue, struct ws_error *error)
{
	begin(queue);
	return ws_team_gate(queue->team, &queue->host->gate, error);
}

static int host_submit(struct ws_queue *queue, struct ws_op *op, int size_index, uint32_t loops, struct ws_error *error)
{
	struct host_op *state = op->state;
	const uint64_t size_bytes = op->item->size_bytes[size_index];
	const bool until_stopped = loops == WS_LOOPS_UNTIL_STOPPED;

	begin(queue);
	if (op->item->verb == WS_CHASE && !state->chase_end)
		return ws_fail(error, WS_EINVAL, "a chase was submitted before its buffer was filled");
	if (state->size_bytes != 0 && state->size_bytes != size_bytes)
		return ws_fail(error, WS_EINVAL, "loops of two sizes between two marks");
	if (state->size_bytes != size_bytes)
		host_op_begin(state, size_bytes);
	queue->until_stopped = queue->until_stopped || until_stopped;
	state->loops += until_stopped ? 0 : loops;
	return ws_team_loops(queue->team, state->work, state, until_stopped ? WS_TEAM_UNTIL_STOPPED : loops, error);
}

static int host_mark(struct ws_queue *queue, int mark, struct ws_error *error)
{
	begin(queue);
	if ((unsigned)mark >= queue->mark_count)
		queue->mark_count = (unsigned)mark + 1;
	return ws_team_mark(queue->team, (unsigned)mark, error);
}

static int host_join(struct ws_queue *queue, struct ws_queue *other, int mark, struct ws_error *error)
{
	begin(queue);
	return ws_team_join(queue->team, other->team, (unsigned)mark, error);
}

static int host_flush(struct ws_queue *queue, struct ws_error *error)
{
	queue->building = false;
	return ws_team_start(queue->team, after_ns(queue->host->timeout_ns), error);
}

static void host_release(struct ws_backend *backend)
{
	struct host *host = backend->state;

	atomic_fetch_add_explicit(&host->gate, 1, memory_order_release);
	ws_team_wake(&host->gate);
}

static void host_stop(struct ws_queue *queue)
{
	ws_team_stop(queue->team);
}

static int host_poll(struct ws_queue *queue, int64_t wait_until_ns, bool *done, struct ws_error *error)
{
	(void)error;
	*done = ws_team_wait(queue->team, wait_until_ns);
	return WS_OK;
}

/* Marks from 2 on lie between the loops: from each mark to the next one is a loop's time. */
static int read_loop_times(const struct ws_queue *queue, struct ws_lane *lane, struct ws_error *error)
{
	const unsigned count = queue->mark_count - 1;
	const int rc = ws_lane_hold_times(lane, count, "loops", error);
	int64_t before_ns = lane->start_ns;

	for (unsigned i = 0; i < count && rc == WS_OK; i++) {
		const int64_t at_ns = i + 1 < count ? ws_team_last_ns(queue->team, i + 2) : lane->end_ns;

		ws_lane_add_time(lane, (double)(at_ns - before_ns));
		before_ns = at_ns;
	}
	return rc;
}

static int read_load_time(struct ws_lane *lane, struct ws_error *error)
{
	const int rc = ws_lane_hold_times(lane, 1, "load", error);

	if (rc == WS_OK)
		ws_lane_add_time(lane, (double)(lane->end_ns - lane->start_ns) /
					       ((double)lane->loops * WS_HOST_CHASE_STEPS));
	return rc;
}

static int host_read(struct ws_queue *queue, struct ws_op *op, struct ws_lane *lane, struct ws_error *error)
{
	const struct host_op *state = op->state;

	lane->start_ns = ws_team_first_ns(queue->team, 0);
	lane->end_ns = ws_team_last_ns(queue->team, 1);
	lane->has_device = lane->start_ns > 0 && lane->end_ns > lane->start_ns;
	strcpy(lane->clock, "host:monotonic");
	if (queue->until_stopped) {
		uint64_t loops = 0;

		lane->bytes = 0;
		for (unsigned i = 0; i < state->slot_count; i++) {
			lane->bytes += state->slots[i].bytes;
			loops = state->slots[i].loops > loops ? state->slots[i].loops : loops;
		}
		lane->loops = loops < UINT32_MAX ? (uint32_t)loops : UINT32_MAX;
	}
	if (op->item->verb == WS_CHASE)
		lane->bytes = (uint64_t)lane->loops * WS_HOST_CHASE_STEPS * WS_CHASE_STRIDE;
	if (!lane->has_device || lane->loops == 0)
		return WS_OK;
	if (op->item->verb == WS_CHASE)
		return read_load_time(lane, error);
	return queue->mark_count > 2 ? read_loop_times(queue, lane, error) : WS_OK;
}

static int host_verify(struct ws_queue *queue, struct ws_op *op, struct ws_check *check, struct ws_error *error)
{
	struct ws_team *team = host_node_team(queue->host, queue->node, error);

	return team ? host_op_verify(op->state, team, after_ns(queue->host->timeout_ns), check, error) : WS_ESYSTEM;
}

static int host_cancel(struct ws_queue *queue)
{
	const int rc = ws_team_cancel(queue->team, after_ns(CANCEL_NS));

	queue->building = false;
	queue->lost = rc == WS_ELOST;
	return rc;
}

const struct ws_backend_ops ws_host_backend = {
	.name = "host",
	.family = "host",
	.engines = "cpu",
	.options = "nt threads",
	.open = host_open,
	.close = host_close,
	.places = host_places,
	.state = host_state,
	.alloc = host_alloc,
	.free = host_free,
	.attach = host_attach,
	.detach = host_detach,
	.fill = host_fill,
	.check = host_check,
	.begin_step = host_begin_step,
	.queue = host_queue,
	.queue_free = host_queue_free,
	.prepare = host_prepare,
	.refilled = host_refilled,
	.gate = host_gate,
	.submit = host_submit,
	.mark = host_mark,
	.join = host_join,
	.flush = host_flush,
	.release = host_release,
	.stop = host_stop,
	.poll = host_poll,
	.read = host_read,
	.verify = host_verify,
	.cancel = host_cancel,
};
