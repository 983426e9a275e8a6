/* A back end of made-up devices: in-memory, on a simulated clock, with faults to order and a log of what was asked. */
#include "backend_fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "kernel/host_chase.h"
#include "kernel/host_kernel.h"
#include "kernel/host_pattern.h"

enum { ORDERS_MAX = 256, LATENCY_NS = 1000, POLL_NS = 1000, READ_CLOCK_NS = 100 };

struct order {
	enum { ORDER_SUBMIT, ORDER_MARK } kind;
	struct ws_op *op;
	int size_index, mark;
	uint32_t loops;
};

/* What an op yields that is no copy. */
struct fake_result {
	struct fake_result *next;
	uint64_t sum, loops, size_bytes;
	struct ws_chase chase;
	const void *chase_start, *chase_end;
};

struct ws_queue {
	struct fake *fake;
	struct ws_queue *next;
	struct ws_op *op;
	struct fake_result *results;
	struct order orders[ORDERS_MAX];
	int order_count;
	bool gated, flushed, ran, endless, stopped;
	int64_t start_ns, end_ns;
};

static struct fake *current;
static struct ws_queue *queues;

static int64_t read_clock(void *context)
{
	return atomic_fetch_add(&((struct fake *)context)->now_ns, READ_CLOCK_NS);
}

static void sleep_until(void *context, int64_t time_ns)
{
	struct fake *fake = context;

	if (time_ns > atomic_load(&fake->now_ns))
		atomic_store(&fake->now_ns, time_ns);
}

void fake_init(struct fake *fake, int devices)
{
	memset(fake, 0, sizeof(*fake));
	fake->devices = devices;
	fake->bytes_per_ns = 50;
	fake->now_ns = ws_clock_now_ns(ws_clock_monotonic());
	fake->clock = (struct ws_clock){.now_ns = read_clock, .sleep_until_ns = sleep_until, .context = fake};
	current = fake;
	queues = NULL;
}

/* Counts a call that can fail, and fails it if it is this one's turn. */
static int call(struct fake *fake, const char *name, struct ws_error *error)
{
	const int number = atomic_fetch_add(&fake->calls_made, 1) + 1;

	if (number != fake->fail_call_at)
		return WS_OK;
	return ws_fail(error, WS_EDRIVER, "fake call %d, %s, failed as ordered", number, name);
}

static int fake_open(struct ws_backend *backend, const struct ws_backend_options *options, struct ws_error *error)
{
	(void)options;
	if (current->absent)
		return ws_fail(error, WS_EABSENT, "libfake.so.1: no such library");
	if (call(current, "open", error) != WS_OK)
		return WS_EDRIVER;
	backend->state = current;
	backend->simulated = true;
	current->opened++;
	return WS_OK;
}

static void fake_close(struct ws_backend *backend)
{
	((struct fake *)backend->state)->opened--;
}

static int fake_places(struct ws_backend *backend, struct ws_places *places, struct ws_error *error)
{
	const struct fake *fake = backend->state;
	int rc = WS_OK;

	for (int i = 0; i < fake->devices && rc == WS_OK; i++) {
		struct ws_place_facts facts = {
			.place = {.rank = WS_RANK_NONE, .family = "cuda", .index = i},
			.name = "made up",
			.engines = "ce sm",
			.numa_node = -1,
			.simulated = true,
			.linked_peers = fake->linked_peers,
		};

		/* An address that no machine has, in a driver's spelling. */
		snprintf(facts.pci, sizeof(facts.pci), "FFFE:AB:1%d.7", i % 10);
		rc = ws_places_add(places, &facts, error);
	}
	return rc;
}

static void fake_ready(struct ws_backend *backend, const struct ws_place *places, int count)
{
	struct fake *fake = backend->state;
	size_t length = strlen(fake->ready);

	for (int i = 0; i < count; i++) {
		char text[WS_PLACE_TEXT];

		length += (size_t)snprintf(fake->ready + length, sizeof(fake->ready) - length, "%s%s",
					   ws_place_format(&places[i], text, sizeof(text)), i + 1 < count ? " " : ";");
	}
	fake->allocs_before_ready += fake->allocs;
}

static int fake_counters(struct ws_backend *backend, const struct ws_place *place, struct ws_counter *out, int max,
			 int *count, struct ws_error *error)
{
	struct fake *fake = backend->state;

	if (max < 1 || call(fake, "counters", error) != WS_OK)
		return WS_EDRIVER;
	fake->counter_reads++;
	snprintf(out[0].name, sizeof(out[0].name), "cuda%d.moved", place->index);
	out[0].delta = 1000 + atomic_load(&fake->moved_bytes);
	*count = 1;
	return WS_OK;
}

static int fake_alloc(struct ws_backend *backend, const struct ws_place *place, const struct ws_place *near,
		      uint64_t size_bytes, struct ws_buffer *out, struct ws_error *error)
{
	struct fake *fake = backend->state;
	void *memory;

	if (near)
		return ws_fail(error, WS_EUNSUPPORTED, "made-up devices have no host memory of their own");
	if (place->index >= fake->devices)
		return ws_fail(error, WS_EABSENT, "there is no device %d", place->index);
	if (call(fake, "alloc", error) != WS_OK)
		return WS_EDRIVER;
	if (fake->no_memory || ++fake->allocs == fake->fail_alloc_at)
		return ws_fail(error, WS_ENOMEM, "fake device %d is full", place->index);
	memory = aligned_alloc(64, (size_t)(size_bytes + 63) / 64 * 64);
	if (!memory)
		return ws_fail(error, WS_ENOMEM, "no memory for the fake");
	fake->allocs_live++;
	fake->largest_alloc = size_bytes > fake->largest_alloc ? size_bytes : fake->largest_alloc;
	*out = (struct ws_buffer){.owner = backend,
				  .place = *place,
				  .size_bytes = size_bytes,
				  .handle = memory,
				  .address = (uintptr_t)memory};
	return WS_OK;
}

static void fake_free(struct ws_backend *backend, struct ws_buffer *buffer)
{
	((struct fake *)backend->state)->allocs_live--;
	free(buffer->handle);
}

static int fake_attach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place,
		       struct ws_error *error)
{
	struct fake *fake = backend->state;

	(void)place;
	if (!buffer->host)
		return ws_fail(error, WS_EUNSUPPORTED, "only host memory can be attached");
	if (call(fake, "attach", error) != WS_OK)
		return WS_EDRIVER;
	fake->attached_live++;
	return WS_OK;
}

static void fake_detach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place)
{
	(void)buffer;
	(void)place;
	((struct fake *)backend->state)->attached_live--;
}

static int fake_fill(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		     struct ws_error *error)
{
	if (call(backend->state, "fill", error) != WS_OK)
		return WS_EDRIVER;
	((struct fake *)backend->state)->fills++;
	ws_host_kernels()->fill(buffer->handle, size_bytes, 0, seed);
	return WS_OK;
}

static int fake_check(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		      struct ws_check *check, struct ws_error *error)
{
	struct ws_mismatch found;

	if (call(backend->state, "check", error) != WS_OK)
		return WS_EDRIVER;
	ws_pattern_check(buffer->handle, size_bytes, 0, seed, &found);
	ws_check_add(check, found.wrong_count, found.first_offset, found.expected, found.found, 0, WS_RANK_NONE);
	return WS_OK;
}

static int fake_queue(struct ws_backend *backend, const struct ws_item *item, struct ws_queue **out,
		      struct ws_error *error)
{
	struct fake *fake = backend->state;
	struct ws_queue *queue;

	if (item->engine.place.index >= fake->devices)
		return ws_fail(error, WS_EABSENT, "there is no device %d", item->engine.place.index);
	if (strcmp(item->engine.name, "ce") != 0 && strcmp(item->engine.name, "sm") != 0)
		return ws_fail(error, WS_EUNSUPPORTED, "no engine \"%s\"", item->engine.name);
	queue = call(fake, "queue", error) == WS_OK ? calloc(1, sizeof(*queue)) : NULL;
	if (!queue)
		return WS_EDRIVER;
	queue->fake = fake;
	queue->next = queues;
	queues = queue;
	fake->queues_live++;
	*out = queue;
	return WS_OK;
}

static void fake_queue_free(struct ws_backend *backend, struct ws_queue *queue)
{
	struct ws_queue **at = &queues;

	((struct fake *)backend->state)->queues_live--;
	while (*at != queue)
		at = &(*at)->next;
	*at = queue->next;
	for (struct fake_result *next, *result = queue->results; result; result = next) {
		next = result->next;
		free(result);
	}
	free(queue);
}

static int fake_prepare(struct ws_queue *queue, struct ws_op *op, int64_t deadline_ns, struct ws_error *error)
{
	struct fake_result *result;

	(void)deadline_ns;
	result = call(queue->fake, "prepare", error) == WS_OK ? calloc(1, sizeof(*result)) : NULL;
	if (!result)
		return WS_EDRIVER;
	result->next = queue->results;
	queue->results = result;
	queue->op = op;
	op->state = result;
	return WS_OK;
}

static unsigned char *bytes_of(const struct ws_buffer *buffer)
{
	return buffer ? buffer->host ? buffer->host : buffer->handle : NULL;
}

static uint64_t written_value(const struct ws_op *op)
{
	return op->seed * 0x9e3779b97f4a7c15u | 1;
}

static int fake_refilled(struct ws_queue *queue, struct ws_op *op, struct ws_error *error)
{
	struct fake_result *result = op->state;
	const uint64_t size_bytes = op->item->size_bytes[0];

	if (call(queue->fake, "refilled", error) != WS_OK)
		return WS_EDRIVER;
	if (op->item->verb == WS_WRITE)
		ws_host_kernels()->write(bytes_of(op->destination), size_bytes, ~written_value(op));
	if (op->item->verb != WS_CHASE)
		return WS_OK;
	if (ws_chase_init(&result->chase, size_bytes, 0, op->seed) != WS_OK)
		return ws_fail(error, WS_EINVAL, "too small for a chase");
	ws_chase_link(&result->chase, bytes_of(op->source), 0, result->chase.count);
	result->chase_start = result->chase_end = bytes_of(op->source);
	return WS_OK;
}

static int add(struct ws_queue *queue, struct order order, struct ws_error *error)
{
	if (queue->ran || queue->flushed) {
		struct fake_result *result = queue->op->state;

		queue->order_count = 0;
		queue->ran = queue->flushed = queue->gated = queue->endless = queue->stopped = false;
		result->sum = result->loops = 0;
		result->chase_start = result->chase_end;
	}
	if (queue->order_count == ORDERS_MAX)
		return ws_fail(error, WS_EDRIVER, "the fake's queue is full");
	queue->orders[queue->order_count++] = order;
	return WS_OK;
}

static int fake_gate(struct ws_queue *queue, struct ws_error *error)
{
	struct order nothing = {.kind = ORDER_MARK, .mark = -1};
	int rc = call(queue->fake, "gate", error);

	if (rc == WS_OK)
		rc = add(queue, nothing, error);
	queue->gated = rc == WS_OK;
	return rc;
}

static int fake_submit(struct ws_queue *queue, struct ws_op *op, int size_index, uint32_t loops, struct ws_error *error)
{
	struct fake *fake = queue->fake;
	char place[WS_PLACE_TEXT];
	int at, rc = call(fake, "submit", error);

	if (rc != WS_OK)
		return rc;
	at = atomic_fetch_add(&fake->call_count, 1);
	if (at < FAKE_CALLS_MAX) {
		struct fake_call *log = &fake->calls[at];

		snprintf(log->engine, sizeof(log->engine), "%.8s.%.6s",
			 ws_place_format(&op->item->engine.place, place, sizeof(place)), op->item->engine.name);
		log->verb = op->item->verb;
		log->size_bytes = op->item->size_bytes[size_index];
		log->loops = loops;
	}
	rc = add(queue, (struct order){.kind = ORDER_SUBMIT, .op = op, .size_index = size_index, .loops = loops},
		 error);
	queue->endless = queue->endless || loops == WS_LOOPS_UNTIL_STOPPED;
	return rc;
}

static int fake_mark(struct ws_queue *queue, int mark, struct ws_error *error)
{
	int rc = call(queue->fake, "mark", error);

	return rc == WS_OK ? add(queue, (struct order){.kind = ORDER_MARK, .mark = mark}, error) : rc;
}

static int fake_join(struct ws_queue *queue, struct ws_queue *other, int mark, struct ws_error *error)
{
	if (!other->flushed || mark != 0)
		return ws_fail(error, WS_EDRIVER, "joined a queue that was not sent off");
	queue->fake->joins++;
	return call(queue->fake, "join", error);
}

/* A fault in the data that is moved; it may begin late. */
static enum fake_fault fault_of(const struct fake *fake)
{
	return fake->runs < fake->fault_from_run ? FAKE_RIGHT : fake->fault;
}

static void copy(const struct fake *fake, unsigned char *to, const unsigned char *from, uint64_t size)
{
	switch (fault_of(fake)) {
	case FAKE_NOTHING:
		break;
	case FAKE_ONE_BYTE:
		memcpy(to, from, size);
		to[size / 2] ^= 0x20;
		break;
	case FAKE_LAST_BYTE:
		memcpy(to, from, size - 1);
		break;
	case FAKE_OFFSET:
		if (size > 4)
			memcpy(to + 4, from, size - 4);
		break;
	default:
		memcpy(to, from, size);
	}
}

static void do_read(const struct fake *fake, const struct ws_op *op, uint64_t size)
{
	struct fake_result *result = op->state;
	const unsigned char *from = bytes_of(op->source);

	if (fault_of(fake) == FAKE_NOTHING)
		return;
	if (fault_of(fake) == FAKE_LAST_BYTE)
		result->sum += ws_host_kernels()->read(from, size - 1);
	else if (fault_of(fake) == FAKE_OFFSET)
		result->sum += size > 4 ? ws_host_kernels()->read(from + 4, size - 4) : 0;
	else
		result->sum += ws_host_kernels()->read(from, size) + (fault_of(fake) == FAKE_ONE_BYTE ? 0x20 : 0);
}

static void do_write(const struct fake *fake, const struct ws_op *op, uint64_t size)
{
	unsigned char *to = bytes_of(op->destination), *made = malloc(size);

	if (made) {
		ws_host_kernels()->write(made, size, written_value(op));
		copy(fake, to, made, size);
	}
	free(made);
}

static void do_chase(const struct fake *fake, const struct ws_op *op)
{
	struct fake_result *result = op->state;
	uint64_t steps = FAKE_CHASE_STEPS;

	if (fault_of(fake) == FAKE_NOTHING)
		return;
	if (fault_of(fake) == FAKE_LAST_BYTE)
		steps--;
	if (fault_of(fake) == FAKE_OFFSET)
		steps += 4;
	result->chase_end = ws_chase_run(result->chase_end, steps);
	if (fault_of(fake) == FAKE_ONE_BYTE)
		result->chase_end = ws_chase_run(result->chase_end, 2);
}

static void do_loop(struct fake *fake, const struct ws_op *op, uint64_t size)
{
	struct fake_result *result = op->state;

	result->loops++;
	result->size_bytes = size;
	atomic_fetch_add(&fake->moved_bytes, size);
	switch (op->item->verb) {
	case WS_READ:
		do_read(fake, op, size);
		break;
	case WS_WRITE:
		do_write(fake, op, size);
		break;
	case WS_CHASE:
		do_chase(fake, op);
		break;
	default:
		copy(fake, bytes_of(op->destination), bytes_of(op->source), size);
	}
}

/* All at once; the time that it takes is made up. */
static void carry_out(struct ws_queue *queue)
{
	struct fake *fake = queue->fake;
	int64_t time_ns = atomic_load(&fake->now_ns);

	queue->ran = true;
	fake->runs++;
	for (int i = 0; i < queue->order_count; i++) {
		const struct order *order = &queue->orders[i];

		if (order->kind == ORDER_SUBMIT) {
			const uint32_t loops = order->loops == WS_LOOPS_UNTIL_STOPPED ? 1 : order->loops;
			const uint64_t size = order->op->item->size_bytes[order->size_index];

			for (uint32_t loop = 0; loop < loops; loop++)
				do_loop(fake, order->op, size);
			time_ns += (int64_t)(loops * (LATENCY_NS + (double)size / fake->bytes_per_ns));
		} else if (order->mark == 0) {
			queue->start_ns = time_ns;
		} else if (order->mark == 1) {
			queue->end_ns = time_ns;
		}
	}
}

static int fake_flush(struct ws_queue *queue, struct ws_error *error)
{
	int rc = call(queue->fake, "flush", error);

	if (rc != WS_OK)
		return rc;
	queue->flushed = true;
	if (!queue->gated)
		carry_out(queue);
	return WS_OK;
}

static void fake_release(struct ws_backend *backend)
{
	(void)backend;
	for (struct ws_queue *queue = queues; queue; queue = queue->next)
		if (queue->gated && queue->flushed && !queue->ran)
			carry_out(queue);
}

static void fake_stop(struct ws_queue *queue)
{
	queue->stopped = true;
	queue->end_ns = atomic_load(&queue->fake->now_ns);
}

static int fake_poll(struct ws_queue *queue, int64_t wait_until_ns, bool *done, struct ws_error *error)
{
	struct fake *fake = queue->fake;
	const int64_t now_ns = atomic_load(&fake->now_ns);
	const bool stuck = fake->fault == FAKE_HANG || fake->fault == FAKE_LOST || !queue->ran ||
			   (queue->endless && !queue->stopped);
	int rc = call(fake, "poll", error);

	if (rc != WS_OK)
		return rc;
	*done = !stuck && now_ns >= queue->end_ns;
	if (*done)
		return WS_OK;
	if (wait_until_ns == 0)
		atomic_fetch_add(&fake->now_ns, POLL_NS);
	else
		sleep_until(fake, stuck || wait_until_ns < queue->end_ns ? wait_until_ns : queue->end_ns);
	return WS_OK;
}

static int fake_read(struct ws_queue *queue, struct ws_op *op, struct ws_lane *lane, struct ws_error *error)
{
	const struct fake_result *result = op->state;
	int rc = call(queue->fake, "read", error);

	if (rc != WS_OK)
		return rc;
	lane->has_device = true;
	snprintf(lane->clock, sizeof(lane->clock), "cuda%d:event", op->item->engine.place.index);
	lane->start_ns = queue->start_ns;
	lane->end_ns = queue->end_ns > queue->start_ns ? queue->end_ns : queue->start_ns + 1;
	if (queue->endless) {
		lane->loops = (uint32_t)result->loops;
		lane->bytes = result->loops * result->size_bytes;
	}
	return WS_OK;
}

static int fake_verify(struct ws_queue *queue, struct ws_op *op, struct ws_check *check, struct ws_error *error)
{
	const struct fake_result *result = op->state;
	const uint64_t size = result->size_bytes;
	uint64_t expected, found = 0, at = 0;

	if (call(queue->fake, "verify", error) != WS_OK)
		return WS_EDRIVER;
	switch (op->item->verb) {
	case WS_READ:
		expected = ws_pattern_sum(size, 0, op->seed) * result->loops;
		found = result->sum;
		break;
	case WS_CHASE:
		expected = (uintptr_t)ws_chase_expected(&result->chase, bytes_of(op->source), result->chase_start,
							result->loops * FAKE_CHASE_STEPS);
		found = (uintptr_t)result->chase_end;
		break;
	default:
		expected = 0;
		for (at = 0; at < size && found == expected; at++) {
			expected = (unsigned char)(written_value(op) >> (8 * (at % 8)));
			found = bytes_of(op->destination)[at];
		}
		at -= at > 0;
	}
	ws_check_add(check, found != expected, at, expected, found, 0, WS_RANK_NONE);
	return WS_OK;
}

static int fake_cancel(struct ws_queue *queue)
{
	if (queue->fake->fault == FAKE_LOST && queue->ran)
		return WS_ELOST;
	queue->flushed = true;
	queue->ran = true;
	return WS_OK;
}

#define FAKE_ROWS                                                                                                      \
	.name = "fake", .family = "cuda", .engines = "ce sm", .library = "libfake.so.1", .open = fake_open,            \
	.close = fake_close, .places = fake_places, .ready = fake_ready, .counters = fake_counters,                    \
	.alloc = fake_alloc, .free = fake_free, .attach = fake_attach, .detach = fake_detach, .fill = fake_fill,       \
	.check = fake_check, .queue = fake_queue, .queue_free = fake_queue_free, .prepare = fake_prepare,              \
	.refilled = fake_refilled, .submit = fake_submit, .mark = fake_mark, .flush = fake_flush, .stop = fake_stop,   \
	.poll = fake_poll, .read = fake_read, .verify = fake_verify, .cancel = fake_cancel

const struct ws_backend_ops fake_ops = {FAKE_ROWS, .gate = fake_gate, .join = fake_join, .release = fake_release};
const struct ws_backend_ops fake_ungated_ops = {FAKE_ROWS};
