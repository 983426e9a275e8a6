/* Folds of two sizes, whose slope is a rate without the cost that every loop has. */
#include <stdlib.h>

#include "measure/stats.h"
#include "measure/stats_interval.h"
#include "probe/fold.h"
#include "probe/fold_sample.h"

/* The bytes of one loop of the first lane at a size; 0 if there is no such sample. */
static double size_of(const struct ws_fold_input *input, int size_index)
{
	for (int i = 0; i < input->records->count; i++) {
		const struct ws_sample *sample = &input->records->samples[i];
		const struct ws_lane *lane = sample->discarded ? NULL : ws_fold_lane(input, sample, 0);

		if (lane && sample->size_index == size_index)
			return (double)lane->bytes / (lane->loops ? lane->loops : 1);
	}
	return 0;
}

static struct ws_slope_point make_point(const struct ws_fold_input *input, int size_index, double *values, size_t count)
{
	struct ws_slope_point point = {.size = size_of(input, size_index)};
	double *sorted = malloc((count + 1) * sizeof(*sorted));

	if (sorted && count > 0) {
		ws_stats_sort(values, count, sorted);
		point.time = ws_stats_median(sorted, count);
		point.interval = ws_interval_median(values, sorted, count);
	}
	free(sorted);
	return point;
}

static void set_slope(const struct ws_slope *slope, struct ws_folded *out)
{
	const struct ws_interval *rate = &slope->rate_interval, *cost = &slope->cost_interval;

	out->slope = true;
	out->figures[0] = (struct ws_figure){true, rate->known, slope->rate, rate->low, rate->high};
	out->figures[1] = (struct ws_figure){true, cost->known, slope->cost / 1000, cost->low / 1000, cost->high / 1000};
	out->has_precision = ws_interval_precision(rate, slope->rate, &out->precision);
	if (!out->has_precision)
		out->precision = 0;
}

void ws_fold_slope(const struct ws_fold_input *input, struct ws_folded *out)
{
	double *values = malloc(2 * ((size_t)input->records->count + 1) * sizeof(*values));
	struct ws_slope_point small, large;
	struct ws_slope slope;
	size_t first, second;

	ws_fold_count(input->records, out);
	if (!values)
		return;
	first = ws_fold_collect(input, ws_fold_loop_time, 0, 0, values);
	second = ws_fold_collect(input, ws_fold_loop_time, 0, 1, values + first);
	if (second == 0) {
		/* Only one size was asked for. */
		ws_fold_first(input, out);
	} else {
		small = make_point(input, 0, values, first);
		large = make_point(input, 1, values + first, second);
		/* The larger size's series shows what a median hides; its own figure is replaced by the slope's. */
		ws_fold_values(input, values + first, second, 0, out);
		out->figures[0] = (struct ws_figure){0};
		out->has_precision = false;
		if (ws_slope_make(&small, &large, &slope))
			set_slope(&slope, out);
	}
	free(values);
}
