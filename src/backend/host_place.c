/* Memory of the host's places: allocated, bound, touched and looked at; filled and checked by many threads. */
#include "backend/host_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/host_memory.h"
#include "base/clock.h"
#include "base/place.h"
#include "base/record.h"
#include "base/system.h"

enum { CHUNK_BYTES = 4 << 20, TOUCH_STRIDE = 4096 };

/* Left to the rest of the system. */
#define RESERVE_BYTES ((uint64_t)128 << 20)

struct host_part host_part(uint64_t size_bytes, unsigned index, unsigned count)
{
	const uint64_t unit = size_bytes >= (uint64_t)16384 * count ? 4096 : 64;
	const uint64_t units = size_bytes / unit;
	const uint64_t first = units / count * index + units % count * index / count;
	const uint64_t next = units / count * (index + 1) + units % count * (index + 1) / count;
	const uint64_t end = index + 1 == count ? size_bytes : next * unit;

	return (struct host_part){.offset = first * unit, .size = end - first * unit};
}

int host_find_node(struct host *host, const struct ws_place *place, struct host_node **out, struct ws_error *error)
{
	for (size_t i = 0; i < host->node_count; i++) {
		if (place->index >= 0 && host->nodes[i].facts->os_index == (unsigned)place->index) {
			*out = &host->nodes[i];
			return WS_OK;
		}
	}
	return ws_fail(error, WS_EABSENT, "there is no NUMA node %d", place->index);
}

struct ws_team *host_node_team(struct host *host, struct host_node *node, struct ws_error *error)
{
	struct host_node *with_cpus = node;

	for (size_t i = 0; with_cpus->facts->cpu_count == 0 && i < host->node_count; i++)
		with_cpus = &host->nodes[i];
	if (with_cpus->facts->cpu_count == 0) {
		ws_fail(error, WS_EUNSUPPORTED, "no CPU of any node may be used");
		return NULL;
	}
	if (!with_cpus->team)
		ws_team_new(with_cpus->facts->cpus, with_cpus->facts->core_count, &with_cpus->team, error);
	return with_cpus->team;
}

struct touch {
	volatile unsigned char *start;
	uint64_t size_bytes;
};

static void touch_part(void *argument, const struct ws_team_member *member)
{
	const struct touch *touch = argument;
	const struct host_part part = host_part(touch->size_bytes, member->index, member->count);

	for (uint64_t at = part.offset; at < part.offset + part.size && !ws_team_ended(member); at += TOUCH_STRIDE)
		touch->start[at] = 0;
}

static double gib(uint64_t bytes)
{
	return (double)bytes / (double)(1 << 30);
}

/* Asked before, for a system that is out of memory kills rather than refuses. */
static int check_available(const struct ws_place *place, uint64_t size_bytes, struct ws_error *error)
{
	uint64_t here = UINT64_MAX, limit = UINT64_MAX, used = 0, left;
	char name[WS_PLACE_TEXT];

	ws_system_memory_available("", place->index, &here, NULL);
	ws_system_memory_limit("", &limit, &used, NULL);
	left = limit > used ? limit - used : 0;
	left = left < here ? left : here;
	if (size_bytes <= left && RESERVE_BYTES <= left - size_bytes)
		return WS_OK;
	return ws_fail(error, WS_ENOMEM, "%.2f GiB asked for in %s, but %s %.2f GiB, of which %.2f stay free",
		       gib(size_bytes), ws_place_format(place, name, sizeof(name)),
		       left < here ? "the control group's limit leaves" : "the system has", gib(left),
		       gib(RESERVE_BYTES));
}

static int check_placement(const struct ws_host_mapping *mapping, struct host_node *node, struct ws_error *error)
{
	unsigned elsewhere;
	int first;

	ws_host_sample_nodes(mapping, node->facts->os_index, &node->checked, &elsewhere, &first);
	node->allocated = true;
	node->bound = mapping->bound;
	memcpy(node->not_bound, mapping->not_bound, sizeof(node->not_bound));
	if (elsewhere == 0)
		return WS_OK;
	return ws_fail(error, WS_ESYSTEM, "%u of %u pages looked at are not on node %u but on node %d%s%s%s", elsewhere,
		       node->checked, node->facts->os_index, first, mapping->bound ? "" : " (", mapping->not_bound,
		       mapping->bound ? "" : ")");
}

/* Places the pages: binding first, then the first touch by the node's own threads, then a look at where they are. */
static int place_pages(struct host *host, struct host_node *node, struct ws_host_mapping *mapping,
		       struct ws_error *error)
{
	struct touch touch = {.start = mapping->start, .size_bytes = mapping->size_bytes};
	struct ws_team *team;
	int64_t until_ns;
	int rc;

	if (!mapping->bound && node->facts->cpu_count == 0)
		return ws_fail(error, WS_EUNSUPPORTED,
			       "memory cannot be placed on node %u, which has no CPUs to touch it first (%s)",
			       node->facts->os_index, mapping->not_bound);
	team = host_node_team(host, node, error);
	if (!team)
		return WS_ESYSTEM;
	until_ns = ws_clock_now_ns(ws_clock_monotonic()) + host->timeout_ns;
	rc = ws_team_run(team, touch_part, &touch, until_ns, error);
	return rc == WS_OK ? check_placement(mapping, node, error) : rc;
}

int host_alloc(struct ws_backend *backend, const struct ws_place *place, const struct ws_place *near,
	       uint64_t size_bytes, struct ws_buffer *out, struct ws_error *error)
{
	struct host *host = backend->state;
	struct ws_host_mapping mapping, *kept;
	struct host_node *node = NULL;
	int rc = host_find_node(host, place, &node, error);

	(void)near;
	if (rc != WS_OK)
		return rc;
	if (!ws_topology_is_this_machine(host->topology))
		return ws_fail(error, WS_EUNSUPPORTED, "this is a recorded machine: nothing can be measured on it");
	if (!node->facts->allowed)
		return ws_fail(error, WS_EUNSUPPORTED, "memory of node %u: %s", node->facts->os_index,
			       node->facts->reason);
	if (place->memory[0] && strcmp(place->memory, "pageable") != 0 && strcmp(place->memory, "pinned") != 0 &&
	    strcmp(place->memory, "mapped") != 0)
		return ws_fail(error, WS_EUNSUPPORTED,
			       "memory of kind %s comes from a device's driver, not from the host", place->memory);
	rc = check_available(place, size_bytes, error);
	if (rc != WS_OK)
		return rc;
	rc = ws_host_map(place->pages, size_bytes ? size_bytes : 1, node->facts->os_index, &mapping, error);
	if (rc != WS_OK)
		return rc;
	rc = place_pages(host, node, &mapping, error);
	kept = rc == WS_OK ? malloc(sizeof(*kept)) : NULL;
	if (!kept) {
		/* Threads that hang may still touch it. */
		if (rc != WS_ELOST)
			ws_host_unmap(&mapping);
		return rc != WS_OK ? rc : ws_fail(error, WS_ENOMEM, "no memory to keep a mapping");
	}
	*kept = mapping;
	*out = (struct ws_buffer){
		.owner = backend, .place = *place, .size_bytes = size_bytes, .host = mapping.start, .handle = kept};
	ws_host_page_size(&mapping, out->pages_obtained);
	return WS_OK;
}

void host_free(struct ws_backend *backend, struct ws_buffer *buffer)
{
	(void)backend;
	if (!buffer->handle)
		return;
	ws_host_unmap(buffer->handle);
	free(buffer->handle);
	*buffer = (struct ws_buffer){0};
}

/* On the heap, and left there with a team that is lost. */
struct pattern_job {
	const struct ws_host_kernels *kernels;
	unsigned char *start;
	uint64_t size_bytes, seed;
	bool check;
	struct ws_mismatch found[]; /* by member */
};

static void do_pattern(void *argument, const struct ws_team_member *member)
{
	struct pattern_job *job = argument;
	const struct host_part part = host_part(job->size_bytes, member->index, member->count);

	for (uint64_t done = 0; done < part.size && !ws_team_ended(member); done += CHUNK_BYTES) {
		const uint64_t size = part.size - done < CHUNK_BYTES ? part.size - done : CHUNK_BYTES;
		const uint64_t offset = part.offset + done;
		struct ws_mismatch found;

		if (job->check) {
			if (ws_pattern_check(job->start + offset, size, offset, job->seed, &found))
				ws_mismatch_add(&job->found[member->index], &found);
			continue;
		}
		/*
		 * A device reads what lies modified in the caches of the CPUs that filled it slower than what lies in
		 * memory (on a 16-core Xeon at 34 instead of 47 GB/s for 1 MB).
		 */
		job->kernels->fill_nt(job->start + offset, size, offset, job->seed);
	}
}

/* Fills if check is NULL. */
static int run_pattern(struct ws_backend *backend, const struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		       struct ws_check *check, struct ws_error *error)
{
	struct host *host = backend->state;
	struct host_node *node = NULL;
	struct pattern_job *job;
	struct ws_team *team;
	int rc = host_find_node(host, &buffer->place, &node, error);

	if (rc != WS_OK)
		return rc;
	team = host_node_team(host, node, error);
	if (!team)
		return WS_ESYSTEM;
	job = calloc(1, sizeof(*job) + ws_team_size(team) * sizeof(job->found[0]));
	if (!job)
		return ws_fail(error, WS_ENOMEM, "no memory to fill or check a buffer");
	job->kernels = host->kernels;
	job->start = buffer->host;
	job->size_bytes = size_bytes;
	job->seed = seed;
	job->check = check != NULL;
	rc = ws_team_run(team, do_pattern, job, ws_clock_now_ns(ws_clock_monotonic()) + host->timeout_ns, error);
	for (size_t i = 0; rc == WS_OK && check && i < ws_team_size(team); i++)
		ws_check_add(check, job->found[i].wrong_count, job->found[i].first_offset, job->found[i].expected,
			     job->found[i].found, check->item, WS_RANK_NONE);
	if (rc != WS_ELOST)
		free(job);
	return rc;
}

int host_fill(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
	      struct ws_error *error)
{
	return run_pattern(backend, buffer, size_bytes, seed, NULL, error);
}

int host_check(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
	       struct ws_check *check, struct ws_error *error)
{
	return run_pattern(backend, buffer, size_bytes, seed, check, error);
}
