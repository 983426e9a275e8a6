/* CSV as RFC 4180 describes it: a row per cell and quantity. */
#include <string.h>

#include "base/item.h"
#include "base/units.h"
#include "report/names.h"
#include "report/writers.h"
#include "seam/probe.h"

/* A field is quoted if it must be; NULL is an empty one. */
static void put_field(FILE *stream, const char *text, bool first)
{
	if (!first)
		putc(',', stream);
	if (!text)
		return;
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, stream);
		return;
	}
	putc('"', stream);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', stream);
		putc(*text, stream);
	}
	putc('"', stream);
}

static void put_number(FILE *stream, double number, bool known)
{
	char text[WS_UNITS_TEXT];

	put_field(stream, known ? ws_number_format(number, text, sizeof(text)) : NULL, false);
}

static void put_count(FILE *stream, int count)
{
	fprintf(stream, ",%d", count);
}

static void put_flags(FILE *stream, unsigned flags)
{
	size_t count;
	const struct ws_flag_row *rows = ws_flag_rows(&count);
	char text[100] = "";

	for (size_t i = 0; i < count; i++)
		if (flags & rows[i].flag)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", text[0] ? " " : "",
				 rows[i].name);
	put_field(stream, text, false);
}

static void put_row(FILE *stream, const struct ws_result *result, const struct ws_probe *probe,
		    const struct ws_cell *cell, int quantity)
{
	const struct ws_figure *figure = &cell->folded.figures[quantity];
	char coords[WS_COORDS_MAX * 60];
	double ratio = 0, share = 0;
	const bool primary = quantity == 0, has_ratio = primary && ws_cell_ratio(cell, &ratio);
	const bool has_share = primary && ws_wire_share(&cell->wire, &share);

	put_field(stream, probe->name, true);
	for (int i = 0; i < 2; i++)
		put_field(stream,
			  probe->axes[0] && probe->axes[i] ? ws_coords_get(&cell->coords, probe->axes[i]) : NULL,
			  false);
	put_field(stream, ws_coords_format(&cell->coords, coords, sizeof(coords)), false);
	put_field(stream, probe->quantities[quantity].name, false);
	put_field(stream, probe->quantities[quantity].unit, false);
	put_number(stream, figure->value, ws_figure_known(figure));
	put_number(stream, figure->low, ws_figure_bounded(figure));
	put_number(stream, figure->high, ws_figure_bounded(figure));
	put_field(stream, ws_cell_status_name(cell->status), false);
	put_field(stream, ws_figure_known(figure) ? cell->reason : ws_cell_missing(cell), false);
	put_count(stream, cell->folded.kept);
	put_count(stream, cell->folded.discarded);
	put_flags(stream, cell->folded.flags);
	put_field(stream, ws_cell_verified(result, cell) ? "yes" : "no", false);
	put_field(stream, ws_cell_method(probe, cell), false);
	put_number(stream, cell->limit.value, primary && ws_figure_known(&cell->limit));
	put_number(stream, ratio, has_ratio);
	put_field(stream, result->simulated ? "yes" : "no", false);
	put_number(stream, cell->wire.bytes, primary && cell->wire.bytes > 0);
	put_number(stream, share, has_share);
	fputs("\r\n", stream);
}

static int csv_write(const struct ws_result *result, const struct ws_report_options *options, FILE *stream,
		     struct ws_error *error)
{
	(void)options;
	(void)error;
	fputs("probe,row,column,coords,quantity,unit,value,low,high,status,reason,samples,discarded,flags,verified,"
	      "method,"
	      "limit,ratio,simulated,wire_bytes,wire_share\r\n",
	      stream);
	for (int i = 0; i < result->table_count; i++) {
		const struct ws_table *table = &result->tables[i];

		for (int j = 0; j < table->cell_count; j++)
			for (int k = 0; k < ws_probe_quantity_count(table->probe); k++)
				put_row(stream, result, table->probe, &table->cells[j], k);
	}
	return WS_OK;
}

const struct ws_report ws_report_csv = {
	.name = "csv",
	.summary = "a row for each cell and quantity, with a header",
	.write = csv_write,
};
