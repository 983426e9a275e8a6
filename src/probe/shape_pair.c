/* Shapes between two devices, inside one, and between one and all others. */
#include <stdio.h>
#include <string.h>

#include "probe/shape_device.h"
#include "probe/shape_flow.h"
#include "probe/wish.h"

enum work { READ, WRITE, BOTH_READ, BOTH_WRITE, CHASE, PINGPONG, SMALL_WRITE };

/* As many small copies as wait behind a gate on any driver, also where each goes by way of the host. */
enum { SMALL_LOOPS = 100 };

static struct ws_flow copy(const struct ws_flows *flows, const struct ws_place_facts *from,
			   const struct ws_place_facts *to, const struct ws_place_facts *by)
{
	return (struct ws_flow){.verb = flows->probe->verb, .from = from, .to = to, .by = by, .times = 1};
}

/* The flows of a cell; their number. */
static int pair_flows(const struct ws_flows *flows, enum work work, const struct ws_place_facts *row,
		      const struct ws_place_facts *column, struct ws_flow list[2])
{
	switch (work) {
	case READ:
		list[0] = copy(flows, column, row, row);
		return 1;
	case WRITE:
	case PINGPONG:
		list[0] = copy(flows, row, column, row);
		return 1;
	case SMALL_WRITE:
		list[0] = copy(flows, row, column, row);
		list[0].loops = SMALL_LOOPS;
		return 1;
	case BOTH_READ:
		list[0] = copy(flows, column, row, row);
		list[1] = copy(flows, row, column, column);
		return 2;
	case BOTH_WRITE:
		list[0] = copy(flows, column, row, column);
		list[1] = copy(flows, row, column, row);
		return 2;
	case CHASE:
		break;
	}
	list[0] = copy(flows, column, NULL, row);
	return 1;
}

/* One of the two that cannot take part; "" if both can. */
static void why_no_device(const struct ws_place_facts *row, const struct ws_place_facts *column, char *why)
{
	ws_flows_why_not(row, why, WS_WHY_TEXT);
	if (!why[0])
		ws_flows_why_not(column, why, WS_WHY_TEXT);
}

/* The first of the flows' engines that cannot reach the other's memory; "" if all can. */
static void why_no_access(const struct ws_place_facts *row, const struct ws_place_facts *column, bool both, char *why)
{
	char a[WS_PLACE_TEXT], b[WS_PLACE_TEXT];

	why[0] = '\0';
	/* OpenCL's devices do not reach each other, but its runtime copies between those of one platform. */
	if (strcmp(row->place.family, "ocl") == 0)
		return;
	if (!ws_flows_reaches(row, column))
		snprintf(why, WS_WHY_TEXT, "no peer access %s -> %s", ws_flows_row(row, a), ws_flows_row(column, b));
	else if (both && !ws_flows_reaches(column, row))
		snprintf(why, WS_WHY_TEXT, "no peer access %s -> %s", ws_flows_row(column, a), ws_flows_row(row, b));
}

static bool is_given(const char *wish)
{
	return wish && wish[0];
}

static bool needs_both_ways(enum work work)
{
	return work == BOTH_READ || work == BOTH_WRITE || work == PINGPONG;
}

/* How a pair's flows become steps. */
enum turns { ONCE, PEER_OFF_AND_ON };

static int add_pair(struct ws_flows *flows, enum work work, enum turns turns, const struct ws_place_facts *row,
		    const struct ws_place_facts *column)
{
	char why[WS_WHY_TEXT], why_on[WS_WHY_TEXT], a[WS_PLACE_TEXT], b[WS_PLACE_TEXT];
	struct ws_flow list[2];
	const int count = pair_flows(flows, work, row, column, list);

	ws_flows_row(row, a);
	ws_flows_column(column, b);
	why_no_device(row, column, why);
	why_no_access(row, column, needs_both_ways(work), why_on);
	if (turns == PEER_OFF_AND_ON)
		return ws_flows_add_peer(flows, a, b, list, count, why, why_on);
	return ws_flows_add(flows, a, b, list, count, why[0] ? why : why_on);
}

/* The row of the index-th device. */
static int add_row(struct ws_flows *flows, int index, enum work work, enum turns turns)
{
	const struct ws_expand *expand = flows->expand;
	const struct ws_place_facts *row = flows->devices[index];
	int siblings = 0, rc = WS_OK;

	for (int i = 0; i < flows->device_count && rc == WS_OK; i++) {
		const struct ws_place_facts *column = flows->devices[i];

		if (column == row || !ws_flows_are_siblings(row, column))
			continue;
		siblings++;
		if (is_given(expand->pair_a) && (!ws_wish_means(expand, expand->pair_a, &row->place) ||
						 !ws_wish_means(expand, expand->pair_b, &column->place)))
			continue;
		rc = add_pair(flows, work, turns, row, column);
	}
	snprintf(flows->reason, (size_t)flows->reason_size, "%s",
		 siblings ? "the pair that was asked for is no two devices"
			  : "it takes two devices of a kind; there is one, or the options leave one");
	return rc;
}

static int pair_read(struct ws_flows *flows, int index)
{
	return add_row(flows, index, READ, ONCE);
}

static int pair_write(struct ws_flows *flows, int index)
{
	return add_row(flows, index, WRITE, ONCE);
}

static int pair_both_read(struct ws_flows *flows, int index)
{
	return add_row(flows, index, BOTH_READ, ONCE);
}

static int pair_both_write(struct ws_flows *flows, int index)
{
	return add_row(flows, index, BOTH_WRITE, ONCE);
}

static int pair_latency(struct ws_flows *flows, int index)
{
	return add_row(flows, index, CHASE, ONCE);
}

static int pair_pingpong(struct ws_flows *flows, int index)
{
	return add_row(flows, index, PINGPONG, ONCE);
}

static int peer_write(struct ws_flows *flows, int index)
{
	return add_row(flows, index, WRITE, PEER_OFF_AND_ON);
}

static int peer_both(struct ws_flows *flows, int index)
{
	return add_row(flows, index, BOTH_WRITE, PEER_OFF_AND_ON);
}

static int peer_small(struct ws_flows *flows, int index)
{
	return add_row(flows, index, SMALL_WRITE, PEER_OFF_AND_ON);
}

static int local(struct ws_flows *flows, int index)
{
	const struct ws_place_facts *device = flows->devices[index];
	const enum ws_verb verb = flows->probe->verb;
	const struct ws_flow flow = copy(flows, verb == WS_WRITE ? NULL : device,
					 verb == WS_COPY || verb == WS_WRITE ? device : NULL, device);
	char why[WS_WHY_TEXT], name[WS_PLACE_TEXT];

	ws_flows_why_not(device, why, sizeof(why));
	return ws_flows_add(flows, ws_flows_row(device, name), name, &flow, 1, why);
}

/* Where the bytes go, and who moves them: the one, or each of the others. */
struct fan {
	bool to_one, by_one;
};

static int add_fan(struct ws_flows *flows, int index, struct fan fan)
{
	const struct ws_place_facts *one = flows->devices[index];
	char why[WS_WHY_TEXT], row[WS_PLACE_TEXT], column[WS_PLACE_TEXT];
	struct ws_flow list[WS_FLOWS_MAX];
	int count = 0, siblings = 0;

	ws_flows_why_not(one, why, sizeof(why));
	for (int i = 0; i < flows->device_count && count < WS_FLOWS_MAX; i++) {
		const struct ws_place_facts *other = flows->devices[i];
		const struct ws_place_facts *by = fan.by_one ? one : other, *reached = fan.by_one ? other : one;

		if (other == one || !ws_flows_are_siblings(one, other))
			continue;
		siblings++;
		if (!other->absent[0] && ws_flows_reaches(by, reached))
			list[count++] = copy(flows, fan.to_one ? other : one, fan.to_one ? one : other, by);
	}
	if (siblings == 0) {
		snprintf(flows->reason, (size_t)flows->reason_size,
			 "it takes two devices of a kind; there is one, or the options leave one");
		return WS_OK;
	}
	if (count == 0 && !why[0])
		snprintf(why, sizeof(why), "no peer access %s %s", fan.by_one ? "from" : "to", ws_flows_row(one, row));
	strcpy(row, "all");
	return ws_flows_add(flows, row, ws_flows_row(one, column), list, count, why);
}

static int all_to_one_write(struct ws_flows *flows, int index)
{
	return add_fan(flows, index, (struct fan){.to_one = true, .by_one = false});
}

static int all_to_one_read(struct ws_flows *flows, int index)
{
	return add_fan(flows, index, (struct fan){.to_one = false, .by_one = false});
}

static int one_to_all_write(struct ws_flows *flows, int index)
{
	return add_fan(flows, index, (struct fan){.to_one = false, .by_one = true});
}

static int one_to_all_read(struct ws_flows *flows, int index)
{
	return add_fan(flows, index, (struct fan){.to_one = true, .by_one = true});
}

WS_FLOWS_SHAPE(ws_shape_pair_read, pair_read)
WS_FLOWS_SHAPE(ws_shape_pair_write, pair_write)
WS_FLOWS_SHAPE(ws_shape_pair_both_read, pair_both_read)
WS_FLOWS_SHAPE(ws_shape_pair_both_write, pair_both_write)
WS_FLOWS_SHAPE(ws_shape_pair_latency, pair_latency)
WS_FLOWS_SHAPE(ws_shape_pair_pingpong, pair_pingpong)
WS_FLOWS_SHAPE(ws_shape_peer_write, peer_write)
WS_FLOWS_SHAPE(ws_shape_peer_both, peer_both)
WS_FLOWS_SHAPE(ws_shape_peer_small, peer_small)
WS_FLOWS_SHAPE(ws_shape_local, local)
WS_FLOWS_SHAPE(ws_shape_all_to_one_write, all_to_one_write)
WS_FLOWS_SHAPE(ws_shape_all_to_one_read, all_to_one_read)
WS_FLOWS_SHAPE(ws_shape_one_to_all_write, one_to_all_write)
WS_FLOWS_SHAPE(ws_shape_one_to_all_read, one_to_all_read)
