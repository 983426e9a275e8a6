/* Plan text from any bytes: an error with its place, or a plan whose text reads back to the same plan. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/place.h"
#include "plan/plan_text.h"
#include "../unit/plan_probes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int holds)
{
	if (!holds)
		abort();
}

static int same_options(const struct ws_item *a, const struct ws_item *b)
{
	const struct ws_item_option_row *rows;
	size_t count;

	rows = ws_item_option_rows(&count);
	for (size_t i = 0; i < count; i++) {
		const char *name = rows[i].name;

		if (ws_item_flag(a, name) != ws_item_flag(b, name) || ws_item_number(a, name, 0) != ws_item_number(b, name, 0) ||
		    strcmp(ws_item_word(a, name, ""), ws_item_word(b, name, "")) != 0)
			return 0;
	}
	return a->option_count == b->option_count;
}

static int same_members(const struct ws_item *a, const struct ws_item *b)
{
	for (int i = 0; i < a->member_count; i++)
		if (!ws_place_equal(&a->members[i], &b->members[i]))
			return 0;
	return 1;
}

static int same_item(const struct ws_item *a, const struct ws_item *b)
{
	return a->verb == b->verb && strcmp(a->collective, b->collective) == 0 &&
	       ws_place_equal(&a->source, &b->source) && ws_place_equal(&a->destination, &b->destination) &&
	       ws_place_equal(&a->engine.place, &b->engine.place) && strcmp(a->engine.name, b->engine.name) == 0 &&
	       a->size_count == b->size_count && a->size_bytes[0] == b->size_bytes[0] &&
	       a->size_bytes[1] == b->size_bytes[1] && a->loops == b->loops && a->member_count == b->member_count &&
	       ws_coords_equal(&a->coords, &b->coords) && same_options(a, b) && same_members(a, b);
}

static void compare(const struct ws_step *a, const struct ws_step *b)
{
	demand(a->probe == b->probe && a->group == b->group && a->item_count == b->item_count);
	demand(ws_coords_equal(&a->coords, &b->coords) && strcmp(a->reason, b->reason) == 0);
	demand(strcmp(a->text, b->text) == 0);
	for (int i = 0; i < a->item_count; i++) {
		const struct ws_coords cell = ws_item_cell(a, &a->items[i]), other = ws_item_cell(b, &b->items[i]);

		demand(same_item(&a->items[i], &b->items[i]) && ws_coords_equal(&cell, &other));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ws_plan plan = {0}, again = {0};
	struct ws_error error = {0};
	char *text = NULL, *twice = NULL;

	if (ws_plan_parse((const char *)data, size, find_plan_probe, &plan, &error) != WS_OK) {
		demand(error.code == WS_EINVAL && error.text[0] && plan.steps == NULL);
		for (const char *at = error.text; *at; at++)
			demand(*at >= ' ' && *at <= '~');
		return 0;
	}
	demand(error.code == WS_OK);
	demand(ws_plan_print(&plan, &text, NULL) == WS_OK);
	demand(ws_plan_parse(text, strlen(text), find_plan_probe, &again, NULL) == WS_OK);
	demand(plan.step_count == again.step_count);
	for (int i = 0; i < plan.step_count; i++)
		compare(&plan.steps[i], &again.steps[i]);
	demand(ws_plan_print(&again, &twice, NULL) == WS_OK && strcmp(text, twice) == 0);
	ws_plan_check_built(&plan, &error);
	free(text);
	free(twice);
	ws_plan_release(&plan);
	ws_plan_release(&again);
	return 0;
}
