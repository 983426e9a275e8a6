/* JSON back into a result: steps and their items. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "report/json_read.h"
#include "report/names.h"

#define ITEM_MAX 65536

static void parse_place(struct ws_json_get *get, const char *text, struct ws_place *out)
{
	struct ws_error reason = {0};

	if (get->status == WS_OK && ws_place_parse(text, out, &reason) != WS_OK)
		ws_json_wrong(get, WS_EINVAL, "%s", reason.text);
}

/* null where the verb takes no place, a place where it does. */
static void read_place(struct ws_json_get *get, const json_t *object, const char *key, bool wanted,
		       struct ws_place *out)
{
	const json_t *value = json_object_get(object, key);

	ws_json_enter(get, key);
	if (wanted || !json_is_null(value))
		parse_place(get, ws_json_to_text(get, value), out);
	if (!wanted && ws_place_is_set(out))
		ws_json_wrong(get, WS_EINVAL, "this verb does not take it");
	ws_json_leave(get);
}

static void read_members(struct ws_json_get *get, const json_t *object, struct ws_item *item)
{
	json_t *array = ws_json_get_array(get, object, "members", ITEM_MAX), *value;
	size_t i;

	if (json_array_size(array) == 0)
		return;
	item->members = calloc(json_array_size(array), sizeof(*item->members));
	ws_json_enter(get, "members");
	if (!item->members)
		ws_json_wrong(get, WS_ENOMEM, "no memory for it");
	json_array_foreach(array, i, value)
	{
		ws_json_enter_index(get, i);
		if (item->members)
			parse_place(get, ws_json_to_text(get, value), &item->members[item->member_count++]);
		ws_json_leave(get);
	}
	ws_json_leave(get);
}

/* "r1/host0.cpu" */
static void read_engine(struct ws_json_get *get, const json_t *object, struct ws_engine *out)
{
	const json_t *value = json_object_get(object, "engine");
	char text[WS_PLACE_TEXT + sizeof(out->name)] = "";
	char *dot;

	if (json_is_null(value))
		return;
	ws_json_enter(get, "engine");
	ws_json_copy_text(get, value, text, sizeof(text));
	dot = strrchr(text, '.');
	if (dot && dot[1] && strlen(dot + 1) < sizeof(out->name)) {
		strcpy(out->name, dot + 1);
		*dot = '\0';
		parse_place(get, text, &out->place);
	} else {
		ws_json_wrong(get, WS_EINVAL, "'%s' is not an engine such as host0.cpu", text);
	}
	ws_json_leave(get);
}

static void read_sizes(struct ws_json_get *get, const json_t *object, struct ws_item *item)
{
	json_t *array = ws_json_get_array(get, object, "size_bytes", 2), *value;
	size_t i;

	ws_json_enter(get, "size_bytes");
	json_array_foreach(array, i, value)
	{
		ws_json_enter_index(get, i);
		item->size_bytes[i] = (uint64_t)ws_json_to_integer(get, value, 0, INT64_MAX);
		item->size_count++;
		ws_json_leave(get);
	}
	ws_json_leave(get);
}

static bool is_word_of(const char *word, const char *words)
{
	const size_t length = strlen(word);

	for (const char *at = words; length > 0 && (at = strstr(at, word)); at += length)
		if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
	return false;
}

/*
 * Not by ws_item_option_set: a saved result may hold what this build cannot do again, and can be folded nevertheless.
 */
static void read_option(struct ws_json_get *get, const char *name, const json_t *value, struct ws_item *item)
{
	size_t count;
	const struct ws_item_option_row *row = ws_item_option_rows(&count);
	const struct ws_item_option_row *end = row + count;
	struct ws_item_option option = {0};

	while (row < end && strcmp(row->name, name) != 0)
		row++;
	if (row == end) {
		ws_json_wrong(get, WS_EUNSUPPORTED, "this build knows no such option");
		return;
	}
	if (!(row->verbs & (1u << item->verb)))
		ws_json_wrong(get, WS_EINVAL, "this verb does not take it");
	if (item->option_count == WS_ITEM_OPTION_MAX)
		ws_json_wrong(get, WS_EINVAL, "more than %d options", WS_ITEM_OPTION_MAX);
	option.row = row;
	if (row->kind == WS_OPTION_FLAG) {
		option.number = 1;
		if (!ws_json_to_bool(get, value))
			ws_json_wrong(get, WS_EINVAL, "can only be true");
	} else if (row->kind == WS_OPTION_WORD) {
		ws_json_copy_text(get, value, option.word, sizeof(option.word));
		if (!is_word_of(option.word, row->words))
			ws_json_wrong(get, WS_EINVAL, "'%s' is none of %s", option.word, row->words);
	} else {
		const uint64_t maximum = row->maximum < INT64_MAX ? row->maximum : INT64_MAX;

		option.number = (uint64_t)ws_json_to_integer(get, value, (int64_t)row->minimum, (int64_t)maximum);
	}
	if (get->status == WS_OK)
		item->options[item->option_count++] = option;
}

static int verb_find(const char *name)
{
	for (int i = 0; i < WS_VERB_COUNT; i++)
		if (strcmp(ws_verb_row((enum ws_verb)i)->name, name) == 0)
			return i;
	return -1;
}

static void read_item(struct ws_json_get *get, const json_t *object, struct ws_step *step)
{
	enum ws_verb verb = WS_COPY;
	const struct ws_verb_row *row;
	json_t *options, *value;
	struct ws_item *item;
	const char *name;

	if (ws_json_to_object(get, object))
		verb = (enum ws_verb)ws_json_get_word(get, object, "verb", verb_find);
	if (get->status != WS_OK)
		return;
	item = ws_step_add_item(step, verb);
	if (!item) {
		ws_json_wrong(get, WS_ENOMEM, "no memory for it");
		return;
	}
	row = ws_verb_row(verb);
	ws_json_read_coords(get, object, &item->coords);
	ws_json_copy_text_or_null(get, object, "collective", item->collective, sizeof(item->collective));
	read_place(get, object, "source", row->source, &item->source);
	read_place(get, object, "destination", row->destination, &item->destination);
	read_members(get, object, item);
	read_engine(get, object, &item->engine);
	read_sizes(get, object, item);
	item->loops = (uint32_t)ws_json_get_integer_or_null(get, object, "loops", 1, UINT32_MAX);
	options = ws_json_get_object(get, object, "options");
	ws_json_enter(get, "options");
	json_object_foreach(options, name, value)
	{
		ws_json_enter(get, name);
		read_option(get, name, value, item);
		ws_json_leave(get);
	}
	ws_json_leave(get);
}

static int status_find(const char *name)
{
	for (int i = 0; i <= -WS_EINTERRUPTED; i++)
		if (strcmp(ws_status_name(-i), name) == 0)
			return i;
	return -1;
}

static void read_plan(struct ws_json_get *get, const json_t *object, struct ws_step *step)
{
	json_t *items, *value;
	size_t i;

	if (!json_is_null(json_object_get(object, "text"))) {
		step->text = strdup(ws_json_get_text(get, object, "text"));
		if (!step->text)
			ws_json_wrong(get, WS_ENOMEM, "no memory for it");
	}
	ws_json_read_coords(get, object, &step->coords);
	step->group = (int)ws_json_get_integer_or_null(get, object, "group", 1, INT_MAX);
	ws_json_copy_text_or_null(get, object, "reason", step->reason, sizeof(step->reason));
	items = ws_json_get_array(get, object, "items", ITEM_MAX);
	ws_json_enter(get, "items");
	json_array_foreach(items, i, value)
	{
		ws_json_enter_index(get, i);
		read_item(get, value, step);
		ws_json_leave(get);
	}
	ws_json_leave(get);
}

void ws_json_read_step(struct ws_json_get *get, const json_t *object, const struct ws_probe *(*find)(const char *name),
		       struct ws_result *result)
{
	const struct ws_probe *probe;
	struct ws_step_result *step;

	if (!ws_json_to_object(get, object))
		return;
	probe = ws_json_read_probe(get, object, find);
	if (!probe)
		return;
	step = ws_result_add_step(result);
	if (!step) {
		ws_json_wrong(get, WS_ENOMEM, "no memory for it");
		return;
	}
	step->step.probe = probe;
	read_plan(get, object, &step->step);
	step->ending = (enum ws_ending)ws_json_get_word(get, object, "ending", ws_ending_find);
	step->status = -ws_json_get_word(get, object, "status", status_find);
	ws_json_copy_text_or_null(get, object, "status_reason", step->reason, sizeof(step->reason));
	step->path = ws_json_take_object_or_null(get, object, "path");
	ws_json_enter(get, "wrong");
	ws_json_read_wrong(get, json_object_get(object, "wrong"), step->step.item_count, &step->check);
	ws_json_leave(get);
	step->check.done = ws_json_get_bool(get, object, "checked");
	ws_json_read_records(get, object, step);
}
