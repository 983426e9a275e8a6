/* A fake libcuda: which links and memories bytes go through, and how flows that meet there share them. */
#include "fake/cuda_fake.h"

#include <stddef.h>

/* What has a rate that flows share: of each GPU, of each node and root, and of each path with its own limit. */
enum resource {
	DOWN, /* its PCIe link, from the host */
	UP = DOWN + FAKE_GPUS_MAX,
	BOTH = UP + FAKE_GPUS_MAX,  /* both directions of it together */
	OUT = BOTH + FAKE_GPUS_MAX, /* its NVLinks to a switch */
	IN = OUT + FAKE_GPUS_MAX,
	OUT_AND_IN = IN + FAKE_GPUS_MAX,
	MEMORY = OUT_AND_IN + FAKE_GPUS_MAX,
	NODE = MEMORY + FAKE_GPUS_MAX,
	ROOT_DOWN = NODE + FAKE_NODES_MAX,
	ROOT_UP = ROOT_DOWN + FAKE_NODES_MAX,
	DIRECT = ROOT_UP + FAKE_NODES_MAX,
	SLOW = DIRECT + FAKE_GPUS_MAX * FAKE_GPUS_MAX,
	RESOURCES = SLOW + (FAKE_GPUS_MAX + 1) * (FAKE_GPUS_MAX + 1)
};

struct capacity {
	double rate;
};

static struct capacity capacities[RESOURCES];

/* A resource of unlimited rate is none. */
static void use(struct fake_flow *flow, int resource, double rate, double weight)
{
	if (rate <= 0 || flow->use_count == FAKE_USES_MAX)
		return;
	capacities[resource].rate = rate;
	flow->uses[flow->use_count].resource = resource;
	flow->uses[flow->use_count++].weight = weight;
}

static int slot(int number)
{
	return number >= 0 && number < FAKE_NODES_MAX ? number : 0;
}

static void use_memory(struct fake_flow *flow, int device, double weight)
{
	use(flow, MEMORY + device, fake_gpu(device)->memory_rate, weight);
}

/* A path that is slower than others of its kind. */
static void use_slow(struct fake_flow *flow, int from, int to, double rate)
{
	const struct fake_machine *machine = &fake_state.machine;

	for (int i = 0; i < machine->slow_count; i++) {
		const struct fake_slow *slow = &machine->slow[i];

		if ((slow->from == from || slow->from == FAKE_ANY) && (slow->to == to || slow->to == FAKE_ANY))
			use(flow, SLOW + (from + 1) * (FAKE_GPUS_MAX + 1) + to + 1, rate * slow->factor, 1);
	}
}

static void use_pcie(struct fake_flow *flow, int device, bool up, bool by_processors)
{
	const struct fake_gpu *gpu = fake_gpu(device);
	const double rate = up ? gpu->up : gpu->down, sm_rate = up ? gpu->sm_up : gpu->sm_down;
	const double weight = by_processors ? rate / sm_rate : 1;

	use(flow, (up ? UP : DOWN) + device, rate, weight);
	use(flow, BOTH + device, gpu->both, weight);
	if (gpu->root >= 0)
		use(flow, (up ? ROOT_UP : ROOT_DOWN) + slot(gpu->root), fake_state.machine.root_rate, weight);
}

static void use_host(struct fake_flow *flow, int device, bool up, bool by_processors)
{
	const struct fake_gpu *gpu = fake_gpu(device);

	use_pcie(flow, device, up, by_processors);
	use(flow, NODE + slot(gpu->node), fake_state.machine.host_rate, 1);
	use_slow(flow, up ? device : FAKE_HOST, up ? FAKE_HOST : device, up ? gpu->up : gpu->down);
}

static void use_nvlink(struct fake_flow *flow, int from, int to, int links, double weight)
{
	const struct fake_gpu *a = fake_gpu(from), *b = fake_gpu(to);

	if (!fake_state.machine.nvswitch) {
		use(flow, DIRECT + from * FAKE_GPUS_MAX + to, links * a->link_rate, weight);
	} else {
		use(flow, OUT + from, a->links_active * a->link_rate, weight);
		use(flow, IN + to, b->links_active * b->link_rate, weight);
		use(flow, OUT_AND_IN + from, a->links_active * a->link_both, weight);
		use(flow, OUT_AND_IN + to, b->links_active * b->link_both, weight);
	}
	use_slow(flow, from, to, links * a->link_rate);
}

/* By NVLink; else by PCIe, straight from one to the other with access and by way of the host without. */
static void use_peers(struct fake_flow *flow, int device, int from, int to, bool by_processors)
{
	const struct fake_gpu *gpu = fake_gpu(device);
	const int links = fake_links_between(&fake_state.machine, from, to), other = device == from ? to : from;
	const bool access = (fake_state.peers[device] & 1u << other) || (fake_state.peers[other] & 1u << device);
	const double sm_rate = device == to ? gpu->link_sm_read : gpu->link_sm_write;

	if (links > 0 && access) {
		use_nvlink(flow, from, to, links, by_processors ? gpu->link_rate / sm_rate : 1);
		return;
	}
	use_pcie(flow, from, true, by_processors);
	use_pcie(flow, to, false, by_processors);
	if (!access)
		use(flow, NODE + slot(gpu->node), fake_state.machine.host_rate, 2);
	use_slow(flow, from, to, fake_gpu(from)->up);
}

static void use_local(struct fake_flow *flow, int device, bool in_registers, bool by_processors)
{
	const struct fake_gpu *gpu = fake_gpu(device);
	const double rate = in_registers ? gpu->memory_rate : by_processors ? gpu->local_copy_sm : gpu->local_copy;

	use_memory(flow, device, gpu->memory_rate / rate);
	use_slow(flow, device, device, rate);
}

static void use_path(struct fake_flow *flow, int device, bool from_memory, bool to_memory)
{
	const int from = flow->from, to = flow->to;

	if (from >= 0 && from_memory)
		use_memory(flow, from, 1);
	if (to >= 0 && to_memory)
		use_memory(flow, to, 1);
	if (from >= 0 && to >= 0)
		use_peers(flow, device, from, to, flow->by_processors);
	else
		use_host(flow, from >= 0 ? from : to, from >= 0, flow->by_processors);
}

void fake_add_flow(struct fake_work *work, int device, uint64_t from, uint64_t to, uint64_t bytes, bool by_processors)
{
	struct fake_flow *flow = &work->flows[work->flow_count++];

	*flow = (struct fake_flow){.from = from ? fake_device_of(from) : device,
				   .to = to ? fake_device_of(to) : device,
				   .by_processors = by_processors,
				   .bytes = (double)bytes,
				   .left = (double)bytes,
				   .target = to};
	if (flow->from == flow->to)
		use_local(flow, device, !from || !to, by_processors);
	else
		use_path(flow, device, from != 0, to != 0);
}

/* The least that is left of a resource for each flow through it, and which one that is. */
static int find_tightest(struct fake_flow *const *flows, int count, const double *left, const double *weights,
			 double *share)
{
	int tightest = -1;

	for (int i = 0; i < count; i++) {
		for (int k = 0; flows[i]->rate < 0 && k < flows[i]->use_count; k++) {
			const int resource = flows[i]->uses[k].resource;
			const double each = left[resource] / weights[resource];

			if (tightest < 0 || each < *share) {
				tightest = resource;
				*share = each;
			}
		}
	}
	return tightest;
}

static bool passes(const struct fake_flow *flow, int resource)
{
	for (int k = 0; k < flow->use_count; k++)
		if (flow->uses[k].resource == resource)
			return true;
	return false;
}

void fake_share(struct fake_flow *const *flows, int count)
{
	static double left[RESOURCES], weights[RESOURCES];
	double share = 0;
	int tightest;

	for (int i = 0; i < RESOURCES; i++) {
		left[i] = capacities[i].rate;
		weights[i] = 0;
	}
	for (int i = 0; i < count; i++) {
		flows[i]->rate = flows[i]->use_count ? -1 : 1e6;
		for (int k = 0; k < flows[i]->use_count; k++)
			weights[flows[i]->uses[k].resource] += flows[i]->uses[k].weight;
	}
	while ((tightest = find_tightest(flows, count, left, weights, &share)) >= 0) {
		for (int i = 0; i < count; i++) {
			if (flows[i]->rate >= 0 || !passes(flows[i], tightest))
				continue;
			flows[i]->rate = share;
			for (int k = 0; k < flows[i]->use_count; k++) {
				const int resource = flows[i]->uses[k].resource;

				left[resource] -= share * flows[i]->uses[k].weight;
				weights[resource] -= flows[i]->uses[k].weight;
			}
		}
	}
}

/* Headers take a share of the links: more of it with the processors' small packets. */
void fake_count(const struct fake_flow *flow)
{
	const uint64_t bytes = (uint64_t)flow->bytes;
	const uint64_t raw_bytes = bytes + bytes / (flow->by_processors ? 8 : 16);

	if (flow->from < 0 || flow->to < 0 || fake_links_between(&fake_state.machine, flow->from, flow->to) == 0)
		return;
	fake_state.sent_bytes[flow->from][0] += bytes;
	fake_state.sent_bytes[flow->to][1] += bytes;
	fake_state.sent_bytes[flow->from][2] += raw_bytes;
	fake_state.sent_bytes[flow->to][3] += raw_bytes;
}
