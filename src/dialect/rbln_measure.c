/* Transfers of rblnBandwidthLatencyTest: each becomes plan text, and its figures come from the records. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "base/units.h"
#include "dialect/rbln.h"
#include "measure/stats.h"
#include "plan/plan_text.h"
#include "probe/shape_flow.h"

/* Why something has no figure. */
struct reason {
	char text[400];
	bool is_fault; /* it should have one */
	bool is_cut;   /* the run ended before it */
};

static int64_t now_ns(void)
{
	return ws_clock_now_ns(ws_clock_monotonic());
}

static const struct ws_place_facts *facts_of(const struct rbln *rbln, int device)
{
	return rbln->all[device].facts;
}

/* The node of a transfer's host memory. */
static const struct ws_place_facts *find_host(const struct rbln *rbln, int device, struct reason *reason)
{
	struct ws_cli_wishes wishes;
	const struct ws_place_facts *host;
	char node[24], why[WS_WHY_TEXT];

	ws_stage_wish(&rbln->stage, &wishes);
	snprintf(node, sizeof(node), "%" PRId64, rbln->options.numa_node);
	if (rbln->options.numa_node >= 0)
		wishes.expand.host_node = node;
	host = ws_flows_host(&wishes.expand, facts_of(rbln, device), why, sizeof(why));
	if (!host)
		*reason = (struct reason){.is_fault = true};
	if (!host)
		snprintf(reason->text, sizeof(reason->text), "%s", why);
	return host;
}

/* The device that moves the bytes: where one end is the host the other end, else as --hdma_read says. */
static int mover(const struct rbln *rbln, const struct rbln_flow *flow)
{
	if (flow->from == RBLN_HOST)
		return flow->to;
	return flow->to == RBLN_HOST || !rbln->options.hdma_read ? flow->from : flow->to;
}

static bool is_usable(const struct rbln *rbln, int device, struct reason *reason)
{
	if (device == RBLN_HOST || !facts_of(rbln, device)->absent[0])
		return true;
	reason->is_fault = true;
	snprintf(reason->text, sizeof(reason->text), "%s cannot be used: %s", rbln_label(rbln, device),
		 facts_of(rbln, device)->absent);
	return false;
}

/* Whether a flow is possible between two devices. */
static bool is_possible(const struct rbln *rbln, const struct rbln_flow *flow, struct reason *reason)
{
	const int by = mover(rbln, flow), other = by == flow->from ? flow->to : flow->from;

	if (!is_usable(rbln, flow->from, reason) || !is_usable(rbln, flow->to, reason))
		return false;
	if (other == RBLN_HOST || ws_flows_reaches(facts_of(rbln, by), facts_of(rbln, other)))
		return true;
	reason->is_fault = false;
	snprintf(reason->text, sizeof(reason->text), "no direct access from %s to the memory of %s",
		 rbln_label(rbln, by), rbln_label(rbln, other));
	return false;
}

/* " priority=high" where the device has priorities. */
static const char *priority(const struct rbln *rbln, int device)
{
	if (!rbln_honours(rbln, device, "priority"))
		return "";
	return rbln->options.priority == 0 ? " priority=low" : rbln->options.priority > 1 ? " priority=high" : "";
}

/* "host0:pinned -> cuda0 by cuda0.ce 536870912 x1" */
static bool put_item(const struct rbln *rbln, const struct rbln_flow *flow, FILE *to, struct reason *reason)
{
	const int by = mover(rbln, flow);
	const int ends[] = {flow->from, flow->to};
	char text[2][WS_PLACE_TEXT + 8];

	for (int i = 0; i < 2; i++) {
		const struct ws_place_facts *host = ends[i] == RBLN_HOST ? find_host(rbln, by, reason) : NULL;

		if (ends[i] == RBLN_HOST && !host)
			return false;
		if (host)
			snprintf(text[i], sizeof(text[i]), "host%d:pinned", host->place.index);
		else
			snprintf(text[i], sizeof(text[i]), "%s", rbln_label(rbln, ends[i]));
	}
	fprintf(to, "%s -> %s by %s.ce %" PRIu64 " x1%s", text[0], text[1], rbln_label(rbln, by),
		rbln->options.size_bytes, priority(rbln, by));
	return true;
}

/* Waits are no longer than what is left of the tool's own time. */
static void put_settings(const struct rbln *rbln, FILE *to)
{
	const struct rbln_options *options = &rbln->options;
	char text[WS_UNITS_TEXT];

	fprintf(to, "with samples=%" PRId64 " verify=each statistic=mean", options->iterations);
	if (options->warmup)
		fputs(" lead=1", to);
	if (options->has_pattern)
		fprintf(to, " pattern=%" PRIu32, (uint32_t)options->pattern);
	if (rbln->stage.deadline_ns) {
		const int64_t left_ns = rbln->stage.deadline_ns - now_ns();

		fprintf(to, " timeout=%s",
			ws_duration_format(left_ns > 1000000 ? left_ns : 1000000, text, sizeof(text)));
	}
	fputs("\n1: ", to);
}

/* A step of so many flows, or of one ping-pong; NULL, and why. */
static char *make_plan(const struct rbln *rbln, const struct rbln_flow *flows, int count, bool is_latency,
		       struct reason *reason)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	bool is_made = to != NULL;

	if (!to)
		return NULL;
	put_settings(rbln, to);
	if (is_latency)
		fprintf(to, "pingpong %s %s by %s.sm x1 order=relaxed%s", rbln_label(rbln, flows->from),
			rbln_label(rbln, flows->to), rbln_label(rbln, flows->from), priority(rbln, flows->from));
	for (int i = 0; i < count && !is_latency && is_made; i++) {
		fputs(i ? " + " : "", to);
		is_made = put_item(rbln, &flows[i], to, reason);
	}
	fputc('\n', to);
	if ((ferror(to) | fclose(to)) == 0 && is_made)
		return text;
	free(text);
	return NULL;
}

/* Runs the text; the caller releases the result. */
static bool run(struct rbln *rbln, const char *text, struct ws_result *result, struct reason *reason)
{
	struct ws_plan plan = {0};
	struct ws_error error = {0};
	int status = ws_plan_parse(text, strlen(text), ws_probe_find, &plan, &error);

	*result = (struct ws_result){.steps = NULL};
	if (status == WS_OK)
		status = ws_stage_measure(&rbln->stage, &plan, result, &error);
	ws_plan_release(&plan);
	reason->is_fault = true;
	reason->is_cut = status == WS_OK && result->step_count == 1 && result->steps[0].status == WS_EINTERRUPTED;
	if (status == WS_OK && result->table_count == 1 && result->tables[0].cell_count == 1) {
		const struct ws_cell *cell = &result->tables[0].cells[0];

		snprintf(reason->text, sizeof(reason->text), "%s", cell->reason);
		return cell->status == WS_CELL_MEASURED;
	}
	snprintf(reason->text, sizeof(reason->text), "%s", error.text);
	return false;
}

/* One value, and what it counts for in the average: of rates by their time, so that it is all bytes / all time. */
static void add_value(struct rbln_figure *figure, double value, double each)
{
	figure->least = figure->count && figure->least < value ? figure->least : value;
	figure->greatest = figure->count && figure->greatest > value ? figure->greatest : value;
	figure->each[figure->count++] = each;
	figure->each_average += each;
	figure->known = true;
}

static bool start_figure(struct rbln_figure *figure, const struct ws_records *records)
{
	*figure = (struct rbln_figure){.each = calloc((size_t)records->count + 1, sizeof(*figure->each))};
	return figure->each != NULL;
}

void rbln_figure_release(struct rbln_figure *figure)
{
	free(figure->each);
	*figure = (struct rbln_figure){.known = false};
}

static void read_flow(const struct ws_records *records, int item, struct rbln_figure *out)
{
	double bytes = 0;

	if (!start_figure(out, records))
		return;
	for (int i = 0; i < records->count; i++) {
		const struct ws_sample *sample = &records->samples[i];

		for (int k = 0; k < sample->lane_count && !sample->discarded; k++) {
			const struct ws_lane *lane = &sample->lanes[k];
			const double time_ns = (double)ws_lane_time_ns(lane);

			if (lane->item != item)
				continue;
			add_value(out, (double)lane->bytes / time_ns, time_ns / 1e3);
			bytes += (double)lane->bytes;
		}
	}
	if (out->known) {
		out->average = bytes / (out->each_average * 1e3);
		out->each_average /= out->count;
	}
}

/* The flows' rates of one iteration together, of which each is by its own clock. */
static void add_up(const struct rbln_figure *figures, int count, uint64_t size_bytes, struct rbln_figure *out)
{
	*out = (struct rbln_figure){.each = calloc((size_t)figures[0].count + 1, sizeof(*out->each))};
	for (int i = 0; out->each && i < figures[0].count; i++) {
		double rate = 0, longest_us = 0;

		for (int k = 0; k < count; k++) {
			rate += (double)size_bytes / (figures[k].each[i] * 1e3);
			longest_us = figures[k].each[i] > longest_us ? figures[k].each[i] : longest_us;
		}
		add_value(out, rate, longest_us);
	}
	if (!out->known)
		return;
	for (int k = 0; k < count; k++)
		out->average += figures[k].average;
	out->each_average /= out->count;
}

/* Of all trips of an iteration the median; of all iterations their mean. */
static void read_trips(const struct ws_records *records, struct rbln_figure *out)
{
	if (!start_figure(out, records))
		return;
	for (int i = 0; i < records->count; i++) {
		const struct ws_sample *sample = &records->samples[i];
		const struct ws_lane *lane = sample->lane_count ? &sample->lanes[0] : NULL;
		double *sorted, median_us;

		if (sample->discarded || !lane || lane->value_count == 0)
			continue;
		sorted = malloc((size_t)lane->value_count * sizeof(*sorted));
		if (!sorted)
			return;
		ws_stats_sort(lane->values, (size_t)lane->value_count, sorted);
		median_us = ws_stats_median(sorted, (size_t)lane->value_count) / 1e3;
		free(sorted);
		add_value(out, median_us, median_us);
	}
	if (out->known)
		out->average = out->each_average /= out->count;
}

/* A fault is said, and fails the test; what cannot be on this machine is a note. Nobody asks why once all is over. */
static void give_reason(struct rbln *rbln, const struct rbln_flow *flow, int count, const struct reason *reason)
{
	const char *rest = count > 1 ? " and what runs beside it" : "";

	if (!reason->is_fault) {
		ws_stage_note("%s -> %s%s: %s", rbln_label(rbln, flow->from), rbln_label(rbln, flow->to), rest,
			      reason->text);
		return;
	}
	rbln->failures++;
	if (!reason->is_cut)
		rbln_say("%s -> %s%s: %s", rbln_label(rbln, flow->from), rbln_label(rbln, flow->to), rest,
			 reason->text[0] ? reason->text : "no memory for it");
}

bool rbln_can(struct rbln *rbln, const struct rbln_flow *flow)
{
	struct reason reason = {.is_fault = true};
	const bool can = is_possible(rbln, flow, &reason);

	if (!can)
		give_reason(rbln, flow, 1, &reason);
	return can;
}

void rbln_bandwidth(struct rbln *rbln, const struct rbln_flow *flows, int count, struct rbln_figure *figures,
		    struct rbln_figure *total)
{
	struct reason reason = {.is_fault = true};
	struct ws_result result = {.steps = NULL};
	char *text = NULL;
	bool is_done = true;

	memset(figures, 0, (size_t)count * sizeof(*figures));
	for (int i = 0; i < count && is_done; i++)
		is_done = is_possible(rbln, &flows[i], &reason);
	if (is_done)
		text = make_plan(rbln, flows, count, false, &reason);
	is_done = text && run(rbln, text, &result, &reason);
	free(text);
	for (int i = 0; i < count && is_done; i++)
		read_flow(&result.steps[0].records, i, &figures[i]);
	for (int i = 0; i < count; i++)
		is_done = is_done && figures[i].known && figures[i].count == figures[0].count;
	if (is_done && total)
		add_up(figures, count, rbln->options.size_bytes, total);
	if (is_done)
		rbln->figures += count;
	else
		give_reason(rbln, flows, count, &reason);
	ws_result_release(&result);
}

void rbln_latency(struct rbln *rbln, const struct rbln_flow *flow, struct rbln_figure *out)
{
	const struct rbln_flow back = {flow->to, flow->from};
	struct reason reason = {.is_fault = true};
	struct ws_result result = {.steps = NULL};
	char *text = NULL;

	*out = (struct rbln_figure){.known = false};
	if (is_possible(rbln, flow, &reason) && is_possible(rbln, &back, &reason))
		text = make_plan(rbln, flow, 1, true, &reason);
	if (text && run(rbln, text, &result, &reason))
		read_trips(&result.steps[0].records, out);
	free(text);
	if (out->known)
		rbln->figures++;
	else
		give_reason(rbln, flow, 1, &reason);
	ws_result_release(&result);
}
