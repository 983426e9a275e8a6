/* A CUDA back end over the fake driver, and items with their buffers, for the tests of both. */
#include "unit/cuda_rig.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/place.h"
#include "kernel/host_kernel.h"
#include "kernel/host_pattern.h"

static const char *const variables[] = {
	"FAKE_CUDA_GPUS", "FAKE_CUDA_FAIL", "FAKE_CUDA_INIT",  "FAKE_CUDA_PEER", "FAKE_CUDA_PTX",
	"FAKE_CUDA_WAIT", "FAKE_CUDA_HANG", "FAKE_CUDA_ORDER", "FAKE_CUDA_MODE", "FAKE_CUDA_CORRUPT",
	"FAKE_NVML_INIT", "FAKE_NVML_CC",   "FAKE_NVML_BARE",  "FAKE_NVML_MIG",	 "CUDA_VISIBLE_DEVICES",
	"FAKE_CUDA_MACHINE",
};

void bench_reset(void)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		unsetenv(variables[i]);
	setenv("WIRESPEED_CUDA_LIB", WS_FAKE_CUDA, 1);
	setenv("WIRESPEED_NVML_LIB", WS_FAKE_NVML, 1);
}

int bench_open(struct bench *bench, struct ws_error *error, const char *const *settings)
{
	const struct ws_backend_options options = {.timeout_ns = 5000000000};

	bench_reset();
	for (; settings && settings[0]; settings += 2)
		setenv(settings[0], settings[1], 1);
	*bench = (struct bench){.backend = {.ops = &ws_cuda_backend}};
	return bench->backend.ops->open(&bench->backend, &options, error);
}

void bench_close(struct bench *bench)
{
	bench->backend.ops->close(&bench->backend);
}

struct ws_place cuda_place(int index)
{
	return (struct ws_place){.rank = WS_RANK_NONE, .family = "cuda", .index = index};
}

struct ws_place host_place(const char *memory)
{
	struct ws_place place = {.rank = WS_RANK_NONE, .family = "host"};

	strcpy(place.memory, memory);
	return place;
}

struct ws_item new_item(enum ws_verb verb, struct ws_place source, struct ws_place destination, int gpu,
			const char *engine, uint64_t size_bytes)
{
	struct ws_item item = {.verb = verb, .source = source, .destination = destination};

	item.engine.place = cuda_place(gpu);
	strcpy(item.engine.name, engine);
	item.size_bytes[0] = size_bytes;
	item.size_count = 1;
	return item;
}

int64_t rig_patience_ns = 20000000000;

static int64_t soon_ns(void)
{
	return ws_clock_now_ns(ws_clock_monotonic()) + rig_patience_ns;
}

/* Memory as the host back end would give it, for any kind that the driver leaves to it. */
static int take(struct rig *rig, const struct ws_place *place, uint64_t size_bytes, struct ws_buffer *buffer,
		bool *attached, void **memory, struct ws_error *error)
{
	const struct ws_backend_ops *ops = rig->bench->backend.ops;
	struct ws_backend *backend = &rig->bench->backend;
	const bool host = strcmp(place->family, "host") == 0;
	struct ws_error first = {0};
	int rc;

	if (!ws_place_is_set(place))
		return WS_OK;
	rc = ops->alloc(backend, place, host ? &rig->item.engine.place : NULL, size_bytes, buffer, &first);
	if (rc == WS_OK || !host || rc != WS_EUNSUPPORTED)
		return rc == WS_OK ? rc : ws_fail(error, rc, "%s", first.text);
	*memory = malloc(size_bytes);
	*buffer = (struct ws_buffer){.place = *place, .size_bytes = size_bytes, .host = *memory};
	rc = ops->attach(backend, buffer, &rig->item.engine.place, error);
	*attached = rc == WS_OK;
	return rc;
}

static int fill(struct rig *rig, struct ws_buffer *buffer, uint64_t seed, struct ws_error *error)
{
	const uint64_t size_bytes = rig->item.size_bytes[0];

	if (buffer->owner)
		return buffer->owner->ops->fill(&rig->bench->backend, buffer, size_bytes, seed, error);
	if (buffer->host)
		ws_host_kernels()->fill(buffer->host, size_bytes, 0, seed);
	return WS_OK;
}

int rig_refill(struct rig *rig, struct ws_error *error)
{
	int rc = fill(rig, &rig->source, RIG_SEED, error);

	if (rc == WS_OK)
		rc = fill(rig, &rig->destination, RIG_SEED ^ WS_PATTERN_INVERSE, error);
	return rc == WS_OK ? rig->bench->backend.ops->refilled(rig->queue, &rig->op, error) : rc;
}

int rig_build(struct rig *rig, struct bench *bench, const struct ws_item *item, struct ws_error *error)
{
	const struct ws_backend_ops *ops = bench->backend.ops;
	int rc;

	*rig = (struct rig){.bench = bench, .item = *item};
	rig->op = (struct ws_op){.item = &rig->item, .seed = RIG_SEED};
	rc = take(rig, &item->source, item->size_bytes[0], &rig->source, &rig->source_attached, &rig->source_memory,
		  error);
	if (rc == WS_OK)
		rc = take(rig, &item->destination, item->size_bytes[0], &rig->destination, &rig->destination_attached,
			  &rig->destination_memory, error);
	rig->op.source = ws_place_is_set(&item->source) ? &rig->source : NULL;
	rig->op.destination = ws_place_is_set(&item->destination) ? &rig->destination : NULL;
	if (rc == WS_OK)
		rc = ops->queue(&bench->backend, &rig->item, &rig->queue, error);
	return rc == WS_OK ? ops->prepare(rig->queue, &rig->op, soon_ns(), error) : rc;
}

static void give(struct rig *rig, struct ws_buffer *buffer, bool attached, void *memory)
{
	const struct ws_backend_ops *ops = rig->bench->backend.ops;

	if (attached)
		ops->detach(&rig->bench->backend, buffer, &rig->item.engine.place);
	if (buffer->owner)
		ops->free(&rig->bench->backend, buffer);
	free(memory);
}

void rig_take_apart(struct rig *rig)
{
	const struct ws_backend_ops *ops = rig->bench->backend.ops;

	ops->queue_free(&rig->bench->backend, rig->queue);
	give(rig, &rig->source, rig->source_attached, rig->source_memory);
	give(rig, &rig->destination, rig->destination_attached, rig->destination_memory);
	*rig = (struct rig){.bench = rig->bench};
}

int rig_arm(struct rig *rig, uint32_t lead, uint32_t loops, struct ws_error *error)
{
	const struct ws_backend_ops *ops = rig->bench->backend.ops;
	int rc = ops->gate(rig->queue, error);

	if (rc == WS_OK && lead > 0)
		rc = ops->submit(rig->queue, &rig->op, 0, lead, error);
	if (rc == WS_OK)
		rc = ops->mark(rig->queue, 0, error);
	if (rc == WS_OK)
		rc = ops->submit(rig->queue, &rig->op, 0, loops, error);
	if (rc == WS_OK)
		rc = ops->mark(rig->queue, 1, error);
	return rc == WS_OK ? ops->flush(rig->queue, error) : rc;
}

int rig_finish(struct rig *rig, uint32_t loops, struct ws_lane *lane, struct ws_error *error)
{
	const struct ws_backend_ops *ops = rig->bench->backend.ops;
	bool done = false;
	int rc = ops->poll(rig->queue, soon_ns(), &done, error);

	*lane = (struct ws_lane){.loops = loops, .bytes = loops * rig->item.size_bytes[0]};
	if (rc != WS_OK)
		return rc;
	if (!done)
		return ws_fail(error, WS_ETIMEOUT, "no end");
	return ops->read(rig->queue, &rig->op, lane, error);
}

int rig_run(struct rig *rig, uint32_t lead, uint32_t loops, struct ws_lane *lane, struct ws_error *error)
{
	const struct ws_backend_ops *ops = rig->bench->backend.ops;
	bool done = true;
	int rc = rig_arm(rig, lead, loops, error);

	*lane = (struct ws_lane){0};
	if (rc == WS_OK)
		rc = ops->poll(rig->queue, 0, &done, error);
	if (rc == WS_OK && done)
		rc = ws_fail(error, WS_ECORRUPT, "it went through a closed gate");
	if (rc == WS_OK) {
		ops->release(&rig->bench->backend);
		rc = rig_finish(rig, loops, lane, error);
	}
	if (rc != WS_OK)
		ops->cancel(rig->queue);
	return rc;
}

int rig_verify(struct rig *rig, struct ws_check *check, struct ws_error *error)
{
	const struct ws_backend_ops *ops = rig->bench->backend.ops;
	const uint64_t size_bytes = rig->item.size_bytes[0];
	struct ws_mismatch found;

	*check = (struct ws_check){.rank = WS_RANK_NONE};
	if (!rig->op.source || !rig->op.destination || rig->item.verb == WS_PINGPONG)
		return ops->verify(rig->queue, &rig->op, check, error);
	if (rig->destination.owner)
		return ops->check(&rig->bench->backend, &rig->destination, size_bytes, RIG_SEED, check, error);
	ws_pattern_check(rig->destination.host, size_bytes, 0, RIG_SEED, &found);
	check->wrong_count = found.wrong_count;
	return WS_OK;
}

static void *fake_symbol(const char *name)
{
	void *handle = dlopen(WS_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);

	return handle ? dlsym(handle, name) : NULL;
}

static int ask_number(const char *name)
{
	int (*ask)(void) = NULL;
	void *symbol = fake_symbol(name);

	memcpy(&ask, &symbol, sizeof(ask));
	return ask ? ask() : -1;
}

static uint64_t ask_bits(const char *name)
{
	uint64_t (*ask)(void) = NULL;
	void *symbol = fake_symbol(name);

	memcpy(&ask, &symbol, sizeof(ask));
	return ask ? ask() : 0;
}

int fake_outstanding(void)
{
	return ask_number("fake_cuda_outstanding");
}

int fake_most_at_once(void)
{
	return ask_number("fake_cuda_most_at_once");
}

uint64_t fake_calls(void)
{
	return ask_bits("fake_cuda_calls");
}

uint64_t fake_contexts(void)
{
	return ask_bits("fake_cuda_contexts");
}

uint64_t fake_streams(unsigned level)
{
	const uint64_t *counts = fake_symbol("fake_cuda_streams");

	return counts && level < 3 ? counts[level] : 0;
}
