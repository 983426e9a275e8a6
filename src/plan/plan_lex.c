/* Plan text as tokens, line by line, with their place in the text. */
#include "plan/plan_lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_text(char c)
{
	return c >= ' ' && c <= '~';
}

int ws_plan_fail(struct ws_plan_lexer *lexer, const struct ws_plan_token *token, int code, const char *format, ...)
{
	char text[sizeof(lexer->error->text)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return ws_fail(lexer->error, code, "line %d, column %zu: %s", token->line, token->column, text);
}

const char *ws_plan_show(const struct ws_plan_token *token, char text[WS_PLAN_SHOWN])
{
	const size_t most = WS_PLAN_SHOWN - 8;
	const size_t length = token->length < most ? token->length : most;

	if (token->kind == WS_TOKEN_LINE || token->kind == WS_TOKEN_END)
		return strcpy(text, "the end of the line");
	snprintf(text, WS_PLAN_SHOWN, "\"%.*s%s\"", (int)length, token->start, length < token->length ? "..." : "");
	return text;
}

/* Ends a token that began at the given place. */
static int give(struct ws_plan_lexer *lexer, enum ws_plan_token_kind kind, size_t start)
{
	lexer->token = (struct ws_plan_token){.kind = kind,
					      .start = lexer->text + start,
					      .length = lexer->at - start,
					      .line = lexer->line,
					      .column = start - lexer->line_start + 1};
	lexer->line_used = kind != WS_TOKEN_LINE && kind != WS_TOKEN_END;
	return WS_OK;
}

/* Fails at the byte that is next. */
static int refuse(struct ws_plan_lexer *lexer, const char *why)
{
	const struct ws_plan_token here = {.line = lexer->line, .column = lexer->at - lexer->line_start + 1};
	const unsigned byte = (unsigned char)lexer->text[lexer->at];

	if (why)
		return ws_plan_fail(lexer, &here, WS_EINVAL, "%s", why);
	return ws_plan_fail(lexer, &here, WS_EINVAL, "byte 0x%02x: a plan is printable ASCII text", byte);
}

/* Moves behind the closing quote. */
static int pass_quoted(struct ws_plan_lexer *lexer)
{
	size_t at = lexer->at + 1;

	while (at < lexer->size && is_text(lexer->text[at]) && lexer->text[at] != '"') {
		if (lexer->text[at] == '\\' && (++at == lexer->size || !strchr("\"\\", lexer->text[at]))) {
			lexer->at = at - 1;
			return refuse(lexer, "between quotes \\ stands before \" or \\ only");
		}
		at++;
	}
	if (at >= lexer->size || lexer->text[at] != '"')
		return refuse(lexer, "a quote that is not closed on its line");
	lexer->at = at + 1;
	return WS_OK;
}

static int read_word(struct ws_plan_lexer *lexer)
{
	const size_t start = lexer->at;
	int rc = WS_OK;

	while (rc == WS_OK && lexer->at < lexer->size) {
		const char c = lexer->text[lexer->at];

		if (is_space(c) || c == '\n' || c == '[' || c == ']')
			break;
		if (c == '"')
			rc = pass_quoted(lexer);
		else if (is_text(c))
			lexer->at++;
		else
			rc = refuse(lexer, NULL);
	}
	return rc != WS_OK ? rc : give(lexer, lexer->text[start] == '"' ? WS_TOKEN_TEXT : WS_TOKEN_WORD, start);
}

/* Moves over the newline, or over nothing at the end of the text. */
static void end_line(struct ws_plan_lexer *lexer)
{
	if (lexer->at < lexer->size)
		lexer->at++;
	lexer->line_start = lexer->at;
	lexer->line++;
}

static void pass_comment(struct ws_plan_lexer *lexer)
{
	const char *end = memchr(lexer->text + lexer->at, '\n', lexer->size - lexer->at);

	lexer->at = end ? (size_t)(end - lexer->text) : lexer->size;
}

int ws_plan_next(struct ws_plan_lexer *lexer)
{
	for (;;) {
		while (lexer->at < lexer->size && is_space(lexer->text[lexer->at]))
			lexer->at++;
		if (lexer->at < lexer->size && lexer->text[lexer->at] == '#')
			pass_comment(lexer);
		if (lexer->at < lexer->size && lexer->text[lexer->at] != '\n')
			break;
		if (lexer->line_used || lexer->at == lexer->size) {
			give(lexer, lexer->line_used ? WS_TOKEN_LINE : WS_TOKEN_END, lexer->at);
			end_line(lexer);
			return WS_OK;
		}
		end_line(lexer);
	}
	if (lexer->text[lexer->at] != '[' && lexer->text[lexer->at] != ']')
		return read_word(lexer);
	lexer->at++;
	return give(lexer, lexer->text[lexer->at - 1] == '[' ? WS_TOKEN_OPEN : WS_TOKEN_CLOSE, lexer->at - 1);
}

int ws_plan_lex(struct ws_plan_lexer *lexer, const char *text, size_t size, struct ws_error *error)
{
	*lexer = (struct ws_plan_lexer){.text = text, .size = size, .line = 1, .error = error};
	return ws_plan_next(lexer);
}

bool ws_plan_token_is(const struct ws_plan_token *token, const char *word)
{
	return token->kind == WS_TOKEN_WORD && token->length == strlen(word) &&
	       memcmp(token->start, word, token->length) == 0;
}

int ws_plan_word(struct ws_plan_lexer *lexer, const struct ws_plan_token *token, char text[WS_PLAN_WORD])
{
	char shown[WS_PLAN_SHOWN];

	if (token->length >= WS_PLAN_WORD)
		return ws_plan_fail(lexer, token, WS_EINVAL, "%s has %zu characters, and no word has more than %d",
				    ws_plan_show(token, shown), token->length, WS_PLAN_WORD - 1);
	memcpy(text, token->start, token->length);
	text[token->length] = '\0';
	return WS_OK;
}

int ws_plan_unquote(struct ws_plan_lexer *lexer, const struct ws_plan_token *token, char *text)
{
	const char *from = text;
	char *to = text;

	if (*text != '"')
		return strchr(text, '"') ? ws_plan_fail(lexer, token, WS_EINVAL, "a quote inside a word") : WS_OK;
	for (from++; *from && *from != '"'; from++) {
		if (*from == '\\' && from[1])
			from++;
		*to++ = *from;
	}
	/* The = that ends a key may itself have stood between quotes. */
	if (!*from)
		return ws_plan_fail(lexer, token, WS_EINVAL, "a quote inside a word");
	if (from[1])
		return ws_plan_fail(lexer, token, WS_EINVAL, "text goes on behind its closing quote");
	*to = '\0';
	return WS_OK;
}

int ws_plan_pair(struct ws_plan_lexer *lexer, const struct ws_plan_token *token, char text[WS_PLAN_WORD], char **value)
{
	int rc = ws_plan_word(lexer, token, text);

	*value = rc == WS_OK ? strchr(text, '=') : NULL;
	if (!*value)
		return rc;
	*(*value)++ = '\0';
	return ws_plan_unquote(lexer, token, *value);
}

bool ws_plan_is_plain(const char *text)
{
	for (const char *at = text; *at; at++)
		if (!is_text(*at) || strchr(" \"[]#\\=", *at))
			return false;
	return *text != '\0';
}

bool ws_plan_is_label(const char *text)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

	return *text && text[strspn(text, allowed)] == '\0' && strcmp(text, "with") != 0;
}
