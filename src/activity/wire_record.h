/* What ranks tell each other of places, shots and samples, as JSON values. Never structs: no two builds need agree. */
#ifndef WS_ACTIVITY_WIRE_RECORD_H
#define WS_ACTIVITY_WIRE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "seam/activity.h"
#include "seam/place.h"
#include "seam/record.h"

struct json_t;

/*
 * Writers return a new value, or NULL when out of memory (or if a number is not finite). Readers believe nothing:
 * WS_ECORRUPT says what is wrong, and the output is as it was.
 */

/* Text that may hold anything; what is no UTF-8 becomes "?". */
struct json_t *ws_wire_text(const char *text);
/* Text that somebody else sent: cut to what fits, without control characters. */
void ws_wire_copy(char *to, size_t size, const char *text);

/* 64 bits, which JSON's numbers cannot be trusted with, as decimal text. */
struct json_t *ws_wire_number(uint64_t number);
int ws_wire_read_number(const struct json_t *value, const char *what, uint64_t *number, struct ws_error *error);

struct json_t *ws_wire_places(const struct ws_places *places);
/* Appends the places, which must have no rank yet, as those of a rank. */
int ws_wire_read_places(const struct json_t *value, int rank, struct ws_places *into, struct ws_error *error);

/* Names of places alone, which must have no rank. The list that is read is freed with free(). */
struct json_t *ws_wire_place_names(const struct ws_place *places, int count);
int ws_wire_read_place_names(const struct json_t *value, struct ws_place **places, int *count, struct ws_error *error);

/* item_count is that of the step. */
struct json_t *ws_wire_shot(const struct ws_shot *shot, int item_count);
/* Sets loops[2 * item_count], the timed ones and those that trail, and the shot to point there. */
int ws_wire_read_shot(const struct json_t *value, int item_count, uint32_t *loops, struct ws_shot *out,
		      struct ws_error *error);

/* Lanes and counters, without the times of the host clock, which mean nothing elsewhere. */
struct json_t *ws_wire_sample(const struct ws_sample *sample);
/* Appends them. Lanes of items that are not among mine (by item of the step) are not believed. */
int ws_wire_read_sample(const struct json_t *value, int item_count, const bool *mine, struct ws_sample *into,
			struct ws_error *error);

struct json_t *ws_wire_check(const struct ws_check *check);
/* Adds the finding of a rank. */
int ws_wire_read_check(const struct json_t *value, int item_count, int rank, struct ws_check *into,
		       struct ws_error *error);

/* Indices of items. */
struct json_t *ws_wire_items(const bool *items, int item_count);
/* Sets items[i]; all must be among mine. */
int ws_wire_read_items(const struct json_t *value, int item_count, const bool *mine, bool *items,
		       struct ws_error *error);

#endif
