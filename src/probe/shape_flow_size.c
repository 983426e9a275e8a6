/* Sizes of flows: by how fast their paths are, and by what the places hold. */
#include "probe/shape_flow_size.h"

#include <string.h>

#include "probe/shape.h"

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)

/* How fast a path is, roughly: the sizes follow. */
enum speed { PROCESSOR, PCI_EXPRESS, LINKED, MEMORY };

/* The node of the host that has most to cache a processor's buffers with; NULL if the host tells nothing. */
static const struct ws_place_facts *host_beside(const struct ws_flows *flows, const struct ws_place_facts *processor)
{
	const struct ws_places *places = flows->expand->places;
	const struct ws_place_facts *host = NULL;

	for (int i = 0; i < places->count; i++) {
		const struct ws_place_facts *place = &places->at[i];

		if (ws_place_is_host(&place->place) && place->place.rank == processor->place.rank &&
		    (!host || place->cache_bytes > host->cache_bytes))
			host = place;
	}
	return host;
}

/*
 * Sizes whose slope is the bandwidth: large enough that the time between them is long against what a clock resolves and
 * (inside a memory) that caches are left behind, small enough for a sample of milliseconds. Of a processor's own copies
 * one size, as of the host's: what they cost beside their bytes is little, and their times vary by more.
 */
static const uint64_t usual_bytes[][2] = {
	[PROCESSOR] = {256 * MIB},
	[PCI_EXPRESS] = {8 * MIB, 32 * MIB},
	[LINKED] = {64 * MIB, 256 * MIB},
	[MEMORY] = {256 * MIB, 1024 * MIB},
};

static enum speed speed_of(const struct ws_flow *flow)
{
	const struct ws_place_facts *from = flow->from ? flow->from : flow->to, *to = flow->to ? flow->to : flow->from;

	if (flow->by->on_cpu)
		return PROCESSOR;
	if (flow->peer && strcmp(flow->peer, "off") == 0)
		return PCI_EXPRESS;
	if (from == to)
		return from == flow->by ? MEMORY : PCI_EXPRESS;
	if (ws_place_is_host(&from->place) || ws_place_is_host(&to->place))
		return flow->by->linked_host ? LINKED : PCI_EXPRESS;
	return ws_place_in(from->linked_peers, &to->place) ? LINKED : PCI_EXPRESS;
}

static uint64_t processor_bytes(const struct ws_flows *flows, const struct ws_flow *flow)
{
	const struct ws_place_facts *host = host_beside(flows, flow->by);
	const uint64_t bytes = host ? ws_shape_host_size(flows->expand->places, host) : 0;

	return bytes > usual_bytes[PROCESSOR][0] ? bytes : usual_bytes[PROCESSOR][0];
}

bool ws_flows_in_cache(const struct ws_flows *flows, const struct ws_flow *list, int count, uint64_t size_bytes)
{
	if (flows->expand->size_count || flows->probe->size_bytes[0])
		return false;
	for (int i = 0; i < count; i++) {
		const struct ws_place_facts *host = list[i].by->on_cpu ? host_beside(flows, list[i].by) : NULL;

		if (host && size_bytes <= host->cache_bytes)
			return true;
	}
	return false;
}

static uint64_t buffers_in(const struct ws_place_facts *place, const struct ws_flow *list, int count)
{
	uint64_t buffers = 0;

	for (int i = 0; i < count; i++)
		buffers +=
			(uint64_t)list[i].times * ((list[i].from == place ? 1u : 0u) + (list[i].to == place ? 1u : 0u));
	return buffers;
}

static bool fits(const struct ws_place_facts *place, const struct ws_flow *list, int count, uint64_t bytes)
{
	return !place || place->memory_bytes == 0 || bytes <= place->memory_bytes / 2 / buffers_in(place, list, count);
}

static bool fits_buffer(const struct ws_flow *flow, uint64_t bytes)
{
	return flow->by->buffer_bytes == 0 || bytes <= flow->by->buffer_bytes / flow->times;
}

static void shrink_to_memory(const struct ws_flow *list, int count, uint64_t sizes_bytes[2], int size_count)
{
	const uint64_t *largest = &sizes_bytes[size_count - 1];

	for (int i = 0; i < count; i++) {
		while (sizes_bytes[0] > 4 * KIB &&
		       (!fits(list[i].from, list, count, *largest) || !fits(list[i].to, list, count, *largest) ||
			!fits_buffer(&list[i], *largest))) {
			sizes_bytes[0] /= 2;
			sizes_bytes[1] /= 2;
		}
	}
}

int ws_flows_sizes(const struct ws_flows *flows, const struct ws_flow *list, int count, uint64_t sizes_bytes[2])
{
	enum speed slowest = MEMORY;
	int size_count;

	if (flows->expand->size_count) {
		memcpy(sizes_bytes, flows->expand->sizes_bytes, 2 * sizeof(*sizes_bytes));
		return flows->expand->size_count;
	}
	memcpy(sizes_bytes, flows->probe->size_bytes, 2 * sizeof(*sizes_bytes));
	for (int i = 0; i < count && !flows->probe->size_bytes[0]; i++) {
		slowest = speed_of(&list[i]) < slowest ? speed_of(&list[i]) : slowest;
		memcpy(sizes_bytes, usual_bytes[slowest], 2 * sizeof(*sizes_bytes));
		if (slowest == PROCESSOR)
			sizes_bytes[0] = processor_bytes(flows, &list[i]);
	}
	size_count = sizes_bytes[1] ? 2 : 1;
	shrink_to_memory(list, count, sizes_bytes, size_count);
	return size_count;
}
