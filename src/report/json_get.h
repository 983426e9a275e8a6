/* Reading JSON so that the first thing that is wrong is told with its place, and the rest need not ask. */
#ifndef WS_REPORT_JSON_GET_H
#define WS_REPORT_JSON_GET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"

/*
 * After a failure every function answers 0, false, "" or NULL and leaves the error as it is. A caller need only look at
 * status where it would loop, allocate or use an answer as an index.
 */
struct ws_json_get {
	struct ws_error *error;
	int status;
	int depth;
	struct {
		const char *key; /* NULL: an index */
		size_t index;
	} at[12]; /* where in the document: "tables[0].cells[3].status" */
};

void ws_json_enter(struct ws_json_get *get, const char *key);
void ws_json_enter_index(struct ws_json_get *get, size_t index);
void ws_json_leave(struct ws_json_get *get);

/* Fails with the place before the text. */
__attribute__((format(printf, 3, 4))) void ws_json_wrong(struct ws_json_get *get, int status, const char *format, ...);

/* The value at hand, which may be NULL (missing), as what it must be. Limits are inclusive; text must fit into size. */
bool ws_json_to_object(struct ws_json_get *get, const json_t *value);
/* The number of elements, at most so many. */
size_t ws_json_to_array(struct ws_json_get *get, const json_t *value, size_t maximum);
int64_t ws_json_to_integer(struct ws_json_get *get, const json_t *value, int64_t minimum, int64_t maximum);
double ws_json_to_real(struct ws_json_get *get, const json_t *value);
bool ws_json_to_bool(struct ws_json_get *get, const json_t *value);
const char *ws_json_to_text(struct ws_json_get *get, const json_t *value);
void ws_json_copy_text(struct ws_json_get *get, const json_t *value, char *out, size_t size);
/* "0x00ff" */
uint64_t ws_json_to_bits(struct ws_json_get *get, const json_t *value);

/* The same of an object's member. */
json_t *ws_json_get_object(struct ws_json_get *get, const json_t *object, const char *key);
json_t *ws_json_get_array(struct ws_json_get *get, const json_t *object, const char *key, size_t maximum);
int64_t ws_json_get_integer(struct ws_json_get *get, const json_t *object, const char *key, int64_t minimum,
			    int64_t maximum);
bool ws_json_get_bool(struct ws_json_get *get, const json_t *object, const char *key);
const char *ws_json_get_text(struct ws_json_get *get, const json_t *object, const char *key);
uint64_t ws_json_get_bits(struct ws_json_get *get, const json_t *object, const char *key);
/* null answers "", 0, or false. */
void ws_json_copy_text_or_null(struct ws_json_get *get, const json_t *object, const char *key, char *out, size_t size);
int64_t ws_json_get_integer_or_null(struct ws_json_get *get, const json_t *object, const char *key, int64_t minimum,
				    int64_t maximum);
bool ws_json_get_real_or_null(struct ws_json_get *get, const json_t *object, const char *key, double *out);
/* The index of a word that find knows; `what` is for the message: "status". */
int ws_json_get_word(struct ws_json_get *get, const json_t *object, const char *key, int (*find)(const char *name));
/* A new reference to an object, NULL for null. */
json_t *ws_json_take_object_or_null(struct ws_json_get *get, const json_t *object, const char *key);

#endif
