/* Text for people: a table per probe, and what became of all cells. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/names.h"
#include "report/text_table.h"
#include "report/writers.h"

static void print_totals(const struct ws_result *result, const struct ws_page *page)
{
	int cells = 0, verified = 0, by_status[WS_CELL_INTERRUPTED + 1] = {0};
	char text[300], seconds[WS_UNITS_TEXT];
	size_t length;

	for (int i = 0; i < result->table_count; i++) {
		for (int j = 0; j < result->tables[i].cell_count; j++) {
			const struct ws_cell *cell = &result->tables[i].cells[j];

			cells++;
			by_status[cell->status]++;
			verified += cell->status == WS_CELL_MEASURED && ws_cell_verified(result, cell);
		}
	}
	length = (size_t)snprintf(text, sizeof(text), "%d cell%s: %d measured (%d verified)", cells,
				  cells == 1 ? "" : "s", by_status[WS_CELL_MEASURED], verified);
	if (by_status[WS_CELL_WRONG_DATA] > 0)
		length += (size_t)snprintf(text + length, sizeof(text) - length, ", %d with WRONG DATA",
					   by_status[WS_CELL_WRONG_DATA]);
	if (by_status[WS_CELL_FAILED] > 0)
		length += (size_t)snprintf(text + length, sizeof(text) - length, ", %d failed",
					   by_status[WS_CELL_FAILED]);
	if (by_status[WS_CELL_INTERRUPTED] > 0)
		length += (size_t)snprintf(text + length, sizeof(text) - length, ", %d interrupted",
					   by_status[WS_CELL_INTERRUPTED]);
	if (by_status[WS_CELL_NOT_APPLICABLE] > 0)
		length += (size_t)snprintf(text + length, sizeof(text) - length, ", %d not applicable",
					   by_status[WS_CELL_NOT_APPLICABLE]);
	snprintf(text + length, sizeof(text) - length, "; %s s%s",
		 ws_figure_format(isfinite(result->elapsed_s) ? result->elapsed_s : 0, seconds, sizeof(seconds)),
		 result->incomplete ? "; INCOMPLETE" : "");
	ws_page_wrap(page,
		     by_status[WS_CELL_WRONG_DATA] + by_status[WS_CELL_FAILED] > 0 || result->incomplete
			     ? WS_STYLE_ALARM
			     : WS_STYLE_PLAIN,
		     "", text);
}

static int text_write(const struct ws_result *result, const struct ws_report_options *options, FILE *stream,
		      struct ws_error *error)
{
	const struct ws_page page = {.stream = stream, .color = options->color};
	int status = WS_OK;

	if (result->incomplete)
		ws_page_wrap(&page, WS_STYLE_ALARM, "",
			     "INCOMPLETE: interrupted; this is what was measured until then\n");
	for (int i = 0; i < result->table_count && status == WS_OK; i++) {
		if (i > 0 || result->incomplete)
			putc('\n', stream);
		status = ws_text_table(result, &result->tables[i], &page, error);
	}
	if (result->table_count > 0)
		putc('\n', stream);
	print_totals(result, &page);
	return status;
}

const struct ws_report ws_report_text = {
	.name = "text",
	.summary = "tables for people",
	.write = text_write,
};
