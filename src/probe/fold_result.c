/* From a result's steps to its tables and cells. */
#include "probe/fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/record.h"

static void set_wrong(const struct ws_check *check, struct ws_cell *cell)
{
	char rank[24] = "";

	if (check->rank != WS_RANK_NONE)
		snprintf(rank, sizeof(rank), " of rank %d", check->rank);
	cell->status = WS_CELL_WRONG_DATA;
	snprintf(cell->reason, sizeof(cell->reason),
		 "wrong data: %llu words differ, the first at byte %llu of item %d%s: expected 0x%llx, found 0x%llx",
		 (unsigned long long)check->wrong_count, (unsigned long long)check->first_offset, check->item + 1, rank,
		 (unsigned long long)check->expected, (unsigned long long)check->found);
}

/* Not so if only another cell's item was wrong. */
static bool is_wrong(const struct ws_check *check, const struct ws_cell *cell)
{
	bool own = check->several_items;

	for (int i = 0; i < cell->item_count; i++)
		own = own || cell->items[i] == check->item;
	return own;
}

static bool has_figure(const struct ws_folded *folded)
{
	for (int q = 0; q < WS_QUANTITY_MAX; q++)
		if (folded->figures[q].known)
			return true;
	return false;
}

static void set_status(const struct ws_step_result *step, struct ws_cell *cell)
{
	const char *reason = step->reason;

	if (step->ending == WS_ENDED_NOT_RUN && step->status == WS_OK) {
		cell->status = WS_CELL_NOT_APPLICABLE;
		reason = step->step.reason;
	} else if (step->check.wrong_count && is_wrong(&step->check, cell)) {
		set_wrong(&step->check, cell);
		return;
	} else if (step->check.wrong_count) {
		cell->status = WS_CELL_FAILED;
		snprintf(cell->reason, sizeof(cell->reason),
			 "measuring ended when the data of another cell (item %d of the step) was wrong",
			 step->check.item + 1);
		return;
	} else if (step->status == WS_EINTERRUPTED) {
		cell->status = WS_CELL_INTERRUPTED;
	} else if (step->status == WS_EUNSUPPORTED) {
		cell->status = WS_CELL_NOT_APPLICABLE;
	} else if (step->status != WS_OK) {
		cell->status = WS_CELL_FAILED;
	} else if (!has_figure(&cell->folded)) {
		cell->status = WS_CELL_FAILED;
		reason = "the records give no figure: no sample counted, or times do not rise with the size";
	}
	snprintf(cell->reason, sizeof(cell->reason), "%s", reason);
}

static int fold_step(struct ws_result *result, int index, struct ws_table *table, struct ws_error *error)
{
	const struct ws_step_result *step = &result->steps[index];
	struct ws_cell_items *cells = NULL;
	int count = 0, rc = ws_step_cells(&step->step, &cells, &count, error);

	for (int i = 0; i < count && rc == WS_OK; i++) {
		struct ws_cell *cell = ws_table_cell(table, &cells[i].coords);
		const struct ws_fold_input input = {&step->step, cells[i].items, cells[i].count, &step->records,
						    &result->settings};
		int *items = malloc(((size_t)cells[i].count + 1) * sizeof(*items));

		if (!cell || !items) {
			free(items);
			rc = ws_fail(error, WS_ENOMEM, "no memory for a cell");
			break;
		}
		memcpy(items, cells[i].items, (size_t)cells[i].count * sizeof(*items));
		free(cell->items);
		*cell = (struct ws_cell){.coords = cells[i].coords, .step = index, .items = items, .item_count = cells[i].count};
		if (step->step.item_count > 0)
			step->step.probe->fold(&input, &cell->folded);
		cell->folded.flags |= step->ending == WS_ENDED_BUDGET ? WS_FLAG_UNCONVERGED : 0u;
		cell->folded.flags |= cell->folded.kept > 0 && !step->check.done ? WS_FLAG_UNVERIFIED : 0u;
		strcpy(cell->limit_reason, "no limit of this path is known to this version");
		set_status(step, cell);
	}
	free(cells);
	return rc;
}

static void forget_tables(struct ws_result *result)
{
	for (int i = 0; i < result->table_count; i++) {
		for (int k = 0; k < result->tables[i].cell_count; k++)
			free(result->tables[i].cells[k].items);
		free(result->tables[i].cells);
	}
	free(result->tables);
	result->tables = NULL;
	result->table_count = 0;
}

int ws_result_fold(struct ws_result *result, struct ws_error *error)
{
	int rc = WS_OK;

	forget_tables(result);
	for (int i = 0; i < result->step_count && rc == WS_OK; i++) {
		struct ws_table *table = ws_result_table(result, result->steps[i].step.probe);

		rc = table ? fold_step(result, i, table, error) : ws_fail(error, WS_ENOMEM, "no memory for a table");
	}
	return rc;
}
