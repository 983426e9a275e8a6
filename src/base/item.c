/* Items, steps and plans as data: copying, freeing, coordinates. */
#include "base/item.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/place.h"

/* What the steps of a plan share, in times of one step's limit, and the least that each of them gets. */
#define SHARED_LIMITS 6
#define LEAST_SHARE 12
#define MS_NS 1000000

const char *ws_coords_get(const struct ws_coords *coords, const char *axis)
{
	for (int i = 0; i < coords->count; i++)
		if (strcmp(coords->at[i].axis, axis) == 0)
			return coords->at[i].value;
	return NULL;
}

void ws_coords_set(struct ws_coords *coords, const char *axis, const char *value)
{
	int i = 0;

	while (i < coords->count && strcmp(coords->at[i].axis, axis) != 0)
		i++;
	assert(i < WS_COORDS_MAX);
	if (i == coords->count)
		coords->count++;
	snprintf(coords->at[i].axis, sizeof(coords->at[i].axis), "%s", axis);
	snprintf(coords->at[i].value, sizeof(coords->at[i].value), "%s", value);
}

struct ws_coords ws_item_cell(const struct ws_step *step, const struct ws_item *item)
{
	struct ws_coords cell = step->coords;

	for (int i = 0; i < item->coords.count; i++)
		ws_coords_set(&cell, item->coords.at[i].axis, item->coords.at[i].value);
	return cell;
}

bool ws_coords_equal(const struct ws_coords *a, const struct ws_coords *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++) {
		const char *value = ws_coords_get(b, a->at[i].axis);

		if (!value || strcmp(value, a->at[i].value) != 0)
			return false;
	}
	return true;
}

char *ws_coords_format(const struct ws_coords *coords, char *text, size_t size)
{
	size_t used = 0;

	assert(size > 0);
	text[0] = '\0';
	for (int i = 0; i < coords->count && used < size; i++) {
		int length = snprintf(text + used, size - used, "%s%s=%s", i ? " " : "", coords->at[i].axis,
				      coords->at[i].value);

		used += (size_t)length;
	}
	return text;
}

/* The cell of coordinates, added if there is none. */
static struct ws_cell_items *find_cell(struct ws_cell_items *cells, int *count, const struct ws_coords *coords)
{
	for (int i = 0; i < *count; i++)
		if (ws_coords_equal(&cells[i].coords, coords))
			return &cells[i];
	cells[*count] = (struct ws_cell_items){.coords = *coords};
	return &cells[(*count)++];
}

int ws_step_cells(const struct ws_step *step, struct ws_cell_items **cells, int *count, struct ws_error *error)
{
	const size_t items = (size_t)(step->item_count > 0 ? step->item_count : 1);
	struct ws_cell_items *list = calloc(items, sizeof(*list) + sizeof(int));
	int *next = list ? (int *)(void *)(list + items) : NULL, found = 0;

	if (!list)
		return ws_fail(error, WS_ENOMEM, "no memory for the cells of a step");
	if (step->item_count == 0)
		find_cell(list, &found, &step->coords);
	for (int i = 0; i < step->item_count; i++) {
		const struct ws_coords coords = ws_item_cell(step, &step->items[i]);

		find_cell(list, &found, &coords)->count++;
	}
	for (int i = 0; i < found; i++) {
		list[i].items = next;
		next += list[i].count;
		list[i].count = 0;
	}
	for (int i = 0; i < step->item_count; i++) {
		const struct ws_coords coords = ws_item_cell(step, &step->items[i]);
		struct ws_cell_items *cell = find_cell(list, &found, &coords);

		cell->items[cell->count++] = i;
	}
	*cells = list;
	*count = found;
	return WS_OK;
}

struct ws_item *ws_step_add_item(struct ws_step *step, enum ws_verb verb)
{
	struct ws_item *items = ws_list_grow(step->items, step->item_count, sizeof(*items));

	if (!items)
		return NULL;
	step->items = items;
	items[step->item_count] = (struct ws_item){.verb = verb};
	return &items[step->item_count++];
}

void ws_step_release(struct ws_step *step)
{
	for (int i = 0; i < step->item_count; i++)
		free(step->items[i].members);
	free(step->items);
	free(step->text);
	*step = (struct ws_step){0};
}

static int copy_items(const struct ws_step *from, struct ws_step *to)
{
	for (int i = 0; i < from->item_count; i++) {
		const struct ws_item *item = &from->items[i];
		struct ws_item *copy = ws_step_add_item(to, item->verb);

		if (!copy)
			return WS_ENOMEM;
		*copy = *item;
		copy->members = NULL;
		if (item->member_count > 0) {
			copy->members = calloc((size_t)item->member_count, sizeof(*copy->members));
			if (!copy->members)
				return WS_ENOMEM;
			memcpy(copy->members, item->members, (size_t)item->member_count * sizeof(*copy->members));
		}
	}
	return WS_OK;
}

int ws_step_copy(const struct ws_step *step, struct ws_step *out, struct ws_error *error)
{
	struct ws_step copy = *step;

	copy.items = NULL;
	copy.item_count = 0;
	copy.text = step->text ? strdup(step->text) : NULL;
	if ((step->text && !copy.text) || copy_items(step, &copy) != WS_OK) {
		ws_step_release(&copy);
		return ws_fail(error, WS_ENOMEM, "no memory for a step of %d items", step->item_count);
	}
	*out = copy;
	return WS_OK;
}

struct ws_step *ws_plan_add_step(struct ws_plan *plan, const struct ws_probe *probe)
{
	struct ws_step *steps = ws_list_grow(plan->steps, plan->step_count, sizeof(*steps));

	if (!steps)
		return NULL;
	plan->steps = steps;
	steps[plan->step_count] = (struct ws_step){.probe = probe};
	return &steps[plan->step_count++];
}

void ws_plan_release(struct ws_plan *plan)
{
	for (int i = 0; i < plan->step_count; i++)
		ws_step_release(&plan->steps[i]);
	free(plan->steps);
	*plan = (struct ws_plan){0};
}

void ws_plan_share_time(struct ws_plan *plan)
{
	const int64_t limit_ns = plan->settings.time_limit_ns, least_ns = limit_ns / LEAST_SHARE;
	int64_t share_ns, steps = 0;

	for (int i = 0; i < plan->step_count; i++)
		steps += plan->steps[i].item_count > 0;
	if (steps <= SHARED_LIMITS)
		return;
	share_ns = SHARED_LIMITS * limit_ns / steps;
	share_ns = share_ns > least_ns ? share_ns : least_ns;
	plan->settings.time_limit_ns = share_ns > MS_NS ? share_ns / MS_NS * MS_NS : share_ns;
}

/* Appends the device of a place that is set and not in the list yet. */
static bool add_place(struct ws_place **list, int *count, const struct ws_place *place)
{
	struct ws_place *longer;

	if (!ws_place_is_set(place))
		return true;
	for (int i = 0; i < *count; i++)
		if (ws_place_same_device(&(*list)[i], place))
			return true;
	longer = ws_list_grow(*list, *count, sizeof(*longer));
	if (!longer)
		return false;
	*list = longer;
	longer[(*count)++] = ws_place_device(place);
	return true;
}

static bool add_places(struct ws_place **list, int *count, const struct ws_item *item)
{
	bool added = add_place(list, count, &item->engine.place) && add_place(list, count, &item->source) &&
		     add_place(list, count, &item->destination);

	for (int i = 0; i < item->member_count && added; i++)
		added = add_place(list, count, &item->members[i]);
	return added;
}

int ws_plan_places(const struct ws_plan *plan, struct ws_place **places, int *count, struct ws_error *error)
{
	struct ws_place *list = NULL;
	int found = 0;

	for (int i = 0; i < plan->step_count; i++) {
		for (int k = 0; k < plan->steps[i].item_count; k++) {
			if (add_places(&list, &found, &plan->steps[i].items[k]))
				continue;
			free(list);
			return ws_fail(error, WS_ENOMEM, "no memory for the places of %d steps", plan->step_count);
		}
	}
	*places = list;
	*count = found;
	return WS_OK;
}

struct ws_settings ws_settings_default(bool quick)
{
	return (struct ws_settings){
		.verify = WS_VERIFY_ENDS,
		.statistic = "median",
		.precision = quick ? 0.01 : 0.005,
		.time_limit_ns = quick ? 400000000 : 1000000000,
		.timeout_ns = 30000000000,
		.seed = 1,
	};
}

uint64_t ws_item_largest_size(const struct ws_item *item)
{
	const bool second = item->size_count > 1 && item->size_bytes[1] > item->size_bytes[0];

	return item->size_bytes[second ? 1 : 0];
}
