/* Footnotes: why a cell has no figure, and what must be known of one that has. */
#ifndef WS_REPORT_TEXT_NOTE_H
#define WS_REPORT_TEXT_NOTE_H

#include "report/text_page.h"
#include "seam/result.h"

struct ws_notes {
	struct ws_note {
		char *text;
		enum ws_style style;
	} * at; /* owned */
	int count, capacity;
	unsigned untold; /* flags that all cells share and that are told elsewhere */
};

/*
 * The number of the note for one quantity of a cell, from 1; those with the same text share one. 0 = nothing to note;
 * -1 = no memory.
 */
int ws_notes_add(struct ws_notes *notes, const struct ws_result *result, const struct ws_cell *cell, int quantity);
void ws_notes_print(const struct ws_notes *notes, const struct ws_page *page);
void ws_notes_release(struct ws_notes *notes);

#endif
