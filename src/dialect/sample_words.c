/* Command lines as the CUDA samples and the SDK's OpenCL samples read them. */
#include "dialect/sample_words.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void ws_words_init(struct ws_words *words, enum ws_words_style style, int argc, char **argv)
{
	*words = (struct ws_words){.style = style, .at = argv + 1, .count = argc - 1, .total = argc - 1};
	for (int i = 0; style == WS_WORDS_SDK && i < words->count; i++) {
		if (words->at[i][0] != '-') {
			words->count = i;
			words->cut = true;
		}
	}
}

/* A word that is dashes alone, or dashes and a single letter, keeps them. */
static const char *skip_dashes(const struct ws_words *words, const char *word)
{
	const size_t dashes = strspn(word, "-");

	if (words->style == WS_WORDS_SDK)
		return word + (dashes < 2 ? dashes : 2);
	return dashes + 1 >= strlen(word) ? word : word + dashes;
}

static bool is_name(const struct ws_words *words, const char *word, const char *name)
{
	const size_t length = strcspn(word, "=");

	if (length != strlen(name))
		return false;
	return words->style == WS_WORDS_SDK ? strncmp(word, name, length) == 0 : strncasecmp(word, name, length) == 0;
}

bool ws_words_flag(const struct ws_words *words, const char *name)
{
	for (int i = 0; i < words->count; i++)
		if (is_name(words, skip_dashes(words, words->at[i]), name))
			return true;
	return false;
}

/* The last word that begins with the name; CUDA's values are taken from there. */
static const char *find_prefix(const struct ws_words *words, const char *name)
{
	const char *found = NULL;

	for (int i = 0; i < words->count; i++) {
		const char *word = skip_dashes(words, words->at[i]);

		if (words->style == WS_WORDS_SDK ? is_name(words, word, name)
						 : strncasecmp(word, name, strlen(name)) == 0)
			found = word;
	}
	return found;
}

const char *ws_words_value(const struct ws_words *words, const char *name)
{
	const char *word = find_prefix(words, name);

	if (!word)
		return NULL;
	word += strlen(name);
	return *word ? word + 1 : word;
}

enum ws_words_number ws_words_number(const struct ws_words *words, const char *name, int64_t *number)
{
	const char *word = find_prefix(words, name);
	char *end = NULL;
	int64_t value;

	if (!word || !ws_words_flag(words, name))
		return WS_NUMBER_ABSENT;
	word += strlen(name);
	if (words->style == WS_WORDS_SDK && *word == '\0')
		return WS_NUMBER_ABSENT;
	word += *word == '=';
	value = strtoll(word, &end, 10);
	if (words->style == WS_WORDS_SDK && (*end || (end == word && *word)))
		return WS_NUMBER_ABSENT;
	*number = value;
	return end != word && *end ? WS_NUMBER_REST : WS_NUMBER_READ;
}

int ws_words_last(const struct ws_words *words, const char *name)
{
	int last = -1;

	/* The harness reads the words behind a cut, too. */
	for (int i = 0; i < words->total; i++)
		if (strcasecmp(words->at[i] + strspn(words->at[i], "-"), name) == 0)
			last = i;
	return last;
}
