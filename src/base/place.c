/* Places as text, and lists of places. */
#include "base/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const families[] = {"host", "cuda", "ocl", "rbln"};
static const char *const memories[] = {"pageable", "pinned", "wc", "mapped", "svm", "plain", "vmm", "fabric", "fd", "ipc"};
static const char *const page_sizes[] = {"4k", "thp", "2m", "1g"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define INDEX_MAX 9999

static const char *find(const char *const *names, size_t count, const char *text, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0)
			return names[i];
	return NULL;
}

/* Reads digits at *text; -1 if there are none or too many. */
static int read_index(const char **text)
{
	const char *at = *text;
	int value = 0;

	if (*at < '0' || *at > '9' || (at[0] == '0' && at[1] >= '0' && at[1] <= '9'))
		return -1;
	for (; *at >= '0' && *at <= '9'; at++) {
		value = value * 10 + (*at - '0');
		if (value > INDEX_MAX)
			return -1;
	}
	*text = at;
	return value;
}

static int read_suffix(const char *text, struct ws_place *place)
{
	while (*text == ':') {
		size_t length = strcspn(++text, ":");
		const char *memory = find(memories, COUNT(memories), text, length);
		const char *pages = find(page_sizes, COUNT(page_sizes), text, length);

		if (memory && !place->memory[0] && !place->pages[0])
			strcpy(place->memory, memory);
		else if (pages && !place->pages[0])
			strcpy(place->pages, pages);
		else
			return -1;
		text += length;
	}
	return *text ? -1 : 0;
}

int ws_place_parse(const char *text, struct ws_place *out, struct ws_error *error)
{
	struct ws_place place = {.rank = WS_RANK_NONE};
	const char *at = text, *family = NULL;

	if (strncmp(at, "peer/", 5) == 0) {
		place.peer = true;
		at += 5;
	} else if (at[0] == 'r' && at[1] >= '0' && at[1] <= '9') {
		at++;
		place.rank = read_index(&at);
		if (place.rank < 0 || *at++ != '/')
			goto bad;
	}
	family = find(families, COUNT(families), at, strspn(at, "abcdefghijklmnopqrstuvwxyz"));
	if (!family)
		goto bad;
	strcpy(place.family, family);
	at += strlen(family);
	place.index = read_index(&at);
	if (place.index < 0 || read_suffix(at, &place) < 0)
		goto bad;
	*out = place;
	return WS_OK;
bad:
	return ws_fail(error, WS_EINVAL,
		       "\"%.40s\" is no place: [rN/|peer/] then host, cuda or ocl with a number, then :memory (pageable, "
		       "pinned, wc, mapped, svm, plain, vmm, fabric, fd, ipc) and :pages (4k, thp, 2m, 1g)", text);
}

char *ws_place_format(const struct ws_place *place, char *text, size_t size)
{
	char prefix[16] = "";

	if (place->peer)
		strcpy(prefix, "peer/");
	else if (place->rank != WS_RANK_NONE)
		snprintf(prefix, sizeof(prefix), "r%d/", place->rank);
	snprintf(text, size, "%s%s%d%s%s%s%s", prefix, place->family, place->index, place->memory[0] ? ":" : "",
		 place->memory, place->pages[0] ? ":" : "", place->pages);
	return text;
}

bool ws_place_is_set(const struct ws_place *place)
{
	return place->family[0] != '\0';
}

bool ws_place_same_device(const struct ws_place *a, const struct ws_place *b)
{
	return a->rank == b->rank && a->peer == b->peer && a->index == b->index && strcmp(a->family, b->family) == 0;
}

bool ws_place_is_host(const struct ws_place *place)
{
	return strcmp(place->family, "host") == 0;
}

bool ws_place_is_host_memory(const struct ws_place_facts *facts)
{
	return ws_place_is_host(&facts->place) && !facts->place.peer && !facts->pci[0] && !facts->same_as[0];
}

bool ws_place_equal(const struct ws_place *a, const struct ws_place *b)
{
	return ws_place_same_device(a, b) && strcmp(a->memory, b->memory) == 0 && strcmp(a->pages, b->pages) == 0;
}

struct ws_place ws_place_device(const struct ws_place *place)
{
	struct ws_place device = *place;

	device.memory[0] = '\0';
	device.pages[0] = '\0';
	return device;
}

int ws_place_pick(const struct ws_place *places, int count, int rank, const char *family, struct ws_place *out)
{
	int found = 0;

	for (int i = 0; i < count; i++) {
		if (places[i].peer || places[i].rank != rank || (family && strcmp(places[i].family, family) != 0))
			continue;
		out[found] = places[i];
		out[found++].rank = WS_RANK_NONE;
	}
	return found;
}

bool ws_place_in(uint64_t devices, const struct ws_place *place)
{
	return place->index < 64 && (devices >> place->index & 1) != 0;
}

int ws_places_add(struct ws_places *places, const struct ws_place_facts *facts, struct ws_error *error)
{
	struct ws_place_facts *at = realloc(places->at, ((size_t)places->count + 1) * sizeof(*at));

	if (!at)
		return ws_fail(error, WS_ENOMEM, "no memory for the list of places");
	places->at = at;
	at[places->count++] = *facts;
	return WS_OK;
}

const struct ws_place_facts *ws_places_find(const struct ws_places *places, const struct ws_place *place)
{
	for (int i = 0; i < places->count; i++)
		if (ws_place_same_device(&places->at[i].place, place))
			return &places->at[i];
	return NULL;
}

const struct ws_place_facts *ws_places_near_host(const struct ws_places *places, const struct ws_place_facts *device,
						 bool cpus_only)
{
	const struct ws_place_facts *near = NULL, *with_cpus = NULL, *any = NULL;

	for (int i = 0; i < places->count; i++) {
		const struct ws_place_facts *host = &places->at[i];

		if (!ws_place_is_host_memory(host) || host->absent[0] || host->place.rank != device->place.rank ||
		    (cpus_only && host->cpu_count == 0))
			continue;
		near = host->place.index == device->numa_node ? host : near;
		with_cpus = !with_cpus && host->cpu_count > 0 ? host : with_cpus;
		any = any ? any : host;
	}
	return near ? near : with_cpus ? with_cpus : any;
}

void ws_places_release(struct ws_places *places)
{
	free(places->at);
	*places = (struct ws_places){0};
}
