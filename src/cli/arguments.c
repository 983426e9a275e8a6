/* A command line as data. */
#include "cli/arguments.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/pci_address.h"
#include "base/place.h"
#include "base/units.h"
#include "cli/command.h"

#define ALLOWED_TEXT 120
#define QUOTE_MAX 40

const char *ws_cli_quote(const char *word, size_t length, char *text)
{
	const size_t kept = length > QUOTE_MAX ? QUOTE_MAX : length;
	size_t used = 0;

	text[used++] = '"';
	for (size_t i = 0; i < kept; i++) {
		const unsigned char c = (unsigned char)word[i];

		text[used++] = c < ' ' || c == 127 ? '?' : word[i];
	}
	snprintf(text + used, WS_QUOTE_TEXT - used, "%s\"", kept < length ? "..." : "");
	return text;
}

const char *ws_cli_near(const char *word, const char *const *names, size_t count, char *text, size_t size)
{
	const char *nearest = ws_nearest(word, names, count);

	text[0] = '\0';
	if (nearest)
		snprintf(text, size, "; did you mean \"%s\"?", nearest);
	return text;
}

static size_t index_of(const struct ws_cli_option *option)
{
	size_t count;

	return (size_t)(option - ws_cli_options(&count));
}

bool ws_arguments_given(const struct ws_arguments *arguments, const char *name)
{
	const struct ws_cli_option *option = ws_cli_option_find(name, strlen(name));

	assert(option);
	return arguments->given[index_of(option)];
}

/* "--size: 'x' is no size; allowed are 1 to 1T" */
static int refuse(const struct ws_cli_option *option, const char *word, size_t length, const char *what,
		  struct ws_error *error)
{
	char quoted[WS_QUOTE_TEXT], allowed[ALLOWED_TEXT];

	ws_cli_option_allowed(option, allowed, sizeof(allowed));
	return ws_fail(error, WS_EINVAL, "--%s: %s is no %s; allowed: %s", option->name,
		       ws_cli_quote(word, length, quoted), what, allowed);
}

static int out_of_range(const struct ws_cli_option *option, const char *value, struct ws_error *error)
{
	char quoted[WS_QUOTE_TEXT], allowed[ALLOWED_TEXT];

	ws_cli_option_allowed(option, allowed, sizeof(allowed));
	return ws_fail(error, WS_EINVAL, "--%s: %s is out of range; allowed: %s", option->name,
		       ws_cli_quote(value, strlen(value), quoted), allowed);
}

static bool in_range(const struct ws_cli_option *option, uint64_t number)
{
	return number >= option->minimum && number <= option->maximum;
}

/* The part of text up to `end`, for parsers that want a whole string; NULL if it does not fit. */
static const char *part(const char *text, size_t length, char *copy, size_t size)
{
	if (length >= size)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

static int set_size(const struct ws_cli_option *option, const char *value, void *to, struct ws_error *error)
{
	struct ws_cli_sizes sizes = {.count = 0};
	const char *at = value;
	char copy[48];

	for (;;) {
		const size_t length = strcspn(at, "/");
		uint64_t bytes;

		if (sizes.count == 2 || !part(at, length, copy, sizeof(copy)) || ws_size_parse(copy, &bytes) < 0)
			return refuse(option, value, strlen(value), "size (64K, 1M, 1MB; two: 64M/256M)", error);
		if (!in_range(option, bytes))
			return out_of_range(option, value, error);
		sizes.bytes[sizes.count++] = bytes;
		if (!at[length])
			break;
		at += length + 1;
	}
	if (sizes.count == 2 && sizes.bytes[0] >= sizes.bytes[1]) {
		char quoted[WS_QUOTE_TEXT];

		return ws_fail(error, WS_EINVAL, "--%s: in %s the first size is not the smaller one", option->name,
			       ws_cli_quote(value, strlen(value), quoted));
	}
	*(struct ws_cli_sizes *)to = sizes;
	return WS_OK;
}

static int set_range(const struct ws_cli_option *option, const char *value, void *to, struct ws_error *error)
{
	const char *dots = strstr(value, "..");
	struct ws_cli_sizes sizes = {.count = 2};
	char copy[48], quoted[WS_QUOTE_TEXT];

	if (!dots || !part(value, (size_t)(dots - value), copy, sizeof(copy)) ||
	    ws_size_parse(copy, &sizes.bytes[0]) < 0 || ws_size_parse(dots + 2, &sizes.bytes[1]) < 0)
		return refuse(option, value, strlen(value), "range of sizes (4K..1G)", error);
	if (!in_range(option, sizes.bytes[0]) || !in_range(option, sizes.bytes[1]))
		return out_of_range(option, value, error);
	if (sizes.bytes[0] > sizes.bytes[1])
		return ws_fail(error, WS_EINVAL, "--%s: in %s the first size is the larger one", option->name,
			       ws_cli_quote(value, strlen(value), quoted));
	*(struct ws_cli_sizes *)to = sizes;
	return WS_OK;
}

static int set_count(const struct ws_cli_option *option, const char *value, void *to, struct ws_error *error)
{
	uint64_t number;

	if (!value[0] || value[strspn(value, "0123456789")])
		return refuse(option, value, strlen(value), "whole number", error);
	if (ws_count_parse(value, option->minimum, option->maximum, &number) < 0)
		return out_of_range(option, value, error);
	*(uint64_t *)to = number;
	return WS_OK;
}

static int set_duration(const struct ws_cli_option *option, const char *value, void *to, struct ws_error *error)
{
	int64_t time_ns;

	if (ws_duration_parse(value, &time_ns) < 0)
		return refuse(option, value, strlen(value), "time (500ms, 1.5s, 2m; without a unit seconds)", error);
	if (!in_range(option, (uint64_t)time_ns))
		return out_of_range(option, value, error);
	*(int64_t *)to = time_ns;
	return WS_OK;
}

static int set_words(const struct ws_cli_option *option, const char *value, void *to, struct ws_error *error)
{
	char quoted[WS_QUOTE_TEXT], allowed[ALLOWED_TEXT], words[WS_CLI_WORDS_TEXT];
	const char *at = value;

	for (;;) {
		const size_t length = option->kind == WS_CLI_WORDS ? strcspn(at, ",") : strlen(at);
		const bool planned = ws_word_in(option->planned_words, at, length);

		if (!ws_word_in(ws_cli_option_words(option, words), at, length))
			return ws_fail(error, planned ? WS_EUNSUPPORTED : WS_EINVAL, "--%s: %s is %s; allowed: %s",
				       option->name, ws_cli_quote(at, length, quoted),
				       planned ? "not in this build" : "unknown",
				       ws_cli_option_allowed(option, allowed, sizeof(allowed)));
		if (!at[length])
			break;
		at += length + 1;
	}
	*(const char **)to = value;
	return WS_OK;
}

/* What its driver or the system calls a device: a PCI address, or a UUID whole or in part. */
static bool is_device_name(const char *word)
{
	struct ws_pci_address address;

	return ws_pci_address_parse(word, &address, NULL) == WS_OK ||
	       ((strncasecmp(word, "GPU-", 4) == 0 || strncasecmp(word, "MIG-", 4) == 0) && strlen(word) >= 8 &&
		!word[strspn(word, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-/")]);
}

static int set_places(const struct ws_cli_option *option, const char *value, void *to, struct ws_error *error)
{
	const char *at = value;
	char copy[WS_PLACE_TEXT];
	uint64_t count = 0;

	for (;;) {
		const size_t length = strcspn(at, ",");
		struct ws_error why = {0};
		struct ws_place place;

		if (!part(at, length, copy, sizeof(copy)) ||
		    (!is_device_name(copy) &&
		     (ws_place_parse(copy, &place, &why) < 0 || place.memory[0] || place.pages[0])))
			return refuse(option, at, length, "place", error);
		count++;
		if (!at[length])
			break;
		at += length + 1;
	}
	if (!in_range(option, count))
		return refuse(option, value, strlen(value), "list of so many places", error);
	*(const char **)to = value;
	return WS_OK;
}

static int set_memory(const struct ws_cli_option *option, const char *value, void *to, struct ws_error *error)
{
	char copy[WS_PLACE_TEXT];
	struct ws_error why = {0};
	struct ws_place place;

	if (strcmp(value, "huge") == 0)
		value = "pinned:thp";
	if (strlen(value) + sizeof("host0:") > sizeof(copy))
		return refuse(option, value, strlen(value), "kind of host memory", error);
	snprintf(copy, sizeof(copy), "host0:%s", value);
	if (ws_place_parse(copy, &place, &why) < 0)
		return refuse(option, value, strlen(value), "kind of host memory", error);
	*(const char **)to = value;
	return WS_OK;
}

static int set_value(const struct ws_cli_option *option, const char *value, void *to, struct ws_error *error)
{
	switch (option->kind) {
	case WS_CLI_SIZE:
		return set_size(option, value, to, error);
	case WS_CLI_RANGE:
		return set_range(option, value, to, error);
	case WS_CLI_COUNT:
		return set_count(option, value, to, error);
	case WS_CLI_DURATION:
		return set_duration(option, value, to, error);
	case WS_CLI_WORD:
	case WS_CLI_WORDS:
		return set_words(option, value, to, error);
	case WS_CLI_PLACES:
		return set_places(option, value, to, error);
	case WS_CLI_MEMORY:
		return set_memory(option, value, to, error);
	case WS_CLI_PATH:
		*(const char **)to = value;
		return WS_OK;
	case WS_CLI_FLAG:
	default:
		*(bool *)to = true;
		return WS_OK;
	}
}

/* value is NULL where none stands in the same word; then the next word is taken. */
static int take_option(const struct ws_cli_option *option, const char *value, int argc, char **argv, int *at,
		       struct ws_arguments *out, struct ws_error *error)
{
	const size_t index = index_of(option);
	char quoted[WS_QUOTE_TEXT];

	if (option->planned)
		return ws_fail(error, WS_EUNSUPPORTED, "option --%s is not in this build", option->name);
	if (!option->argument && value)
		return ws_fail(error, WS_EINVAL, "--%s takes no argument, but got %s", option->name,
			       ws_cli_quote(value, strlen(value), quoted));
	if (option->argument && !value) {
		const char *next = *at + 1 < argc ? argv[*at + 1] : NULL;

		/* What begins with a dash is the next option, but "-" itself and negative numbers are bad values. */
		if (!next || (next[0] == '-' && next[1] && !(next[1] >= '0' && next[1] <= '9')))
			return ws_fail(error, WS_EINVAL, "--%s needs an argument: %s", option->name, option->argument);
		value = next;
		++*at;
	}
	if (option->argument && !value[0])
		return ws_fail(error, WS_EINVAL, "--%s: the argument is empty; it must be %s", option->name,
			       option->argument);
	if (out->given[index])
		return ws_fail(error, WS_EINVAL, "--%s is given twice", option->name);
	out->given[index] = true;
	return set_value(option, value, (char *)out + option->offset, error);
}

static int unknown_option(const char *word, size_t length, struct ws_error *error)
{
	const char *names[WS_CLI_OPTION_MAX];
	char quoted[WS_QUOTE_TEXT], copy[WS_QUOTE_TEXT], near[WS_QUOTE_TEXT] = "";
	const struct ws_cli_option *rows;
	const char *nearest = NULL;
	size_t count, known = 0;

	rows = ws_cli_options(&count);
	for (size_t i = 0; i < count; i++) {
		if (!rows[i].planned && !rows[i].hidden)
			names[known++] = rows[i].name;
	}
	if (length > 2 && part(word + 2, length - 2, copy, sizeof(copy)))
		nearest = ws_nearest(copy, names, known);
	if (nearest)
		snprintf(near, sizeof(near), "; did you mean --%s?", nearest);
	return ws_fail(error, WS_EINVAL, "unknown option %s%s", ws_cli_quote(word, length, quoted), near);
}

static int take_word(int argc, char **argv, int *at, struct ws_arguments *out, struct ws_error *error)
{
	const char *word = argv[*at];
	const struct ws_cli_option *option;

	if (word[0] != '-' || !word[1]) {
		const struct ws_command *command = out->operand_count ? NULL : ws_command_find(word);

		if (!out->command && command) {
			out->command = command;
			out->command_named = true;
		} else {
			out->operands[out->operand_count++] = argv[*at];
		}
		return WS_OK;
	}
	if (word[1] == '-') {
		const size_t length = strcspn(word, "=");

		option = ws_cli_option_find(word + 2, length - 2);
		if (!option)
			return unknown_option(word, length, error);
		return take_option(option, word[length] ? word + length + 1 : NULL, argc, argv, at, out, error);
	}
	option = ws_cli_option_letter(word[1]);
	if (!option)
		return unknown_option(word, 2, error);
	if (word[2] && !option->argument)
		return ws_fail(error, WS_EINVAL, "-%c takes no argument; letters of options are not joined", word[1]);
	return take_option(option, word[2] ? word + 2 : NULL, argc, argv, at, out, error);
}

static int check_option(const struct ws_arguments *arguments, const struct ws_cli_option *option,
			struct ws_error *error)
{
	const struct ws_command *command = arguments->command;

	if (!(option->commands & command->bit))
		return ws_fail(error, WS_EINVAL, "--%s is no option of \"%s\"; see: wirespeed %s --help", option->name,
			       command->name, command->name);
	for (const char *at = option->contradicts; at && *at; at += strspn(at, " ")) {
		const size_t length = strcspn(at, " ");
		const struct ws_cli_option *other = ws_cli_option_find(at, length);

		assert(other);
		if (arguments->given[index_of(other)])
			return ws_fail(error, WS_EINVAL, "--%s and --%s contradict each other", option->name,
				       other->name);
		at += length;
	}
	return WS_OK;
}

static int check_all(struct ws_arguments *arguments, struct ws_error *error)
{
	const struct ws_cli_option *rows;
	char quoted[WS_QUOTE_TEXT];
	size_t count;
	int status;

	rows = ws_cli_options(&count);
	if (!arguments->command)
		arguments->command = ws_commands(&(size_t){0});
	/* Help is given whatever else was asked for. */
	if (arguments->version || (arguments->help && !arguments->command_named))
		return WS_OK;
	if (!arguments->command->run)
		return ws_fail(error, WS_EUNSUPPORTED, "command \"%s\" is not in this build", arguments->command->name);
	if (!arguments->command->takes_rest && !arguments->command->foreign) {
		for (int i = 0; i < arguments->rest_count; i++)
			arguments->operands[arguments->operand_count++] = arguments->rest[i];
		arguments->rest_count = 0;
	}
	if (arguments->help)
		return WS_OK;
	for (size_t i = 0; i < count; i++) {
		status = arguments->given[i] ? check_option(arguments, &rows[i], error) : WS_OK;
		if (status < 0)
			return status;
	}
	if (!arguments->command->operands[0] && arguments->operand_count)
		return ws_fail(error, WS_EINVAL, "\"%s\" takes no further words, but got %s", arguments->command->name,
			       ws_cli_quote(arguments->operands[0], strlen(arguments->operands[0]), quoted));
	if (arguments->plan && arguments->operand_count)
		return ws_fail(error, WS_EINVAL, "--plan and probe %s contradict each other",
			       ws_cli_quote(arguments->operands[0], strlen(arguments->operands[0]), quoted));
	return WS_OK;
}

int ws_arguments_parse(int argc, char **argv, struct ws_arguments *out, struct ws_error *error)
{
	struct ws_arguments arguments = {0};
	int status = WS_OK;

	arguments.operands = calloc((size_t)argc + 1, sizeof(*arguments.operands));
	if (!arguments.operands)
		return ws_fail(error, WS_ENOMEM, "out of memory");
	for (int at = 1; at < argc && status == WS_OK; at++) {
		if (strcmp(argv[at], "--") == 0) {
			arguments.rest = argv + at + 1;
			arguments.rest_count = argc - at - 1;
			break;
		}
		status = take_word(argc, argv, &at, &arguments, error);
		if (arguments.command && arguments.command->foreign && at + 1 < argc && argv[at + 1][0] != '-') {
			arguments.rest = argv + at + 1;
			arguments.rest_count = argc - at - 1;
			break;
		}
	}
	if (status == WS_OK)
		status = check_all(&arguments, error);
	if (status < 0)
		ws_arguments_release(&arguments);
	else
		*out = arguments;
	return status;
}

void ws_arguments_release(struct ws_arguments *arguments)
{
	free(arguments->operands);
	arguments->operands = NULL;
}
