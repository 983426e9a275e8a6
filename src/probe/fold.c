/* Folds: how records become figures. */
#include "probe/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/record.h"
#include "measure/stats_summary.h"
#include "measure/stats.h"
#include "probe/fold_sample.h"

static bool in_cell(const struct ws_fold_input *input, int item, bool interfering)
{
	if (ws_item_flag(&input->step->items[item], "interfering") != interfering)
		return false;
	for (int i = 0; i < input->item_count; i++)
		if (input->items[i] == item)
			return true;
	return false;
}

const struct ws_lane *ws_fold_lane(const struct ws_fold_input *input, const struct ws_sample *sample, int n)
{
	for (int i = 0; i < sample->lane_count; i++)
		if (in_cell(input, sample->lanes[i].item, false) && n-- == 0)
			return &sample->lanes[i];
	return NULL;
}

static double lane_rate(const struct ws_lane *lane)
{
	return (double)lane->bytes / (double)ws_lane_time_ns(lane);
}

static double mean_of(const double *values, int count)
{
	return ws_stats_mean(values, (size_t)count);
}

static struct ws_figure make_figure(const struct ws_summary *summary, const char *statistic)
{
	struct ws_figure figure = {.known = summary->count > 0, .value = summary->median};

	if (strcmp(statistic, "mean") == 0)
		figure.value = summary->mean;
	else if (strcmp(statistic, "min") == 0)
		figure.value = summary->minimum;
	else if (strcmp(statistic, "max") == 0)
		figure.value = summary->maximum;
	else if (summary->interval.known)
		figure = (struct ws_figure){true, true, summary->median, summary->interval.low, summary->interval.high};
	return figure;
}

/* Stalls are a matter of times: a rate's series is turned over for them. */
static bool has_stalls(const double *sorted, size_t count, enum ws_better better, double *scratch)
{
	if (better != WS_HIGHER)
		return ws_stats_stalls(sorted, count).count > 0;
	for (size_t i = 0; i < count; i++)
		scratch[i] = sorted[count - 1 - i] > 0 ? 1 / sorted[count - 1 - i] : 0;
	return ws_stats_stalls(scratch, count).count > 0;
}

static void set_primary(const struct ws_fold_input *input, const struct ws_summary *summary, double *scratch,
			struct ws_folded *out)
{
	out->has_precision = summary->precision_known;
	out->precision = summary->precision_known ? summary->precision : 0;
	out->flags |= summary->drift.found ? WS_FLAG_DRIFT : 0u;
	out->flags |= summary->modes.found ? WS_FLAG_TWO_MODES : 0u;
	if (has_stalls(scratch, summary->count, input->step->probe->quantities[0].better, scratch + summary->count))
		out->flags |= WS_FLAG_STALLS;
}

void ws_fold_values(const struct ws_fold_input *input, const double *values, size_t count, int q,
			struct ws_folded *out)
{
	double *scratch = malloc((2 * count + 1) * sizeof(*scratch));
	struct ws_summary summary;

	if (!scratch)
		return;
	if (count > 0) {
		summary = ws_summary_make(values, count, scratch);
		out->figures[q] = make_figure(&summary, input->settings->statistic);
		if (q == 0)
			set_primary(input, &summary, scratch, out);
	}
	free(scratch);
}

void ws_fold_count(const struct ws_records *records, struct ws_folded *out)
{
	out->kept = 0;
	out->discarded = 0;
	for (int i = 0; i < records->count; i++) {
		out->kept += !records->samples[i].discarded;
		out->discarded += records->samples[i].discarded;
	}
}

size_t ws_fold_collect(const struct ws_fold_input *input, ws_fold_sample *value, int which, int size_index, double *values)
{
	size_t count = 0;

	for (int i = 0; i < input->records->count; i++) {
		const struct ws_sample *sample = &input->records->samples[i];
		double one;

		if (sample->discarded || (size_index >= 0 && sample->size_index != size_index))
			continue;
		one = value(input, sample, which);
		if (one >= 0)
			values[count++] = one;
	}
	return count;
}

void ws_fold_series(const struct ws_fold_input *input, ws_fold_sample *value, int which, int q,
			     struct ws_folded *out)
{
	double *values = malloc(((size_t)input->records->count + 1) * sizeof(*values));

	ws_fold_count(input->records, out);
	if (values)
		ws_fold_values(input, values, ws_fold_collect(input, value, which, -1, values), q, out);
	free(values);
}

static double rate_of_lane(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane = ws_fold_lane(input, sample, which);

	return lane ? lane_rate(lane) : WS_FOLD_NO_VALUE;
}

static double twice_rate_of_lane(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const double rate = rate_of_lane(input, sample, which);

	return rate >= 0 ? 2 * rate : rate;
}

static double sum_of_rates(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane;
	double sum = 0;
	int n = 0;

	(void)which;
	while ((lane = ws_fold_lane(input, sample, n)) != NULL) {
		sum += lane_rate(lane);
		n++;
	}
	return n ? sum : WS_FOLD_NO_VALUE;
}

int64_t ws_fold_span(const struct ws_fold_input *input, const struct ws_sample *sample)
{
	int64_t start_ns = INT64_MAX, end_ns = INT64_MIN, host_start_ns = INT64_MAX, host_end_ns = INT64_MIN;
	const struct ws_lane *first = ws_fold_lane(input, sample, 0), *lane;
	bool one_clock = true;

	for (int n = 0; (lane = ws_fold_lane(input, sample, n)) != NULL; n++) {
		one_clock = one_clock && lane->has_device && strcmp(lane->clock, first->clock) == 0;
		start_ns = lane->start_ns < start_ns ? lane->start_ns : start_ns;
		end_ns = lane->end_ns > end_ns ? lane->end_ns : end_ns;
		host_start_ns = lane->host_start_ns < host_start_ns ? lane->host_start_ns : host_start_ns;
		host_end_ns = lane->host_end_ns > host_end_ns ? lane->host_end_ns : host_end_ns;
	}
	if (one_clock)
		return end_ns - start_ns;
	return first ? ws_lane_timed_ns(first, host_end_ns - host_start_ns) : 0;
}

static double total_rate(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane;
	double bytes = 0;
	int64_t span_ns;
	int n = 0;

	(void)which;
	while ((lane = ws_fold_lane(input, sample, n)) != NULL) {
		bytes += (double)lane->bytes;
		n++;
	}
	if (n == 0)
		return WS_FOLD_NO_VALUE;
	span_ns = ws_fold_span(input, sample);
	return bytes / (double)(span_ns > 0 ? span_ns : 1);
}

double ws_fold_loop_time(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane;
	double longest = WS_FOLD_NO_VALUE;

	(void)which;
	for (int n = 0; (lane = ws_fold_lane(input, sample, n)) != NULL; n++) {
		const double time = (double)ws_lane_time_ns(lane) / (lane->loops ? lane->loops : 1);

		longest = time > longest ? time : longest;
	}
	return longest;
}

static double loop_time_us(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const double time = ws_fold_loop_time(input, sample, which);

	return time >= 0 ? time / 1000 : time;
}

static double issue_time_us(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane = ws_fold_lane(input, sample, which);

	return lane && lane->issue_ns > 0 && lane->loops > 0 ? (double)lane->issue_ns / lane->loops / 1000
							     : WS_FOLD_NO_VALUE;
}

static double mean_value(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane = ws_fold_lane(input, sample, which);

	return lane && lane->value_count > 0 ? mean_of(lane->values, lane->value_count) : WS_FOLD_NO_VALUE;
}

int ws_fold_quantities(const struct ws_probe *probe)
{
	int count = 0;

	while (count < WS_QUANTITY_MAX && probe->quantities[count].name)
		count++;
	return count;
}

void ws_fold_first(const struct ws_fold_input *input, struct ws_folded *out)
{
	ws_fold_series(input, rate_of_lane, 0, 0, out);
}

void ws_fold_first_read_written(const struct ws_fold_input *input, struct ws_folded *out)
{
	ws_fold_series(input, twice_rate_of_lane, 0, 0, out);
}

void ws_fold_each(const struct ws_fold_input *input, struct ws_folded *out)
{
	const int last = ws_fold_quantities(input->step->probe) - 1;

	for (int q = 0; q < last; q++)
		ws_fold_series(input, rate_of_lane, q, q, out);
	ws_fold_series(input, sum_of_rates, 0, last, out);
}

void ws_fold_small(const struct ws_fold_input *input, struct ws_folded *out)
{
	ws_fold_series(input, loop_time_us, 0, 0, out);
	ws_fold_series(input, issue_time_us, 0, 1, out);
}

void ws_fold_total(const struct ws_fold_input *input, struct ws_folded *out)
{
	ws_fold_series(input, total_rate, 0, 0, out);
}

void ws_fold_sum(const struct ws_fold_input *input, struct ws_folded *out)
{
	ws_fold_series(input, sum_of_rates, 0, 0, out);
}

/* The bandwidth is the slope between two sizes, the time that of the larger one. */
static void fold_custom_slope(const struct ws_fold_input *input, struct ws_folded *out)
{
	double *times = malloc(((size_t)input->records->count + 1) * sizeof(*times));

	ws_fold_slope_total(input, out);
	for (int q = 1; q < WS_QUANTITY_MAX; q++)
		out->figures[q] = (struct ws_figure){0};
	if (times)
		ws_fold_values(input, times, ws_fold_collect(input, loop_time_us, 0, 1, times), 1, out);
	free(times);
}

static bool has_second_size(const struct ws_records *records)
{
	for (int i = 0; i < records->count; i++)
		if (records->samples[i].size_index == 1)
			return true;
	return false;
}

void ws_fold_custom(const struct ws_fold_input *input, struct ws_folded *out)
{
	const struct ws_lane *lane = NULL;

	for (int i = 0; i < input->records->count && !lane; i++)
		lane = ws_fold_lane(input, &input->records->samples[i], 0);
	if (lane && lane->bytes > 0 && has_second_size(input->records)) {
		fold_custom_slope(input, out);
		return;
	}
	if (lane && lane->bytes > 0)
		ws_fold_series(input, sum_of_rates, 0, 0, out);
	ws_fold_series(input, loop_time_us, 0, 1, out);
	if (lane && lane->value_count > 0)
		ws_fold_series(input, mean_value, 0, 2, out);
}

static double one_value(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane = ws_fold_lane(input, sample, 0);

	return lane && which < lane->value_count ? lane->values[which] : WS_FOLD_NO_VALUE;
}

void ws_fold_units(const struct ws_fold_input *input, struct ws_folded *out)
{
	ws_fold_series(input, mean_value, 0, 0, out);
	for (int unit = 0;; unit++) {
		struct ws_folded one = {0};
		const double value = (ws_fold_series(input, one_value, unit, 1, &one), one.figures[1].value);

		if (!one.figures[1].known)
			return;
		if (unit == 0 || value < out->figures[1].value)
			out->figures[1] = (struct ws_figure){.known = true, .value = value};
		if (unit == 0 || value > out->figures[2].value)
			out->figures[2] = (struct ws_figure){.known = true, .value = value};
	}
}

void ws_fold_percentiles(const struct ws_fold_input *input, struct ws_folded *out)
{
	size_t capacity = 0, count = 0;
	double *values;
	struct ws_summary summary;

	ws_fold_count(input->records, out);
	for (int i = 0; i < input->records->count; i++)
		for (int k = 0; k < input->records->samples[i].lane_count; k++)
			capacity += (size_t)input->records->samples[i].lanes[k].value_count;
	values = malloc((3 * capacity + 1) * sizeof(*values));
	for (int i = 0; i < input->records->count && values; i++) {
		const struct ws_sample *sample = &input->records->samples[i];
		const struct ws_lane *lane = sample->discarded ? NULL : ws_fold_lane(input, sample, 0);

		for (int k = 0; lane && k < lane->value_count; k++)
			values[count++] = lane->values[k];
	}
	if (values && count > 0) {
		summary = ws_summary_make(values, count, values + capacity);
		out->figures[0] = make_figure(&summary, "median");
		out->figures[1] = (struct ws_figure){.known = true, .value = summary.p99};
		out->figures[2] = (struct ws_figure){.known = true, .value = summary.minimum};
		out->figures[3] = (struct ws_figure){.known = true, .value = summary.maximum};
		out->has_precision = summary.precision_known;
		out->precision = summary.precision_known ? summary.precision : 0;
	}
	free(values);
}

/*
 * What busbw counts more than algbw, so that it can be compared with a link's speed: the bytes that each rank must send
 * or receive at least, over the bytes of the operation (nccl-tests, PERFORMANCE.md).
 */
static double bus_factor(const char *collective, double ranks)
{
	static const struct {
		const char *name;
		double a, b; /* factor = a (n - 1) / n + b */
	} rows[] = {
		{"all_reduce", 2, 0}, {"all_gather", 1, 0}, {"reduce_scatter", 1, 0}, {"alltoall", 1, 0},
		{"gather", 1, 0},     {"scatter", 1, 0},    {"hypercube", 1, 0},      {"broadcast", 0, 1},
		{"reduce", 0, 1},     {"sendrecv", 0, 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].name, collective) == 0)
			return rows[i].a * (ranks - 1) / ranks + rows[i].b;
	return 1;
}

static double algorithm_rate(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane = ws_fold_lane(input, sample, 0);
	const double time = ws_fold_loop_time(input, sample, which);

	return lane && time > 0 ? (double)lane->bytes / (lane->loops ? lane->loops : 1) / time : WS_FOLD_NO_VALUE;
}

static double bus_rate(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_item *item = &input->step->items[input->items[0]];
	const double rate = algorithm_rate(input, sample, which);

	return rate >= 0 ? rate * bus_factor(item->collective, item->member_count > 0 ? item->member_count : 1) : rate;
}

void ws_fold_busbw(const struct ws_fold_input *input, struct ws_folded *out)
{
	ws_fold_series(input, loop_time_us, 0, 0, out);
	ws_fold_series(input, algorithm_rate, 0, 1, out);
	ws_fold_series(input, bus_rate, 0, 2, out);
}

static double interfering_rate(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	double sum = 0;

	(void)which;
	for (int i = 0; i < sample->lane_count; i++)
		if (in_cell(input, sample->lanes[i].item, true))
			sum += lane_rate(&sample->lanes[i]);
	return sum;
}

void ws_fold_loaded(const struct ws_fold_input *input, struct ws_folded *out)
{
	ws_fold_series(input, mean_value, 0, 0, out);
	ws_fold_series(input, interfering_rate, 0, 1, out);
}
