/* Flows through shared segments: who gets how much. */
#include "judge/limit_net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ws_net_segment(struct ws_net *net, const char *name)
{
	struct ws_segment *segments;

	for (int i = 0; i < net->segment_count; i++)
		if (strcmp(net->segments[i].name, name) == 0)
			return i;
	segments = realloc(net->segments, ((size_t)net->segment_count + 1) * sizeof(*segments));
	if (!segments)
		return -1;
	net->segments = segments;
	segments[net->segment_count] = (struct ws_segment){.known = false};
	snprintf(segments[net->segment_count].name, sizeof(segments[0].name), "%s", name);
	return net->segment_count++;
}

struct ws_net_flow *ws_net_add_flow(struct ws_net *net)
{
	struct ws_net_flow *flows = realloc(net->flows, ((size_t)net->flow_count + 1) * sizeof(*flows));

	if (!flows)
		return NULL;
	net->flows = flows;
	flows[net->flow_count] = (struct ws_net_flow){.bottleneck = -1};
	return &flows[net->flow_count++];
}

void ws_net_pass(struct ws_net_flow *flow, int segment)
{
	for (int i = 0; i < flow->count; i++) {
		if (flow->segments[i] == segment) {
			flow->weights[i]++;
			return;
		}
	}
	if (flow->count == WS_FLOW_SEGMENTS_MAX)
		return;
	flow->segments[flow->count] = segment;
	flow->weights[flow->count++] = 1;
}

static double weight_in(const struct ws_net_flow *flow, int segment)
{
	for (int i = 0; i < flow->count; i++)
		if (flow->segments[i] == segment)
			return flow->weights[i];
	return 0;
}

int ws_net_sharers(const struct ws_net *net, int segment)
{
	int count = 0;

	for (int i = 0; i < net->flow_count; i++)
		count += weight_in(&net->flows[i], segment) > 0;
	return count;
}

/* The rate at which a segment is full if its open flows grow alike; negative if it holds none of them. */
static double full_at(const struct ws_net *net, const bool *stays, int segment)
{
	double left = net->segments[segment].capacity, weight = 0;

	if (!net->segments[segment].known)
		return -1;
	for (int i = 0; i < net->flow_count; i++) {
		if (stays[i])
			left -= net->flows[i].rate * weight_in(&net->flows[i], segment);
		else
			weight += weight_in(&net->flows[i], segment);
	}
	return weight > 0 ? (left > 0 ? left : 0) / weight : -1;
}

int ws_net_fill(struct ws_net *net, struct ws_error *error)
{
	bool *stays = calloc((size_t)net->flow_count + 1, sizeof(*stays));

	if (!stays)
		return ws_fail(error, WS_ENOMEM, "no memory for the limits of %d flows", net->flow_count);
	for (int turn = 0; turn < net->segment_count; turn++) {
		double least = -1;
		int fullest = -1;

		for (int i = 0; i < net->segment_count; i++) {
			const double rate = full_at(net, stays, i);

			if (rate >= 0 && (fullest < 0 || rate < least)) {
				fullest = i;
				least = rate;
			}
		}
		for (int i = 0; i < net->flow_count && fullest >= 0; i++) {
			if (stays[i] || weight_in(&net->flows[i], fullest) <= 0)
				continue;
			stays[i] = true;
			net->flows[i].rate = least;
			net->flows[i].bottleneck = fullest;
		}
	}
	free(stays);
	return WS_OK;
}

void ws_net_release(struct ws_net *net)
{
	free(net->segments);
	free(net->flows);
	*net = (struct ws_net){0};
}
