/* Building JSON so that a failure on the way is remembered, and printing it so that people can read it, too. */
#ifndef WS_REPORT_JSON_PUT_H
#define WS_REPORT_JSON_PUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

/* Set by the first call that finds no memory; the rest goes on and does nothing that matters. */
struct ws_json_put {
	bool failed;
};

/* Take over the value, which may be NULL (out of memory). */
void ws_json_set(struct ws_json_put *put, json_t *object, const char *key, json_t *value);
void ws_json_append(struct ws_json_put *put, json_t *array, json_t *value);
/* An empty array under the key, owned by the object; NULL when out of memory, which the calls above tolerate. */
json_t *ws_json_set_array(struct ws_json_put *put, json_t *object, const char *key);

/* Bytes that are not UTF-8 become '?': they come from drivers, and from texts cut to a buffer's length. */
json_t *ws_json_text(const char *text);
/* null for an empty text. */
json_t *ws_json_text_or_null(const char *text);
/* null for what JSON has no number for: NaN and infinity, integers beyond 63 bits. */
json_t *ws_json_real(double number);
json_t *ws_json_count(uint64_t number);
/* A bit pattern as "0x00ff". */
json_t *ws_json_bits(uint64_t bits);
/* Another reference to a value that may be NULL, which stands for null. */
json_t *ws_json_share(json_t *value);

/*
 * Prints a value and a newline. What holds other arrays or objects is spread over lines, the rest stays on one;
 * numbers have at most 15 significant digits; the same value always gives the same bytes, under any locale.
 * False when out of memory; the state of the stream is the caller's to check.
 */
bool ws_json_print(const json_t *value, FILE *stream);

#endif
