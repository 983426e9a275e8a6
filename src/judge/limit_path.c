/* From a step's items and the facts of its path to flows through segments. */
#include "judge/limit_path.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/item.h"
#include "base/place.h"
#include "judge/limit.h"
#include "machine/pci.h"

/* One flow being made: bytes go from one place to another; one of both may be missing. */
struct way {
	const json_t *facts;
	struct ws_net *net;
	struct ws_net_flow flow;
	const struct ws_place *from, *to, *engine;
	uint64_t least_bytes; /* of a loop */
	bool by_host;	      /* two devices without direct access: the driver goes by way of the host */
	bool in_registers;    /* the engine keeps or makes the bytes: its own memory has no part in it */
	struct ws_error *error;
	int rc;
};

static const char *name_of(const struct ws_place *place, char *text)
{
	const struct ws_place device = ws_place_device(place);

	return ws_place_format(&device, text, WS_PLACE_TEXT);
}

/* The facts of a place, whatever its memory's kind; NULL if there are none. */
static const json_t *facts_of(const struct way *way, const struct ws_place *place)
{
	void *at = json_object_iter((json_t *)(uintptr_t)way->facts);

	for (; at; at = json_object_iter_next((json_t *)(uintptr_t)way->facts, at)) {
		struct ws_place other;

		if (ws_place_parse(json_object_iter_key(at), &other, NULL) == WS_OK &&
		    ws_place_same_device(&other, place))
			return json_object_iter_value(at);
	}
	return NULL;
}

/* A number of the facts that is above 0, else 0. */
static double number_of(const json_t *facts, const char *key)
{
	const json_t *value = json_object_get(facts, key);
	const double number = json_is_number(value) ? json_number_value(value) : 0;

	return number > 0 && number < 1e15 ? number : 0;
}

static unsigned count_of(const json_t *facts, const char *key)
{
	const double number = number_of(facts, key);

	return number <= UINT32_MAX ? (unsigned)number : 0;
}

/* Sends the flow through a segment; new ones are given back to be described, others and failures are NULL. */
static struct ws_segment *pass(struct way *way, const char *name)
{
	const int before = way->net->segment_count, index = ws_net_segment(way->net, name);

	if (index < 0) {
		way->rc = ws_fail(way->error, WS_ENOMEM, "no memory for the segments of a path");
		return NULL;
	}
	ws_net_pass(&way->flow, index);
	return way->net->segment_count > before ? &way->net->segments[index] : NULL;
}

/* The memory of a device. */
static void pass_memory(struct way *way, const struct ws_place *place)
{
	const json_t *facts = facts_of(way, place);
	const double mhz = number_of(facts, "memory_clock_mhz") > 0 ? number_of(facts, "memory_clock_mhz")
								    : number_of(facts, "memory_clock_max_mhz");
	const unsigned bits = count_of(facts, "memory_bus_bits");
	const char *kind = json_string_value(json_object_get(facts, "kind"));
	char text[WS_PLACE_TEXT], name[64];
	struct ws_segment *segment;

	if (way->in_registers && ws_place_same_device(place, way->engine))
		return;
	snprintf(name, sizeof(name), "memory of %s", name_of(place, text));
	segment = pass(way, name);
	if (!segment)
		return;
	segment->known = mhz > 0 && bits > 0;
	segment->capacity = ws_limit_memory(mhz, bits);
	if (segment->known)
		snprintf(segment->text, sizeof(segment->text), "memory %.0f MHz x 2 x %u bit: %.0f GB/s", mhz, bits,
			 segment->capacity);
	else if (kind && strncmp(kind, "processor", 9) == 0)
		snprintf(segment->text, sizeof(segment->text), "%.20s is a %s, which tells no speed",
			 name_of(place, text), kind);
	else
		snprintf(segment->text, sizeof(segment->text), "the %s does not tell its clock and width", name);
}

/* One link as it is, and what could be made of it. */
struct link {
	uint32_t speed_mtps, width, speed_mtps_max, width_max, payload_bytes;
};

static struct link read_link(const json_t *facts)
{
	return (struct link){count_of(facts, "speed_mtps"), count_of(facts, "width"), count_of(facts, "speed_mtps_max"),
			     count_of(facts, "width_max"), count_of(facts, "max_payload_bytes")};
}

/* The device's own link: its driver knows best what it is, and the system what packets it sends. */
static struct link own_link(const json_t *facts)
{
	struct link link = read_link(json_array_get(json_object_get(json_object_get(facts, "pci"), "links"), 0));
	const uint32_t speed_mtps = ws_limit_pcie_speed(count_of(facts, "pcie_generation"));
	const uint32_t width = count_of(facts, "pcie_width"), payload_bytes = count_of(facts, "pcie_max_payload_bytes");

	if (speed_mtps && width) {
		link.speed_mtps = speed_mtps;
		link.width = width;
		link.speed_mtps_max = ws_limit_pcie_speed(count_of(facts, "pcie_generation_max"));
		link.width_max = count_of(facts, "pcie_width_max");
	}
	link.payload_bytes = payload_bytes ? payload_bytes : link.payload_bytes;
	return link;
}

static unsigned generation_of(uint32_t speed_mtps)
{
	for (unsigned generation = 1; ws_limit_pcie_speed(generation); generation++)
		if (ws_limit_pcie_speed(generation) == speed_mtps)
			return generation;
	return 0;
}

/* Sends the flow through a link. at: "" or where it is, for the reason. */
static void pass_link(struct way *way, const char *name, const char *at, const struct link *link,
		      enum ws_pci_traffic traffic)
{
	struct ws_segment *segment = pass(way, name);
	char label[80], could[40] = "";
	double bytes_per_s = 0;

	if (!segment)
		return;
	if (link->speed_mtps < link->speed_mtps_max || link->width < link->width_max)
		snprintf(could, sizeof(could), " (could be Gen%u x%u)", generation_of(link->speed_mtps_max),
			 (unsigned)link->width_max);
	snprintf(label, sizeof(label), "PCIe Gen%u x%u%.24s%s", generation_of(link->speed_mtps), (unsigned)link->width,
		 at, could);
	if (ws_pci_payload_bytes_per_s(link->speed_mtps, link->width, link->payload_bytes, traffic, &bytes_per_s,
				       NULL) == WS_OK)
		snprintf(segment->text, sizeof(segment->text), "%s, MaxPayload %u: %.1f GB/s", label,
			 (unsigned)link->payload_bytes, bytes_per_s / 1e9);
	else if (ws_pci_raw_bytes_per_s(link->speed_mtps, link->width, &bytes_per_s, NULL) == WS_OK)
		snprintf(segment->text, sizeof(segment->text), "%s, MaxPayload not known: %.1f GB/s raw", label,
			 bytes_per_s / 1e9);
	else
		snprintf(segment->text, sizeof(segment->text), "the %s does not tell its speed and width", name);
	segment->known = bytes_per_s > 0;
	segment->capacity = bytes_per_s / 1e9;
}

/* All links to the root, up or down. Devices may share any but their own; it is then named by its far end. */
static void pass_pcie(struct way *way, const struct ws_place *device, bool up, enum ws_pci_traffic traffic)
{
	const json_t *facts = facts_of(way, device), *links = json_object_get(json_object_get(facts, "pci"), "links");
	const struct link own = own_link(facts);
	char text[WS_PLACE_TEXT], name[64], at[32];

	snprintf(name, sizeof(name), "PCIe link of %.40s %s", name_of(device, text), up ? "up" : "down");
	pass_link(way, name, "", &own, traffic);
	for (size_t i = 1; i < json_array_size(links) && i < WS_PCI_DEPTH; i++) {
		const json_t *facts_of_link = json_array_get(links, i);
		const char *port = json_string_value(json_object_get(facts_of_link, "port"));
		const struct link link = read_link(facts_of_link);

		snprintf(at, sizeof(at), " at %.20s", port ? port : "no known port");
		snprintf(name, sizeof(name), "PCIe link%s %s", at, up ? "up" : "down");
		if (!port)
			snprintf(name, sizeof(name), "PCIe link %zu of %.40s %s", i, text, up ? "up" : "down");
		pass_link(way, name, at, &link, traffic);
	}
}

/* A processor that shares its page tables with a device has a link of its own to it, beside PCIe. */
static void pass_own_link(struct way *way, const struct ws_place *device, bool up)
{
	char text[WS_PLACE_TEXT], name[64];
	struct ws_segment *segment;

	snprintf(name, sizeof(name), "link of %.20s to its host, %s", name_of(device, text), up ? "up" : "down");
	segment = pass(way, name);
	if (segment)
		snprintf(segment->text, sizeof(segment->text), "the link of %.20s to its host does not tell its speed", text);
}

/* A device copies between its memory and a host's. Writes carry the address, answers to reads do not. */
static void pass_host(struct way *way, const struct ws_place *device, const struct ws_place *host, bool up)
{
	const json_t *node = json_object_get(json_object_get(facts_of(way, device), "pci"), "node");
	const bool by_device = ws_place_same_device(way->engine, device);
	char text[WS_PLACE_TEXT], name[64];
	struct ws_segment *segment;

	pass_memory(way, device);
	if (json_is_true(json_object_get(facts_of(way, device), "host_page_tables")))
		pass_own_link(way, device, up);
	else
		pass_pcie(way, device, up, up == by_device ? WS_PCI_WRITES : WS_PCI_READS);
	if (!json_is_integer(node) || json_integer_value(node) < 0 || json_integer_value(node) == host->index)
		return;
	snprintf(name, sizeof(name), "way from host%d to %.20s", (int)json_integer_value(node), name_of(host, text));
	segment = pass(way, name);
	if (segment)
		snprintf(segment->text, sizeof(segment->text), "the %s does not tell its speed", name);
}

static const json_t *nvlink_of(const struct way *way, const struct ws_place *place)
{
	const json_t *nvlink = json_object_get(facts_of(way, place), "nvlink");

	return number_of(nvlink, "links") > 0 ? nvlink : NULL;
}

static void describe_nvlink(struct ws_segment *segment, const struct way *way, const struct ws_place *place,
			    unsigned links)
{
	const json_t *nvlink = nvlink_of(way, place);
	const double rate = number_of(nvlink, "link_mb_per_s");
	const unsigned version = count_of(nvlink, "version");
	char text[WS_PLACE_TEXT];

	segment->known = rate > 0;
	segment->capacity = ws_limit_nvlink(links, rate, version);
	segment->raw = links * rate / 1000;
	if (!segment->known)
		snprintf(segment->text, sizeof(segment->text), "the NVLinks of %s do not tell their rate",
			 name_of(place, text));
	else
		snprintf(segment->text, sizeof(segment->text), "%u NVLink x %.3f GB/s%s: %.1f GB/s", links, rate / 1000,
			 segment->capacity < segment->raw ? " x 16/17" : "", segment->capacity);
}

static struct ws_segment *pass_nvlink(struct way *way, const char *name)
{
	struct ws_segment *segment = pass(way, name);

	if (segment)
		segment->nvlink = true;
	return segment;
}

/* One end of a switched path. */
static void pass_switch(struct way *way, const struct ws_place *place, const char *direction)
{
	char text[WS_PLACE_TEXT], name[64];
	struct ws_segment *segment;

	snprintf(name, sizeof(name), "NVLink of %s, %s", name_of(place, text), direction);
	segment = pass_nvlink(way, name);
	if (segment)
		describe_nvlink(segment, way, place, count_of(nvlink_of(way, place), "links"));
}

static bool is_switched(const json_t *nvlink)
{
	const json_t *peers = json_object_get(nvlink, "peers");

	/* Links that do not tell their other end are taken as all going to it. */
	return number_of(peers, "switch") > 0 || json_object_size(peers) == 0;
}

/* Links from one device straight to another; those to other devices do not help. */
static void pass_direct(struct way *way)
{
	const json_t *to = json_object_get(json_object_get(facts_of(way, way->to), "pci"), "address");
	const json_t *peers = json_object_get(nvlink_of(way, way->from), "peers");
	const unsigned links = json_is_string(to) ? count_of(peers, json_string_value(to)) : 0;
	char a[WS_PLACE_TEXT], b[WS_PLACE_TEXT], name[64];
	struct ws_segment *segment;

	snprintf(name, sizeof(name), "NVLink from %.20s to %.20s", name_of(way->from, a), name_of(way->to, b));
	segment = pass_nvlink(way, name);
	if (segment && links > 0)
		describe_nvlink(segment, way, way->from, links);
	else if (segment)
		snprintf(segment->text, sizeof(segment->text), "how many links are in the %s is not known", name);
}

static void pass_devices(struct way *way)
{
	const bool pushed = ws_place_same_device(way->engine, way->from);
	const enum ws_pci_traffic traffic = pushed ? WS_PCI_WRITES : WS_PCI_READS;
	const json_t *from = nvlink_of(way, way->from), *to = nvlink_of(way, way->to);

	pass_memory(way, way->from);
	pass_memory(way, way->to);
	if (way->by_host) {
		pass_pcie(way, way->from, true, WS_PCI_WRITES);
		pass_pcie(way, way->to, false, WS_PCI_READS);
	} else if (from && to && is_switched(from) && is_switched(to)) {
		pass_switch(way, way->from, "out");
		pass_switch(way, way->to, "in");
	} else if (from && to) {
		pass_direct(way);
	} else {
		pass_pcie(way, way->from, true, traffic);
		pass_pcie(way, way->to, false, traffic);
	}
}

static void pass_unknown(struct way *way, const char *name, const char *text)
{
	struct ws_segment *segment = pass(way, name);

	if (segment)
		snprintf(segment->text, sizeof(segment->text), "%s", text);
}

static void pass_host_memory(struct way *way, const struct ws_place *host)
{
	char text[WS_PLACE_TEXT], name[64], why[120];

	snprintf(name, sizeof(name), "memory of %s", name_of(host, text));
	snprintf(why, sizeof(why), "the %s does not tell its speed", name);
	pass_unknown(way, name, why);
}

/* Work inside one memory, unless it may stay in the cache before it; a copy passes twice. */
static void pass_local(struct way *way)
{
	const double cache_bytes = number_of(facts_of(way, way->from), "cache_bytes");
	const bool is_copy = !way->in_registers;
	char text[WS_PLACE_TEXT], name[64], why[120];

	way->in_registers = false;
	for (int i = 0; i < (is_copy ? 2 : 1); i++)
		pass_memory(way, way->from);
	if ((double)way->least_bytes >= 2 * cache_bytes)
		return;
	snprintf(why, sizeof(why), "so few bytes fit into the cache of %s", name_of(way->from, text));
	snprintf(name, sizeof(name), "cache of %s", text);
	pass_unknown(way, name, why);
}

static void pass_ends(struct way *way)
{
	if (strcmp(way->from->family, "ocl") == 0 && strcmp(way->to->family, "ocl") == 0 &&
	    !ws_place_same_device(way->from, way->to)) {
		pass_unknown(way, "way between OpenCL devices", "path unknown: the OpenCL runtime chooses it");
	} else if (ws_place_is_host(way->from) && ws_place_is_host(way->to)) {
		pass_host_memory(way, way->from);
		pass_host_memory(way, way->to);
	} else if (ws_place_is_host(way->from)) {
		pass_host(way, way->to, way->from, false);
	} else if (ws_place_is_host(way->to)) {
		pass_host(way, way->from, way->to, true);
	} else if (!ws_place_same_device(way->from, way->to)) {
		pass_devices(way);
	} else {
		pass_local(way);
	}
}

/* from NULL: a kind of operation whose path is not known here. */
static int add_way(struct way way, const struct ws_place *from, const struct ws_place *to)
{
	struct ws_net_flow *flow = ws_net_add_flow(way.net);
	const int index = way.net->flow_count - 1;

	if (!flow)
		return ws_fail(way.error, WS_ENOMEM, "no memory for the flows of a step");
	way.flow = *flow;
	way.from = from;
	way.to = to;
	if (from)
		pass_ends(&way);
	else
		pass_unknown(&way, "path", "no limit of such an operation is known to this version");
	if (way.rc == WS_OK)
		way.net->flows[index] = way.flow;
	return way.rc;
}

/* The engine reads or writes a place, which may be its own. */
static int add_end(struct way way, const struct ws_place *from, const struct ws_place *to)
{
	way.in_registers = true;
	return add_way(way, from, to);
}

/* The flows of an item, one for each lane. */
static int add_flows(const struct ws_item *item, const struct json_t *facts, struct ws_net *net, struct ws_error *error)
{
	const struct way way = {.facts = facts,
				.net = net,
				.engine = &item->engine.place,
				.least_bytes = item->size_bytes[0],
				.by_host = strcmp(ws_item_word(item, "peer", "on"), "off") == 0,
				.error = error};
	const struct ws_place *engine = &item->engine.place;
	int rc;

	switch (item->verb) {
	case WS_COPY:
	case WS_COPY2:
		rc = add_way(way, &item->source, &item->destination);
		return rc == WS_OK && item->verb == WS_COPY2 ? add_way(way, &item->destination, &item->source) : rc;
	case WS_READ:
		return add_end(way, &item->source, engine);
	case WS_WRITE:
		return add_end(way, engine, &item->destination);
	case WS_CHASE:
	case WS_PINGPONG:
	case WS_NOOP:
		return WS_OK;
	default:
		return add_way(way, NULL, NULL);
	}
}

int ws_path_step_flows(const struct ws_step_result *step, struct ws_net *net, int *first, int *items,
		       struct ws_error *error)
{
	const int count = step->step.item_count <= WS_PATH_ITEMS_MAX ? step->step.item_count : 0;
	int rc = WS_OK;

	for (int i = 0; i < count && rc == WS_OK; i++) {
		first[i] = net->flow_count;
		rc = add_flows(&step->step.items[i], step->path, net, error);
	}
	first[count] = net->flow_count;
	*items = count;
	return rc;
}
