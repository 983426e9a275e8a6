/* The user's wishes of places and memory, matched against the places that there are. */
#ifndef WS_PROBE_WISH_H
#define WS_PROBE_WISH_H

#include "base/error.h"
#include "seam/probe.h"

/*
 * WS_EINVAL: a wished place is not on this machine (with the nearest one), or wishes are not in order. A wish without
 * a rank means that place in every rank.
 */
int ws_wish_check(const struct ws_expand *expand, struct ws_error *error);

/* Whether the wishes (pair, device, host-node) leave a place as a row, as a column of a matrix. */
bool ws_wish_row(const struct ws_expand *expand, const struct ws_place *place);
bool ws_wish_column(const struct ws_expand *expand, const struct ws_place *place);

/*
 * Whether a wish means a place: a name such as "cuda0", or of a device its PCI address, or the UUID (as much as tells it
 * from others) that its driver gave it. Whether --device leaves a place.
 */
bool ws_wish_means(const struct ws_expand *expand, const char *wish, const struct ws_place *place);
bool ws_wish_device(const struct ws_expand *expand, const struct ws_place *place);
/* Whether --device has the place by this very name, not by an address or UUID that other places may share. */
bool ws_wish_names(const struct ws_expand *expand, const struct ws_place *place);

/* Memory kind and page size of host memory: the wish, else huge pages where the machine has them. */
int ws_wish_memory(const struct ws_expand *expand, struct ws_place *out, struct ws_error *error);

#endif
