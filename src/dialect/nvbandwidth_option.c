/* The command lines of nvbandwidth 0.9 and 0.10. */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "dialect/nvbandwidth.h"

/* More makes no sense, and less than a byte count of 64 bits can hold. */
#define BUFFER_MIB_MAX (UINT64_C(1) << 24)
#define SAMPLES_MAX 100000
#define LOOPS_MAX 1000000
#define PAIRS_MAX 1000000000

enum kind { FLAG, NUMBER, SIGNED, LIST, FORMAT, PAIR };

struct option {
	const char *name;
	char letter;
	enum kind kind;
	unsigned versions; /* whose help names it, and where a part of the name will do */
	size_t offset;	   /* of its value, and of a list's count */
	size_t count_offset;
	uint64_t minimum, maximum;
	const char *operand, *help;
};

#define BOTH (NVB_0_9 | NVB_0_10)
#define AT(field) offsetof(struct nvb_options, field)

static const struct option rows[] = {
	{"help", 'h', FLAG, BOTH, AT(help), 0, 0, 0, NULL, "say what the options do"},
	{"version", 0, FLAG, NVB_0_10, AT(print_version), 0, 0, 0, NULL, "say which version's output this is"},
	{"bufferSize", 'b', NUMBER, BOTH, AT(buffer_mib), 0, 1, BUFFER_MIB_MAX, "SIZE",
	 "size of each copy in MiB [default: 512]"},
	{"list", 'l', FLAG, BOTH, AT(list), 0, 0, 0, NULL, "name the tests, with their numbers"},
	{"testcase", 't', LIST, BOTH, AT(tests), AT(test_count), 0, 0, "TEST",
	 "tests to run, by name or number; more may follow"},
	{"testcasePrefixes", 'p', LIST, BOTH, AT(prefixes), AT(prefix_count), 0, 0, "PREFIX",
	 "all tests whose names begin so; more may follow"},
	{"verbose", 'v', FLAG, BOTH, AT(verbose), 0, 0, 0, NULL, "also each sample, least, greatest and mean"},
	{"skipVerification", 's', FLAG, BOTH, AT(skip_verification), 0, 0, 0, NULL, "do not compare what was copied"},
	{"disableAffinity", 'd', FLAG, BOTH, AT(no_affinity), 0, 0, 0, NULL,
	 "host memory where this process runs, not where the GPU is"},
	{"testSamples", 'i', NUMBER, BOTH, AT(samples), 0, 1, SAMPLES_MAX, "N", "samples of each figure [default: 3]"},
	{"targetNumPairs", 'P', SIGNED, BOTH, AT(pairs), 0, 0, PAIRS_MAX, "N",
	 "pairs to sample of multinode tests, which one node has none of [default: -1]"},
	{"useMean", 'm', FLAG, BOTH, AT(mean), 0, 0, 0, NULL, "figures are means over the samples, not medians"},
	{"useHugePages", 'H', FLAG, BOTH, AT(huge_pages), 0, 0, 0, NULL, "host memory of huge pages"},
	{"format", 'F', FORMAT, NVB_0_10, 0, 0, 0, 0, "FORMAT", "text, json, or perf [default: text]"},
	{"pair", 0, PAIR, NVB_0_10, AT(pair), 0, 0, 0, "UUID1 UUID2",
	 "only from the one GPU to the other, in tests between GPUs"},
	{"json", 'j', FORMAT, NVB_0_9, 0, 0, 0, 0, NULL, "print JSON"},
	{"loopCount", 0, NUMBER, NVB_0_9, AT(loops), 0, 1, LOOPS_MAX, NULL, NULL},
	{"perfFormatter", 0, FORMAT, NVB_0_9, 0, 0, 0, 0, NULL, NULL},
	{.name = NULL},
};
#define ROW_MAX (sizeof(rows) / sizeof(rows[0]))

struct parser {
	struct nvb_options *options;
	char **argv;
	int argc, at;
	bool given[ROW_MAX];
	struct ws_error *error;
};

static bool takes_value(const struct option *row)
{
	return row->kind != FLAG && !(row->kind == FORMAT && !row->operand);
}

/* --pair and --format are new; the older options go on working, if written out. */
static bool is_spoken(const struct option *row, enum nvb_version version)
{
	return (row->versions & version) != 0 || (version == NVB_0_10 && row->versions == NVB_0_9);
}

/* By the whole name, or by a beginning that is no other's. count tells how many it could be. */
static const struct option *find_long(enum nvb_version version, const char *name, size_t length, int *count)
{
	const struct option *found = NULL;

	*count = 0;
	for (const struct option *row = rows; row->name; row++) {
		if (!is_spoken(row, version) || strncmp(row->name, name, length) != 0 || length == 0)
			continue;
		if (!row->name[length]) {
			*count = 1;
			return row;
		}
		if ((row->versions & version) == 0)
			continue;
		found = row;
		++*count;
	}
	return *count == 1 ? found : NULL;
}

static const struct option *find_short(enum nvb_version version, char letter)
{
	for (const struct option *row = rows; row->name; row++) {
		if (row->letter == letter && letter && is_spoken(row, version))
			return row;
	}
	return NULL;
}

/* Whether a word is an option of the tool, so that it is no value of the option before it. */
static bool is_option(enum nvb_version version, const char *word)
{
	int count = 0;

	if (word[0] != '-' || !word[1])
		return false;
	if (word[1] != '-')
		return find_short(version, word[1]) != NULL;
	return find_long(version, word + 2, strcspn(word + 2, "="), &count) != NULL || count > 1 || !word[2];
}

static int bad_value(const struct parser *parser, const struct option *row, const char *value, const char *allowed)
{
	char quoted[WS_QUOTE_TEXT];

	return ws_fail(parser->error, WS_EINVAL, "--%s: %s is no value for it; allowed: %s", row->name,
		       ws_cli_quote(value, strlen(value), quoted), allowed);
}

static int set_number(const struct parser *parser, const struct option *row, const char *value, void *target)
{
	const bool negative = row->kind == SIGNED && value[0] == '-';
	uint64_t number = 0;
	char allowed[80];

	snprintf(allowed, sizeof(allowed), "%s%" PRIu64 " to %" PRIu64, row->kind == SIGNED ? "-1, or " : "",
		 row->minimum, row->maximum);
	if (ws_count_parse(value + (negative ? 1 : 0), row->minimum, row->maximum, &number) != WS_OK)
		return bad_value(parser, row, value, allowed);
	if (row->kind == SIGNED)
		*(int64_t *)target = negative ? -(int64_t)number : (int64_t)number;
	else
		*(uint64_t *)target = number;
	return WS_OK;
}

static int add_to_list(const struct parser *parser, const struct option *row, const char *value)
{
	const char ***list = (const char ***)(void *)((char *)parser->options + row->offset);
	int *count = (int *)(void *)((char *)parser->options + row->count_offset);
	const char **grown;

	if (!value[0])
		return bad_value(parser, row, value,
				 row->letter == 't' ? "a test's name or number" : "a name's beginning");
	grown = realloc(*list, ((size_t)*count + 1) * sizeof(**list));
	if (!grown)
		return ws_fail(parser->error, WS_ENOMEM, "no memory for the tests");
	grown[(*count)++] = value;
	*list = grown;
	return WS_OK;
}

static int set_format(const struct parser *parser, const struct option *row, const char *value)
{
	static const char *const names[] = {[NVB_TEXT] = "text", [NVB_PERF] = "perf", [NVB_JSON] = "json"};
	struct nvb_options *options = parser->options;

	if (!value) {
		/* JSON, if both are asked for. */
		if (options->format != NVB_JSON)
			options->format = row->letter == 'j' ? NVB_JSON : NVB_PERF;
		return WS_OK;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], value) == 0) {
			options->format = (enum nvb_format)i;
			return WS_OK;
		}
	}
	return bad_value(parser, row, value, "text, json, perf");
}

static bool is_uuid(const char *text)
{
	static const int groups[] = {8, 4, 4, 4, 12};
	const char *at = text + 4;

	if (strncmp(text, "GPU-", 4) != 0 && strncmp(text, "MIG-", 4) != 0)
		return false;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (strspn(at, "0123456789abcdefABCDEF") != (size_t)groups[i])
			return false;
		at += groups[i];
		if (*at != (i == 4 ? '\0' : '-'))
			return false;
		at++;
	}
	return true;
}

static int set_value(const struct parser *parser, const struct option *row, const char *value)
{
	char *target = (char *)parser->options + row->offset;

	switch (row->kind) {
	case FLAG:
		*(bool *)target = true;
		return WS_OK;
	case NUMBER:
	case SIGNED:
		return set_number(parser, row, value, target);
	case LIST:
		return add_to_list(parser, row, value);
	case FORMAT:
		return set_format(parser, row, value);
	case PAIR:
		if (!is_uuid(value))
			return bad_value(parser, row, value,
					 "two UUIDs of GPUs, each GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx");
		parser->options->pair[parser->options->pair[0] ? 1 : 0] = value;
		return WS_OK;
	}
	return WS_OK;
}

/* The next word as a value of a row that needs one (more). */
static int take_word(struct parser *parser, const struct option *row, const char **value)
{
	const char *word = parser->at < parser->argc ? parser->argv[parser->at] : NULL;

	if (!word || is_option(parser->options->version, word))
		return ws_fail(parser->error, WS_EINVAL, "--%s: %s follows it; it needs %s", row->name,
			       word ? "another option" : "nothing", row->operand ? row->operand : "N");
	parser->at++;
	*value = word;
	return WS_OK;
}

/* An option with what belongs to it; value is what stood in the same word, or NULL. */
static int take_option(struct parser *parser, const struct option *row, const char *value)
{
	bool *given = &parser->given[row - rows];
	int rc = WS_OK;

	if (*given && row->kind != LIST)
		return ws_fail(parser->error, WS_EINVAL, "--%s is given twice; allowed: once", row->name);
	*given = true;
	if (!takes_value(row)) {
		if (value)
			return ws_fail(parser->error, WS_EINVAL, "--%s takes no value", row->name);
		return set_value(parser, row, NULL);
	}
	if (!value)
		rc = take_word(parser, row, &value);
	if (rc == WS_OK)
		rc = set_value(parser, row, value);
	if (rc == WS_OK && row->kind == PAIR) {
		rc = take_word(parser, row, &value);
		return rc == WS_OK ? set_value(parser, row, value) : rc;
	}
	while (rc == WS_OK && row->kind == LIST && parser->at < parser->argc && parser->argv[parser->at][0] != '-')
		rc = set_value(parser, row, parser->argv[parser->at++]);
	return rc;
}

static int take_long(struct parser *parser, const char *word)
{
	const size_t length = strcspn(word, "=");
	int count = 0;
	const struct option *row = find_long(parser->options->version, word, length, &count);
	char quoted[WS_QUOTE_TEXT];

	if (!row)
		return ws_fail(parser->error, WS_EINVAL, "%s %s; see --help",
			       ws_cli_quote(word - 2, length + 2, quoted),
			       count > 1 ? "may be one of several options" : "is no option");
	return take_option(parser, row, word[length] ? word + length + 1 : NULL);
}

/* Letters in one word: flags, of which the last may be an option with its value behind it. */
static int take_letters(struct parser *parser, const char *word)
{
	int rc = WS_OK;

	for (const char *at = word; *at && rc == WS_OK; at++) {
		const struct option *row = find_short(parser->options->version, *at);
		char quoted[WS_QUOTE_TEXT];

		if (!row)
			return ws_fail(parser->error, WS_EINVAL, "%s in %s is no option; see --help",
				       ws_cli_quote(at, 1, quoted), word - 1);
		if (takes_value(row))
			return take_option(parser, row, at[1] ? at + 1 : NULL);
		rc = take_option(parser, row, NULL);
	}
	return rc;
}

/* An option that stands for JSON: --json, or --format with that value. */
static bool says_json(const struct option *row, const char *value)
{
	return row && row->kind == FORMAT && strcmp(row->operand ? value : row->name, "json") == 0;
}

/* What a command line that is in error says about the format, wherever in it. */
static void find_format(struct parser *parser)
{
	const enum nvb_version version = parser->options->version;

	for (int i = 1; i < parser->argc; i++) {
		const char *word = parser->argv[i], *next = i + 1 < parser->argc ? parser->argv[i + 1] : "";
		const size_t length = strcspn(word, "=");
		const char *letter = word[0] == '-' && word[1] != '-' ? word + 1 : "";
		bool json = false;
		int count = 0;

		if (strncmp(word, "--", 2) == 0)
			json = says_json(find_long(version, word + 2, length - 2, &count),
					 word[length] ? word + length + 1 : next);
		for (; *letter; letter++) {
			const struct option *row = find_short(version, *letter);

			json = json || says_json(row, letter[1] ? letter + 1 : next);
			if (!row || takes_value(row))
				break;
		}
		if (json)
			parser->options->format = NVB_JSON;
	}
}

int nvb_options_parse(enum nvb_version version, int argc, char **argv, struct nvb_options *out, struct ws_error *error)
{
	struct parser parser = {.options = out, .argv = argv, .argc = argc, .at = 1, .error = error};
	char quoted[WS_QUOTE_TEXT];
	int rc = WS_OK;

	*out = (struct nvb_options){
		.version = version, .buffer_mib = NVB_USUAL_MIB, .samples = 3, .loops = 16, .pairs = -1};
	while (parser.at < argc && rc == WS_OK) {
		const char *word = argv[parser.at++];

		if (word[0] == '-' && word[1] == '-')
			rc = take_long(&parser, word + 2);
		else if (word[0] == '-' && word[1])
			rc = take_letters(&parser, word + 1);
		else
			rc = ws_fail(error, WS_EINVAL, "%s belongs to no option; tests are named behind -t",
				     ws_cli_quote(word, strlen(word), quoted));
	}
	if (rc != WS_OK)
		find_format(&parser);
	return rc;
}

void nvb_options_release(struct nvb_options *options)
{
	free(options->tests);
	free(options->prefixes);
	options->tests = options->prefixes = NULL;
}

void nvb_options_help(enum nvb_version version, FILE *to)
{
	fputs(version == NVB_0_9 ? "nvbandwidth CLI:\n" : "Usage: nvbandwidth [options]\n\nOptions:\n", to);
	for (const struct option *row = rows; row->name; row++) {
		char name[60];

		if ((row->versions & version) == 0 || !row->help)
			continue;
		snprintf(name, sizeof(name), "%c%c%c --%s%s%s", row->letter ? '-' : ' ',
			 row->letter ? row->letter : ' ', row->letter ? ',' : ' ', row->name, row->operand ? " " : "",
			 row->operand ? row->operand : "");
		fprintf(to, "  %-32s  %s\n", name, row->help);
	}
	if (version == NVB_0_10)
		fputs("\nwirespeed speaks for nvbandwidth here; its own options: wirespeed --help\n", to);
}
