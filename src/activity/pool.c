/* Buffers kept for the whole run and lent to the steps in turn. */
#include "activity/pool.h"

#include <stdlib.h>

#include "base/place.h"

/* A place whose engines can reach a buffer of another back end. */
struct attachment {
	struct ws_backend *backend;
	struct ws_place place;
};

struct ws_pool_entry {
	struct ws_buffer buffer; /* first: a lent buffer's address is its entry's */
	struct ws_pool_entry *next;
	struct ws_backend *backend;
	struct ws_place place;
	struct ws_place near; /* all zero = no device in particular */
	uint64_t size_bytes;
	bool lent;
	struct attachment *attachments; /* owned */
	int attachment_count;
};

/* Of the same kind as a wanted one, and idle. */
static bool is_idle_like(const struct ws_pool_entry *entry, const struct ws_pool_entry *wanted)
{
	return !entry->lent && entry->backend == wanted->backend && ws_place_equal(&entry->place, &wanted->place) &&
	       ws_place_equal(&entry->near, &wanted->near);
}

static void free_entry(struct ws_pool_entry *entry)
{
	for (int i = entry->attachment_count - 1; i >= 0; i--) {
		const struct attachment *attachment = &entry->attachments[i];

		attachment->backend->ops->detach(attachment->backend, &entry->buffer, &attachment->place);
	}
	entry->backend->ops->free(entry->backend, &entry->buffer);
	free(entry->attachments);
	free(entry);
}

/* Frees what lies idle: like a wanted one, or with NULL all. */
static void free_idle(struct ws_pool *pool, const struct ws_pool_entry *wanted)
{
	for (struct ws_pool_entry **at = &pool->entries; *at;) {
		struct ws_pool_entry *entry = *at;

		if (entry->lent || (wanted && !is_idle_like(entry, wanted))) {
			at = &entry->next;
			continue;
		}
		*at = entry->next;
		free_entry(entry);
	}
}

/* The smallest idle buffer that is large enough. */
static struct ws_pool_entry *find_idle(const struct ws_pool *pool, const struct ws_pool_entry *wanted)
{
	struct ws_pool_entry *best = NULL;

	for (struct ws_pool_entry *entry = pool->entries; entry; entry = entry->next)
		if (is_idle_like(entry, wanted) && entry->size_bytes >= wanted->size_bytes &&
		    (!best || entry->size_bytes < best->size_bytes))
			best = entry;
	return best;
}

static int allocate(struct ws_pool_entry *entry, const struct ws_place *near, struct ws_error *error)
{
	const struct ws_backend_ops *ops = entry->backend->ops;

	return ops->alloc(entry->backend, &entry->place, near, entry->size_bytes, &entry->buffer, error);
}

int ws_pool_take(struct ws_pool *pool, struct ws_backend *backend, const struct ws_place *place,
		 const struct ws_place *near, uint64_t size_bytes, struct ws_buffer **out, struct ws_error *error)
{
	struct ws_pool_entry wanted = {.backend = backend, .place = *place, .size_bytes = size_bytes}, *entry;
	struct ws_error first = {0};
	int rc;

	if (near)
		wanted.near = *near;
	entry = find_idle(pool, &wanted);
	if (!entry) {
		entry = malloc(sizeof(*entry));
		if (!entry)
			return ws_fail(error, WS_ENOMEM, "no memory to keep a buffer");
		*entry = wanted;
		free_idle(pool, &wanted);
		rc = allocate(entry, near, &first);
		if (rc == WS_ENOMEM) {
			free_idle(pool, NULL);
			rc = allocate(entry, near, error);
		} else if (rc != WS_OK) {
			ws_fail(error, first.code, "%s", first.text);
		}
		if (rc != WS_OK) {
			free(entry);
			return rc;
		}
		entry->next = pool->entries;
		pool->entries = entry;
	}
	entry->lent = true;
	*out = &entry->buffer;
	return WS_OK;
}

struct ws_buffer *ws_pool_take_idle(struct ws_pool *pool, struct ws_backend *backend, const struct ws_place *place,
				    uint64_t size_bytes)
{
	const struct ws_pool_entry wanted = {.backend = backend, .place = *place, .size_bytes = size_bytes};
	struct ws_pool_entry *entry = find_idle(pool, &wanted);

	if (!entry)
		return NULL;
	entry->lent = true;
	return &entry->buffer;
}

int ws_pool_attach(struct ws_buffer *buffer, struct ws_backend *backend, const struct ws_place *place,
		   struct ws_error *error)
{
	struct ws_pool_entry *entry = (struct ws_pool_entry *)(void *)buffer;
	struct attachment *attachments;
	int rc;

	for (int i = 0; i < entry->attachment_count; i++)
		if (entry->attachments[i].backend == backend && ws_place_equal(&entry->attachments[i].place, place))
			return WS_OK;
	attachments = realloc(entry->attachments, ((size_t)entry->attachment_count + 1) * sizeof(*attachments));
	if (!attachments)
		return ws_fail(error, WS_ENOMEM, "no memory to attach a buffer");
	entry->attachments = attachments;
	rc = backend->ops->attach(backend, buffer, place, error);
	if (rc == WS_OK)
		attachments[entry->attachment_count++] = (struct attachment){backend, *place};
	return rc;
}

void ws_pool_give(struct ws_pool *pool, struct ws_buffer *buffer)
{
	(void)pool;
	if (buffer)
		((struct ws_pool_entry *)(void *)buffer)->lent = false;
}

void ws_pool_release(struct ws_pool *pool)
{
	free_idle(pool, NULL);
}
