/* Text to plans: settings, labels and steps. */
#include "plan/plan_text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/units.h"
#include "plan/plan_item.h"
#include "plan/plan_lex.h"
#include "plan/plan_settings.h"

#define GROUP_MAX 1000000

struct parser {
	struct ws_plan_lexer lexer;
	ws_probe_lookup *find;
	const struct ws_probe *custom;
	struct ws_plan plan;
	unsigned seen; /* settings */
	int item_count;
};

/* "with key=value..." */
static int read_with(struct parser *parser)
{
	struct ws_plan_lexer *lexer = &parser->lexer;
	char word[WS_PLAN_WORD], shown[WS_PLAN_SHOWN];
	int rc;

	if (parser->plan.step_count)
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "\"with\" lines stand before the first step");
	for (rc = ws_plan_next(lexer); rc == WS_OK && lexer->token.kind == WS_TOKEN_WORD; rc = ws_plan_next(lexer)) {
		struct ws_error inner = {0};
		char *value;

		rc = ws_plan_pair(lexer, &lexer->token, word, &value);
		if (rc != WS_OK)
			return rc;
		if (ws_plan_setting_set(&parser->plan.settings, word, value, &parser->seen, &inner) != WS_OK)
			return ws_plan_fail(lexer, &lexer->token, inner.code, "%s", inner.text);
	}
	if (rc != WS_OK)
		return rc;
	if (lexer->token.kind != WS_TOKEN_LINE)
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "%s where a setting key=value must stand",
				    ws_plan_show(&lexer->token, shown));
	return ws_plan_next(lexer);
}

static bool is_axis_name(const char *text)
{
	return *text && text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

/* A probe's axes are known; the built-in one takes any. */
static int check_axis(struct parser *parser, const struct ws_probe *probe, const char *axis)
{
	struct ws_plan_lexer *lexer = &parser->lexer;
	char allowed[160] = "";
	const char *nearest;
	size_t count = 0;

	if (strlen(axis) >= sizeof(((struct ws_coords *)0)->at[0].axis) || !is_axis_name(axis))
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL,
				    "\"%.40s\" is no axis: at most 15 characters out of a-z, 0-9, _ and -", axis);
	if (probe == parser->custom)
		return WS_OK;
	for (; count < WS_COORDS_MAX && probe->axes[count]; count++) {
		if (strcmp(probe->axes[count], axis) == 0)
			return WS_OK;
		snprintf(allowed + strlen(allowed), sizeof(allowed) - strlen(allowed), "%s%s", count ? ", " : "",
			 probe->axes[count]);
	}
	nearest = ws_nearest(axis, probe->axes, count);
	return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "%s has no axis \"%s\"%s%s%s; it has %s", probe->name,
			    axis, nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "",
			    count ? allowed : "none");
}

/* One "axis=value" between brackets. */
static int read_coord(struct parser *parser, const struct ws_probe *probe, struct ws_coords *coords)
{
	struct ws_plan_lexer *lexer = &parser->lexer;
	char word[WS_PLAN_WORD], shown[WS_PLAN_SHOWN], *value = NULL;
	int rc = WS_OK;

	if (lexer->token.kind == WS_TOKEN_WORD)
		rc = ws_plan_pair(lexer, &lexer->token, word, &value);
	if (rc != WS_OK)
		return rc;
	if (!value)
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "%s where axis=value or ] must stand",
				    ws_plan_show(&lexer->token, shown));
	rc = check_axis(parser, probe, word);
	if (rc != WS_OK)
		return rc;
	if (ws_coords_get(coords, word))
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "axis %s is given twice", word);
	if (!*value || strlen(value) >= sizeof(coords->at[0].value))
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "axis %s: a value has 1 to %zu characters", word,
				    sizeof(coords->at[0].value) - 1);
	if (coords->count == WS_COORDS_MAX)
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "a cell has at most %d axes", WS_COORDS_MAX);
	ws_coords_set(coords, word, value);
	return ws_plan_next(lexer);
}

/* From "[" to behind "]". */
static int read_coords(struct parser *parser, const struct ws_probe *probe, struct ws_coords *coords)
{
	int rc = ws_plan_next(&parser->lexer);

	while (rc == WS_OK && parser->lexer.token.kind != WS_TOKEN_CLOSE)
		rc = read_coord(parser, probe, coords);
	return rc != WS_OK ? rc : ws_plan_next(&parser->lexer);
}

/* Gives a step of the built-in probe its coordinate, and keeps it from taking another probe's name. */
static int name_custom_step(struct parser *parser, const struct ws_plan_token *token, struct ws_step *step)
{
	const char *name = ws_coords_get(&step->coords, WS_PLAN_CUSTOM_AXIS);
	char number[16];

	if (name && parser->find(name))
		return ws_plan_fail(&parser->lexer, token, WS_EINVAL,
				    "\"%s\" is a probe's name and cannot be a custom step's", name);
	if (!name && step->coords.count == WS_COORDS_MAX)
		return ws_plan_fail(&parser->lexer, token, WS_EINVAL, "a custom step has at most %d axes and \"step\"",
				    WS_COORDS_MAX - 1);
	snprintf(number, sizeof(number), "%d", parser->plan.step_count);
	if (!name)
		ws_coords_set(&step->coords, WS_PLAN_CUSTOM_AXIS, number);
	return WS_OK;
}

/* The label whose first word is the current token. */
static int read_label(struct parser *parser, struct ws_step *step)
{
	struct ws_plan_lexer *lexer = &parser->lexer;
	const struct ws_plan_token token = lexer->token;
	char word[WS_PLAN_WORD], shown[WS_PLAN_SHOWN];
	bool closed;
	int rc = ws_plan_word(lexer, &token, word);

	if (rc != WS_OK)
		return rc;
	closed = token.length > 1 && word[token.length - 1] == ':';
	if (closed)
		word[token.length - 1] = '\0';
	step->probe = ws_plan_is_label(word) ? parser->find(word) : NULL;
	if (!ws_plan_is_label(word) || (!step->probe && strlen(word) >= sizeof(step->coords.at[0].value)))
		return ws_plan_fail(
			lexer, &token, WS_EINVAL,
			"%s is no label: a probe, or at most %zu characters out of letters, digits, _ . and -",
			ws_plan_show(&token, shown), sizeof(step->coords.at[0].value) - 1);
	if (!step->probe) {
		step->probe = parser->custom;
		ws_coords_set(&step->coords, WS_PLAN_CUSTOM_AXIS, word);
	}
	rc = ws_plan_next(lexer);
	if (rc == WS_OK && !closed) {
		rc = read_coords(parser, step->probe, &step->coords);
		if (rc == WS_OK && !ws_plan_token_is(&lexer->token, ":"))
			return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "%s where the : of a label must stand",
					    ws_plan_show(&lexer->token, shown));
		if (rc == WS_OK)
			rc = ws_plan_next(lexer);
	}
	return rc;
}

/* Whether a label stands at the current token: a word that ends in ":" or has "[" behind it. */
static int at_label(struct parser *parser, bool *yes)
{
	const struct ws_plan_lexer here = parser->lexer;
	int rc = WS_OK;

	*yes = false;
	if (here.token.kind != WS_TOKEN_WORD)
		return WS_OK;
	*yes = here.token.start[here.token.length - 1] == ':';
	if (!*yes) {
		rc = ws_plan_next(&parser->lexer);
		*yes = rc == WS_OK && parser->lexer.token.kind == WS_TOKEN_OPEN;
		parser->lexer = here;
	}
	return rc;
}

/* An item, with its own coordinates in front. */
static int read_item(struct parser *parser, struct ws_step *step)
{
	struct ws_plan_lexer *lexer = &parser->lexer;
	const struct ws_plan_token token = lexer->token;
	struct ws_coords all = step->coords;
	struct ws_item *item;
	int rc = WS_OK;

	if (++parser->item_count > WS_PLAN_ITEMS_MAX)
		return ws_plan_fail(lexer, &token, WS_EINVAL, "a plan has at most %d items", WS_PLAN_ITEMS_MAX);
	item = ws_step_add_item(step, WS_COPY);
	if (!item)
		return ws_plan_fail(lexer, &token, WS_ENOMEM, "no memory for this item");
	if (token.kind == WS_TOKEN_OPEN)
		rc = read_coords(parser, step->probe, &item->coords);
	for (int i = 0; rc == WS_OK && i < item->coords.count; i++) {
		if (!ws_coords_get(&all, item->coords.at[i].axis) && all.count == WS_COORDS_MAX)
			return ws_plan_fail(lexer, &token, WS_EINVAL, "a cell has at most %d axes", WS_COORDS_MAX);
		ws_coords_set(&all, item->coords.at[i].axis, item->coords.at[i].value);
	}
	return rc != WS_OK ? rc : ws_plan_read_item(lexer, item);
}

/* none "reason" */
static int read_reason(struct parser *parser, struct ws_step *step)
{
	struct ws_plan_lexer *lexer = &parser->lexer;
	char word[WS_PLAN_WORD], shown[WS_PLAN_SHOWN];
	int rc = ws_plan_next(lexer);

	if (rc != WS_OK)
		return rc;
	if (lexer->token.kind != WS_TOKEN_TEXT)
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "%s where the reason must stand, between quotes",
				    ws_plan_show(&lexer->token, shown));
	rc = ws_plan_word(lexer, &lexer->token, word);
	if (rc == WS_OK)
		rc = ws_plan_unquote(lexer, &lexer->token, word);
	if (rc != WS_OK)
		return rc;
	if (!*word || strlen(word) >= sizeof(step->reason))
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "a reason has 1 to %zu characters",
				    sizeof(step->reason) - 1);
	strcpy(step->reason, word);
	return ws_plan_next(lexer);
}

static int read_group(struct parser *parser, struct ws_step *step)
{
	struct ws_plan_lexer *lexer = &parser->lexer;
	char word[WS_PLAN_WORD], shown[WS_PLAN_SHOWN];
	uint64_t group;
	int rc = ws_plan_word(lexer, &lexer->token, word);

	if (rc != WS_OK)
		return rc;
	if (ws_count_parse(word + strlen("group="), 1, GROUP_MAX, &group) != WS_OK)
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "%s: groups are numbers from 1 to %d",
				    ws_plan_show(&lexer->token, shown), GROUP_MAX);
	step->group = (int)group;
	return ws_plan_next(lexer);
}

static int read_step(struct parser *parser)
{
	struct ws_plan_lexer *lexer = &parser->lexer;
	const struct ws_plan_token token = lexer->token;
	char shown[WS_PLAN_SHOWN];
	struct ws_step *step;
	bool labelled;
	int rc;

	if (parser->plan.step_count == WS_PLAN_STEPS_MAX)
		return ws_plan_fail(lexer, &token, WS_EINVAL, "a plan has at most %d steps", WS_PLAN_STEPS_MAX);
	step = ws_plan_add_step(&parser->plan, parser->custom);
	if (!step)
		return ws_plan_fail(lexer, &token, WS_ENOMEM, "no memory for this step");
	rc = at_label(parser, &labelled);
	if (rc == WS_OK && labelled)
		rc = read_label(parser, step);
	if (rc == WS_OK && step->probe == parser->custom)
		rc = name_custom_step(parser, &token, step);
	if (rc != WS_OK)
		return rc;
	if (ws_plan_token_is(&lexer->token, "none"))
		rc = read_reason(parser, step);
	else
		rc = read_item(parser, step);
	while (rc == WS_OK && step->item_count && ws_plan_token_is(&lexer->token, "+")) {
		rc = ws_plan_next(lexer);
		if (rc == WS_OK)
			rc = read_item(parser, step);
	}
	if (rc == WS_OK && ws_plan_token_begins(&lexer->token, "group="))
		rc = read_group(parser, step);
	if (rc == WS_OK && lexer->token.kind != WS_TOKEN_LINE)
		return ws_plan_fail(lexer, &lexer->token, WS_EINVAL, "%s where the end of the step must be",
				    ws_plan_show(&lexer->token, shown));
	return rc != WS_OK ? rc : ws_plan_next(lexer);
}

int ws_plan_parse(const char *text, size_t size, ws_probe_lookup *find, struct ws_plan *out, struct ws_error *error)
{
	struct parser parser = {.find = find, .custom = find(WS_PLAN_CUSTOM)};
	int rc;

	assert(parser.custom);
	if (size > WS_PLAN_TEXT_MAX)
		return ws_fail(error, WS_EINVAL, "a plan has at most %zu MiB of text, and this has %zu",
			       WS_PLAN_TEXT_MAX >> 20, size >> 20);
	parser.plan.settings = ws_settings_default(false);
	rc = ws_plan_lex(&parser.lexer, text, size, error);
	while (rc == WS_OK && parser.lexer.token.kind != WS_TOKEN_END) {
		if (ws_plan_token_is(&parser.lexer.token, "with"))
			rc = read_with(&parser);
		else
			rc = read_step(&parser);
	}
	if (rc == WS_OK && parser.plan.step_count == 0)
		rc = ws_fail(error, WS_EINVAL, "the plan has no steps");
	if (rc == WS_OK)
		rc = ws_plan_check_steps(&parser.plan, error);
	if (rc == WS_OK)
		rc = ws_plan_finish(&parser.plan, error);
	if (rc != WS_OK) {
		ws_plan_release(&parser.plan);
		return rc;
	}
	*out = parser.plan;
	return WS_OK;
}
