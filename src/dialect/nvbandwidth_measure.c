/* A test of nvbandwidth: our probe of the same name, brought to nvbandwidth's sizes and policy. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda.h"
#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "base/system.h"
#include "dialect/nvbandwidth.h"

#define MIB ((uint64_t)1 << 20)
#define LEAD_LOOPS 4
#define LATENCY_BYTES (2 * MIB)
/* A latency is the mean of so many loads over all multiprocessors. */
#define LATENCY_LOADS 1000000
/* From here on their kernel covers only what all its threads can share out evenly, 16 bytes each. */
#define EVEN_SIZE (64 * MIB)
#define EVEN_THREADS 512
#define EVEN_BYTES 16
/* A link of 1 GB/s is not yet one that hangs; and a day is long enough. */
#define SLOW_NS 1
#define TIMEOUT_MAX_NS (86400 * 1e9)

/* The node on which memory of this process comes to lie if nobody says where: numactl's word, else where it runs. */
static unsigned home_node(void)
{
	unsigned node = 0;

	if (ws_system_memory_node(&node, NULL) != WS_OK)
		getcpu(NULL, &node);
	return node;
}

int64_t nvb_timeout_ns(const struct nvb_options *options)
{
	const double usual_ns = (double)ws_settings_default(false).timeout_ns;
	const double copies_ns = (double)(options->loops + LEAD_LOOPS) * (double)(options->buffer_mib * MIB) * SLOW_NS;

	return (int64_t)(usual_ns + copies_ns > TIMEOUT_MAX_NS ? TIMEOUT_MAX_NS : usual_ns + copies_ns);
}

static struct ws_settings settings_of(const struct nvb_setup *setup, const struct nvb_test *test)
{
	struct ws_settings settings = ws_settings_default(false);
	const uint64_t processors = setup->machine->count > 0 ? setup->machine->devices[0].processors : 0;
	const uint64_t loads = WS_CUDA_CHASE_STEPS * (processors ? processors : 1);

	settings.samples = (uint32_t)setup->options->samples;
	settings.lead_loops = LEAD_LOOPS;
	settings.loops = (uint32_t)setup->options->loops;
	settings.timeout_ns = nvb_timeout_ns(setup->options);
	settings.verify = setup->options->skip_verification ? WS_VERIFY_NONE : WS_VERIFY_EACH;
	strcpy(settings.statistic, setup->options->mean ? "mean" : "median");
	if (test->figure == NVB_LATENCY) {
		settings.samples = 1;
		settings.loops = (uint32_t)((LATENCY_LOADS + loads - 1) / loads);
		settings.loops = settings.loops > 256 ? 256 : settings.loops;
	}
	return settings;
}

/* Their sizes: a two-way kernel moves half of the buffer each way, and a copy kernel what it can share out evenly. */
static uint64_t copied_bytes(const struct nvb_machine *machine, const struct ws_item *item, uint64_t size_bytes)
{
	uint64_t unit = 0;

	if (item->verb == WS_COPY2)
		return size_bytes / 2;
	if (strcmp(item->engine.name, "sm") != 0 || item->verb == WS_CHASE || size_bytes < EVEN_SIZE)
		return size_bytes;
	for (int i = 0; i < machine->count; i++) {
		if (ws_place_same_device(&machine->devices[i].facts->place, &item->engine.place))
			unit = machine->devices[i].processors * EVEN_THREADS * EVEN_BYTES;
	}
	return unit ? size_bytes / unit * unit : size_bytes;
}

/* The device of a step's row and column; -1 is the host, or all. */
static int row_of(const struct nvb_setup *setup, const struct ws_coords *coords)
{
	return nvb_machine_index(setup->machine, ws_coords_get(coords, "row"));
}

static int column_of(const struct nvb_setup *setup, const struct ws_coords *coords)
{
	return nvb_machine_index(setup->machine, ws_coords_get(coords, "column"));
}

/* Only the pair that was asked for; and from 0.10 on two-way copies once for both orders of a pair. */
static bool is_wanted(const struct nvb_setup *setup, const struct nvb_test *test, const struct ws_step *step)
{
	const int row = row_of(setup, &step->coords), column = column_of(setup, &step->coords);

	if (!test->by_pair || row < 0 || column < 0)
		return true;
	if (setup->has_pair)
		return row == setup->pair[0] && column == setup->pair[1];
	return test->figure != NVB_EACH || setup->options->version == NVB_0_9 || row < column;
}

static void keep_wanted(const struct nvb_setup *setup, const struct nvb_test *test, struct ws_plan *plan)
{
	int kept = 0;

	for (int i = 0; i < plan->step_count; i++) {
		struct ws_step step = plan->steps[i];

		if (is_wanted(setup, test, &step))
			plan->steps[kept++] = step;
		else
			ws_step_release(&step);
	}
	plan->step_count = kept;
}

static bool is_absent(const struct nvb_machine *machine, int index)
{
	return index >= 0 && machine->devices[index].facts->absent[0];
}

/* A test is waived if none of its cells applies; a GPU that cannot be used is no reason for that. */
static void judge_waiver(const struct nvb_setup *setup, const struct ws_plan *plan, char *waived, size_t waived_size)
{
	for (int i = 0; i < plan->step_count; i++) {
		const struct ws_step *step = &plan->steps[i];

		if (!step->reason[0] || is_absent(setup->machine, row_of(setup, &step->coords)) ||
		    is_absent(setup->machine, column_of(setup, &step->coords)))
			return;
	}
	snprintf(waived, waived_size, "%s", plan->step_count > 0 ? plan->steps[0].reason : "no GPU has what it takes");
}

int nvb_plan(const struct nvb_setup *setup, const struct nvb_test *test, struct ws_plan *out, char *waived,
	     size_t waived_size, struct ws_error *error)
{
	const struct ws_settings settings = settings_of(setup, test);
	struct ws_cli_wishes wishes;
	int status;

	waived[0] = '\0';
	ws_stage_wish(setup->stage, &wishes);
	wishes.expand.one_by_one = true;
	wishes.expand.memory = setup->options->huge_pages && wishes.expand.thp ? "pinned:thp" : "pinned:4k";
	wishes.expand.sizes_bytes[0] = test->figure == NVB_LATENCY ? LATENCY_BYTES : setup->options->buffer_mib * MIB;
	wishes.expand.size_count = 1;
	if (setup->options->no_affinity) {
		snprintf(wishes.host_node, sizeof(wishes.host_node), "%u", home_node());
		wishes.expand.host_node = wishes.host_node;
	}
	status = ws_stage_expand(test->name, &wishes.expand, &settings, out, error);
	if (status != WS_OK)
		return status;
	keep_wanted(setup, test, out);
	for (int i = 0; i < out->step_count; i++) {
		for (int k = 0; k < out->steps[i].item_count; k++) {
			struct ws_item *item = &out->steps[i].items[k];

			if (item->size_count > 0)
				item->size_bytes[0] = copied_bytes(setup->machine, item, item->size_bytes[0]);
			/* Their kernels loop inside one launch. */
			if (status == WS_OK && strcmp(item->engine.name, "sm") == 0 && item->verb != WS_CHASE)
				status = ws_item_option_set(item, "fused", NULL, error);
		}
	}
	if (status != WS_OK) {
		ws_plan_release(out);
		return status;
	}
	judge_waiver(setup, out, waived, waived_size);
	return WS_OK;
}

int nvb_measure(const struct nvb_setup *setup, const struct nvb_test *test, const struct ws_plan *plan,
		struct nvb_result *out, struct ws_error *error)
{
	int status;

	*out = (struct nvb_result){.part_count = test->figure == NVB_EACH ? 3 : 1};
	status = ws_stage_measure(setup->stage, plan, &out->records, error);
	return status == WS_OK ? nvb_fold(setup, test, out, error) : status;
}

void nvb_result_release(struct nvb_result *result)
{
	for (int i = 0; i < result->part_count; i++) {
		free(result->parts[i].values);
		free(result->parts[i].sums);
	}
	free(result->failures);
	ws_result_release(&result->records);
	*result = (struct nvb_result){.part_count = 0};
}
