/* Places of ranks as JSON values. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "activity/wire_record.h"
#include "base/place.h"

enum field_kind { TEXT, NUMBER, INTEGER, FLAG };

/* The facts of a place, but for the place itself. */
static const struct field {
	const char *name;
	enum field_kind kind;
	size_t offset, size;
} fields[] = {
#define FIELD(name, kind)                                                                                              \
	{                                                                                                              \
#name, kind, offsetof(struct ws_place_facts, name), sizeof(((struct ws_place_facts *)0)->name)         \
	}
	FIELD(name, TEXT),	     FIELD(pci, TEXT),		FIELD(uuid, TEXT),
	FIELD(engines, TEXT),	     FIELD(same_as, TEXT),	FIELD(memory_bytes, NUMBER),
	FIELD(buffer_bytes, NUMBER),
	FIELD(cache_bytes, NUMBER),  FIELD(numa_node, INTEGER), FIELD(cpu_count, INTEGER),
	FIELD(on_cpu, FLAG),	     FIELD(simulated, FLAG),	FIELD(peers, NUMBER),
	FIELD(linked_peers, NUMBER), FIELD(linked_host, FLAG),	FIELD(absent, TEXT),
#undef FIELD
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static json_t *field_value(const struct field *field, const struct ws_place_facts *facts)
{
	const void *at = (const char *)facts + field->offset;

	switch (field->kind) {
	case TEXT:
		return ws_wire_text(at);
	case NUMBER:
		return ws_wire_number(*(const uint64_t *)at);
	case INTEGER:
		return json_integer(*(const int *)at);
	case FLAG:
	default:
		return json_boolean(*(const bool *)at);
	}
}

json_t *ws_wire_places(const struct ws_places *places)
{
	json_t *list = json_array();

	for (int i = 0; list && i < places->count; i++) {
		json_t *object = json_object();
		char text[WS_PLACE_TEXT];
		int rc;

		rc = json_object_set_new(object, "place",
					 ws_wire_text(ws_place_format(&places->at[i].place, text, sizeof(text))));
		for (size_t k = 0; k < FIELDS && rc == 0; k++)
			rc = json_object_set_new(object, fields[k].name, field_value(&fields[k], &places->at[i]));
		if (rc < 0)
			json_decref(object);
		if (rc < 0 || json_array_append_new(list, object) < 0) {
			json_decref(list);
			list = NULL;
		}
	}
	return list;
}

static int read_field(const struct field *field, const json_t *value, struct ws_place_facts *facts,
		      struct ws_error *error)
{
	void *at = (char *)facts + field->offset;

	switch (field->kind) {
	case TEXT:
		if (!json_is_string(value))
			break;
		ws_wire_copy(at, field->size, json_string_value(value));
		return WS_OK;
	case NUMBER:
		return ws_wire_read_number(value, field->name, at, error);
	case INTEGER:
		if (!json_is_integer(value) || json_integer_value(value) < INT_MIN ||
		    json_integer_value(value) > INT_MAX)
			break;
		*(int *)at = (int)json_integer_value(value);
		return WS_OK;
	case FLAG:
	default:
		if (!json_is_boolean(value))
			break;
		*(bool *)at = json_is_true(value);
		return WS_OK;
	}
	return ws_fail(error, WS_ECORRUPT, "sends a place without a proper \"%s\"", field->name);
}

/* A place as a rank names its own. */
static int read_name(const json_t *value, struct ws_place *out, struct ws_error *error)
{
	const char *text = json_string_value(value);
	struct ws_place place;

	if (!text || ws_place_parse(text, &place, NULL) != WS_OK || place.rank != WS_RANK_NONE || place.peer)
		return ws_fail(error, WS_ECORRUPT, "sends a list of places with what is no place of its own");
	*out = place;
	return WS_OK;
}

/* Places of a rank are named after it everywhere, also where one says that it is the same as another. */
static int read_place(const json_t *value, int rank, struct ws_place_facts *facts, struct ws_error *error)
{
	char own[sizeof(facts->same_as)];
	int rc = read_name(json_object_get(value, "place"), &facts->place, error);

	if (rc != WS_OK)
		return rc;
	facts->place.rank = rank;
	for (size_t k = 0; k < FIELDS; k++) {
		rc = read_field(&fields[k], json_object_get(value, fields[k].name), facts, error);
		if (rc != WS_OK)
			return rc;
	}
	if (facts->same_as[0]) {
		memcpy(own, facts->same_as, sizeof(own));
		snprintf(facts->same_as, sizeof(facts->same_as), "r%d/%.20s", rank, own);
	}
	return WS_OK;
}

int ws_wire_read_places(const json_t *value, int rank, struct ws_places *into, struct ws_error *error)
{
	const int before = into->count;
	int rc = WS_OK;

	if (!json_is_array(value))
		return ws_fail(error, WS_ECORRUPT, "sends no list of places");
	for (size_t i = 0; i < json_array_size(value) && rc == WS_OK; i++) {
		struct ws_place_facts facts = {.numa_node = -1};

		rc = read_place(json_array_get(value, i), rank, &facts, error);
		if (rc == WS_OK)
			rc = ws_places_add(into, &facts, error);
	}
	if (rc != WS_OK)
		into->count = before;
	return rc;
}

json_t *ws_wire_place_names(const struct ws_place *places, int count)
{
	json_t *list = json_array();

	for (int i = 0; list && i < count; i++) {
		char text[WS_PLACE_TEXT];

		if (json_array_append_new(list, ws_wire_text(ws_place_format(&places[i], text, sizeof(text)))) == 0)
			continue;
		json_decref(list);
		list = NULL;
	}
	return list;
}

int ws_wire_read_place_names(const json_t *value, struct ws_place **places, int *count, struct ws_error *error)
{
	const size_t size = json_array_size(value);
	struct ws_place *list;
	int rc = WS_OK;

	if (size == 0)
		return ws_fail(error, WS_ECORRUPT, "sends no list of places");
	list = calloc(size, sizeof(*list));
	if (!list)
		return ws_fail(error, WS_ENOMEM, "no memory for %zu places", size);
	for (size_t i = 0; i < size && rc == WS_OK; i++)
		rc = read_name(json_array_get(value, i), &list[i], error);
	if (rc != WS_OK) {
		free(list);
		return rc;
	}
	*places = list;
	*count = (int)size;
	return WS_OK;
}
