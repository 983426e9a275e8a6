/* Folds of two sizes, whose slope is a rate without the cost that every loop has. */
#include <stdlib.h>

#include "base/record.h"
#include "measure/stats.h"
#include "measure/stats_interval.h"
#include "probe/fold.h"
#include "probe/fold_sample.h"

/* What is put against each other: bytes and the time that they took. */
struct line {
	ws_fold_sample *time, *bytes;
	int which; /* lane, for those that look at one */
};

/* The bytes of the first kept sample of a size; 0 if there is none. */
static double bytes_at(const struct ws_fold_input *input, const struct line *line, int size_index)
{
	for (int i = 0; i < input->records->count; i++) {
		const struct ws_sample *sample = &input->records->samples[i];

		if (!sample->discarded && sample->size_index == size_index &&
		    line->bytes(input, sample, line->which) >= 0)
			return line->bytes(input, sample, line->which);
	}
	return 0;
}

static struct ws_slope_point make_point(const struct ws_fold_input *input, const struct line *line, int size_index,
					double *values, size_t count)
{
	struct ws_slope_point point = {.size = bytes_at(input, line, size_index)};
	double *sorted = malloc((count + 1) * sizeof(*sorted));

	if (sorted && count > 0) {
		ws_stats_sort(values, count, sorted);
		point.time = ws_stats_median(sorted, count);
		point.interval = ws_interval_median(values, sorted, count);
	}
	free(sorted);
	return point;
}

/* Whether any kept sample has the second size. */
static bool has_two_sizes(const struct ws_fold_input *input)
{
	for (int i = 0; i < input->records->count; i++)
		if (!input->records->samples[i].discarded && input->records->samples[i].size_index == 1)
			return true;
	return false;
}

/*
 * The slope of a line; false if there is none. The larger size's series shows what a median hides: with out, its flags
 * are set there, as quantity 0, whose figure is then the slope's.
 */
static bool find_slope(const struct ws_fold_input *input, const struct line *line, struct ws_slope *slope,
		       struct ws_folded *out)
{
	double *values = malloc(2 * ((size_t)input->records->count + 1) * sizeof(*values));
	struct ws_slope_point small, large;
	size_t first, second;
	bool found;

	if (!values)
		return false;
	first = ws_fold_collect(input, line->time, line->which, 0, values);
	second = ws_fold_collect(input, line->time, line->which, 1, values + first);
	small = make_point(input, line, 0, values, first);
	large = make_point(input, line, 1, values + first, second);
	if (out) {
		ws_fold_values(input, values + first, second, 0, out);
		out->figures[0] = (struct ws_figure){0};
		out->has_precision = false;
		out->precision = 0;
	}
	found = ws_slope_make(&small, &large, slope);
	free(values);
	return found;
}

static struct ws_figure rate_figure(const struct ws_slope *slope)
{
	return (struct ws_figure){true, slope->rate_interval.known, slope->rate, slope->rate_interval.low,
				  slope->rate_interval.high};
}

static void set_rate(const struct ws_slope *slope, struct ws_folded *out)
{
	out->slope = true;
	out->figures[0] = rate_figure(slope);
	out->has_precision = ws_interval_precision(&slope->rate_interval, slope->rate, &out->precision);
	if (!out->has_precision)
		out->precision = 0;
}

static double loop_bytes(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane = ws_fold_lane(input, sample, which);

	return lane ? (double)lane->bytes / (lane->loops ? lane->loops : 1) : WS_FOLD_NO_VALUE;
}

void ws_fold_slope(const struct ws_fold_input *input, struct ws_folded *out)
{
	static const struct line line = {ws_fold_loop_time, loop_bytes, 0};
	const struct ws_interval *cost;
	struct ws_slope slope;

	ws_fold_count(input->records, out);
	if (!has_two_sizes(input)) {
		/* Only one size was asked for. */
		ws_fold_first(input, out);
		return;
	}
	if (!find_slope(input, &line, &slope, out))
		return;
	set_rate(&slope, out);
	cost = &slope.cost_interval;
	/* No operation costs less than nothing: the samples were too noisy for it. */
	if (slope.cost < 0)
		return;
	out->figures[1] = (struct ws_figure){true, cost->known, slope.cost / 1000, cost->low / 1000, cost->high / 1000};
}

static void twice(struct ws_figure *figure)
{
	figure->value *= 2;
	figure->low *= 2;
	figure->high *= 2;
}

void ws_fold_slope_read_written(const struct ws_fold_input *input, struct ws_folded *out)
{
	ws_fold_slope(input, out);
	twice(&out->figures[0]);
}

static double lane_time(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane = ws_fold_lane(input, sample, which);

	return lane ? (double)ws_lane_time_ns(lane) / (lane->loops ? lane->loops : 1) : WS_FOLD_NO_VALUE;
}

/* Adds a figure to a sum; the sum has an interval if all have, which is then wider than need be. */
static void add_figure(struct ws_figure *sum, const struct ws_figure *figure, bool is_first)
{
	if (is_first) {
		*sum = *figure;
		return;
	}
	sum->known = sum->known && figure->known;
	sum->has_interval = sum->has_interval && figure->has_interval;
	sum->value += figure->value;
	sum->low += figure->low;
	sum->high += figure->high;
}

void ws_fold_slope_each(const struct ws_fold_input *input, struct ws_folded *out)
{
	const int last = ws_fold_quantities(input->step->probe) - 1;
	struct ws_figure total = {0};

	ws_fold_count(input->records, out);
	if (!has_two_sizes(input)) {
		ws_fold_each(input, out);
		return;
	}
	for (int q = 0; q < last; q++) {
		const struct line line = {lane_time, loop_bytes, q};
		struct ws_slope slope;

		if (!find_slope(input, &line, &slope, q == 0 ? out : NULL))
			return;
		if (q == 0)
			set_rate(&slope, out);
		out->figures[q] = rate_figure(&slope);
		add_figure(&total, &out->figures[q], q == 0);
	}
	out->figures[last] = total;
}

static double span_time(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	(void)which;
	return ws_fold_lane(input, sample, 0) ? (double)ws_fold_span(input, sample) : WS_FOLD_NO_VALUE;
}

static double all_bytes(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane;
	double bytes = 0;

	(void)which;
	for (int n = 0; (lane = ws_fold_lane(input, sample, n)) != NULL; n++)
		bytes += (double)lane->bytes;
	return bytes;
}

static double rate_of_lane(const struct ws_fold_input *input, const struct ws_sample *sample, int which)
{
	const struct ws_lane *lane = ws_fold_lane(input, sample, which);

	return lane ? (double)lane->bytes / (double)ws_lane_time_ns(lane) : WS_FOLD_NO_VALUE;
}

/* A lane's own rate: its slope, or where there is one size the median of size over time. */
static bool lane_rate(const struct ws_fold_input *input, int which, bool two_sizes, double *rate)
{
	const struct line line = {lane_time, loop_bytes, which};
	struct ws_folded one = {0};
	struct ws_slope slope;

	if (two_sizes) {
		if (!find_slope(input, &line, &slope, NULL))
			return false;
		*rate = slope.rate;
		return true;
	}
	ws_fold_series(input, rate_of_lane, which, 1, &one);
	*rate = one.figures[1].value;
	return one.figures[1].known;
}

/* Figures 1 and 2: the least and the greatest of the lanes' own rates, if every lane has one. */
static void set_range(const struct ws_fold_input *input, bool two_sizes, struct ws_folded *out)
{
	double least = 0, most = 0, rate = 0;
	int lanes = 0;

	for (int i = 0; i < input->records->count; i++) {
		int n = 0;

		while (!input->records->samples[i].discarded && ws_fold_lane(input, &input->records->samples[i], n))
			n++;
		lanes = n > lanes ? n : lanes;
	}
	for (int n = 0; n < lanes; n++) {
		if (!lane_rate(input, n, two_sizes, &rate))
			return;
		least = n == 0 || rate < least ? rate : least;
		most = n == 0 || rate > most ? rate : most;
	}
	out->figures[1] = (struct ws_figure){.known = lanes > 0, .value = least};
	out->figures[2] = (struct ws_figure){.known = lanes > 0, .value = most};
}

void ws_fold_slope_total(const struct ws_fold_input *input, struct ws_folded *out)
{
	static const struct line line = {span_time, all_bytes, 0};
	const bool two_sizes = has_two_sizes(input);
	struct ws_slope slope;

	ws_fold_count(input->records, out);
	if (!two_sizes)
		ws_fold_total(input, out);
	else if (find_slope(input, &line, &slope, out))
		set_rate(&slope, out);
	set_range(input, two_sizes, out);
}
