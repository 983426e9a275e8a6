/* What the host's threads do in a loop of each verb, what they need for it, and how its result is checked. */
#include "backend/host_private.h"

#include <stdlib.h>
#include <string.h>

#include "backend/host.h"
#include "base/item.h"
#include "base/place.h"
#include "base/record.h"

/* The C library's memcpy chooses its way by the size it is given: it gets a thread's whole part. */
#define CHUNK_BYTES ((uint64_t)8 << 20)
#define CHUNK_MEMCPY_BYTES ((uint64_t)1 << 30)

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void read_part(void *argument, const struct ws_team_member *member)
{
	struct host_op *state = argument;
	struct host_slot *slot = &state->slots[member->index];
	const struct host_part part = host_part(state->size_bytes, member->index, member->count);
	uint64_t sum = 0;

	for (uint64_t done = 0, size; done < part.size; done += size) {
		if (ws_team_ended(member))
			return;
		size = smaller(part.size - done, state->chunk_bytes);
		sum += state->kernels->read(state->source + part.offset + done, size);
		slot->bytes += size;
	}
	slot->sum += sum;
	slot->loops++;
}

static void copy_part(void *argument, const struct ws_team_member *member)
{
	struct host_op *state = argument;
	struct host_slot *slot = &state->slots[member->index];
	const struct host_part part = host_part(state->size_bytes, member->index, member->count);

	for (uint64_t done = 0, size; done < part.size; done += size) {
		const uint64_t offset = part.offset + done;

		if (ws_team_ended(member))
			return;
		size = smaller(part.size - done, state->chunk_bytes);
		state->copy(state->destination + offset, state->source + offset, size);
		slot->bytes += size;
	}
	slot->loops++;
}

static void write_part(void *argument, const struct ws_team_member *member)
{
	struct host_op *state = argument;
	struct host_slot *slot = &state->slots[member->index];
	const struct host_part part = host_part(state->size_bytes, member->index, member->count);

	for (uint64_t done = 0, size; done < part.size; done += size) {
		if (ws_team_ended(member))
			return;
		size = smaller(part.size - done, state->chunk_bytes);
		state->write(state->destination + part.offset + done, size, state->value);
		slot->bytes += size;
	}
	slot->loops++;
}

/* Goes on where the loop before ended, so that the whole buffer is covered whatever the number of loops. */
static void chase_on(void *argument, const struct ws_team_member *member)
{
	struct host_op *state = argument;

	if (member->index != 0)
		return;
	state->chase_end = ws_chase_run(state->chase_end, WS_HOST_CHASE_STEPS);
	state->slots[0].bytes += (uint64_t)WS_HOST_CHASE_STEPS * WS_CHASE_STRIDE;
	state->slots[0].loops++;
}

static void do_nothing(void *argument, const struct ws_team_member *member)
{
	struct host_op *state = argument;

	state->slots[member->index].loops++;
}

/* Rows of what the engine offers. */
static const struct host_verb {
	enum ws_verb verb;
	ws_team_work *work;
} verbs[] = {
	{WS_COPY, copy_part},	{WS_COPY2, copy_part}, {WS_READ, read_part},
	{WS_WRITE, write_part}, {WS_CHASE, chase_on},  {WS_NOOP, do_nothing},
};

/* Ordinary memory that a device's back end has registered is pinned or mapped; the CPU alone cannot make it so. */
static int check_buffer(const struct ws_queue *queue, const struct ws_buffer *buffer, struct ws_error *error)
{
	char place[WS_PLACE_TEXT];

	if (!buffer)
		return WS_OK;
	if (!buffer->host)
		return ws_fail(error, WS_EUNSUPPORTED, "CPUs of node %u do not reach %s", queue->node->facts->os_index,
			       ws_place_format(&buffer->place, place, sizeof(place)));
	if ((strcmp(buffer->place.memory, "pinned") == 0 || strcmp(buffer->place.memory, "mapped") == 0) &&
	    buffer->owner->ops == &ws_host_backend)
		return ws_fail(error, WS_EUNSUPPORTED,
			       "%s: no device takes part that could pin it; CPUs work on pageable memory",
			       ws_place_format(&buffer->place, place, sizeof(place)));
	return WS_OK;
}

static void choose_loops(struct host_op *state, const struct ws_item *item, const struct ws_host_kernels *kernels)
{
	const bool streaming = ws_item_flag(item, "nt");

	state->kernels = kernels;
	state->copy = streaming ? kernels->copy_nt : kernels->copy_libc;
	state->write = streaming ? kernels->write_nt : kernels->write;
	state->chunk_bytes =
		state->copy == kernels->copy_libc && state->work == copy_part ? CHUNK_MEMCPY_BYTES : CHUNK_BYTES;
}

static int check_chase(const struct ws_item *item, struct ws_error *error)
{
	if (item->size_count > 1)
		return ws_fail(error, WS_EUNSUPPORTED,
			       "a chase takes one size: its time per load does not depend on a second");
	if (item->size_bytes[0] < WS_CHASE_STRIDE)
		return ws_fail(error, WS_EINVAL, "a chase needs a buffer of at least %d bytes", WS_CHASE_STRIDE);
	return WS_OK;
}

int host_op_prepare(struct host_op *state, const struct ws_queue *queue, struct ws_error *error)
{
	const struct ws_item *item = state->op->item;
	int rc;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (verbs[i].verb == item->verb)
			state->work = verbs[i].work;
	if (!state->work)
		return ws_fail(error, WS_EUNSUPPORTED, "CPUs do not offer \"%s\"", ws_verb_row(item->verb)->name);
	rc = check_buffer(queue, state->op->source, error);
	if (rc == WS_OK)
		rc = check_buffer(queue, state->op->destination, error);
	if (rc == WS_OK && item->verb == WS_CHASE)
		rc = check_chase(item, error);
	if (rc != WS_OK)
		return rc;
	choose_loops(state, item, queue->host->kernels);
	state->source = state->op->source ? state->op->source->host : NULL;
	state->destination = state->op->destination ? state->op->destination->host : NULL;
	state->slot_count = queue->cpu_count;
	state->found_count = (unsigned)queue->node->facts->core_count;
	state->slots = aligned_alloc(_Alignof(struct host_slot), state->slot_count * sizeof(*state->slots));
	state->found = calloc(state->found_count, sizeof(*state->found));
	if (!state->slots || !state->found)
		return ws_fail(error, WS_ENOMEM, "no memory for the results of %u threads", state->slot_count);
	memset(state->slots, 0, state->slot_count * sizeof(*state->slots));
	return WS_OK;
}

void host_op_free(struct host_op *state)
{
	free(state->slots);
	free(state->found);
	free(state);
}

static void link_part(void *argument, const struct ws_team_member *member)
{
	struct host_op *state = argument;
	const uint64_t count = state->chase.count, unit = 65536;

	for (uint64_t first = unit * member->index; first < count && !ws_team_ended(member);
	     first += unit * member->count)
		ws_chase_link(&state->chase, state->op->source->host, first, smaller(unit, count - first));
}

/* No byte of the destination is right by chance. */
static void write_inverse_part(void *argument, const struct ws_team_member *member)
{
	struct host_op *state = argument;
	const struct ws_item *item = state->op->item;
	const uint64_t size = item->size_count > 1 && item->size_bytes[1] > item->size_bytes[0] ? item->size_bytes[1]
												: item->size_bytes[0];
	const struct host_part part = host_part(size, member->index, member->count);

	state->kernels->write(state->destination + part.offset, part.size, ~state->value);
}

int host_op_refilled(struct host_op *state, struct ws_team *team, int64_t deadline_ns, struct ws_error *error)
{
	const struct ws_item *item = state->op->item;
	int rc;

	/* Until loops have run, a check finds that none has. */
	host_op_begin(state, item->size_bytes[0]);
	if (item->verb == WS_WRITE) {
		state->value =
			(uint64_t)ws_pattern_word(state->op->seed, 0) << 32 | ws_pattern_word(state->op->seed, 1);
		return ws_team_run(team, write_inverse_part, state, deadline_ns, error);
	}
	if (item->verb != WS_CHASE)
		return WS_OK;
	rc = ws_chase_init(&state->chase, item->size_bytes[0], WS_CHASE_STRIDE, state->op->seed);
	if (rc != WS_OK)
		return ws_fail(error, rc, "a chase does not fit in %llu bytes",
			       (unsigned long long)item->size_bytes[0]);
	rc = ws_team_run(team, link_part, state, deadline_ns, error);
	state->chase_start = state->chase_end = rc == WS_OK ? state->source : NULL;
	return rc;
}

void host_op_begin(struct host_op *state, uint64_t size_bytes)
{
	state->size_bytes = size_bytes;
	state->loops = 0;
	state->chase_start = state->chase_end;
	memset(state->slots, 0, state->slot_count * sizeof(*state->slots));
}

/* All members share the work on each slot's part. Sums of parts add up, as parts begin at multiples of 8. */
static void expect_sums(void *argument, const struct ws_team_member *member)
{
	struct host_op *state = argument;

	for (unsigned i = 0; i < state->slot_count && !ws_team_ended(member); i++) {
		const struct host_part part = host_part(state->size_bytes, i, state->slot_count);
		const struct host_part own = host_part(part.size, member->index, member->count);

		atomic_fetch_add_explicit(&state->slots[i].expected,
					  ws_pattern_sum(own.size, part.offset + own.offset, state->op->seed),
					  memory_order_relaxed);
	}
}

static void check_written(void *argument, const struct ws_team_member *member)
{
	struct host_op *state = argument;
	const struct host_part part = host_part(state->size_bytes, member->index, member->count);
	struct ws_mismatch *found = &state->found[member->index];

	*found = (struct ws_mismatch){0};
	for (uint64_t at = part.offset; at < part.offset + part.size && !ws_team_ended(member); at += 8) {
		const uint64_t left = part.offset + part.size - at;
		uint64_t here = 0, value = state->value;

		if (left >= 8) {
			memcpy(&here, state->destination + at, 8);
		} else {
			memcpy(&here, state->destination + at, left);
			value &= (UINT64_C(1) << (8 * left)) - 1;
		}
		if (here == value)
			continue;
		if (found->wrong_count++ == 0) {
			found->first_offset = at;
			found->expected = value;
			found->found = here;
		}
	}
}

static int verify_sums(struct host_op *state, struct ws_team *team, int64_t deadline_ns, struct ws_check *check,
		       struct ws_error *error)
{
	int rc;

	for (unsigned i = 0; i < state->slot_count; i++)
		atomic_store_explicit(&state->slots[i].expected, 0, memory_order_relaxed);
	rc = ws_team_run(team, expect_sums, state, deadline_ns, error);
	for (unsigned i = 0; rc == WS_OK && i < state->slot_count; i++) {
		const struct host_slot *slot = &state->slots[i];
		const uint64_t loops = state->loops ? state->loops : slot->loops ? slot->loops : 1;
		const uint64_t expected = atomic_load_explicit(&slot->expected, memory_order_relaxed) * loops;

		ws_check_add(check, slot->sum != expected, host_part(state->size_bytes, i, state->slot_count).offset,
			     expected, slot->sum, check->item, WS_RANK_NONE);
	}
	return rc;
}

int host_op_verify(struct host_op *state, struct ws_team *team, int64_t deadline_ns, struct ws_check *check,
		   struct ws_error *error)
{
	const void *expected;
	int rc = WS_OK;

	switch (state->op->item->verb) {
	case WS_READ:
		return verify_sums(state, team, deadline_ns, check, error);
	case WS_WRITE:
		rc = ws_team_run(team, check_written, state, deadline_ns, error);
		for (unsigned i = 0; rc == WS_OK && i < state->found_count; i++)
			ws_check_add(check, state->found[i].wrong_count, state->found[i].first_offset,
				     state->found[i].expected, state->found[i].found, check->item, WS_RANK_NONE);
		return rc;
	case WS_CHASE:
		expected =
			ws_chase_expected(&state->chase, state->source, state->chase_start,
					  (state->loops ? state->loops : state->slots[0].loops) * WS_HOST_CHASE_STEPS);
		ws_check_add(check, expected != state->chase_end,
			     (uint64_t)((const unsigned char *)expected - state->source), (uintptr_t)expected,
			     (uintptr_t)state->chase_end, check->item, WS_RANK_NONE);
		return WS_OK;
	default:
		return ws_fail(error, WS_EUNSUPPORTED, "\"%s\" leaves nothing that could be checked",
			       ws_verb_row(state->op->item->verb)->name);
	}
}
