/* From the records of a test to nvbandwidth's matrices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/record.h"
#include "dialect/nvbandwidth.h"
#include "measure/stats.h"

#define NONE (-1.0)

double nvb_item_rate(const struct ws_step *step, const struct ws_sample *sample, int item)
{
	double bytes = 0, longest = 0;

	for (int i = 0; i < sample->lane_count; i++) {
		const struct ws_lane *lane = &sample->lanes[i];

		if (lane->item != item)
			continue;
		bytes += (double)lane->bytes;
		longest = (double)ws_lane_time_ns(lane) > longest ? (double)ws_lane_time_ns(lane) : longest;
	}
	if (longest <= 0)
		return NONE;
	return bytes / longest / (step->items[item].verb == WS_COPY2 ? 2 : 1);
}

double nvb_total_rate(const struct ws_step *step, const struct ws_sample *sample)
{
	double bytes = 0, longest = 0;

	for (int i = 0; i < sample->lane_count; i++) {
		const struct ws_lane *lane = &sample->lanes[i];

		if (ws_item_flag(&step->items[lane->item], "interfering"))
			continue;
		bytes += (double)lane->bytes;
		longest = (double)ws_lane_time_ns(lane) > longest ? (double)ws_lane_time_ns(lane) : longest;
	}
	/* Of one clock the span is known; of several, which are never subtracted, it is at least the longest copy. */
	if (sample->has_span && (double)sample->span_ns > longest)
		longest = (double)sample->span_ns;
	return longest > 0 ? bytes / longest : NONE;
}

static double latency(const struct ws_sample *sample)
{
	const struct ws_lane *lane = sample->lane_count > 0 ? &sample->lanes[0] : NULL;

	return lane && lane->value_count > 0 ? ws_stats_mean(lane->values, (size_t)lane->value_count) : NONE;
}

/* What a sample gives one of the test's matrices. */
static double sample_value(const struct nvb_test *test, const struct ws_step *step, const struct ws_sample *sample,
			   int part)
{
	double first, second;

	switch (test->figure) {
	case NVB_FIRST:
		return nvb_item_rate(step, sample, 0);
	case NVB_TOTAL:
		return nvb_total_rate(step, sample);
	case NVB_LATENCY:
		return latency(sample);
	case NVB_EACH:
		first = nvb_item_rate(step, sample, 0);
		second = nvb_item_rate(step, sample, 1);
		if (part < 2)
			return part == 0 ? first : second;
		return first >= 0 && second >= 0 ? first + second : NONE;
	}
	return NONE;
}

/* The kept samples' values of a step, in order; their number. */
static int collect(const struct nvb_test *test, const struct ws_step_result *step, int part, double *values)
{
	int count = 0;

	for (int i = 0; i < step->records.count; i++) {
		const struct ws_sample *sample = &step->records.samples[i];
		const double value = sample->discarded ? NONE : sample_value(test, &step->step, sample, part);

		if (value >= 0)
			values[count++] = value;
	}
	return count;
}

static double statistic_of(const struct nvb_setup *setup, const double *values, int count, double *scratch)
{
	if (count == 0)
		return NONE;
	if (setup->options->mean)
		return ws_stats_mean(values, (size_t)count);
	ws_stats_sort(values, (size_t)count, scratch);
	return ws_stats_median(scratch, (size_t)count);
}

/* A sum over cells has as many samples as every one of them. */
static void add_samples(struct nvb_matrix *matrix, const double *values, int count, int times)
{
	matrix->sample_count = count < matrix->sample_count ? count : matrix->sample_count;
	for (int i = 0; i < matrix->sample_count; i++)
		matrix->sums[i] += times * values[i];
}

struct place_in_matrix {
	int row, column;
	bool mirrored; /* the other order of the pair has the same figures */
};

static struct place_in_matrix find_place(const struct nvb_setup *setup, const struct nvb_test *test,
					 const struct ws_coords *coords)
{
	const char *column = ws_coords_get(coords, "column");
	struct place_in_matrix place = {
		.row = test->by_pair ? nvb_machine_index(setup->machine, ws_coords_get(coords, "row")) : 0,
		.column = nvb_machine_index(setup->machine, column ? column : ws_coords_get(coords, "row")),
	};

	place.mirrored = test->figure == NVB_EACH && setup->options->version != NVB_0_9 && !setup->has_pair;
	return place;
}

static int fold_step(const struct nvb_setup *setup, const struct nvb_test *test, const struct ws_step_result *step,
		     struct nvb_result *result, struct ws_error *error)
{
	const struct place_in_matrix place = find_place(setup, test, &step->step.coords);
	double *values = malloc(2 * ((size_t)step->records.count + 1) * sizeof(*values));

	if (!values)
		return ws_fail(error, WS_ENOMEM, "no memory for the figures of %s", test->name);
	for (int part = 0; part < result->part_count; part++) {
		struct nvb_matrix *matrix = &result->parts[part];
		const int row = place.row - matrix->first_row, times = place.mirrored ? 2 : 1;
		const int count = collect(test, step, part, values);
		double *cell = &matrix->values[row * matrix->columns + place.column];

		*cell = statistic_of(setup, values, count, values + step->records.count);
		/* Theirs is the sum of what is printed above it, not the median of sums. */
		if (part == 2 && count > 0)
			*cell = result->parts[0].values[row * matrix->columns + place.column] +
				result->parts[1].values[row * matrix->columns + place.column];
		if (place.mirrored)
			matrix->values[place.column * matrix->columns + row] = *cell;
		if (count > 0 && matrix->sums)
			add_samples(matrix, values, count, times);
	}
	free(values);
	return WS_OK;
}

static void say_where(const struct nvb_setup *setup, const struct nvb_test *test, const struct ws_cell *cell,
		      char *text, size_t size)
{
	const struct place_in_matrix place = find_place(setup, test, &cell->coords);

	if (test->by_pair)
		snprintf(text, size, "%s, row %d, column %d: ", test->name, place.row, place.column);
	else
		snprintf(text, size, "%s, column %d: ", test->name, place.column);
}

/* A cell that should have a figure and has none; wrong data in the words that scripts know. */
static int add_failure(const struct nvb_setup *setup, const struct nvb_test *test, const struct ws_cell *cell,
		       struct nvb_result *result, struct ws_error *error)
{
	struct nvb_failure *grown =
		realloc(result->failures, ((size_t)result->failure_count + 1) * sizeof(*result->failures));
	char where[80];

	if (!grown)
		return ws_fail(error, WS_ENOMEM, "no memory for what failed in %s", test->name);
	result->failures = grown;
	say_where(setup, test, cell, where, sizeof(where));
	snprintf(grown[result->failure_count++].text, sizeof(grown->text), "%s%s%s", where,
		 cell->status == WS_CELL_WRONG_DATA ? "Invalid value when checking the pattern: " : "", cell->reason);
	return WS_OK;
}

static bool is_failure(const struct nvb_setup *setup, const struct nvb_test *test, const struct ws_cell *cell)
{
	const struct place_in_matrix place = find_place(setup, test, &cell->coords);

	if (cell->status != WS_CELL_NOT_APPLICABLE)
		return cell->status != WS_CELL_MEASURED;
	return (place.column >= 0 && setup->machine->devices[place.column].facts->absent[0]) ||
	       (test->by_pair && place.row >= 0 && setup->machine->devices[place.row].facts->absent[0]);
}

static int make_matrices(const struct nvb_setup *setup, const struct nvb_test *test, struct nvb_result *result,
			 struct ws_error *error)
{
	const int columns = setup->machine->count, samples = (int)setup->options->samples;
	const bool one_row = !test->by_pair || setup->has_pair;

	for (int part = 0; part < result->part_count; part++) {
		struct nvb_matrix *matrix = &result->parts[part];
		const size_t cells = (size_t)columns * (size_t)(one_row ? 1 : columns);
		const bool last = part == result->part_count - 1;

		*matrix = (struct nvb_matrix){
			.rows = one_row ? 1 : columns,
			.columns = columns,
			.first_row = test->by_pair && setup->has_pair ? setup->pair[0] : 0,
			.values = malloc((cells + 1) * sizeof(double)),
			.sums = last ? calloc((size_t)samples + 1, sizeof(double)) : NULL,
			.sample_count = last ? samples : 0,
		};
		if (!matrix->values || (last && !matrix->sums))
			return ws_fail(error, WS_ENOMEM, "no memory for the matrices of %s", test->name);
		for (size_t i = 0; i < cells; i++)
			matrix->values[i] = NONE;
	}
	return WS_OK;
}

int nvb_fold(const struct nvb_setup *setup, const struct nvb_test *test, struct nvb_result *result,
	     struct ws_error *error)
{
	int rc = make_matrices(setup, test, result, error);

	for (int t = 0; t < result->records.table_count; t++) {
		const struct ws_table *table = &result->records.tables[t];

		for (int i = 0; i < table->cell_count && rc == WS_OK; i++) {
			const struct ws_cell *cell = &table->cells[i];

			if (is_failure(setup, test, cell))
				rc = add_failure(setup, test, cell, result, error);
			else if (cell->status == WS_CELL_MEASURED)
				rc = fold_step(setup, test, &result->records.steps[cell->step], result, error);
		}
	}
	return rc;
}

static double cell_variation(const struct nvb_matrix *matrix, double mean, int count)
{
	double squares = 0;

	for (int i = 0; i < matrix->rows * matrix->columns; i++) {
		if (matrix->values[i] > 0)
			squares += (matrix->values[i] - mean) * (matrix->values[i] - mean);
	}
	return sqrt(squares / count) / mean;
}

/* Of the sum, by the spread that samples estimate (n - 1). */
static double run_variation(const struct nvb_matrix *matrix)
{
	const double mean = ws_stats_mean(matrix->sums, (size_t)matrix->sample_count);
	double squares = 0;

	for (int i = 0; i < matrix->sample_count; i++)
		squares += (matrix->sums[i] - mean) * (matrix->sums[i] - mean);
	return mean > 0 ? sqrt(squares / (matrix->sample_count - 1)) / mean : 0;
}

struct nvb_statistics nvb_statistics_make(enum nvb_version version, const struct nvb_test *test,
					  const struct nvb_matrix *matrix, bool last_part)
{
	struct nvb_statistics made = {.count = 0};

	for (int i = 0; i < matrix->rows * matrix->columns; i++) {
		const double value = matrix->values[i];

		if (value <= 0) {
			made.missing = true;
			continue;
		}
		made.sum += value;
		made.min = made.count == 0 || value < made.min ? value : made.min;
		made.max = made.count == 0 || value > made.max ? value : made.max;
		made.count++;
	}
	if (version == NVB_0_9) {
		made.has_variation = made.count > 1;
		if (made.has_variation)
			made.variation = cell_variation(matrix, made.sum / made.count, made.count);
	} else {
		made.has_variation =
			test->figure != NVB_LATENCY && last_part && made.count > 0 && matrix->sample_count > 1;
		if (made.has_variation)
			made.variation = run_variation(matrix);
	}
	return made;
}
