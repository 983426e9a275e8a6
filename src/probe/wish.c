/* The user's wishes of places and memory, matched against the places that there are. */
#include "probe/wish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/pci_address.h"
#include "base/place.h"
#include "base/units.h"

#define LISTED 8
#define UUID_LEAST 8 /* characters, "GPU-" included */

static bool is_given(const char *wish)
{
	return wish && wish[0];
}

/* Copies the part of a list up to the next comma, and moves behind it; false at the list's end. */
static bool next_part(const char **list, char *part, size_t size)
{
	const size_t length = strcspn(*list, ",");

	if (!**list)
		return false;
	snprintf(part, size, "%.*s", (int)length, *list);
	*list += length + ((*list)[length] == ',');
	return true;
}

/* A device's UUID, or as much of it as tells it from others. */
static bool is_uuid(const char *wish, const char *uuid)
{
	const size_t length = strlen(wish);

	return length >= UUID_LEAST && length <= strlen(uuid) && strncasecmp(wish, uuid, length) == 0;
}

static bool is_pci(const char *wish, const char *pci)
{
	struct ws_pci_address a, b;

	return ws_pci_address_parse(wish, &a, NULL) == WS_OK && ws_pci_address_parse(pci, &b, NULL) == WS_OK &&
	       ws_pci_address_compare(&a, &b) == 0;
}

bool ws_wish_means(const struct ws_expand *expand, const char *wish, const struct ws_place *place)
{
	const struct ws_place_facts *facts;
	struct ws_place wished;

	if (ws_place_parse(wish, &wished, NULL) == WS_OK) {
		if (wished.rank == WS_RANK_NONE)
			wished.rank = place->rank;
		return ws_place_same_device(&wished, place);
	}
	/* A node that is a device's memory has the device's address, but is not meant by it. */
	facts = ws_place_is_host(place) ? NULL : ws_places_find(expand->places, place);
	return facts && (is_pci(wish, facts->pci) || is_uuid(wish, facts->uuid));
}

static bool in_list(const struct ws_expand *expand, const struct ws_place *place)
{
	const char *list = expand->device;
	char part[WS_PLACE_TEXT];

	while (next_part(&list, part, sizeof(part)))
		if (ws_wish_means(expand, part, place))
			return true;
	return false;
}

bool ws_wish_names(const struct ws_expand *expand, const struct ws_place *place)
{
	const char *list = is_given(expand->device) ? expand->device : "";
	char part[WS_PLACE_TEXT];
	struct ws_place wished;

	while (next_part(&list, part, sizeof(part)))
		if (ws_place_parse(part, &wished, NULL) == WS_OK && ws_wish_means(expand, part, place))
			return true;
	return false;
}

static bool is_node(const char *number, const struct ws_place *place)
{
	uint64_t node;

	return ws_place_is_host(place) && ws_count_parse(number, 0, INT32_MAX, &node) == WS_OK &&
	       (int)node == place->index;
}

bool ws_wish_device(const struct ws_expand *expand, const struct ws_place *place)
{
	return !is_given(expand->device) || in_list(expand, place);
}

static bool leaves(const struct ws_expand *expand, const char *pair, const struct ws_place *place)
{
	if (is_given(pair) && !ws_wish_means(expand, pair, place))
		return false;
	if (!ws_wish_device(expand, place))
		return false;
	return !is_given(expand->host_node) || !ws_place_is_host(place) || is_node(expand->host_node, place);
}

bool ws_wish_row(const struct ws_expand *expand, const struct ws_place *place)
{
	return leaves(expand, expand->pair_a, place);
}

bool ws_wish_column(const struct ws_expand *expand, const struct ws_place *place)
{
	return leaves(expand, expand->pair_b, place);
}

/* "host0, host1, cuda0, ..." */
static void list_places(const struct ws_places *places, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int i = 0; i < places->count && i <= LISTED && used < size; i++) {
		char name[WS_PLACE_TEXT];

		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
					 i < LISTED ? ws_place_format(&places->at[i].place, name, sizeof(name))
						    : "...");
	}
}

static int refuse_place(const struct ws_expand *expand, const char *option, const char *wish, struct ws_error *error)
{
	const int count = expand->places->count;
	char(*names)[WS_PLACE_TEXT] = calloc((size_t)count + 1, sizeof(*names));
	const char **list = calloc((size_t)count + 1, sizeof(*list)), *nearest = NULL;
	char there[200];

	for (int i = 0; names && list && i < count; i++)
		list[i] = ws_place_format(&expand->places->at[i].place, names[i], sizeof(names[i]));
	if (names && list)
		nearest = ws_nearest(wish, list, (size_t)count);
	list_places(expand->places, there, sizeof(there));
	ws_fail(error, WS_EINVAL, "--%s: there is no place %.40s on this machine%s%s%s; there are %s", option, wish,
		nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "", there);
	free(list);
	free(names);
	return WS_EINVAL;
}

static int check_place(const struct ws_expand *expand, const char *option, const char *wish, struct ws_error *error)
{
	struct ws_place place;

	if (ws_place_parse(wish, &place, NULL) == WS_OK && (place.memory[0] || place.pages[0]))
		return ws_fail(error, WS_EINVAL,
			       "--%s: %.40s: a device or node is asked for; --memory says what memory of it", option,
			       wish);
	for (int i = 0; i < expand->places->count; i++)
		if (ws_wish_means(expand, wish, &expand->places->at[i].place))
			return WS_OK;
	return refuse_place(expand, option, wish, error);
}

static int check_node(const struct ws_expand *expand, struct ws_error *error)
{
	char name[WS_PLACE_TEXT];

	for (int i = 0; i < expand->places->count; i++)
		if (is_node(expand->host_node, &expand->places->at[i].place))
			return WS_OK;
	snprintf(name, sizeof(name), "host%.20s", expand->host_node);
	return refuse_place(expand, "host-node", name, error);
}

int ws_wish_check(const struct ws_expand *expand, struct ws_error *error)
{
	const char *list = expand->device ? expand->device : "";
	char part[WS_PLACE_TEXT];
	struct ws_place memory;
	int rc = WS_OK;

	if (expand->size_count == 2 && expand->sizes_bytes[1] <= expand->sizes_bytes[0])
		return ws_fail(error, WS_EINVAL, "--size: the second size of a slope must be the larger one");
	while (rc == WS_OK && next_part(&list, part, sizeof(part)))
		rc = check_place(expand, "device", part, error);
	if (rc == WS_OK && is_given(expand->pair_a))
		rc = check_place(expand, "pair", expand->pair_a, error);
	if (rc == WS_OK && is_given(expand->pair_b))
		rc = check_place(expand, "pair", expand->pair_b, error);
	if (rc == WS_OK && is_given(expand->host_node))
		rc = check_node(expand, error);
	return rc != WS_OK ? rc : ws_wish_memory(expand, &memory, error);
}

int ws_wish_memory(const struct ws_expand *expand, struct ws_place *out, struct ws_error *error)
{
	char text[WS_PLACE_TEXT];

	snprintf(text, sizeof(text), "host0:%.30s",
		 is_given(expand->memory) ? expand->memory
		 : expand->thp		  ? "thp"
					  : "4k");
	if (ws_place_parse(text, out, NULL) != WS_OK)
		return ws_fail(
			error, WS_EINVAL,
			"--memory: \"%.30s\" is none: pageable, pinned, wc, mapped or svm, then :4k, :thp, :2m or :1g",
			expand->memory ? expand->memory : "");
	return WS_OK;
}
