/* Flows through shared segments: who gets how much. */
#ifndef WS_JUDGE_LIMIT_NET_H
#define WS_JUDGE_LIMIT_NET_H

#include <stdbool.h>

#include "base/error.h"

struct ws_segment {
	char name[64]; /* unlike any other's */
	bool known;
	double capacity; /* GB/s */
	char text[120];	 /* what it is made of, or why it is not known */
	bool nvlink;
	double raw; /* of NVLink: GB/s with all framing and headers; 0 = not known */
};

/* Most segments of one flow: two memories, and the links of two devices up to the root. */
#define WS_FLOW_SEGMENTS_MAX 40

struct ws_net_flow {
	int segments[WS_FLOW_SEGMENTS_MAX];
	double weights[WS_FLOW_SEGMENTS_MAX]; /* bytes through the segment for each byte of the flow */
	int count;
	double rate;	/* GB/s, set by ws_net_fill; 0 if nothing known holds it up */
	int bottleneck; /* index of the segment that does, or -1 */
};

struct ws_net {
	struct ws_segment *segments; /* owned, like the flows */
	struct ws_net_flow *flows;
	int segment_count, flow_count;
};

/* The segment of a name, added (unknown, without text) if there is none; -1 when out of memory. */
int ws_net_segment(struct ws_net *net, const char *name);
/* Appends an empty flow; NULL when out of memory. Valid until the next one. */
struct ws_net_flow *ws_net_add_flow(struct ws_net *net);
/* Sends a flow through a segment, once more if it is there already. */
void ws_net_pass(struct ws_net_flow *flow, int segment);
/* How many flows go through a segment. */
int ws_net_sharers(const struct ws_net *net, int segment);

/*
 * Max-min fair rates: all flows grow alike until a segment is full, its flows stay, the others go on. Segments of
 * unknown capacity hold nothing up. WS_ENOMEM.
 */
int ws_net_fill(struct ws_net *net, struct ws_error *error);
void ws_net_release(struct ws_net *net);

#endif
