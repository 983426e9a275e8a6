/* Reading JSON so that the first thing that is wrong is told with its place, and the rest need not ask. */
#include "report/json_get.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX (int)(sizeof(((struct ws_json_get *)NULL)->at) / sizeof(((struct ws_json_get *)NULL)->at[0]))

void ws_json_enter(struct ws_json_get *get, const char *key)
{
	assert(get->depth < DEPTH_MAX);
	get->at[get->depth].key = key;
	get->depth++;
}

void ws_json_enter_index(struct ws_json_get *get, size_t index)
{
	ws_json_enter(get, NULL);
	get->at[get->depth - 1].index = index;
}

void ws_json_leave(struct ws_json_get *get)
{
	assert(get->depth > 0);
	get->depth--;
}

/* Keys come from the document, too: long ones are cut, and nothing of them moves a terminal's cursor. */
static void format_place(const struct ws_json_get *get, char *place, size_t size)
{
	size_t used = 0;

	place[0] = '\0';
	for (int i = 0; i < get->depth && used < size; i++) {
		if (get->at[i].key)
			used += (size_t)snprintf(place + used, size - used, "%s%.40s", i ? "." : "", get->at[i].key);
		else
			used += (size_t)snprintf(place + used, size - used, "[%zu]", get->at[i].index);
	}
	for (char *at = place; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = '?';
}

void ws_json_wrong(struct ws_json_get *get, int status, const char *format, ...)
{
	char place[200], text[200];
	va_list arguments;

	if (get->status != WS_OK)
		return;
	format_place(get, place, sizeof(place));
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	get->status = ws_fail(get->error, status, "%s%s%s", place, place[0] ? ": " : "", text);
}

static bool has_type(struct ws_json_get *get, const json_t *value, bool right, const char *type)
{
	if (get->status != WS_OK)
		return false;
	if (!value)
		ws_json_wrong(get, WS_EINVAL, "is missing");
	else if (!right)
		ws_json_wrong(get, WS_EINVAL, "is not %s", type);
	return get->status == WS_OK;
}

bool ws_json_to_object(struct ws_json_get *get, const json_t *value)
{
	return has_type(get, value, json_is_object(value), "an object");
}

size_t ws_json_to_array(struct ws_json_get *get, const json_t *value, size_t maximum)
{
	if (!has_type(get, value, json_is_array(value), "an array"))
		return 0;
	if (json_array_size(value) > maximum) {
		ws_json_wrong(get, WS_EINVAL, "has %zu elements, at most %zu are allowed", json_array_size(value),
			      maximum);
		return 0;
	}
	return json_array_size(value);
}

int64_t ws_json_to_integer(struct ws_json_get *get, const json_t *value, int64_t minimum, int64_t maximum)
{
	int64_t number;

	if (!has_type(get, value, json_is_integer(value), "an integer"))
		return 0;
	number = json_integer_value(value);
	if (number >= minimum && number <= maximum)
		return number;
	ws_json_wrong(get, WS_EINVAL, "%lld is not within %lld and %lld", (long long)number, (long long)minimum,
		      (long long)maximum);
	return 0;
}

double ws_json_to_real(struct ws_json_get *get, const json_t *value)
{
	return has_type(get, value, json_is_number(value), "a number") ? json_number_value(value) : 0;
}

bool ws_json_to_bool(struct ws_json_get *get, const json_t *value)
{
	return has_type(get, value, json_is_boolean(value), "true or false") && json_is_true(value);
}

const char *ws_json_to_text(struct ws_json_get *get, const json_t *value)
{
	return has_type(get, value, json_is_string(value), "a string") ? json_string_value(value) : "";
}

void ws_json_copy_text(struct ws_json_get *get, const json_t *value, char *out, size_t size)
{
	const char *text = ws_json_to_text(get, value);

	if (strlen(text) >= size)
		ws_json_wrong(get, WS_EINVAL, "is longer than %zu bytes", size - 1);
	else
		memcpy(out, text, strlen(text) + 1);
}

uint64_t ws_json_to_bits(struct ws_json_get *get, const json_t *value)
{
	const char *text = ws_json_to_text(get, value);
	const size_t length = strlen(text);

	if (get->status != WS_OK)
		return 0;
	if (strncmp(text, "0x", 2) == 0 && length > 2 && length <= 18 &&
	    strspn(text + 2, "0123456789abcdef") == length - 2)
		return strtoull(text + 2, NULL, 16);
	ws_json_wrong(get, WS_EINVAL, "is not a hexadecimal number such as \"0x00ff\"");
	return 0;
}

json_t *ws_json_get_object(struct ws_json_get *get, const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	ws_json_enter(get, key);
	if (!ws_json_to_object(get, value))
		value = NULL;
	ws_json_leave(get);
	return value;
}

json_t *ws_json_get_array(struct ws_json_get *get, const json_t *object, const char *key, size_t maximum)
{
	json_t *value = json_object_get(object, key);

	ws_json_enter(get, key);
	ws_json_to_array(get, value, maximum);
	ws_json_leave(get);
	return get->status == WS_OK ? value : NULL;
}

int64_t ws_json_get_integer(struct ws_json_get *get, const json_t *object, const char *key, int64_t minimum,
			    int64_t maximum)
{
	int64_t number;

	ws_json_enter(get, key);
	number = ws_json_to_integer(get, json_object_get(object, key), minimum, maximum);
	ws_json_leave(get);
	return number;
}

bool ws_json_get_bool(struct ws_json_get *get, const json_t *object, const char *key)
{
	bool truth;

	ws_json_enter(get, key);
	truth = ws_json_to_bool(get, json_object_get(object, key));
	ws_json_leave(get);
	return truth;
}

const char *ws_json_get_text(struct ws_json_get *get, const json_t *object, const char *key)
{
	const char *text;

	ws_json_enter(get, key);
	text = ws_json_to_text(get, json_object_get(object, key));
	ws_json_leave(get);
	return text;
}

uint64_t ws_json_get_bits(struct ws_json_get *get, const json_t *object, const char *key)
{
	uint64_t bits;

	ws_json_enter(get, key);
	bits = ws_json_to_bits(get, json_object_get(object, key));
	ws_json_leave(get);
	return bits;
}

void ws_json_copy_text_or_null(struct ws_json_get *get, const json_t *object, const char *key, char *out, size_t size)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_null(value)) {
		out[0] = '\0';
		return;
	}
	ws_json_enter(get, key);
	ws_json_copy_text(get, value, out, size);
	ws_json_leave(get);
}

int64_t ws_json_get_integer_or_null(struct ws_json_get *get, const json_t *object, const char *key, int64_t minimum,
				    int64_t maximum)
{
	return json_is_null(json_object_get(object, key)) ? 0 : ws_json_get_integer(get, object, key, minimum, maximum);
}

bool ws_json_get_real_or_null(struct ws_json_get *get, const json_t *object, const char *key, double *out)
{
	const json_t *value = json_object_get(object, key);

	*out = 0;
	if (json_is_null(value))
		return false;
	ws_json_enter(get, key);
	*out = ws_json_to_real(get, value);
	ws_json_leave(get);
	return get->status == WS_OK;
}

int ws_json_get_word(struct ws_json_get *get, const json_t *object, const char *key, int (*find)(const char *name))
{
	const char *word = ws_json_get_text(get, object, key);
	const int index = get->status == WS_OK ? find(word) : 0;

	if (index >= 0)
		return index;
	ws_json_enter(get, key);
	ws_json_wrong(get, WS_EINVAL, "unknown word '%.40s'", word);
	ws_json_leave(get);
	return 0;
}

json_t *ws_json_take_object_or_null(struct ws_json_get *get, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_null(value) ? NULL : json_incref(ws_json_get_object(get, object, key));
}
