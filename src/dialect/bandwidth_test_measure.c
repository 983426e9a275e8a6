/* How bandwidthTest and oclBandwidthTest measure one size: a plan of one step, and a figure from its records. */
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "base/system.h"
#include "dialect/bandwidth_test.h"
#include "plan/plan_text.h"
#include "probe/probe.h"

#define LEAD_LOOPS 4
#define TIMEOUT_NS 30000000000
#define SLOWEST_BYTES_PER_NS 0.1 /* a step may take the time that its bytes need at this rate, and the timeout */
#define ANY_DEPTH 1000000

bool bwt_open(struct bwt *test, const struct ws_dialect_call *call)
{
	struct ws_error error = {0};
	char families[24];

	snprintf(families, sizeof(families), "host %s", test->tool->family);
	if (ws_stage_open(call, families, 0, &test->stage, &error) == WS_OK) {
		test->devices = ws_stage_devices(&test->stage, test->tool->family, &test->device_count);
		if (test->devices)
			return true;
		ws_fail(&error, WS_ENOMEM, "no memory for a list of devices");
	}
	bwt_complain("%s", error.text);
	return false;
}

int bwt_close(struct bwt *test, enum bwt_outcome outcome)
{
	free(test->devices);
	return ws_stage_close(&test->stage, outcome == BWT_OK ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* The host's memory where the user's numactl binds it, else near a device, where this process has processors. */
static struct ws_place host_near(const struct bwt *test, const struct ws_place_facts *device)
{
	const struct ws_places *places = ws_session_places(test->stage.session);
	const struct ws_place_facts *near = ws_places_near_host(places, device, true);
	unsigned bound = 0;

	if (ws_system_memory_node(&bound, NULL) == WS_OK || !near)
		return (struct ws_place){.rank = WS_RANK_NONE, .family = "host", .index = (int)bound};
	return near->place;
}

/* Pinned memory of CUDA has large pages where the system has them, like the driver's own. */
static struct ws_place host_memory(const struct bwt *test, const struct ws_place_facts *device)
{
	struct ws_place place = host_near(test, device);
	struct ws_cli_wishes wishes;

	ws_stage_wish(&test->stage, &wishes);
	strcpy(place.memory, test->pageable ? "pageable" : test->write_combined ? "wc" : "pinned");
	if (!test->pageable && !test->write_combined && wishes.expand.thp && strcmp(test->tool->family, "cuda") == 0)
		strcpy(place.pages, "thp");
	return place;
}

static int add_item(const struct bwt *test, const struct ws_place_facts *device, enum bwt_kind kind,
		    uint64_t size_bytes, struct ws_step *step, struct ws_error *error)
{
	struct ws_item *item = ws_step_add_item(step, WS_COPY);
	int status = WS_OK;

	if (!item)
		return ws_fail(error, WS_ENOMEM, "no memory for an item");
	item->source = kind == BWT_HTOD ? host_memory(test, device) : device->place;
	item->destination = kind == BWT_DTOH ? host_memory(test, device) : device->place;
	item->engine = (struct ws_engine){.place = device->place, .name = "ce"};
	item->size_bytes[0] = size_bytes;
	item->size_count = 1;
	if (kind == BWT_DTOD)
		return WS_OK;
	if (test->mapped)
		status = ws_item_option_set(item, "access", "mapped", error);
	if (status == WS_OK && (test->mapped || test->pageable))
		status = ws_item_option_set(item, "ungated", NULL, error);
	return status;
}

/* The tool's copies as so many samples that what one of them has fits behind the gate. */
static uint32_t samples_for(const struct bwt *test, uint32_t lead, uint32_t devices)
{
	const uint32_t offered = ws_stage_backend(&test->stage, test->tool->family)->ops->queue_depth;
	const uint32_t depth = offered ? offered : ANY_DEPTH;
	uint32_t samples = 1;

	while (samples < test->tool->copies &&
	       (test->tool->copies % samples || (test->tool->copies / samples + lead) * devices > depth))
		samples++;
	return samples;
}

static int make_plan(const struct bwt *test, enum bwt_kind kind, uint64_t size_bytes, struct ws_plan *plan,
		     struct ws_error *error)
{
	const uint32_t devices = (uint32_t)(test->last - test->first + 1), copies = test->tool->copies;
	/* The host's clock would count the untimed copies in front as well. */
	const uint32_t lead = test->cpu_timing ? 0 : LEAD_LOOPS, samples = samples_for(test, lead, devices);
	const double bytes = (double)size_bytes * copies * devices;
	struct ws_step *step = ws_plan_add_step(plan, ws_probe_find(WS_PLAN_CUSTOM));
	int status = step ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory for a plan");

	plan->settings = ws_settings_default(false);
	plan->settings.samples = samples;
	plan->settings.lead_loops = lead;
	plan->settings.loops = copies / samples;
	plan->settings.verify = WS_VERIFY_EACH;
	plan->settings.timeout_ns = TIMEOUT_NS + (int64_t)(bytes / SLOWEST_BYTES_PER_NS);
	if (status == WS_OK)
		ws_coords_set(&step->coords, WS_PLAN_CUSTOM_AXIS, "1");
	for (int i = test->first; i <= test->last && status == WS_OK; i++)
		status = add_item(test, test->devices[i], kind, size_bytes, step, error);
	return status == WS_OK ? ws_plan_finish(plan, error) : status;
}

/* bytes / time of each device's own copies, added up; by the host's clock all bytes / all time. In bytes a ns. */
static double rate(const struct bwt *test, const struct ws_step_result *step)
{
	const int devices = test->last - test->first + 1;
	double sum = 0, all_bytes = 0, all_ns = 0;

	for (int item = 0; item < devices; item++) {
		double bytes = 0, time_ns = 0;

		for (int i = 0; i < step->records.count; i++) {
			const struct ws_sample *sample = &step->records.samples[i];

			for (int k = 0; k < sample->lane_count && !sample->discarded; k++) {
				if (sample->lanes[k].item != item)
					continue;
				bytes += (double)sample->lanes[k].bytes;
				time_ns += (double)ws_lane_time_ns(&sample->lanes[k]);
			}
			if (item == 0 && !sample->discarded)
				all_ns += (double)(sample->host_end_ns - sample->host_start_ns);
		}
		sum += time_ns > 0 ? bytes / time_ns : 0;
		all_bytes += bytes;
	}
	if (test->cpu_timing)
		return all_ns > 0 ? all_bytes / all_ns : 0;
	return sum;
}

static enum bwt_outcome judge(const struct bwt *test, enum bwt_kind kind, uint64_t size_bytes,
			      const struct ws_result *result, double *bandwidth)
{
	const struct ws_step_result *step = &result->steps[0];
	const struct ws_cell *cell = &result->tables[0].cells[0];

	if (*test->stage.interrupted)
		return BWT_FAILED;
	if (cell->status != WS_CELL_MEASURED || !step->check.done) {
		bwt_complain("%s, %llu bytes: %s", bwt_kinds[kind].words, (unsigned long long)size_bytes,
			     cell->reason[0] ? cell->reason : "the data could not be checked");
		return cell->status == WS_CELL_WRONG_DATA ? BWT_WRONG : BWT_FAILED;
	}
	/* A copy inside a device's memory is read and written there. */
	*bandwidth = rate(test, step) * (kind == BWT_DTOD ? 2 : 1) * 1e9 / test->tool->unit_bytes;
	if (*bandwidth > 0)
		return BWT_OK;
	bwt_complain("%s, %llu bytes: the samples have no time", bwt_kinds[kind].words, (unsigned long long)size_bytes);
	return BWT_FAILED;
}

enum bwt_outcome bwt_measure(struct bwt *test, enum bwt_kind kind, uint64_t size_bytes, double *bandwidth)
{
	struct ws_plan plan = {.steps = NULL};
	struct ws_result result = {.steps = NULL};
	struct ws_error error = {0};
	enum bwt_outcome outcome = BWT_FAILED;
	int status = make_plan(test, kind, size_bytes, &plan, &error);

	if (status == WS_OK)
		status = ws_stage_measure(&test->stage, &plan, &result, &error);
	if (status == WS_OK)
		outcome = judge(test, kind, size_bytes, &result, bandwidth);
	else
		bwt_complain("%s", error.text);
	ws_result_release(&result);
	ws_plan_release(&plan);
	return outcome;
}
