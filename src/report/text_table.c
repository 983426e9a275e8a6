/* What stands around a table's figures: title, units, how it was measured, spread, limit, footnotes. */
#include "report/text_table.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/item.h"
#include "base/units.h"
#include "report/names.h"
#include "seam/probe.h"

struct line {
	char text[1000];
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
	const size_t length = strlen(line->text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line->text + length, sizeof(line->text) - length, format, arguments);
	va_end(arguments);
}

/* The same, after a comma if something stands before. */
static void add_comma(struct line *line)
{
	if (line->text[0])
		add(line, ", ");
}

size_t ws_text_quantity(const struct ws_quantity *quantity, char *text, size_t size)
{
	const bool has_unit = strcmp(quantity->unit, "1") != 0;

	snprintf(text, size, "%s%s%s", quantity->name, has_unit ? " in " : "", has_unit ? quantity->unit : "");
	return strlen(text);
}

static void print_quantity(const struct ws_quantity *quantity, const struct ws_page *page)
{
	static const char *const better[] = {
		[WS_HIGHER] = ", higher is better",
		[WS_LOWER] = ", lower is better",
		[WS_NEITHER] = "",
	};
	struct line line = {""};

	ws_text_quantity(quantity, line.text, sizeof(line.text));
	if (quantity->bytes)
		add(&line, " (%s)", quantity->bytes);
	add(&line, "%s", better[quantity->better]);
	ws_page_wrap(page, WS_STYLE_PLAIN, "  ", line.text);
}

/* A percentage with two decimals, by integers: printf's would be the locale's. */
static void add_percent(struct line *line, double fraction)
{
	const double size = fabs(fraction);
	const long long hundredths = size < 1e9 ? llround(1e4 * size) : 0;

	if (size < 1e9)
		add(line, "%s%lld.%02lld %%", fraction < 0 ? "-" : "", hundredths / 100, hundredths % 100);
	else
		add(line, "beyond 1e9 %%");
}

/* What the items of a table's measured cells have in common, for one line that says how it was measured. */
struct how {
	int slopes, others; /* cells */
	int items;
	uint64_t size_low[2], size_high[2];
	bool sizes_differ[2];
	uint64_t threads_low, threads_high;
	const char *engine, *pages; /* of the first item */
	bool engines_differ, pages_differ;
};

static void widen(uint64_t value, bool first, uint64_t *low, uint64_t *high)
{
	*low = first || value < *low ? value : *low;
	*high = first || value > *high ? value : *high;
}

static void add_item(struct how *how, const struct ws_item *item)
{
	const bool first = how->items++ == 0;
	const char *pages = item->source.pages[0] ? item->source.pages : item->destination.pages;

	for (int i = 0; i < item->size_count; i++)
		widen(item->size_bytes[i], first, &how->size_low[i], &how->size_high[i]);
	widen(ws_item_number(item, "threads", 0), first, &how->threads_low, &how->threads_high);
	how->engines_differ |= !first && strcmp(how->engine, item->engine.name) != 0;
	how->pages_differ |= !first && strcmp(how->pages, pages) != 0;
	if (first) {
		how->engine = item->engine.name;
		how->pages = pages;
	}
}

static struct how find_how(const struct ws_result *result, const struct ws_table *table)
{
	struct how how = {0};

	for (int i = 0; i < table->cell_count; i++) {
		const struct ws_cell *cell = &table->cells[i];
		const struct ws_step_result *step = ws_cell_step(result, cell);

		if (!step || !ws_cell_has_figures(cell))
			continue;
		how.slopes += cell->folded.slope;
		how.others += !cell->folded.slope;
		for (int j = 0; j < cell->item_count; j++)
			if (cell->items[j] >= 0 && cell->items[j] < step->step.item_count &&
			    !ws_item_flag(&step->step.items[cell->items[j]], "interfering"))
				add_item(&how, &step->step.items[cell->items[j]]);
	}
	return how;
}

static void add_sizes(struct line *line, const struct how *how, int index)
{
	char text[WS_UNITS_TEXT];

	add(line, "%s", ws_size_format(how->size_low[index], text, sizeof(text)));
	if (how->size_high[index] != how->size_low[index])
		add(line, "..%s", ws_size_format(how->size_high[index], text, sizeof(text)));
}

static void print_how(const struct how *how, bool is_rate, const struct ws_page *page)
{
	struct line line = {""};

	if (how->slopes > 0 && how->others == 0) {
		add(&line, "slope between ");
		add_sizes(&line, how, 0);
		add(&line, " and ");
		add_sizes(&line, how, 1);
	} else if (how->slopes > 0) {
		add(&line, "some by the slope between two sizes, some by size over time");
	} else if (how->others > 0 && how->size_high[0] > 0) {
		add(&line, is_rate ? "size over time, " : "in ");
		add_sizes(&line, how, 0);
	}
	if (how->items > 0 && how->engine[0] && !how->engines_differ) {
		add_comma(&line);
		add(&line, "by %s", how->engine);
	}
	if (how->threads_high > 0) {
		add_comma(&line);
		if (how->threads_low != how->threads_high)
			add(&line, "%llu to ", (unsigned long long)how->threads_low);
		add(&line, "%llu thread%s", (unsigned long long)how->threads_high, how->threads_high == 1 ? "" : "s");
	}
	if (how->items > 0 && how->pages[0] && !how->pages_differ) {
		add_comma(&line);
		add(&line, "%s pages", how->pages);
	}
	if (line.text[0])
		ws_page_wrap(page, WS_STYLE_PLAIN, "  ", line.text);
}

static void print_header(const struct ws_result *result, const struct ws_table *table, const struct ws_page *page)
{
	const struct ws_probe *probe = table->probe;
	const struct how how = find_how(result, table);
	struct line line = {""};

	add(&line, "%s%s", probe->name, probe->summary ? ": " : "");
	ws_page_wrap(page, WS_STYLE_TITLE, line.text, probe->summary ? probe->summary : "");
	if (result->simulated)
		ws_page_wrap(page, WS_STYLE_ALARM, "  ", "SIMULATED: these figures come from a stand-in for a driver");
	for (int i = 0; i < ws_probe_quantity_count(probe); i++)
		print_quantity(&probe->quantities[i], page);
	print_how(&how, probe->quantities[0].bytes != NULL, page);
}

static void print_spread(const struct ws_table *table, const struct ws_page *page)
{
	const struct ws_cell *widest = NULL;
	int kept_low = 0, kept_high = 0, cells = 0;
	long long discarded = 0;
	struct line line = {""};

	for (int i = 0; i < table->cell_count; i++) {
		const struct ws_cell *cell = &table->cells[i];
		const struct ws_folded *folded = &cell->folded;

		discarded += folded->discarded;
		if (!ws_cell_has_figures(cell))
			continue;
		kept_low = cells == 0 || folded->kept < kept_low ? folded->kept : kept_low;
		kept_high = folded->kept > kept_high ? folded->kept : kept_high;
		cells++;
		if (folded->has_precision && folded->precision < INFINITY &&
		    (!widest || folded->precision > widest->folded.precision))
			widest = cell;
	}
	if (cells == 0)
		return;
	if (widest) {
		char where[WS_COORDS_MAX * 60];

		add(&line, "95 %% interval within this run ");
		add(&line, cells > 1 ? "at most +-" : "+-");
		add_percent(&line, widest->folded.precision);
		if (cells > 1 && widest->coords.count > 0)
			add(&line, " (%s)", ws_coords_format(&widest->coords, where, sizeof(where)));
	} else {
		add(&line, "not known");
	}
	add(&line, "; %d", kept_low);
	if (kept_high != kept_low)
		add(&line, " to %d", kept_high);
	add(&line, " sample%s%s", kept_high == 1 ? "" : "s", cells > 1 ? " a cell" : "");
	if (discarded > 0)
		add(&line, ", %lld discarded", discarded);
	ws_page_wrap(page, WS_STYLE_PLAIN, "spread: ", line.text);
}

struct limits {
	int cells, known, ratios;
	double low, high, ratio_low, ratio_high;
	const struct ws_cell *least;
	const char *reason, *unknown; /* the first one of known and of unknown limits */
	bool reasons_differ, unknowns_differ;
};

static void add_reason(const char **first, bool *differ, const char *reason)
{
	*differ |= *first && strcmp(*first, reason) != 0;
	*first = *first ? *first : reason;
}

static struct limits find_limits(const struct ws_table *table)
{
	struct limits limits = {0};

	for (int i = 0; i < table->cell_count; i++) {
		const struct ws_cell *cell = &table->cells[i];
		const double value = cell->limit.value;
		double ratio;

		if (!ws_cell_has_figures(cell))
			continue;
		limits.cells++;
		if (!ws_figure_known(&cell->limit)) {
			add_reason(&limits.unknown, &limits.unknowns_differ, cell->limit_reason);
			continue;
		}
		add_reason(&limits.reason, &limits.reasons_differ, cell->limit_reason);
		limits.low = limits.known == 0 || value < limits.low ? value : limits.low;
		limits.high = limits.known == 0 || value > limits.high ? value : limits.high;
		limits.known++;
		if (!ws_cell_ratio(cell, &ratio))
			continue;
		if (limits.ratios == 0 || ratio < limits.ratio_low) {
			limits.ratio_low = ratio;
			limits.least = cell;
		}
		limits.ratio_high = limits.ratios == 0 || ratio > limits.ratio_high ? ratio : limits.ratio_high;
		limits.ratios++;
	}
	return limits;
}

static void add_range(struct line *line, double low, double high)
{
	char from[WS_UNITS_TEXT], to[WS_UNITS_TEXT];

	add(line, "%s", ws_figure_format(low, from, sizeof(from)));
	if (strcmp(ws_figure_format(high, to, sizeof(to)), from) != 0)
		add(line, " to %s", to);
}

static void print_limit(const struct ws_table *table, const struct ws_page *page)
{
	const struct limits limits = find_limits(table);
	struct line line = {""};
	char where[WS_COORDS_MAX * 60];

	if (limits.cells == 0)
		return;
	if (limits.known > 0) {
		add_range(&line, limits.low, limits.high);
		add(&line, " %s", table->probe->quantities[0].unit);
		if (limits.reason[0] && !limits.reasons_differ)
			add(&line, " (%s)", limits.reason);
	}
	if (limits.ratios > 0) {
		add(&line, "; reached ");
		add_percent(&line, limits.ratio_low);
		if (limits.ratio_high > limits.ratio_low) {
			add(&line, " to ");
			add_percent(&line, limits.ratio_high);
		}
		add(&line, " of it");
		if (limits.ratios > 1)
			add(&line, ", least at %s", ws_coords_format(&limits.least->coords, where, sizeof(where)));
	}
	if (limits.known < limits.cells) {
		if (limits.known > 0)
			add(&line, "; not known of %d of %d cells", limits.cells - limits.known, limits.cells);
		else
			add(&line, "not known");
		if (limits.unknown[0])
			add(&line, " (%s%s)", limits.unknown, limits.unknowns_differ ? "; and others" : "");
	}
	ws_page_wrap(page, WS_STYLE_PLAIN, "limit: ", line.text);
}

/* Lowest and highest of what is known; low 0 = nothing. */
struct range {
	double low, high;
};

static void include(struct range *range, double value)
{
	range->low = range->low <= 0 || value < range->low ? value : range->low;
	range->high = value > range->high ? value : range->high;
}

struct wires {
	int cells, told, shares;
	struct range bytes, used, raw, share;
	const char *unknown; /* the first reason */
	bool unknowns_differ;
};

static struct wires find_wires(const struct ws_table *table)
{
	struct wires wires = {0};

	for (int i = 0; i < table->cell_count; i++) {
		const struct ws_wire *wire = &table->cells[i].wire;
		double share;

		if (!wire->applies)
			continue;
		wires.cells++;
		if (wire->bytes > 0) {
			wires.told++;
			include(&wires.bytes, wire->bytes);
		}
		if (!ws_wire_share(wire, &share)) {
			add_reason(&wires.unknown, &wires.unknowns_differ, wire->reason);
			continue;
		}
		wires.shares++;
		include(&wires.used, wire->used);
		include(&wires.raw, wire->raw);
		include(&wires.share, share);
	}
	return wires;
}

/* What links carry for the bytes of a table, where some go by links that count. */
static void print_wire(const struct ws_table *table, const struct ws_page *page)
{
	const struct wires wires = find_wires(table);
	struct line line = {""};

	if (wires.cells == 0)
		return;
	if (wires.told > 0) {
		add_range(&line, wires.bytes.low, wires.bytes.high);
		add(&line, " bytes on NVLink for each byte copied");
	}
	if (wires.shares > 0) {
		add(&line, "; ");
		add_range(&line, wires.used.low, wires.used.high);
		add(&line, " of ");
		add_range(&line, wires.raw.low, wires.raw.high);
		add(&line, " GB/s raw in use (");
		add_percent(&line, wires.share.low);
		if (wires.share.high > wires.share.low) {
			add(&line, " to ");
			add_percent(&line, wires.share.high);
		}
		add(&line, ")");
	}
	if (wires.shares < wires.cells) {
		add(&line, "%s%snot known", wires.told > 0 ? "; " : "",
		    wires.told > 0 && wires.shares == 0 ? "the share of the links is " : "");
		if (wires.shares > 0)
			add(&line, " of %d of %d cells", wires.cells - wires.shares, wires.cells);
		if (wires.unknown[0])
			add(&line, " (%s%s)", wires.unknown, wires.unknowns_differ ? "; and others" : "");
	}
	ws_page_wrap(page, WS_STYLE_PLAIN, "wire: ", line.text);
}

/* Where nothing of a table was verified, that is one line and not a mark at every cell. */
static bool nothing_verified(const struct ws_table *table)
{
	int cells = 0;

	for (int i = 0; i < table->cell_count; i++) {
		if (!ws_cell_has_figures(&table->cells[i]))
			continue;
		if (!(table->cells[i].folded.flags & WS_FLAG_UNVERIFIED))
			return false;
		cells++;
	}
	return cells > 0;
}

int ws_text_table(const struct ws_result *result, const struct ws_table *table, const struct ws_page *page,
		  struct ws_error *error)
{
	struct ws_notes notes = {.untold = nothing_verified(table) ? WS_FLAG_UNVERIFIED : 0};
	int status;

	print_header(result, table, page);
	status = ws_text_figures(result, table, page, &notes, error);
	if (status == WS_OK)
		status = ws_text_sweep(table, page, error);
	print_spread(table, page);
	print_limit(table, page);
	print_wire(table, page);
	if (notes.untold)
		ws_page_wrap(page, WS_STYLE_NOTICE, "", "not verified: the data that arrived was not compared");
	ws_notes_print(&notes, page);
	ws_notes_release(&notes);
	return status;
}
