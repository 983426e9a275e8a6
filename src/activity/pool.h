/* Buffers kept for the whole run and lent to the steps in turn. */
#ifndef WS_ACTIVITY_POOL_H
#define WS_ACTIVITY_POOL_H

#include "seam/backend.h"

struct ws_pool_entry;

struct ws_pool {
	struct ws_pool_entry *entries;
};

/*
 * Lends a buffer of a place of at least size_bytes, with the content that it had: one that lies idle, or a new one in
 * place of an idle one that is too small. Two lent ones are never the same memory. If memory runs out, all idle
 * buffers are freed and it is tried once more. near is what alloc gets: NULL, or the device that will use it.
 */
int ws_pool_take(struct ws_pool *pool, struct ws_backend *backend, const struct ws_place *place,
		 const struct ws_place *near, uint64_t size_bytes, struct ws_buffer **out, struct ws_error *error);

/*
 * Makes a lent buffer reachable for the engines of a place of another back end, for as long as the buffer is kept:
 * registering memory takes tens of milliseconds, and the next step wants it again.
 */
int ws_pool_attach(struct ws_buffer *buffer, struct ws_backend *backend, const struct ws_place *place,
		   struct ws_error *error);

/* Lends what lies idle of memory that is near no device; allocates nothing. NULL if there is none. */
struct ws_buffer *ws_pool_take_idle(struct ws_pool *pool, struct ws_backend *backend, const struct ws_place *place,
				    uint64_t size_bytes);

/* Takes a buffer back; NULL is let through. */
void ws_pool_give(struct ws_pool *pool, struct ws_buffer *buffer);

/* Detaches and frees all buffers. Those still lent are of places that were lost, and are left alone. */
void ws_pool_release(struct ws_pool *pool);

#endif
