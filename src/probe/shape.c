/* Shapes: how probes of one kind become steps. */
#include "probe/shape.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/item.h"
#include "base/place.h"
#include "base/units.h"
#include "probe/probe.h"
#include "probe/wish.h"

#define LEAST_BYTES ((uint64_t)256 << 20)
#define CACHES 4
#define MEMORY_PART 8
#define MEMORY_PART_AT_MOST 4

/* One expansion under way. */
struct shape {
	const struct ws_probe *probe;
	const struct ws_expand *expand;
	struct ws_plan *plan;
	struct ws_place memory; /* kind and page size of every buffer */
	uint32_t threads;	/* of every item; 0 = as many as the engine likes */
	bool to_column;		/* from row to column, else all in the column */
	bool pair;		/* one cell is asked for: it is there, if only with a reason */
	struct ws_error *error;
};

static uint64_t power_at_least(uint64_t bytes)
{
	uint64_t power = 1;

	while (power < bytes && power < (uint64_t)1 << 62)
		power *= 2;
	return power;
}

/* The next number with at most four significant bits. */
static uint64_t rounded_up(uint64_t bytes)
{
	const uint64_t power = power_at_least(bytes), unit = power < 16 ? 1 : power / 16;

	return (bytes + unit - 1) / unit * unit;
}

static uint64_t power_at_most(uint64_t bytes)
{
	const uint64_t power = power_at_least(bytes);

	return power > bytes ? power / 2 : power;
}

static bool is_host(const struct ws_place *place)
{
	return ws_place_is_host(place) && !place->peer;
}

uint64_t ws_shape_host_size(const struct ws_places *places, const struct ws_place_facts *node)
{
	uint64_t cache_bytes = 0, wanted, most;

	for (int i = 0; i < places->count; i++)
		if (is_host(&places->at[i].place) && places->at[i].place.rank == node->place.rank &&
		    places->at[i].cache_bytes > cache_bytes)
			cache_bytes = places->at[i].cache_bytes;
	wanted = rounded_up(CACHES * cache_bytes);
	if (wanted < LEAST_BYTES)
		wanted = LEAST_BYTES;
	if (node->memory_bytes == 0)
		return wanted;
	most = power_at_most(node->memory_bytes / MEMORY_PART);
	if (most <= cache_bytes)
		most = power_at_most(node->memory_bytes / MEMORY_PART_AT_MOST);
	if (most <= cache_bytes)
		return 0;
	return wanted < most ? wanted : most;
}

/* The sizes of an item over two nodes' memory, which may be one; 0 sizes and a reason if there is none. */
static int choose_sizes(const struct shape *shape, const struct ws_place_facts *row,
			const struct ws_place_facts *column, uint64_t sizes_bytes[2], char *reason, size_t reason_size)
{
	const struct ws_place_facts *smaller =
		shape->to_column && row->memory_bytes && row->memory_bytes < column->memory_bytes ? row : column;
	char name[WS_PLACE_TEXT];

	if (shape->expand->size_count) {
		memcpy(sizes_bytes, shape->expand->sizes_bytes, 2 * sizeof(*sizes_bytes));
		return shape->expand->size_count;
	}
	if (shape->probe->size_bytes[0]) {
		memcpy(sizes_bytes, shape->probe->size_bytes, 2 * sizeof(*sizes_bytes));
		return sizes_bytes[1] ? 2 : 1;
	}
	sizes_bytes[0] = ws_shape_host_size(shape->expand->places, smaller);
	if (sizes_bytes[0])
		return 1;
	snprintf(reason, reason_size,
		 "a quarter of the memory of %s would fit into the cache; --size measures with any size",
		 ws_place_format(&smaller->place, name, sizeof(name)));
	return 0;
}

int ws_shape_set_flags(const struct ws_probe *probe, struct ws_item *item, struct ws_error *error)
{
	const char *at = probe->item_flags ? probe->item_flags : "";
	int rc = WS_OK;

	while (*at && rc == WS_OK) {
		const size_t length = strcspn(at, " ");
		char flag[40], *value;

		assert(length < sizeof(flag));
		memcpy(flag, at, length);
		flag[length] = '\0';
		value = strchr(flag, '=');
		if (value)
			*value++ = '\0';
		rc = ws_item_option_set(item, flag, value, error);
		at += length + (at[length] == ' ');
	}
	return rc;
}

static struct ws_place buffer_place(const struct shape *shape, const struct ws_place_facts *node)
{
	struct ws_place place = ws_place_device(&node->place);

	strcpy(place.memory, shape->memory.memory);
	strcpy(place.pages, shape->memory.pages);
	return place;
}

static int set_item(const struct shape *shape, const struct ws_place_facts *row, const struct ws_place_facts *column,
		    struct ws_item *item)
{
	const struct ws_verb_row *verb = ws_verb_row(item->verb);
	char threads[WS_UNITS_TEXT];
	int rc;

	if (verb->source)
		item->source = buffer_place(shape, shape->to_column ? row : column);
	if (verb->destination)
		item->destination = buffer_place(shape, column);
	item->engine.place = ws_place_device(&row->place);
	strcpy(item->engine.name, shape->probe->engine);
	rc = ws_shape_set_flags(shape->probe, item, shape->error);
	if (rc == WS_OK && shape->threads) {
		snprintf(threads, sizeof(threads), "%u", (unsigned)shape->threads);
		rc = ws_item_option_set(item, "threads", threads, shape->error);
	}
	return rc;
}

static int add_step(const struct shape *shape, const struct ws_place_facts *row, const struct ws_place_facts *column,
		    const char *reason)
{
	struct ws_step *step = ws_plan_add_step(shape->plan, shape->probe);
	struct ws_place memory = ws_place_device(&column->place);
	uint64_t sizes_bytes[2] = {0};
	char text[WS_PLACE_TEXT];
	struct ws_item *item;
	int size_count = 0;

	if (!step)
		return ws_fail(shape->error, WS_ENOMEM, "no memory for a step");
	memory.rank = WS_RANK_NONE; /* memory is its rank's own */
	ws_coords_set(&step->coords, shape->probe->axes[0], ws_place_format(&row->place, text, sizeof(text)));
	ws_coords_set(&step->coords, shape->probe->axes[1], ws_place_format(&memory, text, sizeof(text)));
	snprintf(step->reason, sizeof(step->reason), "%s", reason);
	if (!reason[0])
		size_count = choose_sizes(shape, row, column, sizes_bytes, step->reason, sizeof(step->reason));
	if (size_count == 0)
		return WS_OK;
	item = ws_step_add_item(step, shape->probe->verb);
	if (!item)
		return ws_fail(shape->error, WS_ENOMEM, "no memory for an item");
	memcpy(item->size_bytes, sizes_bytes, sizeof(sizes_bytes));
	item->size_count = size_count;
	return set_item(shape, row, column, item);
}

/* Why a node cannot take part, with its CPUs or with its memory; "" if it can. */
static void why_not(const struct ws_place_facts *facts, bool works, bool has_buffer, uint32_t threads, char *reason,
		    size_t reason_size)
{
	char name[WS_PLACE_TEXT];

	ws_place_format(&facts->place, name, sizeof(name));
	reason[0] = '\0';
	if (works && facts->cpu_count <= 0)
		snprintf(reason, reason_size, "%s has no CPUs that this process may use", name);
	else if (works && threads > (uint32_t)facts->cpu_count)
		snprintf(reason, reason_size, "%u threads are asked for, but %s has %d CPUs that this process may use",
			 (unsigned)threads, name, facts->cpu_count);
	else if (has_buffer && facts->absent[0])
		snprintf(reason, reason_size, "%s: %.100s", name, facts->absent);
}

/* The cells of one row. A node that cannot take part has a cell only if this pair was asked for. */
static int add_row(const struct shape *shape, const struct ws_place_facts *row, char *reason, size_t reason_size)
{
	const struct ws_places *places = shape->expand->places;
	char why_row[160], why_column[160];
	int rc = WS_OK;

	why_not(row, true, shape->to_column, shape->threads, why_row, sizeof(why_row));
	for (int i = 0; i < places->count && rc == WS_OK; i++) {
		const struct ws_place_facts *column = &places->at[i];
		const char *why;

		if (!is_host(&column->place) || column->place.rank != row->place.rank ||
		    !ws_wish_column(shape->expand, &column->place))
			continue;
		why_not(column, false, true, 0, why_column, sizeof(why_column));
		why = why_row[0] ? why_row : why_column;
		if (why[0])
			snprintf(reason, reason_size, "%s", why);
		if (!why[0] || shape->pair)
			rc = add_step(shape, row, column, why);
	}
	return rc;
}

static int expand_host(const struct ws_probe *probe, const struct ws_expand *expand, bool to_column,
		       struct ws_plan *plan, char *reason, int reason_size, struct ws_error *error)
{
	struct shape shape = {.probe = probe,
			      .expand = expand,
			      .plan = plan,
			      .threads = ws_probe_honours(probe, "threads") ? expand->threads : 0,
			      .to_column = to_column,
			      .pair = expand->pair_a && expand->pair_a[0],
			      .error = error};
	const int before = plan->step_count;
	const struct ws_places *places = expand->places;
	char skipped[160] = "";
	int rc = ws_wish_memory(expand, &shape.memory, error);

	for (int i = 0; i < places->count && rc == WS_OK; i++)
		if (is_host(&places->at[i].place) && ws_wish_row(expand, &places->at[i].place))
			rc = add_row(&shape, &places->at[i], skipped, sizeof(skipped));
	if (rc == WS_OK && plan->step_count == before)
		snprintf(reason, (size_t)reason_size, "%s",
			 skipped[0] ? skipped : "there are no NUMA nodes of one rank, or none that the options leave");
	return rc;
}

int ws_shape_host_memory(const struct ws_probe *probe, const struct ws_expand *expand, struct ws_plan *plan,
			 char *reason, int reason_size, struct ws_error *error)
{
	return expand_host(probe, expand, false, plan, reason, reason_size, error);
}

int ws_shape_host_to_host(const struct ws_probe *probe, const struct ws_expand *expand, struct ws_plan *plan,
			  char *reason, int reason_size, struct ws_error *error)
{
	return expand_host(probe, expand, true, plan, reason, reason_size, error);
}
