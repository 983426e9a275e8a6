/* Footnotes: why a cell has no figure, and what must be known of one that has. */
#include "report/text_note.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/names.h"

#define NOTE_LENGTH 700

__attribute__((format(printf, 2, 3))) static void add(char *note, const char *format, ...)
{
	const size_t length = strlen(note);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(note + length, NOTE_LENGTH - length, format, arguments);
	va_end(arguments);
}

/* The cell's own reason says it all, if it has one. */
static void wrong_data_note(const struct ws_result *result, const struct ws_cell *cell, char *note)
{
	static const char prefix[] = "wrong data: ";
	const struct ws_step_result *step = ws_cell_step(result, cell);
	const struct ws_check *check = step ? &step->check : NULL;
	const bool has_prefix = strncmp(cell->reason, prefix, strlen(prefix)) == 0;

	add(note, "WRONG DATA: ");
	if (cell->reason[0] || !check || check->wrong_count == 0) {
		add(note, "%s", ws_cell_missing(cell) + (has_prefix ? strlen(prefix) : 0));
		return;
	}
	add(note, "%" PRIu64 " element%s, first at byte %" PRIu64 ": expected 0x%08" PRIx64 ", found 0x%08" PRIx64,
	    check->wrong_count, check->wrong_count == 1 ? "" : "s", check->first_offset, check->expected, check->found);
	if (check->rank != WS_RANK_NONE)
		add(note, ", on rank %d", check->rank);
}

static void measured_note(const struct ws_cell *cell, unsigned untold, char *note)
{
	size_t count;
	const struct ws_flag_row *rows = ws_flag_rows(&count);

	if (cell->status == WS_CELL_INTERRUPTED)
		add(note, "interrupted: from fewer samples than wanted");
	for (size_t i = 0; i < count; i++)
		if (cell->folded.flags & ~untold & rows[i].flag)
			add(note, "%s%s", note[0] ? "; " : "", rows[i].meaning);
	if (cell->reason[0] && cell->status == WS_CELL_MEASURED)
		add(note, "%s%s", note[0] ? "; " : "", cell->reason);
}

static enum ws_style make_note(const struct ws_result *result, const struct ws_cell *cell, int quantity,
			       unsigned untold, char *note)
{
	note[0] = '\0';
	switch (cell->status) {
	case WS_CELL_WRONG_DATA:
		wrong_data_note(result, cell, note);
		return WS_STYLE_ALARM;
	case WS_CELL_FAILED:
		add(note, "failed: %s", ws_cell_missing(cell));
		return WS_STYLE_ALARM;
	case WS_CELL_NOT_APPLICABLE:
		add(note, "%s", ws_cell_missing(cell));
		return WS_STYLE_PLAIN;
	case WS_CELL_MEASURED:
	case WS_CELL_INTERRUPTED:
		break;
	}
	if (ws_figure_known(&cell->folded.figures[quantity]))
		measured_note(cell, untold, note);
	else
		add(note, "%s", ws_cell_missing(cell));
	return WS_STYLE_NOTICE;
}

int ws_notes_add(struct ws_notes *notes, const struct ws_result *result, const struct ws_cell *cell, int quantity)
{
	char text[NOTE_LENGTH];
	const enum ws_style style = make_note(result, cell, quantity, notes->untold, text);
	struct ws_note *at;

	if (!text[0])
		return 0;
	for (int i = 0; i < notes->count; i++)
		if (strcmp(notes->at[i].text, text) == 0)
			return i + 1;
	if (notes->count == notes->capacity) {
		const int capacity = notes->capacity ? 2 * notes->capacity : 8;

		at = realloc(notes->at, (size_t)capacity * sizeof(*at));
		if (!at)
			return -1;
		notes->at = at;
		notes->capacity = capacity;
	}
	at = &notes->at[notes->count];
	*at = (struct ws_note){.text = strdup(text), .style = style};
	return at->text ? ++notes->count : -1;
}

void ws_notes_print(const struct ws_notes *notes, const struct ws_page *page)
{
	char lead[24];

	for (int i = 0; i < notes->count; i++) {
		snprintf(lead, sizeof(lead), "[%d] ", i + 1);
		ws_page_wrap(page, notes->at[i].style, lead, notes->at[i].text);
	}
}

void ws_notes_release(struct ws_notes *notes)
{
	for (int i = 0; i < notes->count; i++)
		free(notes->at[i].text);
	free(notes->at);
	*notes = (struct ws_notes){0};
}
