/* What bandwidthTest and oclBandwidthTest print of their figures, as a table or as rows of key and value. */
#include <stdarg.h>
#include <stdlib.h>

#include "dialect/bandwidth_test.h"

struct figure {
	uint64_t size_bytes;
	double bandwidth;
};

void bwt_print(const struct bwt *test, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	if (!test->log)
		return;
	va_start(arguments, format);
	vfprintf(test->log, format, arguments);
	va_end(arguments);
}

void bwt_complain(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

static void print_table(const struct bwt *test, enum bwt_kind kind, const struct figure *figures, size_t count)
{
	test->tool->title(test, kind);
	bwt_print(test, "   Transfer Size (Bytes)\tBandwidth(%s)\n", test->tool->unit);
	for (size_t i = 0; i < count; i++)
		bwt_print(test, "   %llu\t\t\t%s%.1f\n", (unsigned long long)figures[i].size_bytes,
			  figures[i].size_bytes < 10000 ? "\t" : "", figures[i].bandwidth);
	bwt_print(test, "\n");
}

static void print_csv(const struct bwt *test, enum bwt_kind kind, const struct figure *figures, size_t count)
{
	const struct bwt_tool *tool = test->tool;
	char name[40], row[240];

	tool->csv_kind(test, kind, name, sizeof(name));
	for (size_t i = 0; i < count; i++) {
		const double time_s = (double)figures[i].size_bytes / (figures[i].bandwidth * tool->unit_bytes);

		snprintf(row, sizeof(row),
			 "%s-%s, Bandwidth = %.1f %s, Time = %.5f s, Size = %llu %s, NumDevsUsed = %d\n", tool->name,
			 name, figures[i].bandwidth, tool->unit, time_s, (unsigned long long)figures[i].size_bytes,
			 tool->bytes, test->last - test->first + 1);
		bwt_print(test, "%s", row);
		if (test->table)
			fputs(row, test->table);
	}
}

/* A dot for each size of the ladder, as soon as it is measured. */
static void show_progress(const struct bwt *test)
{
	if (test->sizes.mode != BWT_SIZES_SHMOO)
		return;
	for (int i = test->first; i <= test->last; i++)
		bwt_print(test, ".");
	fflush(stdout);
}

static enum bwt_outcome run_kind(struct bwt *test, enum bwt_kind kind)
{
	struct figure *figures = NULL;
	size_t count = 0, capacity = 0;
	enum bwt_outcome outcome = BWT_OK;
	uint64_t size_bytes = 0;

	while (outcome == BWT_OK && bwt_sizes_next(&test->sizes, &size_bytes)) {
		if (count == capacity) {
			struct figure *more = realloc(figures, (2 * capacity + 1) * sizeof(*more));

			if (!more) {
				bwt_complain("no memory for %zu figures", 2 * capacity + 1);
				outcome = BWT_FAILED;
				break;
			}
			figures = more;
			capacity = 2 * capacity + 1;
		}
		figures[count].size_bytes = size_bytes;
		outcome = bwt_measure(test, kind, size_bytes, &figures[count].bandwidth);
		count++;
		if (outcome == BWT_OK)
			show_progress(test);
	}
	if (test->sizes.mode == BWT_SIZES_SHMOO)
		bwt_print(test, "\n");
	if (outcome == BWT_OK)
		(test->csv ? print_csv : print_table)(test, kind, figures, count);
	free(figures);
	return outcome;
}

enum bwt_outcome bwt_run(struct bwt *test)
{
	enum bwt_outcome outcome = BWT_OK;

	ws_stage_note("every transfer is verified, and untimed copies precede the timed ones; %s does neither",
		      test->tool->name);
	for (enum bwt_kind kind = 0; kind < BWT_KINDS && outcome == BWT_OK; kind++)
		if (test->kinds[kind])
			outcome = run_kind(test, kind);
	return outcome;
}
