/* Building JSON so that a failure on the way is remembered, and printing it so that people can read it, too. */
#include "report/json_put.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DUMP_FLAGS (JSON_ENCODE_ANY | JSON_REAL_PRECISION(DBL_DIG))

void ws_json_set(struct ws_json_put *put, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) != 0)
		put->failed = true;
}

void ws_json_append(struct ws_json_put *put, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) != 0)
		put->failed = true;
}

json_t *ws_json_set_array(struct ws_json_put *put, json_t *object, const char *key)
{
	ws_json_set(put, object, key, json_array());
	return json_object_get(object, key);
}

/* The length of the UTF-8 sequence that starts here; 0 = none does (RFC 3629: no surrogates, no overlong forms). */
static size_t sequence_length(const unsigned char *text)
{
	size_t length = 4;

	if (text[0] < 0x80)
		return 1;
	if (text[0] < 0xc2 || text[0] > 0xf4)
		return 0;
	if (text[0] < 0xf0)
		length = text[0] < 0xe0 ? 2 : 3;
	for (size_t i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] >= 0xa0) ||
	    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] >= 0x90))
		return 0;
	return length;
}

json_t *ws_json_text(const char *text)
{
	json_t *value = json_string(text);
	char *copy;

	if (value)
		return value;
	copy = strdup(text);
	if (!copy)
		return NULL;
	for (char *at = copy; *at;) {
		const size_t length = sequence_length((const unsigned char *)at);

		if (length == 0)
			*at = '?';
		at += length > 0 ? length : 1;
	}
	value = json_string(copy);
	free(copy);
	return value;
}

json_t *ws_json_text_or_null(const char *text)
{
	return text && text[0] ? ws_json_text(text) : json_null();
}

json_t *ws_json_real(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

json_t *ws_json_count(uint64_t number)
{
	return number <= INT64_MAX ? json_integer((json_int_t)number) : json_null();
}

json_t *ws_json_bits(uint64_t bits)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, bits);
	return json_string(text);
}

json_t *ws_json_share(json_t *value)
{
	return value ? json_incref(value) : json_null();
}

static bool is_container(const json_t *value)
{
	return json_is_array(value) || json_is_object(value);
}

/* Whether the value holds other containers, and is therefore spread over lines. */
static bool is_deep(const json_t *value)
{
	size_t index;
	json_t *child;
	const char *key;

	json_array_foreach((json_t *)(uintptr_t)value, index, child) if (is_container(child)) return true;
	json_object_foreach((json_t *)(uintptr_t)value, key, child) if (is_container(child)) return true;
	return false;
}

static void print_indent(int depth, FILE *stream)
{
	for (int i = 0; i < depth; i++)
		putc('\t', stream);
}

static bool print_key(const char *key, FILE *stream)
{
	json_t *text = json_string(key);
	const bool printed = text && json_dumpf(text, stream, DUMP_FLAGS) == 0;

	json_decref(text);
	fputs(": ", stream);
	return printed;
}

static bool print_value(const json_t *value, int depth, FILE *stream)
{
	json_t *const parent = (json_t *)(uintptr_t)value;
	const bool is_array = json_is_array(value);
	const char *separator = "\n", *key;
	size_t index;
	json_t *child;
	bool printed = true;

	if (!is_deep(value))
		return json_dumpf(value, stream, DUMP_FLAGS) == 0;
	putc(is_array ? '[' : '{', stream);
	json_array_foreach(parent, index, child)
	{
		fputs(separator, stream);
		print_indent(depth + 1, stream);
		printed = print_value(child, depth + 1, stream) && printed;
		separator = ",\n";
	}
	json_object_foreach(parent, key, child)
	{
		fputs(separator, stream);
		print_indent(depth + 1, stream);
		printed = print_key(key, stream) && print_value(child, depth + 1, stream) && printed;
		separator = ",\n";
	}
	putc('\n', stream);
	print_indent(depth, stream);
	putc(is_array ? ']' : '}', stream);
	return printed;
}

bool ws_json_print(const json_t *value, FILE *stream)
{
	const bool printed = print_value(value, 0, stream);

	putc('\n', stream);
	return printed;
}
