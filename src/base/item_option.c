/* The tables of verbs and of item options. */
#include "base/item.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

static const struct ws_verb_row verb_rows[WS_VERB_COUNT] = {
	[WS_COPY] = {"->", true, true, 1, true, true},
	[WS_COPY2] = {"<->", true, true, 2, true, true},
	[WS_READ] = {"read", true, false, 1, true, true},
	[WS_WRITE] = {"write", false, true, 1, true, true},
	[WS_TRIAD] = {"triad", false, true, 1, true, false},
	[WS_MIX] = {"mix", false, true, 1, true, false},
	[WS_CHASE] = {"chase", true, false, 1, true, true},
	[WS_PINGPONG] = {"pingpong", true, true, 1, false, true},
	[WS_NOOP] = {"noop", true, false, 1, false, true},
	[WS_MAP] = {"map", true, false, 1, true, true},
	[WS_UNMAP] = {"unmap", true, false, 1, true, true},
	[WS_COLLECTIVE] = {"collective", false, false, 1, true, false},
	[WS_PUT] = {"put", true, true, 1, true, false},
	[WS_GET] = {"get", true, true, 1, true, false},
	[WS_STORE] = {"store", true, true, 1, true, false},
	[WS_LOAD] = {"load", true, true, 1, true, false},
};

#define BIT(verb) (1u << (verb))
#define COPIES (BIT(WS_COPY) | BIT(WS_COPY2))
#define LOCAL (BIT(WS_READ) | BIT(WS_WRITE) | BIT(WS_TRIAD) | BIT(WS_MIX))
#define REMOTE (BIT(WS_PUT) | BIT(WS_GET) | BIT(WS_STORE) | BIT(WS_LOAD))
#define COLLECTIVE BIT(WS_COLLECTIVE)
#define ANY ((1u << WS_VERB_COUNT) - 1)

static const struct ws_item_option_row option_rows[] = {
	{"nt", WS_OPTION_FLAG, 0, 0, NULL, COPIES | BIT(WS_WRITE) | BIT(WS_TRIAD) | BIT(WS_MIX), true},
	{"threads", WS_OPTION_NUMBER, 1, 4096, NULL, ANY & ~COLLECTIVE, true},
	{"peer", WS_OPTION_WORD, 0, 0, "on off", COPIES | BIT(WS_READ) | BIT(WS_WRITE), true},
	{"fused", WS_OPTION_FLAG, 0, 0, NULL, COPIES | BIT(WS_READ) | BIT(WS_WRITE), true},
	{"order", WS_OPTION_WORD, 0, 0, "relaxed acqrel", BIT(WS_PINGPONG), true},
	{"access", WS_OPTION_WORD, 0, 0, "direct mapped", COPIES, true},
	{"priority", WS_OPTION_WORD, 0, 0, "low normal high", ANY & ~COLLECTIVE, true},
	{"delay", WS_OPTION_NUMBER, 0, 1000000, NULL, COPIES | LOCAL, false},
	{"type", WS_OPTION_WORD, 0, 0, "int8 uint8 int32 uint32 int64 uint64 half bfloat16 float double f8e4m3 f8e5m2",
	 COLLECTIVE, false},
	{"redop", WS_OPTION_WORD, 0, 0, "sum prod min max avg mulsum", COLLECTIVE, false},
	{"root", WS_OPTION_NUMBER, 0, 1000000, NULL, COLLECTIVE, false},
	{"agg", WS_OPTION_NUMBER, 1, 1000000, NULL, COLLECTIVE, false},
	{"graph", WS_OPTION_NUMBER, 1, 1000000, NULL, COLLECTIVE | COPIES, false},
	{"registered", WS_OPTION_FLAG, 0, 0, NULL, COLLECTIVE | REMOTE, false},
	{"in-place", WS_OPTION_FLAG, 0, 0, NULL, COLLECTIVE, false},
	{"blocking", WS_OPTION_FLAG, 0, 0, NULL, COLLECTIVE | REMOTE | COPIES, false},
	{"vec", WS_OPTION_NUMBER, 1, 65536, NULL, REMOTE, false},
	{"len", WS_OPTION_SIZE, 1, UINT64_MAX, NULL, REMOTE, false},
	{"window", WS_OPTION_NUMBER, 1, 65536, NULL, REMOTE, false},
	{"via", WS_OPTION_WORD, 0, 0, "tcp shm ucx sisci ofi mpi", REMOTE | COLLECTIVE, false},
	{"ungated", WS_OPTION_FLAG, 0, 0, NULL, ANY, true},
	{"interfering", WS_OPTION_FLAG, 0, 0, NULL, ANY, true},
	{"together", WS_OPTION_FLAG, 0, 0, NULL, COPIES | BIT(WS_READ) | BIT(WS_WRITE), true},
	{"marks", WS_OPTION_FLAG, 0, 0, NULL, ANY, true},
};
#define OPTION_COUNT (sizeof(option_rows) / sizeof(option_rows[0]))

const struct ws_verb_row *ws_verb_row(enum ws_verb verb)
{
	return &verb_rows[verb];
}

const struct ws_item_option_row *ws_item_option_rows(size_t *count)
{
	*count = OPTION_COUNT;
	return option_rows;
}

static const struct ws_item_option *find_set(const struct ws_item *item, const char *name)
{
	for (int i = 0; i < item->option_count; i++)
		if (strcmp(item->options[i].row->name, name) == 0)
			return &item->options[i];
	return NULL;
}

static const struct ws_item_option_row *find_row(const char *name, struct ws_error *error)
{
	const char *names[OPTION_COUNT], *nearest;

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (strcmp(option_rows[i].name, name) == 0)
			return &option_rows[i];
		names[i] = option_rows[i].name;
	}
	nearest = ws_nearest(name, names, OPTION_COUNT);
	ws_fail(error, WS_EINVAL, "unknown item option \"%.40s\"%s%s%s", name, nearest ? "; did you mean \"" : "",
		nearest ? nearest : "", nearest ? "\"?" : "");
	return NULL;
}

static int read_value(struct ws_item_option *option, const char *value, struct ws_error *error)
{
	const struct ws_item_option_row *row = option->row;
	char least[24], most[24];

	switch (row->kind) {
	case WS_OPTION_FLAG:
		if (value)
			return ws_fail(error, WS_EINVAL, "item option %s takes no value", row->name);
		option->number = 1;
		return WS_OK;
	case WS_OPTION_WORD:
		if (!value || !ws_word_in(row->words, value, strlen(value)) || strlen(value) >= sizeof(option->word))
			return ws_fail(error, WS_EINVAL, "item option %s=%.40s: allowed are %s", row->name,
				       value ? value : "", row->words);
		strcpy(option->word, value);
		return WS_OK;
	case WS_OPTION_NUMBER:
		if (!value || ws_count_parse(value, row->minimum, row->maximum, &option->number) != WS_OK)
			return ws_fail(error, WS_EINVAL, "item option %s=%.40s: allowed are whole numbers from %llu to %llu",
				       row->name, value ? value : "", (unsigned long long)row->minimum,
				       (unsigned long long)row->maximum);
		return WS_OK;
	case WS_OPTION_SIZE:
		if (!value || ws_size_parse(value, &option->number) != WS_OK || option->number < row->minimum ||
		    option->number > row->maximum)
			return ws_fail(error, WS_EINVAL, "item option %s=%.40s: allowed are sizes from %s to %s", row->name,
				       value ? value : "", ws_size_format(row->minimum, least, sizeof(least)),
				       ws_size_format(row->maximum, most, sizeof(most)));
		return WS_OK;
	}
	return WS_EINVAL;
}

int ws_item_option_set(struct ws_item *item, const char *name, const char *value, struct ws_error *error)
{
	const struct ws_item_option_row *row = find_row(name, error);
	struct ws_item_option option = {.row = row};
	int rc;

	if (!row)
		return WS_EINVAL;
	if (!(row->verbs & BIT(item->verb)))
		return ws_fail(error, WS_EINVAL, "item option %s does not go with %s", name, verb_rows[item->verb].name);
	if (find_set(item, name))
		return ws_fail(error, WS_EINVAL, "item option %s is given twice", name);
	if (item->option_count == WS_ITEM_OPTION_MAX)
		return ws_fail(error, WS_EINVAL, "an item takes at most %d options", WS_ITEM_OPTION_MAX);
	rc = read_value(&option, value, error);
	if (rc == WS_OK)
		item->options[item->option_count++] = option;
	return rc;
}

bool ws_item_flag(const struct ws_item *item, const char *name)
{
	return find_set(item, name) != NULL;
}

uint64_t ws_item_number(const struct ws_item *item, const char *name, uint64_t otherwise)
{
	const struct ws_item_option *option = find_set(item, name);

	return option ? option->number : otherwise;
}

const char *ws_item_word(const struct ws_item *item, const char *name, const char *otherwise)
{
	const struct ws_item_option *option = find_set(item, name);

	return option ? option->word : otherwise;
}
