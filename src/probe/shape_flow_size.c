/* Sizes of flows: by how fast their paths are, and by what the places hold. */
#include "probe/shape_flow_size.h"

#include <string.h>

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)

/* How fast a path is, roughly: the sizes follow. */
enum speed { PROCESSOR, PCI_EXPRESS, LINKED, MEMORY };

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
	}
	size_count = sizes_bytes[1] ? 2 : 1;
	shrink_to_memory(list, count, sizes_bytes, size_count);
	return size_count;
}
