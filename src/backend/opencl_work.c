/* What items of the OpenCL back end do: copies by the runtime, maps and unmaps, and copies through a map. */
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_private.h"
#include "base/clock.h"
#include "base/item.h"
#include "base/record.h"
#include "kernel/host_kernel.h"
#include "kernel/host_pattern.h"

static int64_t now_ns(void)
{
	return ws_clock_now_ns(ws_clock_monotonic());
}

/* Where the host side of a copy lies, if the copy takes its address. */
static void *address_of(const struct opencl_buffer *buffer, const struct ws_buffer *of)
{
	if (!buffer)
		return of->host;
	return buffer->kind == OPENCL_PINNED ? buffer->mapped : NULL;
}

static bool is_device(const struct opencl_buffer *buffer)
{
	return buffer && buffer->kind == OPENCL_DEVICE;
}

static int check_copy(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error)
{
	const bool from = is_device(state->source), to = is_device(state->destination);

	if (!from && !to)
		return ws_fail(error, WS_EUNSUPPORTED, "ocl%d copies from or to a device's memory only",
			       queue->device->index);
	if ((!from || state->source->device != queue->device) && (!to || state->destination->device != queue->device))
		return ws_fail(error, WS_EUNSUPPORTED, "ocl%d copies from or to its own memory only",
			       queue->device->index);
	return WS_OK;
}

static cl_int enqueue_copy(struct ws_queue *queue, const struct opencl_op *state, cl_event *event, const char **call)
{
	const struct opencl_library *cl = &queue->opencl->cl;
	const void *from = address_of(state->source, state->op->source);
	void *to = address_of(state->destination, state->op->destination);

	if (from) {
		*call = "clEnqueueWriteBuffer";
		return cl->write_buffer(queue->queue, state->destination->memory, 0, 0, state->size_bytes, from, 0,
					NULL, event);
	}
	if (to) {
		*call = "clEnqueueReadBuffer";
		return cl->read_buffer(queue->queue, state->source->memory, 0, 0, state->size_bytes, to, 0, NULL,
				       event);
	}
	*call = "clEnqueueCopyBuffer";
	return cl->copy_buffer(queue->queue, state->source->memory, state->destination->memory, 0, 0, state->size_bytes,
			       0, NULL, event);
}

/* A map that moves nothing has a cost, but no bandwidth: the time of each call is wanted, or there is no figure. */
static int check_map(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error)
{
	int rc = WS_OK;

	if (!is_device(state->source) || state->source->device != queue->device)
		return ws_fail(error, WS_EUNSUPPORTED, "ocl%d maps its own memory only", queue->device->index);
	if (queue->device->maps == OPENCL_MAPS_UNKNOWN)
		rc = opencl_see_maps(queue, state->source, error);
	if (rc == WS_OK && queue->device->maps == OPENCL_MAPS_SHARE && !ws_item_flag(state->op->item, "marks"))
		rc = ws_fail(error, WS_EUNSUPPORTED,
			     "a map of ocl%d moves nothing: host and device use the same memory (zero copy)",
			     queue->device->index);
	return rc;
}

static int call_map(struct ws_queue *queue, struct opencl_op *state, int64_t *time_ns, struct ws_error *error)
{
	const int64_t start_ns = now_ns();
	void *mapped = NULL;
	const int rc = opencl_map_blocking(queue, state->source, CL_MAP_READ, state->size_bytes, &mapped, error);

	*time_ns = now_ns() - start_ns;
	return rc == WS_OK ? opencl_unmap(queue, state->source, mapped, NULL, error) : rc;
}

/* The host writes all of what it got, so that all of it must go back; where it is shared, once. */
static int call_unmap(struct ws_queue *queue, struct opencl_op *state, int64_t *time_ns, struct ws_error *error)
{
	void *mapped = NULL;
	int rc = opencl_map(queue, state->source, CL_MAP_WRITE_INVALIDATE_REGION, state->size_bytes, &mapped, error);
	int64_t start_ns, end_ns = 0;

	if (rc != WS_OK)
		return rc;
	if (state->calls.sum_ns == 0 || opencl_moves_bytes(queue, state))
		ws_host_kernels()->fill(mapped, state->size_bytes, 0, state->op->seed ^ WS_PATTERN_INVERSE);
	start_ns = now_ns();
	rc = opencl_unmap(queue, state->source, mapped, &end_ns, error);
	*time_ns = end_ns - start_ns;
	return rc;
}

static int check_access(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error)
{
	const struct opencl_buffer *one = is_device(state->source) ? state->source : state->destination;

	if (!is_device(one) || one->device != queue->device)
		return ws_fail(error, WS_EUNSUPPORTED, "ocl%d maps its own memory only", queue->device->index);
	if (!address_of(state->source, state->op->source) && !address_of(state->destination, state->op->destination))
		return ws_fail(error, WS_EUNSUPPORTED,
			       "through a map ocl%d copies from and to pageable and pinned host memory only",
			       queue->device->index);
	return WS_OK;
}

/* The device's memory is mapped, the CPU copies, and it is unmapped. */
static int call_access(struct ws_queue *queue, struct opencl_op *state, int64_t *time_ns, struct ws_error *error)
{
	const int64_t start_ns = now_ns();
	const void *from = address_of(state->source, state->op->source);
	struct opencl_buffer *buffer = from ? state->destination : state->source;
	void *mapped = NULL;
	int64_t end_ns = 0;
	int rc = opencl_map_blocking(queue, buffer, from ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ,
				     state->size_bytes, &mapped, error);

	if (rc != WS_OK)
		return rc;
	if (from)
		memcpy(mapped, from, state->size_bytes);
	else
		memcpy(address_of(state->destination, state->op->destination), mapped, state->size_bytes);
	rc = opencl_unmap(queue, buffer, mapped, &end_ns, error);
	*time_ns = end_ns - start_ns;
	return rc;
}

static const struct opencl_verb ce_verbs[] = {
	{WS_COPY, "ce", .prepare = check_copy, .enqueue = enqueue_copy},
	{WS_COPY2, "ce", .prepare = check_copy, .enqueue = enqueue_copy},
	{WS_COPY, "ce", "mapped", .prepare = check_access, .call = call_access},
	{WS_COPY2, "ce", "mapped", .prepare = check_access, .call = call_access},
	{WS_MAP, "ce", .prepare = check_map, .call = call_map},
	{WS_UNMAP, "ce", .prepare = check_map, .call = call_unmap},
};

static const struct opencl_verb *find_in(const struct opencl_verb *verbs, size_t count, const struct ws_item *item)
{
	const bool by_map = strcmp(ws_item_word(item, "access", "direct"), "mapped") == 0;

	for (size_t i = 0; i < count; i++)
		if (verbs[i].verb == item->verb && strcmp(verbs[i].engine, item->engine.name) == 0 &&
		    (verbs[i].access != NULL) == by_map)
			return &verbs[i];
	return NULL;
}

static const struct opencl_verb *find_verb(const struct ws_item *item)
{
	const struct opencl_verb *verb = find_in(ce_verbs, sizeof(ce_verbs) / sizeof(ce_verbs[0]), item);

	return verb ? verb : find_in(opencl_sm_verbs, opencl_sm_verb_count, item);
}

static bool is_between(const struct opencl_op *state)
{
	return is_device(state->source) && is_device(state->destination) &&
	       state->source->device != state->destination->device;
}

/* A device's buffer is its own context's again, which a copy between devices may have taken it from. */
static int bind_home(struct ws_queue *queue, struct opencl_buffer *buffer, struct ws_error *error)
{
	const struct opencl_device *home = is_device(buffer) ? buffer->device : NULL;

	return home ? opencl_bind(queue->opencl, buffer, home->context, home->queue, error) : WS_OK;
}

static bool is_by_kernel(const struct opencl_op *state)
{
	return strcmp(state->verb->engine, "sm") == 0;
}

/* What commands find by its handle must not be mapped while they run. */
static struct opencl_buffer *lent(struct opencl_op *state, int which)
{
	struct opencl_buffer *buffer = which ? state->destination : state->source;

	return buffer && buffer->kind == OPENCL_PINNED && !is_by_kernel(state) ? NULL : buffer;
}

/* A runtime that keeps a copy of the host's memory on the device would have that copied, and nothing would cross. */
static int check_in_place(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error)
{
	static const char *const names[] = {
		[OPENCL_PINNED] = "pinned", [OPENCL_MAPPED] = "mapped", [OPENCL_SVM] = "svm"};
	int rc = WS_OK;

	for (int i = 0; i < 2 && rc == WS_OK; i++) {
		struct opencl_buffer *buffer = lent(state, i);

		if (!buffer || buffer->kind == OPENCL_DEVICE || buffer->device != queue->device)
			continue;
		if (queue->device->homes[buffer->kind] == OPENCL_HOME_UNKNOWN)
			rc = opencl_see_home(queue, buffer, error);
		if (rc == WS_OK && queue->device->homes[buffer->kind] == OPENCL_HOME_DEVICE)
			rc = ws_fail(error, WS_EUNSUPPORTED,
				     "of %s memory the runtime keeps a copy on ocl%d, and works on that",
				     names[buffer->kind], queue->device->index);
	}
	return rc;
}

int opencl_prepare(struct ws_queue *queue, struct ws_op *op, int64_t deadline_ns, struct ws_error *error)
{
	const struct opencl_verb *verb = find_verb(op->item);
	struct opencl_op *state;
	int rc;

	(void)deadline_ns;
	if (!verb || verb->why_not)
		return ws_fail(error, WS_EUNSUPPORTED, "engine \"%s\" of an OpenCL device does not offer \"%s\"%s%s",
			       op->item->engine.name, ws_verb_row(op->item->verb)->name, verb ? ": " : "",
			       verb ? verb->why_not : "");
	state = calloc(1, sizeof(*state));
	if (!state)
		return ws_fail(error, WS_ENOMEM, "no memory for an item");
	*state = (struct opencl_op){.next = queue->ops, .op = op, .verb = verb};
	queue->ops = state;
	op->state = state;
	state->source = opencl_buffer_of(queue->opencl, queue->device, op->source);
	state->destination = opencl_buffer_of(queue->opencl, queue->device, op->destination);
	rc = ws_item_flag(op->item, "marks") ? ws_calls_hold(&state->calls, OPENCL_QUEUE_DEPTH, error) : WS_OK;
	if (is_between(state) && verb->enqueue == enqueue_copy)
		verb = state->verb = &opencl_between;
	if (rc == WS_OK && verb != &opencl_between)
		rc = bind_home(queue, state->source, error);
	if (rc == WS_OK && verb != &opencl_between)
		rc = bind_home(queue, state->destination, error);
	if (rc == WS_OK)
		rc = check_in_place(queue, state, error);
	return rc == WS_OK ? verb->prepare(queue, state, error) : rc;
}

int opencl_work_begin(struct ws_queue *queue, struct ws_error *error)
{
	int rc = WS_OK;

	for (struct opencl_op *state = queue->ops; state && rc == WS_OK; state = state->next) {
		state->loops = 0;
		ws_calls_begin(&state->calls);
		for (int i = 0; i < 2 && rc == WS_OK; i++)
			if (lent(state, i))
				rc = opencl_give_to_device(queue->opencl, lent(state, i), error);
		if (rc == WS_OK && is_by_kernel(state))
			rc = opencl_sm_begin(queue, state, error);
	}
	return rc;
}

int opencl_work_end(struct ws_queue *queue, struct ws_error *error)
{
	int rc = WS_OK;

	for (struct opencl_op *state = queue->ops; state && rc == WS_OK; state = state->next)
		for (int i = 0; i < 2 && rc == WS_OK; i++)
			if (lent(state, i))
				rc = opencl_give_to_host(queue->opencl, lent(state, i), error);
	return rc;
}

static int enqueue_all(struct ws_queue *queue, struct opencl_op *state, uint32_t loops, struct ws_error *error)
{
	for (uint32_t i = 0; i < loops; i++) {
		const char *call = "";
		cl_event event = NULL;
		const cl_int code = state->verb->enqueue(queue, state, &event, &call);

		if (code != 0)
			return opencl_fail(error, call, code);
		opencl_keep_event(queue, event);
	}
	return WS_OK;
}

static int call_all(struct ws_queue *queue, struct opencl_op *state, uint32_t loops, struct ws_error *error)
{
	for (uint32_t i = 0; i < loops; i++) {
		const int64_t start_ns = now_ns();
		int64_t time_ns = 0;
		const int rc = state->verb->call(queue, state, &time_ns, error);

		if (rc != WS_OK)
			return rc;
		if (queue->timed)
			ws_calls_add(&state->calls, start_ns, time_ns);
	}
	return WS_OK;
}

static bool is_pageable(const struct opencl_op *state)
{
	return (state->op->source && !state->source) || (state->op->destination && !state->destination);
}

int opencl_check_gated(const struct opencl_op *state, struct ws_error *error)
{
	/* A runtime may copy pageable memory inside the call, and these calls do not return before all is done. */
	if (!state->verb->call && !is_pageable(state))
		return WS_OK;
	return ws_fail(error, WS_EUNSUPPORTED, "%s cannot wait behind a gate; the item must say \"ungated\"",
		       state->verb->call ? "what is timed call by call" : "copies of pageable memory");
}

int opencl_submit(struct ws_queue *queue, struct ws_op *op, int size_index, uint32_t loops, struct ws_error *error)
{
	struct opencl_op *state = op->state;
	int rc = opencl_begin(queue, error);

	if (rc != WS_OK)
		return rc;
	if (state->calls.each_ns && loops > OPENCL_QUEUE_DEPTH)
		return ws_fail(error, WS_EINVAL, "an item with marks has at most %d loops", OPENCL_QUEUE_DEPTH);
	state->size_bytes = op->item->size_bytes[op->item->size_count == 2 ? size_index : 0];
	state->loops += loops;
	return state->verb->call ? call_all(queue, state, loops, error) : enqueue_all(queue, state, loops, error);
}

bool opencl_is_called(const struct opencl_op *state)
{
	return state->verb->call != NULL;
}

bool opencl_moves_bytes(const struct ws_queue *queue, const struct opencl_op *state)
{
	return state->verb->prepare != check_map || queue->device->maps != OPENCL_MAPS_SHARE;
}

int opencl_verify(struct ws_queue *queue, struct ws_op *op, struct ws_check *check, struct ws_error *error)
{
	const struct opencl_op *state = op->state;
	struct ws_mismatch found = {0};
	void *mapped = NULL;
	int rc;

	if (is_by_kernel(state))
		return opencl_sm_verify(queue, state, check, error);
	if (op->item->verb == WS_UNMAP)
		return opencl_check_pattern(queue->opencl, state->source, state->size_bytes,
					    op->seed ^ WS_PATTERN_INVERSE, check, error);
	rc = opencl_map(queue, state->source, CL_MAP_READ, state->size_bytes, &mapped, error);
	if (rc != WS_OK)
		return rc;
	ws_pattern_check(mapped, state->size_bytes, 0, op->seed, &found);
	ws_check_add(check, found.wrong_count, found.first_offset, found.expected, found.found, check->item,
		     check->rank);
	return opencl_unmap(queue, state->source, mapped, NULL, error);
}

int opencl_refilled(struct ws_queue *queue, struct ws_op *op, struct ws_error *error)
{
	struct opencl_op *state = op->state;

	return is_by_kernel(state) ? opencl_sm_refilled(queue, state, error) : WS_OK;
}

void opencl_op_free(struct ws_queue *queue, struct opencl_op *state)
{
	/* What the device may still read or write. */
	if (queue->device->lost)
		return;
	opencl_sm_free(queue, state);
	free(state->sums_here);
	free(state->calls.each_ns);
	free(state);
}
