/* Items of plan text. */
#include "plan/plan_item.h"

#include <string.h>

#include "base/item.h"
#include "base/list.h"
#include "base/place.h"
#include "base/units.h"
#include "plan/plan_text.h"

static const char *const engines[] = {"ce", "sm", "tma", "cpu", "nic"};
static const char *const collectives[] = {"all_reduce", "all_gather", "reduce_scatter", "broadcast",
					  "reduce",	"gather",     "scatter",	"alltoall",
					  "alltoallv",	"sendrecv",   "hypercube",	"barrier"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LOOPS_MAX 1000000000
#define SIZE_MAX_BYTES (UINT64_C(1) << 62)

struct suggestion {
	char text[80];
};

/* "; did you mean "x"?", or nothing. */
static struct suggestion suggest(const char *word, const char *const *names, size_t count)
{
	struct suggestion suggestion = {""};
	const char *nearest = ws_nearest(word, names, count);

	if (nearest) {
		strcpy(suggestion.text, "; did you mean \"");
		strncat(suggestion.text, nearest, 40);
		strcat(suggestion.text, "\"?");
	}
	return suggestion;
}

bool ws_plan_token_begins(const struct ws_plan_token *token, const char *characters)
{
	const size_t length = strlen(characters);

	return token->kind == WS_TOKEN_WORD && token->length >= length && memcmp(token->start, characters, length) == 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int expected(struct ws_plan_lexer *lexer, const char *what)
{
	char shown[WS_PLAN_SHOWN];

	return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "%s where %s must stand",
			    ws_plan_show(&lexer->token, shown), what);
}

/* Takes a word that must be there. */
static int take(struct ws_plan_lexer *lexer, const char *word, const char *what)
{
	if (!ws_plan_token_is(&lexer->token, word))
		return expected(lexer, what);
	return ws_plan_next(lexer);
}

/* Fails as an inner function did, at a token. */
static int pass_on(struct ws_plan_lexer *lexer, const struct ws_plan_token *token, const struct ws_error *inner)
{
	return ws_plan_fail(lexer, token, inner->code, "%s", inner->text);
}

static int take_place(struct ws_plan_lexer *lexer, struct ws_place *place)
{
	char word[WS_PLAN_WORD];
	struct ws_error inner = {0};
	int rc;

	if (lexer->token.kind != WS_TOKEN_WORD)
		return expected(lexer, "a place, such as host0 or cuda1:plain,");
	rc = ws_plan_word(lexer, &lexer->token, word);
	if (rc == WS_OK && ws_place_parse(word, place, &inner) != WS_OK)
		return pass_on(lexer, &lexer->token, &inner);
	return rc != WS_OK ? rc : ws_plan_next(lexer);
}

/* "by place.engine" */
static int take_engine(struct ws_plan_lexer *lexer, struct ws_engine *engine)
{
	char word[WS_PLAN_WORD], shown[WS_PLAN_SHOWN], *dot;
	struct ws_plan_token token;
	struct ws_error inner = {0};
	int rc = take(lexer, "by", "\"by\" and an engine, such as by host0.cpu,");

	if (rc != WS_OK)
		return rc;
	token = lexer->token;
	if (token.kind != WS_TOKEN_WORD)
		return expected(lexer, "an engine, such as host0.cpu,");
	rc = ws_plan_word(lexer, &token, word);
	if (rc != WS_OK)
		return rc;
	dot = strrchr(word, '.');
	if (!dot)
		return ws_plan_fail(lexer, &token, WS_EINVAL,
				    "%s is no engine: a place, a dot, and ce, sm, tma, cpu or nic",
				    ws_plan_show(&token, shown));
	*dot++ = '\0';
	for (size_t i = 0; i < COUNT(engines); i++)
		if (strcmp(dot, engines[i]) == 0)
			strcpy(engine->name, dot);
	if (!engine->name[0])
		return ws_plan_fail(lexer, &token, WS_EINVAL, "engine \"%.20s\": there are ce, sm, tma, cpu and nic%s",
				    dot, suggest(dot, engines, COUNT(engines)).text);
	if (ws_place_parse(word, &engine->place, &inner) != WS_OK)
		return pass_on(lexer, &token, &inner);
	if (engine->place.memory[0] || engine->place.pages[0])
		return ws_plan_fail(lexer, &token, WS_EINVAL,
				    "an engine is a device's: no memory kind or page size in %s",
				    ws_plan_show(&token, shown));
	return ws_plan_next(lexer);
}

static int add_member(struct ws_plan_lexer *lexer, const struct ws_plan_token *token, const struct ws_place *place,
		      struct ws_item *item)
{
	struct ws_place *members;

	if (item->member_count == WS_PLAN_MEMBERS_MAX)
		return ws_plan_fail(lexer, token, WS_EINVAL, "a collective has at most %d members",
				    WS_PLAN_MEMBERS_MAX);
	members = ws_list_grow(item->members, item->member_count, sizeof(*members));
	if (!members)
		return ws_plan_fail(lexer, token, WS_ENOMEM, "no memory for the collective's members");
	item->members = members;
	members[item->member_count++] = *place;
	return WS_OK;
}

/* The places of one word, between commas. */
static int take_members(struct ws_plan_lexer *lexer, struct ws_item *item)
{
	const struct ws_plan_token word = lexer->token;

	for (size_t at = 0; at <= word.length;) {
		const char *comma = memchr(word.start + at, ',', word.length - at);
		struct ws_plan_token part = word;
		char text[WS_PLAN_WORD];
		struct ws_place place;
		struct ws_error inner = {0};
		int rc;

		part.start += at;
		part.column += at;
		part.length = comma ? (size_t)(comma - part.start) : word.length - at;
		rc = ws_plan_word(lexer, &part, text);
		if (rc == WS_OK && ws_place_parse(text, &place, &inner) != WS_OK)
			rc = pass_on(lexer, &part, &inner);
		if (rc == WS_OK)
			rc = add_member(lexer, &part, &place, item);
		if (rc != WS_OK)
			return rc;
		at += part.length + 1;
	}
	return ws_plan_next(lexer);
}

/* Whether the current word goes on with a list of places: it begins with one, up to a comma or its end. */
static bool at_place(const struct ws_plan_lexer *lexer)
{
	const struct ws_plan_token *token = &lexer->token;
	const char *comma = token->kind == WS_TOKEN_WORD ? memchr(token->start, ',', token->length) : NULL;
	const size_t length = comma ? (size_t)(comma - token->start) : token->length;
	struct ws_place place;
	char word[WS_PLACE_TEXT];

	if (token->kind != WS_TOKEN_WORD || length >= sizeof(word))
		return false;
	memcpy(word, token->start, length);
	word[length] = '\0';
	return ws_place_parse(word, &place, NULL) == WS_OK;
}

static int take_collective(struct ws_plan_lexer *lexer, struct ws_item *item)
{
	char word[WS_PLAN_WORD], shown[WS_PLAN_SHOWN];
	int rc;

	if (lexer->token.kind != WS_TOKEN_WORD)
		return expected(lexer, "a collective operation, such as all_reduce,");
	rc = ws_plan_word(lexer, &lexer->token, word);
	if (rc != WS_OK)
		return rc;
	for (size_t i = 0; i < COUNT(collectives); i++)
		if (strcmp(word, collectives[i]) == 0)
			strcpy(item->collective, collectives[i]);
	if (!item->collective[0])
		return ws_plan_fail(
			lexer, &lexer->token, WS_EINVAL,
			"%s is no collective operation: there are all_reduce, all_gather, reduce_scatter, broadcast, "
			"reduce, gather, scatter, alltoall, alltoallv, sendrecv, hypercube, barrier%s",
			ws_plan_show(&lexer->token, shown), suggest(word, collectives, COUNT(collectives)).text);
	rc = ws_plan_next(lexer);
	if (rc != WS_OK || !ws_plan_token_is(&lexer->token, "over"))
		return rc;
	rc = ws_plan_next(lexer);
	if (rc == WS_OK && lexer->token.kind != WS_TOKEN_WORD)
		return expected(lexer, "places, such as cuda0,cuda1,");
	if (rc == WS_OK)
		rc = take_members(lexer, item);
	while (rc == WS_OK && at_place(lexer))
		rc = take_members(lexer, item);
	return rc;
}

/* "size" or "size/size" */
static int take_sizes(struct ws_plan_lexer *lexer, struct ws_item *item)
{
	char word[WS_PLAN_WORD], shown[WS_PLAN_SHOWN], *second;
	const struct ws_plan_token token = lexer->token;
	const uint64_t least = item->verb == WS_COLLECTIVE ? 0 : 1;
	uint64_t size_bytes[2] = {0};
	int rc = ws_plan_word(lexer, &token, word);

	if (rc != WS_OK)
		return rc;
	if (!ws_verb_row(item->verb)->moves_bytes)
		return ws_plan_fail(lexer, &token, WS_EINVAL, "%s moves no bytes and takes no size",
				    ws_verb_row(item->verb)->name);
	if (item->size_count)
		return ws_plan_fail(lexer, &token, WS_EINVAL, "a second size, %s; a slope's two are written 64M/256M",
				    ws_plan_show(&token, shown));
	second = strchr(word, '/');
	if (second)
		*second++ = '\0';
	if (ws_size_parse(word, &size_bytes[0]) != WS_OK || (second && ws_size_parse(second, &size_bytes[1]) != WS_OK))
		return ws_plan_fail(
			lexer, &token, WS_EINVAL,
			"%s is no size: digits, then K, M, G or T (by 1024), KB, MB, GB or TB (by 1000), or nothing",
			ws_plan_show(&token, shown));
	if (size_bytes[0] < least || size_bytes[0] > SIZE_MAX_BYTES || size_bytes[1] > SIZE_MAX_BYTES)
		return ws_plan_fail(lexer, &token, WS_EINVAL, "size %s: allowed are %s to 4194304T",
				    ws_plan_show(&token, shown), least ? "1" : "0");
	if (second && size_bytes[1] <= size_bytes[0])
		return ws_plan_fail(lexer, &token, WS_EINVAL, "%s: the second size of a slope must be the larger one",
				    ws_plan_show(&token, shown));
	memcpy(item->size_bytes, size_bytes, sizeof(size_bytes));
	item->size_count = second ? 2 : 1;
	return ws_plan_next(lexer);
}

/* "x16" */
static int take_loops(struct ws_plan_lexer *lexer, struct ws_item *item)
{
	char word[WS_PLAN_WORD], shown[WS_PLAN_SHOWN];
	uint64_t loops;
	int rc = ws_plan_word(lexer, &lexer->token, word);

	if (rc != WS_OK)
		return rc;
	if (item->loops)
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "the loops are given twice");
	if (ws_count_parse(word + 1, 1, LOOPS_MAX, &loops) != WS_OK)
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "%s: loops are x1 to x%d",
				    ws_plan_show(&lexer->token, shown), LOOPS_MAX);
	item->loops = (uint32_t)loops;
	return ws_plan_next(lexer);
}

/* A flag or key=value out of the table. */
static int take_flag(struct ws_plan_lexer *lexer, struct ws_item *item)
{
	char word[WS_PLAN_WORD], *value;
	struct ws_error inner = {0};
	int rc = ws_plan_pair(lexer, &lexer->token, word, &value);

	if (rc != WS_OK)
		return rc;
	if (ws_item_option_set(item, word, value, &inner) != WS_OK)
		return pass_on(lexer, &lexer->token, &inner);
	return ws_plan_next(lexer);
}

static int take_options(struct ws_plan_lexer *lexer, struct ws_item *item)
{
	const struct ws_plan_token *token = &lexer->token;
	int rc = WS_OK;

	while (rc == WS_OK && token->kind != WS_TOKEN_LINE && !ws_plan_token_is(token, "+") &&
	       !ws_plan_token_begins(token, "group=")) {
		if (token->kind != WS_TOKEN_WORD)
			return expected(lexer, "an item's option, \"+\", \"group=\" or the end of the line");
		if (is_digit(token->start[0]))
			rc = take_sizes(lexer, item);
		else if (token->start[0] == 'x' && token->length > 1 && is_digit(token->start[1]))
			rc = take_loops(lexer, item);
		else
			rc = take_flag(lexer, item);
	}
	return rc;
}

/* The verb of the current word, which is taken; WS_COPY, and nothing taken, if it is none. */
static int take_verb(struct ws_plan_lexer *lexer, enum ws_verb *verb)
{
	for (int i = 0; i < WS_VERB_COUNT; i++) {
		*verb = (enum ws_verb)i;
		if (*verb != WS_COPY && *verb != WS_COPY2 && ws_plan_token_is(&lexer->token, ws_verb_row(*verb)->name))
			return ws_plan_next(lexer);
	}
	*verb = WS_COPY;
	return WS_OK;
}

/* "place -> place"; a first word that is no place may be a mistyped verb. */
static int take_copy(struct ws_plan_lexer *lexer, struct ws_item *item)
{
	const char *names[WS_VERB_COUNT];
	char word[WS_PLAN_WORD], shown[WS_PLAN_SHOWN];
	size_t count = 0;
	struct ws_place place;
	int rc = ws_plan_word(lexer, &lexer->token, word);

	if (rc != WS_OK)
		return rc;
	for (int i = WS_READ; i < WS_VERB_COUNT; i++)
		names[count++] = ws_verb_row((enum ws_verb)i)->name;
	if (ws_place_parse(word, &place, NULL) != WS_OK &&
	    (ws_nearest(word, names, count) || !strpbrk(word, "0123456789")))
		return ws_plan_fail(
			lexer, &lexer->token, WS_EINVAL,
			"%s is neither a place nor a verb (read, write, triad, mix, chase, pingpong, noop, map, "
			"unmap, collective, put, get, store, load)%s",
			ws_plan_show(&lexer->token, shown), suggest(word, names, count).text);
	rc = take_place(lexer, &item->source);
	if (rc != WS_OK)
		return rc;
	if (ws_plan_token_is(&lexer->token, "<->"))
		item->verb = WS_COPY2;
	else if (!ws_plan_token_is(&lexer->token, "->"))
		return expected(lexer, "-> or <-> between spaces");
	rc = ws_plan_next(lexer);
	return rc != WS_OK ? rc : take_place(lexer, &item->destination);
}

static int take_action(struct ws_plan_lexer *lexer, struct ws_item *item)
{
	const struct ws_verb_row *row;
	bool remote;
	int rc;

	if (lexer->token.kind != WS_TOKEN_WORD)
		return expected(lexer, "a place or a verb");
	rc = take_verb(lexer, &item->verb);
	if (rc != WS_OK)
		return rc;
	if (item->verb == WS_COLLECTIVE)
		return take_collective(lexer, item);
	row = ws_verb_row(item->verb);
	remote = item->verb == WS_PUT || item->verb == WS_GET || item->verb == WS_STORE || item->verb == WS_LOAD;
	if (item->verb == WS_COPY) {
		rc = take_copy(lexer, item);
	} else {
		if (row->source)
			rc = take_place(lexer, &item->source);
		if (rc == WS_OK && remote)
			rc = take(lexer, "->", "-> between spaces");
		if (rc == WS_OK && row->destination)
			rc = take_place(lexer, &item->destination);
	}
	if (rc != WS_OK || (remote && !ws_plan_token_is(&lexer->token, "by")))
		return rc;
	return take_engine(lexer, &item->engine);
}

int ws_plan_read_item(struct ws_plan_lexer *lexer, struct ws_item *item)
{
	const struct ws_plan_token start = lexer->token;
	char shown[WS_PLAN_SHOWN];
	int rc = take_action(lexer, item);

	if (rc == WS_OK)
		rc = take_options(lexer, item);
	if (rc == WS_OK && ws_verb_row(item->verb)->moves_bytes && item->size_count == 0)
		return ws_plan_fail(lexer, &start, WS_EINVAL, "the item that begins with %s has no size, such as 64M",
				    ws_plan_show(&start, shown));
	return rc;
}
