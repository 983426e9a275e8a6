/* What the shapes over devices share: the devices at hand, and steps out of flows of bytes between places. */
#ifndef WS_PROBE_SHAPE_FLOW_H
#define WS_PROBE_SHAPE_FLOW_H

#include "base/place.h"
#include "seam/probe.h"

/* One expansion under way. */
struct ws_flows {
	const struct ws_probe *probe;
	const struct ws_expand *expand;
	struct ws_plan *plan;
	struct ws_place memory;		       /* kind and page size of host memory */
	const struct ws_place_facts **devices; /* those with the probe's engine that the wishes leave; owned */
	int device_count;
	char *reason; /* why there is no step */
	int reason_size;
	struct ws_error *error;
};

/* One item to be. */
struct ws_flow {
	enum ws_verb verb;
	const struct ws_place_facts *from, *to; /* NULL where the verb takes none */
	const struct ws_place_facts *by;	/* whose engine */
	unsigned times;				/* its size as a multiple of the step's */
	uint32_t loops;				/* of a sample, 0 = chosen while measuring */
	bool interfering;
	bool together;				/* others are measured at the same time */
	const char *row, *column;		/* of its own cell; NULL = the step's */
	const char *peer; /* "on" or "off": direct access between the two, NULL = as usual */
};

/* Most flows of a step: both ways for every device that a bitmap of peers knows. */
#define WS_FLOWS_MAX 128

/* Makes the steps of one device, which is the index-th. */
typedef int ws_flows_visit(struct ws_flows *flows, int index);

/*
 * Collects the devices and visits each; a probe for which this machine has no device gets its reason. A device is left
 * out if it has not the engine, or if it is another back end's view of one that is there.
 */
int ws_flows_each_device(const struct ws_probe *probe, const struct ws_expand *expand, struct ws_plan *plan,
			 char *reason, int reason_size, struct ws_error *error, ws_flows_visit *visit);

/* Defines a public shape by what it does for each device. */
#define WS_FLOWS_SHAPE(name, visit)                                                                                    \
	int name(const struct ws_probe *probe, const struct ws_expand *expand, struct ws_plan *plan, char *reason,     \
		 int reason_size, struct ws_error *error)                                                              \
	{                                                                                                              \
		return ws_flows_each_device(probe, expand, plan, reason, reason_size, error, visit);                   \
	}

/*
 * Appends the step of a cell (or a series of them, by the probe's axes): why is "", or why it has no items. Sizes are
 * those wished, else the probe's, else by the slowest path of the flows; both are halved until all buffers of the step
 * fit into half of each place's memory.
 */
int ws_flows_add(struct ws_flows *flows, const char *row, const char *column, const struct ws_flow *list, int count,
		 const char *why);

/*
 * Appends the steps of two cells that differ in the axis "peer" and take turns: the flows by way of the host, and those
 * by direct access, for which why_on is "" or why there is none.
 */
int ws_flows_add_peer(struct ws_flows *flows, const char *row, const char *column, const struct ws_flow *list, int count,
		      const char *why, const char *why_on);

/* The host node for a device's buffers: the one wished, else the nearest, else the first with CPUs; NULL, and why. */
const struct ws_place_facts *ws_flows_host(const struct ws_expand *expand, const struct ws_place_facts *device,
					   char *why, size_t why_size);

#define WS_WHY_TEXT 160

/* Why a device cannot take part; "" if it can. Returns why. */
char *ws_flows_why_not(const struct ws_place_facts *device, char *why, size_t why_size);

/* Whether one device's engines reach the other's memory; both of the same family and rank. */
bool ws_flows_reaches(const struct ws_place_facts *engine, const struct ws_place_facts *memory);
bool ws_flows_are_siblings(const struct ws_place_facts *a, const struct ws_place_facts *b);

/* A place's text with its rank, for rows, and without, for columns. Both return text, of WS_PLACE_TEXT bytes. */
char *ws_flows_row(const struct ws_place_facts *facts, char *text);
char *ws_flows_column(const struct ws_place_facts *facts, char *text);

#endif
