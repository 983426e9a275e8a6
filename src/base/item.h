/* Items, steps and plans as data: tables of verbs and options, coordinates, copying and freeing. */
#ifndef WS_BASE_ITEM_H
#define WS_BASE_ITEM_H

#include <stddef.h>

#include "base/error.h"
#include "seam/item.h"

struct ws_verb_row {
	const char *name;      /* in plan text; copies are written with their arrow: "->", "<->" */
	bool source, destination;
	int lanes;
	bool moves_bytes;      /* takes a size */
	bool built;            /* some engine of this build can do it */
};
const struct ws_verb_row *ws_verb_row(enum ws_verb verb);

enum ws_option_kind { WS_OPTION_FLAG, WS_OPTION_NUMBER, WS_OPTION_SIZE, WS_OPTION_WORD };

struct ws_item_option_row {
	const char *name;
	enum ws_option_kind kind;
	uint64_t minimum, maximum; /* of numbers and sizes */
	const char *words;         /* allowed words, by spaces */
	uint32_t verbs;            /* bit 1 << verb: taken by this verb */
	bool built;                /* some engine of this build honours it */
};
/* All rows, in the order in which a plan prints them; the number in *count. */
const struct ws_item_option_row *ws_item_option_rows(size_t *count);

/*
 * Sets an option from plan text; value NULL for a flag. WS_EINVAL names the option, what is wrong and what is allowed
 * (unknown name with the nearest one, not for this verb, twice, value out of range); WS_EUNSUPPORTED: not in this build.
 */
int ws_item_option_set(struct ws_item *item, const char *name, const char *value, struct ws_error *error);

bool ws_item_flag(const struct ws_item *item, const char *name);
uint64_t ws_item_number(const struct ws_item *item, const char *name, uint64_t otherwise);
/* The word, or `otherwise`, which may be NULL. */
const char *ws_item_word(const struct ws_item *item, const char *name, const char *otherwise);

/* NULL if the axis has no value. */
const char *ws_coords_get(const struct ws_coords *coords, const char *axis);
/* Adds or replaces; both are cut to what fits. At most WS_COORDS_MAX axes: one more is our own mistake. */
void ws_coords_set(struct ws_coords *coords, const char *axis, const char *value);
/* The step's coordinates with the item's own over them: those of the item's cell. */
struct ws_coords ws_item_cell(const struct ws_step *step, const struct ws_item *item);
/* The same values on the same axes, in any order. */
bool ws_coords_equal(const struct ws_coords *a, const struct ws_coords *b);
/* "row=host0 column=host1" */
char *ws_coords_format(const struct ws_coords *coords, char *text, size_t size);

/* The items of one cell. */
struct ws_cell_items {
	struct ws_coords coords;
	int *items, count; /* indices of the step's items */
};
/*
 * Sorts a step's items by cell, in order of first appearance; a step without items has one cell without any. The list
 * and its arrays are one allocation, freed with free().
 */
int ws_step_cells(const struct ws_step *step, struct ws_cell_items **cells, int *count, struct ws_error *error);

/* Appends an item with the verb and everything else empty; NULL when out of memory. Valid until the next one. */
struct ws_item *ws_step_add_item(struct ws_step *step, enum ws_verb verb);
int ws_step_copy(const struct ws_step *step, struct ws_step *out, struct ws_error *error);
void ws_step_release(struct ws_step *step);
/* Appends an empty step of a probe; NULL when out of memory. Valid until the next one. */
struct ws_step *ws_plan_add_step(struct ws_plan *plan, const struct ws_probe *probe);
void ws_plan_release(struct ws_plan *plan);
/*
 * The devices and nodes that a plan's items name (engines, memory, members), each once, in order of first appearance.
 * The list is freed with free().
 */
int ws_plan_places(const struct ws_plan *plan, struct ws_place **places, int *count, struct ws_error *error);

/*
 * A plan of more than 6 steps (those without items not counted) gets a shorter time limit: its steps share 6 times the
 * limit that it has, in whole milliseconds, and each gets at least a twelfth. Called once, for a limit that nobody chose.
 */
void ws_plan_share_time(struct ws_plan *plan);

/* What a plan is measured with when nobody says otherwise: until 0.5 % precise (1 % quick), verified at the ends. */
struct ws_settings ws_settings_default(bool quick);

/* The larger of an item's sizes: what its buffers must hold. */
uint64_t ws_item_largest_size(const struct ws_item *item);

#endif
