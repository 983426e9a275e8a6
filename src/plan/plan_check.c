/* What a plan's text cannot show line by line: steps that do not go together, and what this build cannot run. */
#include "plan/plan_text.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/item.h"

#define CELL_TEXT 400

/* A step by what it shares with others: its group, or the hash of a cell that one of its items fills. */
struct shared {
	uint64_t key;
	int step, item;
};

static int compare_shared(const void *one, const void *other)
{
	const struct shared *a = one, *b = other;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->step > b->step) - (a->step < b->step);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	/* FNV-1a */
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return (hash ^ '=') * 0x100000001b3u;
}

/* Steps without items have one cell, too. */
static struct ws_coords cell_of(const struct ws_step *step, int item)
{
	return step->item_count ? ws_item_cell(step, &step->items[item]) : step->coords;
}

/* The order of axes makes no difference. */
static uint64_t hash_cell(const struct ws_probe *probe, const struct ws_coords *coords)
{
	const uint64_t basis = 0xcbf29ce484222325u;
	uint64_t hash = hash_text(basis, probe->name);

	for (int i = 0; i < coords->count; i++)
		hash += hash_text(hash_text(basis, coords->at[i].axis), coords->at[i].value);
	return hash;
}

/* Each figure would replace the one before. */
static int check_cells(const struct ws_plan *plan, struct shared *list, struct ws_error *error)
{
	size_t count = 0;

	for (int i = 0; i < plan->step_count; i++) {
		const struct ws_step *step = &plan->steps[i];

		for (int j = 0; j < (step->item_count ? step->item_count : 1); j++) {
			const struct ws_coords coords = cell_of(step, j);

			list[count++] = (struct shared){hash_cell(step->probe, &coords), i, j};
		}
	}
	qsort(list, count, sizeof(*list), compare_shared);
	for (size_t i = 1; i < count; i++) {
		const struct ws_step *one = &plan->steps[list[i - 1].step], *other = &plan->steps[list[i].step];
		const struct ws_coords coords = cell_of(one, list[i - 1].item), again = cell_of(other, list[i].item);
		char text[CELL_TEXT];

		if (one != other && list[i - 1].key == list[i].key && one->probe == other->probe &&
		    ws_coords_equal(&coords, &again))
			return ws_fail(error, WS_EINVAL, "steps %d and %d fill the same cell: %s[%.150s]", list[i - 1].step + 1,
				       list[i].step + 1, one->probe->name, ws_coords_format(&coords, text, sizeof(text)));
	}
	return WS_OK;
}

static bool is_measured(const struct ws_step *step, const struct ws_coords *cell)
{
	for (int i = 0; i < step->item_count; i++) {
		const struct ws_coords other = ws_item_cell(step, &step->items[i]);

		if (!ws_item_flag(&step->items[i], "interfering") && ws_coords_equal(cell, &other))
			return true;
	}
	return false;
}

/* Interference lasts as long as what it is beside, and is no figure itself. */
static int check_measured(const struct ws_plan *plan, struct ws_error *error)
{
	for (int i = 0; i < plan->step_count; i++) {
		const struct ws_step *step = &plan->steps[i];

		for (int j = 0; j < step->item_count; j++) {
			const struct ws_coords cell = ws_item_cell(step, &step->items[j]);
			char text[CELL_TEXT];

			if (ws_item_flag(&step->items[j], "interfering") && !is_measured(step, &cell))
				return ws_fail(error, WS_EINVAL, "step %d: all items of %s[%.150s] interfere, and none is measured",
					       i + 1, step->probe->name, ws_coords_format(&cell, text, sizeof(text)));
		}
	}
	return WS_OK;
}

/* Only neighbours can be interleaved. */
static int check_groups(const struct ws_plan *plan, struct shared *list, struct ws_error *error)
{
	size_t count = 0;

	for (int i = 0; i < plan->step_count; i++)
		if (plan->steps[i].group)
			list[count++] = (struct shared){(uint64_t)plan->steps[i].group, i, 0};
	qsort(list, count, sizeof(*list), compare_shared);
	for (size_t i = 1; i < count; i++)
		if (list[i - 1].key == list[i].key && list[i].step != list[i - 1].step + 1)
			return ws_fail(error, WS_EINVAL, "steps %d and %d are both of group %d, but others stand between them",
				       list[i - 1].step + 1, list[i].step + 1, (int)list[i].key);
	return WS_OK;
}

int ws_plan_check_steps(const struct ws_plan *plan, struct ws_error *error)
{
	size_t count = (size_t)plan->step_count;
	struct shared *list;
	int rc;

	for (int i = 0; i < plan->step_count; i++)
		count += (size_t)plan->steps[i].item_count;
	list = calloc(count ? count : 1, sizeof(*list));
	if (!list)
		return ws_fail(error, WS_ENOMEM, "no memory to check a plan");
	rc = check_cells(plan, list, error);
	if (rc == WS_OK)
		rc = check_measured(plan, error);
	if (rc == WS_OK)
		rc = check_groups(plan, list, error);
	free(list);
	return rc;
}

static const char *missing(const struct ws_item *item)
{
	const bool remote =
		item->verb == WS_PUT || item->verb == WS_GET || item->verb == WS_STORE || item->verb == WS_LOAD;

	if (!ws_verb_row(item->verb)->built)
		return ws_verb_row(item->verb)->name;
	if (!remote && (item->source.peer || item->destination.peer || item->engine.place.peer))
		return "a peer/ place outside of put, get, store and load";
	for (int i = 0; i < item->option_count; i++)
		if (!item->options[i].row->built)
			return item->options[i].row->name;
	return NULL;
}

int ws_plan_check_built(const struct ws_plan *plan, struct ws_error *error)
{
	for (int i = 0; i < plan->step_count; i++) {
		const struct ws_step *step = &plan->steps[i];

		for (int j = 0; j < step->item_count; j++) {
			const char *what = missing(&step->items[j]);

			if (what)
				return ws_fail(error, WS_EUNSUPPORTED,
					       "%s is not available in this build: step %d, %.240s", what, i + 1,
					       step->text ? step->text : step->probe->name);
		}
	}
	return WS_OK;
}
