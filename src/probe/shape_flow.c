/* Steps out of flows of bytes between places. */
#include "probe/shape_flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/units.h"
#include "probe/shape.h"
#include "probe/shape_flow_size.h"
#include "probe/wish.h"

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)

/* A sweep goes in steps of four unless the user says from where to where: then in steps of two. */
static const uint64_t sweep_bytes[2] = {4 * KIB, 256 * MIB};
#define SWEEP_FACTOR 4

/* Kinds of host memory, in the order in which they are compared. OpenCL pins memory of its own, of whatever pages. */
#define KINDS_MOST 9
static const char *const kinds[KINDS_MOST] = {"pageable:4k", "pageable:thp", "pinned:4k", "pinned:thp",
					      "pinned:2m",   "pinned:1g",    "wc",	  "mapped"};
static const char *const opencl_kinds[KINDS_MOST] = {"pageable:4k", "pageable:thp", "pinned",
						     "mapped:4k",   "mapped:thp",   "svm"};

static bool is_opencl(const struct ws_place_facts *facts)
{
	return strcmp(facts->place.family, "ocl") == 0;
}

static bool has_axis(const struct ws_probe *probe, const char *axis)
{
	for (int i = 0; i < WS_COORDS_MAX && probe->axes[i]; i++)
		if (strcmp(probe->axes[i], axis) == 0)
			return true;
	return false;
}

bool ws_flows_are_siblings(const struct ws_place_facts *a, const struct ws_place_facts *b)
{
	return a->place.rank == b->place.rank && strcmp(a->place.family, b->place.family) == 0;
}

bool ws_flows_reaches(const struct ws_place_facts *engine, const struct ws_place_facts *memory)
{
	return ws_flows_are_siblings(engine, memory) && ws_place_in(engine->peers, &memory->place);
}

char *ws_flows_row(const struct ws_place_facts *facts, char *text)
{
	const struct ws_place place = ws_place_device(&facts->place);

	return ws_place_format(&place, text, WS_PLACE_TEXT);
}

char *ws_flows_column(const struct ws_place_facts *facts, char *text)
{
	struct ws_place place = ws_place_device(&facts->place);

	place.rank = WS_RANK_NONE;
	return ws_place_format(&place, text, WS_PLACE_TEXT);
}

char *ws_flows_why_not(const struct ws_place_facts *device, char *why, size_t why_size)
{
	char name[WS_PLACE_TEXT];

	why[0] = '\0';
	if (device->absent[0])
		snprintf(why, why_size, "%s: %.100s", ws_flows_row(device, name), device->absent);
	return why;
}

const struct ws_place_facts *ws_flows_host(const struct ws_expand *expand, const struct ws_place_facts *device,
					   char *why, size_t why_size)
{
	struct ws_place node = {.rank = device->place.rank, .family = "host"};
	const struct ws_place_facts *host;
	uint64_t wished = 0;
	char name[WS_PLACE_TEXT];

	why[0] = '\0';
	if (!expand->host_node || !expand->host_node[0] ||
	    ws_count_parse(expand->host_node, 0, INT32_MAX, &wished) != WS_OK) {
		host = ws_places_near_host(expand->places, device, false);
		if (!host)
			snprintf(why, why_size,
				 "there is no host memory that this process may use, or the options leave none");
		return host;
	}
	node.index = (int)wished;
	host = ws_places_find(expand->places, &node);
	if (host && ws_place_is_host_memory(host))
		ws_flows_why_not(host, why, why_size);
	else
		snprintf(why, why_size, "host%d is no memory of the host of %s", node.index,
			 ws_flows_row(device, name));
	return why[0] ? NULL : host;
}

/* The device stands in the list under another name, which is taken instead unless this one is asked for. */
static bool is_doubled(const struct ws_expand *expand, const struct ws_place_facts *device)
{
	struct ws_place same;

	return device->same_as[0] && ws_place_parse(device->same_as, &same, NULL) == WS_OK &&
	       ws_places_find(expand->places, &same) != NULL && !ws_wish_names(expand, &device->place);
}

/* A processor that stands in for a device is not asked for where another back end has a device, unless by name. */
static bool is_stand_in(const struct ws_expand *expand, const struct ws_place_facts *device)
{
	const bool wished = (expand->device && expand->device[0]) || (expand->pair_a && expand->pair_a[0]);

	for (int i = 0; i < expand->places->count && device->on_cpu && !wished; i++) {
		const struct ws_place_facts *other = &expand->places->at[i];

		if (!ws_place_is_host(&other->place) && !other->on_cpu && !other->place.peer &&
		    strcmp(other->place.family, device->place.family) != 0)
			return true;
	}
	return false;
}

/* What keeps OpenCL from a probe. */
static const char *why_not_opencl(const struct ws_probe *probe)
{
	if (strcmp(probe->engine, "tma") == 0)
		return "it offers no bulk-copy unit";
	if (probe->verb == WS_CHASE)
		return "its kernels have no clock";
	if (probe->verb == WS_PINGPONG)
		return "its kernels do not see what others store while they run";
	return "its devices do not reach each other's memory by themselves";
}

/* "there is no cuda or ocl device", and if that is no plain fact, why. */
static void say_none(struct ws_flows *flows, bool left_out)
{
	const struct ws_expand *expand = flows->expand;
	char families[60] = "", why[120] = "";
	const char *at = flows->probe->needs;

	while (*at) {
		const size_t length = strcspn(at, " ");

		if (length != 4 || memcmp(at, "host", 4) != 0)
			snprintf(families + strlen(families), sizeof(families) - strlen(families), "%s%.*s",
				 families[0] ? " or " : "", (int)length, at);
		at += length + (at[length] == ' ');
	}
	for (int i = 0; i < expand->broken_count && !left_out; i++)
		if (ws_word_in(flows->probe->needs, expand->broken[i].family, strlen(expand->broken[i].family)))
			snprintf(why + strlen(why), sizeof(why) - strlen(why), ": %s", expand->broken[i].why);
	for (int i = 0; i < expand->places->count && !left_out && !why[0]; i++)
		if (is_opencl(&expand->places->at[i]) && !ws_word_in(flows->probe->needs, "ocl", 3))
			snprintf(why, sizeof(why), "; OpenCL cannot do it: %s", why_not_opencl(flows->probe));
	snprintf(flows->reason, (size_t)flows->reason_size, "%s %s device%s",
		 left_out ? "the options leave no" : "there is no", families, why);
}

static void collect_devices(struct ws_flows *flows)
{
	const struct ws_places *places = flows->expand->places;
	const char *engine = flows->probe->engine;
	char name[WS_PLACE_TEXT];
	int left_out = 0;

	for (int i = 0; i < places->count; i++) {
		const struct ws_place_facts *device = &places->at[i];
		const char *family = device->place.family;

		if (ws_place_is_host(&device->place) || device->place.peer ||
		    !ws_word_in(flows->probe->needs, family, strlen(family)) || is_doubled(flows->expand, device) ||
		    is_stand_in(flows->expand, device))
			continue;
		if (!ws_wish_device(flows->expand, &device->place)) {
			left_out++;
		} else if (!device->absent[0] && !ws_word_in(device->engines, engine, strlen(engine))) {
			snprintf(flows->reason, (size_t)flows->reason_size, "%s has no engine %s",
				 ws_flows_row(device, name), engine);
		} else {
			flows->devices[flows->device_count++] = device;
		}
	}
	if (flows->device_count == 0 && !flows->reason[0])
		say_none(flows, left_out > 0);
}

/* Pinned, unless the user says otherwise; --memory with a page size alone changes the pages only. */
static int choose_memory(struct ws_flows *flows)
{
	int rc = ws_wish_memory(flows->expand, &flows->memory, flows->error);

	if (rc == WS_OK && !flows->memory.memory[0])
		strcpy(flows->memory.memory, "pinned");
	return rc;
}

int ws_flows_each_device(const struct ws_probe *probe, const struct ws_expand *expand, struct ws_plan *plan,
			 char *reason, int reason_size, struct ws_error *error, ws_flows_visit *visit)
{
	struct ws_flows flows = {.probe = probe,
				 .expand = expand,
				 .plan = plan,
				 .reason = reason,
				 .reason_size = reason_size,
				 .error = error};
	int rc = choose_memory(&flows);

	if (rc != WS_OK)
		return rc;
	reason[0] = '\0';
	if (probe->verb == WS_CHASE && expand->size_count > 1) {
		snprintf(reason, (size_t)reason_size, "a latency has no slope: --size with one size measures it");
		return WS_OK;
	}
	flows.devices = calloc((size_t)expand->places->count + 1, sizeof(*flows.devices));
	if (!flows.devices)
		return ws_fail(error, WS_ENOMEM, "no memory for a list of devices");
	collect_devices(&flows);
	for (int i = 0; i < flows.device_count && rc == WS_OK; i++)
		rc = visit(&flows, i);
	free(flows.devices);
	return rc;
}

/* Between two devices OpenCL goes a way of its own, of which its events show nothing. */
static bool is_between_opencl(const struct ws_flow *flow)
{
	return is_opencl(flow->by) && flow->from && flow->to && flow->from != flow->to &&
	       !ws_place_is_host(&flow->from->place) && !ws_place_is_host(&flow->to->place);
}

/* Where OpenCL gives the memory nobody can choose its pages: they are named only if the user asks for some. */
static struct ws_place buffer_place(const struct ws_flows *flows, const struct ws_flow *flow,
				    const struct ws_place_facts *facts)
{
	const bool wished = flows->expand->memory && flows->expand->memory[0];
	struct ws_place place = ws_place_device(&facts->place);

	if (ws_place_is_host(&facts->place) && ws_verb_row(flow->verb)->moves_bytes) {
		strcpy(place.memory, flows->memory.memory);
		if (wished || !is_opencl(flow->by) || strcmp(flows->memory.memory, "pageable") == 0 ||
		    strcmp(flows->memory.memory, "mapped") == 0)
			strcpy(place.pages, flows->memory.pages);
	}
	return place;
}

/*
 * Without peer access the driver copies in pieces by way of the host; nobody says how many of them can be queued. A
 * number of loops given by the shape is known to fit.
 */
static bool in_pieces(const struct ws_flow *flow)
{
	return flow->peer && strcmp(flow->peer, "off") == 0 && flow->loops == 0;
}

/* A driver's copy of pageable memory does not return before it has read all of it, so it cannot be queued. */
static bool is_pageable(const struct ws_flows *flows, const struct ws_flow *flow)
{
	const bool of_host = (flow->from && ws_place_is_host(&flow->from->place)) ||
			     (flow->to && ws_place_is_host(&flow->to->place));

	return of_host && strcmp(flows->memory.memory, "pageable") == 0 && strcmp(flows->probe->engine, "ce") == 0;
}

static int add_item(const struct ws_flows *flows, struct ws_step *step, const struct ws_flow *flow,
		    const uint64_t sizes_bytes[2], int size_count)
{
	struct ws_item *item = ws_step_add_item(step, flow->verb);
	int rc;

	if (!item)
		return ws_fail(flows->error, WS_ENOMEM, "no memory for an item");
	if (flow->from)
		item->source = buffer_place(flows, flow, flow->from);
	if (flow->to)
		item->destination = buffer_place(flows, flow, flow->to);
	item->engine.place = ws_place_device(&flow->by->place);
	strcpy(item->engine.name, flows->probe->engine);
	if (flow->row)
		ws_coords_set(&item->coords, "row", flow->row);
	if (flow->column)
		ws_coords_set(&item->coords, "column", flow->column);
	for (int i = 0; i < size_count; i++)
		item->size_bytes[i] = flow->times * sizes_bytes[i];
	item->size_count = size_count;
	item->loops = flow->loops;
	rc = ws_shape_set_flags(flows->probe, item, flows->error);
	if (rc == WS_OK && flow->peer)
		rc = ws_item_option_set(item, "peer", flow->peer, flows->error);
	if (rc == WS_OK && flow->interfering)
		rc = ws_item_option_set(item, "interfering", NULL, flows->error);
	if (rc == WS_OK && flow->together)
		rc = ws_item_option_set(item, "together", NULL, flows->error);
	if (rc == WS_OK && !ws_item_flag(item, "ungated") &&
	    (is_pageable(flows, flow) || in_pieces(flow) || is_between_opencl(flow)))
		rc = ws_item_option_set(item, "ungated", NULL, flows->error);
	return rc;
}

/* One step; value is the coordinate on an axis beside row and column. */
static int add_step(const struct ws_flows *flows, const char *row, const char *column, const char *value,
		    const struct ws_flow *list, int count, const uint64_t sizes_bytes[2], int size_count,
		    const char *why)
{
	struct ws_step *step = ws_plan_add_step(flows->plan, flows->probe);
	int rc = WS_OK;

	if (!step)
		return ws_fail(flows->error, WS_ENOMEM, "no memory for a step");
	for (int i = 0; i < WS_COORDS_MAX && flows->probe->axes[i]; i++) {
		const char *axis = flows->probe->axes[i];

		ws_coords_set(&step->coords, axis,
			      strcmp(axis, "row") == 0	    ? row
			      : strcmp(axis, "column") == 0 ? column
							    : value);
	}
	snprintf(step->reason, sizeof(step->reason), "%s", why);
	for (int i = 0; i < count && rc == WS_OK && !why[0]; i++)
		rc = add_item(flows, step, &list[i], sizes_bytes, size_count);
	return rc;
}

static int add_sweep(const struct ws_flows *flows, const char *row, const char *column, const struct ws_flow *list,
		     int count, const char *why)
{
	const bool wished = flows->expand->series_bytes[1] != 0;
	const uint64_t first = wished ? flows->expand->series_bytes[0] : sweep_bytes[0];
	const uint64_t last = wished ? flows->expand->series_bytes[1] : sweep_bytes[1];
	const unsigned factor = wished ? 2 : SWEEP_FACTOR;
	int rc = WS_OK;

	for (uint64_t bytes = first; bytes > 0 && rc == WS_OK; bytes = bytes <= last / factor ? bytes * factor : 0) {
		const uint64_t sizes_bytes[2] = {bytes, 0};
		char text[WS_UNITS_TEXT];

		rc = add_step(flows, row, column, ws_size_format(bytes, text, sizeof(text)), list, count, sizes_bytes,
			      1, why);
	}
	return rc;
}

static int add_kinds(struct ws_flows *flows, const char *row, const char *column, const struct ws_flow *list, int count,
		     const uint64_t sizes_bytes[2], int size_count, const char *why)
{
	const char *const *of = count > 0 && is_opencl(list[0].by) ? opencl_kinds : kinds;
	const struct ws_place usual = flows->memory;
	int rc = WS_OK;

	for (size_t i = 0; i < KINDS_MOST && of[i] && rc == WS_OK; i++) {
		const struct ws_expand one = {.memory = of[i]};

		rc = ws_wish_memory(&one, &flows->memory, flows->error);
		if (rc == WS_OK)
			rc = add_step(flows, row, column, of[i], list, count, sizes_bytes, size_count, why);
	}
	flows->memory = usual;
	return rc;
}

int ws_flows_add(struct ws_flows *flows, const char *row, const char *column, const struct ws_flow *list, int count,
		 const char *why)
{
	uint64_t sizes_bytes[2] = {0};
	int size_count = 0;

	if (has_axis(flows->probe, "size"))
		return add_sweep(flows, row, column, list, count, why);
	if (ws_verb_row(flows->probe->verb)->moves_bytes)
		size_count = ws_flows_sizes(flows, list, count, sizes_bytes);
	if (size_count && !why[0] && ws_flows_in_cache(flows, list, count, sizes_bytes[0]))
		why = "its largest buffer would fit into the host's caches; --size measures with any size";
	if (has_axis(flows->probe, "memory"))
		return add_kinds(flows, row, column, list, count, sizes_bytes, size_count, why);
	return add_step(flows, row, column, NULL, list, count, sizes_bytes, size_count, why);
}

static int last_group(const struct ws_plan *plan)
{
	int last = 0;

	for (int i = 0; i < plan->step_count; i++)
		last = plan->steps[i].group > last ? plan->steps[i].group : last;
	return last;
}

int ws_flows_add_peer(struct ws_flows *flows, const char *row, const char *column, const struct ws_flow *list,
		      int count, const char *why, const char *why_on)
{
	static const char *const words[] = {"off", "on"};
	const bool both = !why[0] && !why_on[0];
	const int group = both ? last_group(flows->plan) + 1 : 0;
	struct ws_flow turn[WS_FLOWS_MAX];
	int rc = WS_OK;

	for (int k = 0; k < 2 && rc == WS_OK; k++) {
		uint64_t sizes_bytes[2] = {0};
		int size_count;

		for (int i = 0; i < count; i++) {
			turn[i] = list[i];
			turn[i].peer = words[k];
		}
		size_count = ws_flows_sizes(flows, turn, count, sizes_bytes);
		rc = add_step(flows, row, column, words[k], turn, count, sizes_bytes, size_count,
			      why[0] || k == 0 ? why : why_on);
		if (rc == WS_OK)
			flows->plan->steps[flows->plan->step_count - 1].group = group;
	}
	return rc;
}
