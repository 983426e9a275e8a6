/* The bandwidth matrix of rblnBandwidthLatencyTest, and the times of --get_perf. */
#include <stdlib.h>
#include <string.h>

#include "dialect/rbln.h"

/* A label's column is so wide at least, as for "rbln0". */
#define LABEL_WIDTH 5

void rbln_print_perf(const struct rbln *rbln, const struct rbln_flow *flow, const char *arrow,
		     const struct rbln_figure *figure, FILE *to)
{
	const char *from = rbln_label(rbln, flow->from), *behind = rbln_label(rbln, flow->to);

	if (rbln->options.get_perf == 1 && figure->known)
		fprintf(to, "[PERF] %s %s %s : average %.2f (us)\n", from, arrow, behind, figure->each_average);
	for (int i = 0; rbln->options.get_perf == 2 && figure->known && i < figure->count; i++)
		fprintf(to, "[PERF] %s %s %s : iteration %d %.2f (us)\n", from, arrow, behind, i, figure->each[i]);
}

bool rbln_is_source(const struct rbln *rbln, int device)
{
	return !rbln->options.has_source || device == (int)rbln->options.source;
}

/* Rows and columns: the host, if it takes part, and the chosen devices; -n leaves rows of the host and the source. */
static int axis(const struct rbln *rbln, int index)
{
	const int first = rbln->options.only_d2d ? 0 : 1;

	return index < first ? RBLN_HOST : rbln->chosen[index - first];
}

static int axis_count(const struct rbln *rbln)
{
	return rbln->chosen_count + (rbln->options.only_d2d ? 0 : 1);
}

/* A cell ends where its column's label does, two spaces behind the one before; a longer number keeps one. */
static void put_cell(const struct rbln *rbln, int column, const char *text)
{
	printf(" %*s", (int)strlen(rbln_label(rbln, axis(rbln, column))) + 1, text);
}

static int label_width(const struct rbln *rbln)
{
	int width = LABEL_WIDTH;

	for (int i = 0; i < axis_count(rbln); i++) {
		const int length = (int)strlen(rbln_label(rbln, axis(rbln, i)));

		width = length > width ? length : width;
	}
	return width;
}

static void put_row(struct rbln *rbln, int row, int width, FILE *times)
{
	printf("%-*s", width, rbln_label(rbln, axis(rbln, row)));
	for (int column = 0; column < axis_count(rbln) && (row == column || !ws_stage_is_over(&rbln->stage));
	     column++) {
		const struct rbln_flow flow = {axis(rbln, row), axis(rbln, column)};
		struct rbln_figure figure = {.known = row == column};
		char text[32] = "-";

		if (row != column)
			rbln_bandwidth(rbln, &flow, 1, &figure, NULL);
		if (figure.known)
			snprintf(text, sizeof(text), "%.2f", figure.average);
		put_cell(rbln, column, text);
		fflush(stdout);
		if (times && row != column)
			rbln_print_perf(rbln, &flow, "->", &figure, times);
		rbln_figure_release(&figure);
	}
	putchar('\n');
}

void rbln_matrix_bandwidth(struct rbln *rbln)
{
	const int width = label_width(rbln);
	char *text = NULL;
	size_t size = 0;
	FILE *times = rbln->options.get_perf ? open_memstream(&text, &size) : NULL;

	printf("Device %s bandwidth (GB/s)\n%-*s", rbln->options.hdma_read ? "Read" : "Write", width, "S \\\\ D");
	for (int i = 0; i < axis_count(rbln); i++)
		printf("  %s", rbln_label(rbln, axis(rbln, i)));
	putchar('\n');
	for (int row = 0; row < axis_count(rbln) && !ws_stage_is_over(&rbln->stage); row++)
		if (axis(rbln, row) == RBLN_HOST || rbln_is_source(rbln, axis(rbln, row)))
			put_row(rbln, row, width, times);
	if (times && fclose(times) == 0)
		printf("\n%s", text);
	free(text);
}
