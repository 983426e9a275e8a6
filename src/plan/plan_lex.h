/* Plan text as tokens, line by line, with their place in the text. */
#ifndef WS_PLAN_PLAN_LEX_H
#define WS_PLAN_PLAN_LEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum ws_plan_token_kind {
	WS_TOKEN_WORD,	/* no space in it but between quotes: 64M, key=value, key="a value" */
	WS_TOKEN_TEXT,	/* begins with a quote */
	WS_TOKEN_OPEN,	/* [ */
	WS_TOKEN_CLOSE, /* ] */
	WS_TOKEN_LINE,	/* end of a line that had tokens */
	WS_TOKEN_END	/* end of the text; a WS_TOKEN_LINE went before it */
};

/* Points into the text, which is not ended by a 0 byte. */
struct ws_plan_token {
	enum ws_plan_token_kind kind;
	const char *start;
	size_t length;
	int line;
	size_t column; /* in bytes, from 1 */
};

struct ws_plan_lexer {
	const char *text;
	size_t size;
	size_t at;
	size_t line_start;
	int line;
	bool line_used; /* a token of this line was given out */
	struct ws_error *error;
	struct ws_plan_token token; /* the current one */
};

/* A buffer of this size holds any word that means something. */
#define WS_PLAN_WORD 256

/* Makes the first token the current one; later calls of ws_plan_next go on. Both: WS_OK or WS_EINVAL. */
int ws_plan_lex(struct ws_plan_lexer *lexer, const char *text, size_t size, struct ws_error *error);
int ws_plan_next(struct ws_plan_lexer *lexer);

/* Whether a token is exactly this word. */
bool ws_plan_token_is(const struct ws_plan_token *token, const char *word);

/* Copies a token's text; WS_EINVAL if it has WS_PLAN_WORD bytes or more. */
int ws_plan_word(struct ws_plan_lexer *lexer, const struct ws_plan_token *token, char text[WS_PLAN_WORD]);

/*
 * Takes the quotes off quoted text, in place; leaves other text alone. WS_EINVAL, at the token, if there is a quote
 * where none may be.
 */
int ws_plan_unquote(struct ws_plan_lexer *lexer, const struct ws_plan_token *token, char *text);

/*
 * Copies a token's "key=value" and takes it apart: text is then the key, and *value, inside text, is what stands behind
 * the =, without its quotes, or NULL if there is no =. WS_EINVAL as of ws_plan_word and ws_plan_unquote.
 */
int ws_plan_pair(struct ws_plan_lexer *lexer, const struct ws_plan_token *token, char text[WS_PLAN_WORD], char **value);

/* ws_fail with "line 3, column 14: " in front. Returns the code. */
__attribute__((format(printf, 4, 5))) int ws_plan_fail(struct ws_plan_lexer *lexer, const struct ws_plan_token *token,
						       int code, const char *format, ...);

/* What a message calls a token: "\"cuda0\"", cut to what fits, or "the end of the line". Returns text. */
#define WS_PLAN_SHOWN 48
const char *ws_plan_show(const struct ws_plan_token *token, char text[WS_PLAN_SHOWN]);

/* Whether text can stand without quotes as a value; as a step's label. */
bool ws_plan_is_plain(const char *text);
bool ws_plan_is_label(const char *text);

#endif
