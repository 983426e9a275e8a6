/* Plans to text. */
#include "plan/plan_text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/place.h"
#include "base/units.h"
#include "plan/plan_lex.h"
#include "plan/plan_settings.h"

/* Text that grows. */
struct writer {
	char *text;
	size_t length, capacity;
	bool failed;
};

static void add_bytes(struct writer *writer, const char *bytes, size_t count)
{
	if (writer->failed)
		return;
	if (writer->length + count + 1 > writer->capacity) {
		const size_t capacity = 2 * (writer->length + count) + 256;
		char *text = realloc(writer->text, capacity);

		if (!text) {
			writer->failed = true;
			return;
		}
		writer->text = text;
		writer->capacity = capacity;
	}
	memcpy(writer->text + writer->length, bytes, count);
	writer->length += count;
	writer->text[writer->length] = '\0';
}

static void add(struct writer *writer, const char *text)
{
	add_bytes(writer, text, strlen(text));
}

/* A line's words have one space between them. */
static void add_word(struct writer *writer, const char *text)
{
	if (writer->length && writer->text[writer->length - 1] != '\n')
		add(writer, " ");
	add(writer, text);
}

/* What no plan may hold becomes a question mark: plans are ASCII. */
static void add_quoted(struct writer *writer, const char *text)
{
	add(writer, "\"");
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			add(writer, "\\");
		add_bytes(writer, *text < ' ' || *text > '~' ? "?" : text, 1);
	}
	add(writer, "\"");
}

/* "[axis=value axis=value]", without the axis that is to be left out, if any. */
static void add_coords(struct writer *writer, const struct ws_coords *coords, const char *without)
{
	const char *before = "[";

	for (int i = 0; i < coords->count; i++) {
		if (without && strcmp(coords->at[i].axis, without) == 0)
			continue;
		add(writer, before);
		add(writer, coords->at[i].axis);
		add(writer, "=");
		if (ws_plan_is_plain(coords->at[i].value))
			add(writer, coords->at[i].value);
		else
			add_quoted(writer, coords->at[i].value);
		before = " ";
	}
	if (*before == ' ')
		add(writer, "]");
}

static void add_place(struct writer *writer, const struct ws_place *place)
{
	char text[WS_PLACE_TEXT];

	add_word(writer, ws_place_format(place, text, sizeof(text)));
}

static void add_members(struct writer *writer, const struct ws_item *item)
{
	char text[WS_PLACE_TEXT];

	for (int i = 0; i < item->member_count; i++) {
		if (i)
			add(writer, ",");
		else
			add_word(writer, "over ");
		add(writer, ws_place_format(&item->members[i], text, sizeof(text)));
	}
}

/* Verb, places and engine. */
static void add_action(struct writer *writer, const struct ws_item *item)
{
	const struct ws_verb_row *row = ws_verb_row(item->verb);
	const bool arrow = item->verb == WS_COPY || item->verb == WS_COPY2;
	const bool remote =
		item->verb == WS_PUT || item->verb == WS_GET || item->verb == WS_STORE || item->verb == WS_LOAD;

	if (!arrow)
		add_word(writer, row->name);
	if (item->verb == WS_COLLECTIVE) {
		add_word(writer, item->collective);
		add_members(writer, item);
	}
	if (row->source)
		add_place(writer, &item->source);
	if (arrow || remote)
		add_word(writer, arrow ? row->name : "->");
	if (row->destination)
		add_place(writer, &item->destination);
	if (ws_place_is_set(&item->engine.place)) {
		add_word(writer, "by");
		add_place(writer, &item->engine.place);
		add(writer, ".");
		add(writer, item->engine.name);
	}
}

static void add_option(struct writer *writer, const struct ws_item_option *option)
{
	char number[WS_UNITS_TEXT];

	add_word(writer, option->row->name);
	if (option->row->kind == WS_OPTION_FLAG)
		return;
	add(writer, "=");
	if (option->row->kind == WS_OPTION_WORD) {
		add(writer, option->word);
	} else if (option->row->kind == WS_OPTION_SIZE) {
		add(writer, ws_size_format(option->number, number, sizeof(number)));
	} else {
		snprintf(number, sizeof(number), "%" PRIu64, option->number);
		add(writer, number);
	}
}

static void add_options(struct writer *writer, const struct ws_item *item)
{
	const struct ws_item_option_row *rows;
	size_t count;

	rows = ws_item_option_rows(&count);
	for (size_t row = 0; row < count; row++)
		for (int i = 0; i < item->option_count; i++)
			if (item->options[i].row == &rows[row])
				add_option(writer, &item->options[i]);
}

static void add_item(struct writer *writer, const struct ws_item *item)
{
	char size[WS_UNITS_TEXT], loops[16];

	if (item->coords.count) {
		add_word(writer, "");
		add_coords(writer, &item->coords, NULL);
	}
	add_action(writer, item);
	for (int i = 0; i < item->size_count; i++) {
		if (i)
			add(writer, "/");
		else
			add_word(writer, "");
		add(writer, ws_size_format(item->size_bytes[i], size, sizeof(size)));
	}
	if (item->loops) {
		snprintf(loops, sizeof(loops), "x%" PRIu32, item->loops);
		add_word(writer, loops);
	}
	add_options(writer, item);
}

static void add_label(struct writer *writer, const struct ws_step *step)
{
	const char *label = NULL;

	if (strcmp(step->probe->name, WS_PLAN_CUSTOM) == 0)
		label = ws_coords_get(&step->coords, WS_PLAN_CUSTOM_AXIS);
	if (label && !ws_plan_is_label(label))
		label = NULL;
	add(writer, label ? label : step->probe->name);
	add_coords(writer, &step->coords, label ? WS_PLAN_CUSTOM_AXIS : NULL);
	add(writer, ":");
}

static void add_step(struct writer *writer, const struct ws_step *step)
{
	char group[24];

	add_label(writer, step);
	assert(step->item_count > 0 || step->reason[0]);
	for (int i = 0; i < step->item_count; i++) {
		if (i)
			add_word(writer, "+");
		add_item(writer, &step->items[i]);
	}
	if (step->item_count == 0) {
		add_word(writer, "none ");
		add_quoted(writer, step->reason);
	}
	if (step->group > 0) {
		snprintf(group, sizeof(group), "group=%d", step->group);
		add_word(writer, group);
	}
}

static int finish(struct writer *writer, char **text, struct ws_error *error)
{
	if (writer->failed) {
		free(writer->text);
		return ws_fail(error, WS_ENOMEM, "no memory for a plan's text");
	}
	*text = writer->text;
	return WS_OK;
}

int ws_step_print(const struct ws_step *step, char **text, struct ws_error *error)
{
	struct writer writer = {0};

	add_step(&writer, step);
	return finish(&writer, text, error);
}

int ws_plan_print(const struct ws_plan *plan, char **text, struct ws_error *error)
{
	char settings[WS_PLAN_SETTINGS_TEXT];
	struct writer writer = {0};

	add(&writer, "with ");
	add(&writer, ws_plan_settings_format(&plan->settings, settings));
	add(&writer, "\n");
	for (int i = 0; i < plan->step_count; i++) {
		add_step(&writer, &plan->steps[i]);
		add(&writer, "\n");
	}
	return finish(&writer, text, error);
}

int ws_plan_finish(struct ws_plan *plan, struct ws_error *error)
{
	for (int i = 0; i < plan->step_count; i++) {
		char *text = NULL;
		int rc = ws_step_print(&plan->steps[i], &text, error);

		if (rc != WS_OK)
			return rc;
		free(plan->steps[i].text);
		plan->steps[i].text = text;
	}
	return WS_OK;
}
