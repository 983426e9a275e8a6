/* Places as text, and lists of places. */
#ifndef WS_BASE_PLACE_H
#define WS_BASE_PLACE_H

#include <stddef.h>

#include "base/error.h"
#include "seam/place.h"

#define WS_PLACE_TEXT 48

/* WS_EINVAL with what is wrong and what is allowed. Whether the machine has the place is not asked. */
int ws_place_parse(const char *text, struct ws_place *out, struct ws_error *error);

/* Writes the canonical text (memory before pages) and returns it. size should be WS_PLACE_TEXT. */
char *ws_place_format(const struct ws_place *place, char *text, size_t size);

/* False for a place that a verb does not take. */
bool ws_place_is_set(const struct ws_place *place);

/* Memory of the host, of whatever rank. */
bool ws_place_is_host(const struct ws_place *place);

/* The host's own memory, usable or not: neither a far end's nor a device's that the system shows as a node. */
bool ws_place_is_host_memory(const struct ws_place_facts *facts);

/* The same bytes: all parts agree. */
bool ws_place_equal(const struct ws_place *a, const struct ws_place *b);

/* The same device or node: rank, peer, family and index agree; memory kind and page size may differ. */
bool ws_place_same_device(const struct ws_place *a, const struct ws_place *b);

/* The device alone: a copy without memory kind and page size. */
struct ws_place ws_place_device(const struct ws_place *place);

/*
 * Copies those of a rank (and of a family, unless that is NULL) to out, which has room for count, as the rank names them
 * itself: without it. Places of peers are left out. Returns how many there are.
 */
int ws_place_pick(const struct ws_place *places, int count, int rank, const char *family, struct ws_place *out);

/* Whether a bitmap of devices by index, such as peers, has a place's. It knows the first 64. */
bool ws_place_in(uint64_t devices, const struct ws_place *place);

/* Appends a copy. WS_ENOMEM. */
int ws_places_add(struct ws_places *places, const struct ws_place_facts *facts, struct ws_error *error);
/* The facts of a place's device, or NULL. */
const struct ws_place_facts *ws_places_find(const struct ws_places *places, const struct ws_place *place);
/*
 * The node of usable host memory for a device's buffers: the nearest, else the first with CPUs, else the first; NULL if
 * there is none. cpus_only: nodes where this process has no CPU do not count.
 */
const struct ws_place_facts *ws_places_near_host(const struct ws_places *places, const struct ws_place_facts *device,
						 bool cpus_only);
void ws_places_release(struct ws_places *places);

#endif
