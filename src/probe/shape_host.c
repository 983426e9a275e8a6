/* Shapes of copies between the host and one device, or all of them. */
#include <stdio.h>
#include <string.h>

#include "probe/shape_device.h"
#include "probe/shape_flow.h"
#include "probe/wish.h"

enum way { TO_DEVICE, TO_HOST };

static struct ws_flow one_way(const struct ws_flows *flows, enum way way, const struct ws_place_facts *host,
			      const struct ws_place_facts *device)
{
	return (struct ws_flow){.verb = flows->probe->verb,
				.from = way == TO_DEVICE ? host : device,
				.to = way == TO_DEVICE ? device : host,
				.by = device,
				.times = 1};
}

static enum way back(enum way way)
{
	return way == TO_DEVICE ? TO_HOST : TO_DEVICE;
}

/* What goes on beside the measured copy has twice its size, so that as many loops of it do not end first. */
static struct ws_flow beside(const struct ws_flows *flows, enum way way, const struct ws_place_facts *host,
			     const struct ws_place_facts *device)
{
	struct ws_flow flow = one_way(flows, way, host, device);

	flow.times = flows->probe->verb == WS_COPY2 ? 1 : 2;
	flow.interfering = true;
	return flow;
}

static bool is_given(const char *wish)
{
	return wish && wish[0];
}

/* A pair of host and device may be given in either order. */
static bool is_wished(const struct ws_expand *expand, const struct ws_place *host, const struct ws_place *device)
{
	const char *a = expand->pair_a, *b = expand->pair_b;

	if (!is_given(a))
		return true;
	return (ws_wish_means(expand, a, host) && ws_wish_means(expand, b, device)) ||
	       (ws_wish_means(expand, b, host) && ws_wish_means(expand, a, device));
}

/* The wished pair's node stands for the nearest one. */
static const struct ws_place_facts *host_of(const struct ws_flows *flows, const struct ws_place_facts *device,
					    char *why)
{
	const struct ws_expand *expand = flows->expand;
	const char *const wishes[] = {expand->pair_a, expand->pair_b};

	for (int k = 0; k < 2 && is_given(expand->pair_a); k++)
		for (int i = 0; i < expand->places->count; i++) {
			const struct ws_place_facts *host = &expand->places->at[i];

			if (ws_place_is_host(&host->place) && host->place.rank == device->place.rank &&
			    ws_wish_means(expand, wishes[k], &host->place)) {
				ws_flows_why_not(host, why, WS_WHY_TEXT);
				return host;
			}
		}
	return ws_flows_host(flows->expand, device, why, WS_WHY_TEXT);
}

/* The cell of one host and device. */
static int add_cell(struct ws_flows *flows, int index, enum way way, bool both)
{
	const struct ws_place_facts *device = flows->devices[index], *host;
	char why[WS_WHY_TEXT], row[WS_PLACE_TEXT], column[WS_PLACE_TEXT];
	struct ws_flow list[2];

	host = host_of(flows, device, why);
	if (host && !is_wished(flows->expand, &host->place, &device->place)) {
		snprintf(flows->reason, (size_t)flows->reason_size,
			 "the pair that was asked for is no host and device");
		return WS_OK;
	}
	if (!host)
		return ws_flows_add(flows, "host", ws_flows_row(device, column), NULL, 0, why);
	if (!why[0])
		ws_flows_why_not(device, why, sizeof(why));
	if (flows->probe->verb == WS_CHASE) {
		list[0] = (struct ws_flow){.verb = WS_CHASE, .from = host, .by = device, .times = 1};
	} else {
		list[0] = one_way(flows, way, host, device);
		list[1] = beside(flows, back(way), host, device);
	}
	return ws_flows_add(flows, ws_flows_row(host, row), ws_flows_column(device, column), list, both ? 2 : 1, why);
}

static int to_device(struct ws_flows *flows, int index)
{
	return add_cell(flows, index, TO_DEVICE, false);
}

static int to_host(struct ws_flows *flows, int index)
{
	return add_cell(flows, index, TO_HOST, false);
}

static int to_device_beside(struct ws_flows *flows, int index)
{
	return add_cell(flows, index, TO_DEVICE, true);
}

static int to_host_beside(struct ws_flows *flows, int index)
{
	return add_cell(flows, index, TO_HOST, true);
}

/* What the flows of several devices are collected in. */
struct crowd {
	struct ws_flow list[WS_FLOWS_MAX];
	int count;
};

static void join(struct crowd *crowd, struct ws_flow flow)
{
	if (crowd->count < WS_FLOWS_MAX)
		crowd->list[crowd->count++] = flow;
}

/* A device counts if it and its node can be used; others are left out, as if they were not there. */
static const struct ws_place_facts *crowd_host(const struct ws_flows *flows, const struct ws_place_facts *one,
					       const struct ws_place_facts *device)
{
	char why[WS_WHY_TEXT];

	if (!ws_flows_are_siblings(one, device) || device->absent[0])
		return NULL;
	return ws_flows_host(flows->expand, device, why, sizeof(why));
}

/* The index-th device is measured, the others interfere. */
static int add_one_of_all(struct ws_flows *flows, int index, enum way way, bool both, const char *row,
			  const char *column)
{
	const struct ws_place_facts *one = flows->devices[index];
	struct crowd crowd = {.count = 0};

	join(&crowd, one_way(flows, way, crowd_host(flows, one, one), one));
	if (both)
		join(&crowd, beside(flows, back(way), crowd_host(flows, one, one), one));
	for (int i = 0; i < flows->device_count; i++) {
		const struct ws_place_facts *other = flows->devices[i];
		const struct ws_place_facts *near = other == one ? NULL : crowd_host(flows, one, other);

		if (near)
			join(&crowd, beside(flows, way, near, other));
		if (near && both)
			join(&crowd, beside(flows, back(way), near, other));
	}
	return ws_flows_add(flows, row, column, crowd.list, crowd.count, "");
}

/* One step for all devices of a kind and rank, made at the first of them; each has a cell. */
static int add_together(struct ws_flows *flows, int index, enum way way, bool both, const char *row, const char *column)
{
	const struct ws_place_facts *first = flows->devices[index];
	char rows[WS_FLOWS_MAX][WS_PLACE_TEXT], columns[WS_FLOWS_MAX][WS_PLACE_TEXT]; /* by number of the flow */
	struct crowd crowd = {.count = 0};

	for (int i = 0; i < index; i++)
		if (crowd_host(flows, first, flows->devices[i]))
			return WS_OK;
	for (int i = index; i < flows->device_count && crowd.count + (both ? 1 : 0) < WS_FLOWS_MAX; i++) {
		const struct ws_place_facts *device = flows->devices[i], *host = crowd_host(flows, first, device);
		struct ws_flow flow[2];

		if (!host)
			continue;
		flow[0] = one_way(flows, way, host, device);
		flow[0].together = true;
		flow[1] = beside(flows, back(way), host, device);
		for (int k = 0; k < (both ? 2 : 1); k++) {
			if (device != first) {
				flow[k].row = ws_flows_row(host, rows[crowd.count]);
				flow[k].column = ws_flows_column(device, columns[crowd.count]);
			}
			join(&crowd, flow[k]);
		}
	}
	return ws_flows_add(flows, row, column, crowd.list, crowd.count, "");
}

/* Whether another device would be in the index-th one's way. */
static bool is_alone(const struct ws_flows *flows, int index)
{
	for (int i = 0; i < flows->device_count; i++)
		if (i != index && crowd_host(flows, flows->devices[index], flows->devices[i]))
			return false;
	return true;
}

static int add_all(struct ws_flows *flows, int index, enum way way, bool both)
{
	const struct ws_place_facts *one = flows->devices[index], *host;
	char why[WS_WHY_TEXT], row[WS_PLACE_TEXT], column[WS_PLACE_TEXT];

	host = ws_flows_host(flows->expand, one, why, sizeof(why));
	if (!why[0])
		ws_flows_why_not(one, why, sizeof(why));
	if (!host)
		return ws_flows_add(flows, "host", ws_flows_row(one, column), NULL, 0, why);
	ws_flows_row(host, row);
	ws_flows_column(one, column);
	if (why[0])
		return ws_flows_add(flows, row, column, NULL, 0, why);
	if (flows->expand->one_by_one || one->on_cpu || is_alone(flows, index))
		return add_one_of_all(flows, index, way, both, row, column);
	return add_together(flows, index, way, both, row, column);
}

static int all_to_host(struct ws_flows *flows, int index)
{
	return add_all(flows, index, TO_HOST, false);
}

static int host_to_all(struct ws_flows *flows, int index)
{
	return add_all(flows, index, TO_DEVICE, false);
}

static int all_to_host_both(struct ws_flows *flows, int index)
{
	return add_all(flows, index, TO_HOST, true);
}

static int host_to_all_both(struct ws_flows *flows, int index)
{
	return add_all(flows, index, TO_DEVICE, true);
}

/* One step for all devices of a kind and rank, made at the first of them. */
static int add_sum(struct ws_flows *flows, int index, bool forth, bool and_back)
{
	const struct ws_place_facts *first = flows->devices[index];
	char row[WS_PLACE_TEXT];
	struct crowd crowd = {.count = 0};

	for (int i = 0; i < index; i++)
		if (ws_flows_are_siblings(first, flows->devices[i]))
			return WS_OK;
	for (int i = index; i < flows->device_count; i++) {
		const struct ws_place_facts *device = flows->devices[i], *host = crowd_host(flows, first, device);

		if (host && forth)
			join(&crowd, one_way(flows, TO_DEVICE, host, device));
		if (host && and_back)
			join(&crowd, one_way(flows, TO_HOST, host, device));
	}
	snprintf(row, sizeof(row), "%s", "all");
	if (first->place.rank != WS_RANK_NONE)
		snprintf(row, sizeof(row), "r%d/all", first->place.rank);
	return ws_flows_add(flows, row, "host", crowd.list, crowd.count,
			    crowd.count ? "" : "no device, or no host memory, can be used");
}

static int sum_to_host(struct ws_flows *flows, int index)
{
	return add_sum(flows, index, false, true);
}

static int sum_from_host(struct ws_flows *flows, int index)
{
	return add_sum(flows, index, true, false);
}

static int sum_both(struct ws_flows *flows, int index)
{
	return add_sum(flows, index, true, true);
}

WS_FLOWS_SHAPE(ws_shape_host_to_device, to_device)
WS_FLOWS_SHAPE(ws_shape_device_to_host, to_host)
WS_FLOWS_SHAPE(ws_shape_host_to_device_beside, to_device_beside)
WS_FLOWS_SHAPE(ws_shape_device_to_host_beside, to_host_beside)
WS_FLOWS_SHAPE(ws_shape_host_latency, to_device)
WS_FLOWS_SHAPE(ws_shape_host_pingpong, to_device)
WS_FLOWS_SHAPE(ws_shape_all_to_host, all_to_host)
WS_FLOWS_SHAPE(ws_shape_host_to_all, host_to_all)
WS_FLOWS_SHAPE(ws_shape_all_to_host_both, all_to_host_both)
WS_FLOWS_SHAPE(ws_shape_host_to_all_both, host_to_all_both)
WS_FLOWS_SHAPE(ws_shape_sum_to_host, sum_to_host)
WS_FLOWS_SHAPE(ws_shape_sum_from_host, sum_from_host)
WS_FLOWS_SHAPE(ws_shape_sum_both, sum_both)
