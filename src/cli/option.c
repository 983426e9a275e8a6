/* The options of every command as one table. */
#include "cli/option.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/backend.h"
#include "base/units.h"
#include "cli/arguments.h"
#include "report/report.h"

#define AT(field) offsetof(struct ws_arguments, field)
#define TIB (UINT64_C(1) << 40)
#define MS UINT64_C(1000000)
#define HOUR UINT64_C(3600000000000)

/* Puts a word behind those in text. */
static void add_word(const char *word, char *text, size_t size)
{
	const size_t used = strlen(text);

	assert(used + strlen(word) + 2 <= size);
	snprintf(text + used, size - used, "%s%s", used ? " " : "", word);
}

static const char *list_backends(char *text, size_t size)
{
	const struct ws_backend_ops *const *backends;
	size_t count;

	backends = ws_backends(&count);
	text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		add_word(backends[i]->name, text, size);
	return text;
}

static const char *list_reports(char *text, size_t size)
{
	const struct ws_report *const *reports;
	size_t count;

	reports = ws_report_rows(&count);
	text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		add_word(reports[i]->name, text, size);
	return text;
}

static const struct ws_cli_option options[] = {
	{.name = "device", .argument = "PLACE,...", .kind = WS_CLI_PLACES, .group = WS_GROUP_SELECT, .minimum = 1,
	 .maximum = 64, .commands = WS_RUN, .contradicts = "pair plan", .probe = true, .offset = AT(device),
	 .help = "measure only these places: names, or PCI addresses or UUIDs of devices"},
	{.name = "pair", .argument = "A,B", .kind = WS_CLI_PLACES, .group = WS_GROUP_SELECT, .minimum = 2, .maximum = 2,
	 .commands = WS_RUN, .contradicts = "device plan", .probe = true, .offset = AT(pair),
	 .help = "measure only from place A to place B"},
	{.name = "host-node", .argument = "N", .kind = WS_CLI_COUNT, .group = WS_GROUP_SELECT, .maximum = 4095,
	 .commands = WS_RUN, .contradicts = "plan", .probe = true, .offset = AT(host_node),
	 .help = "use host memory and processors of this NUMA node only"},
	{.name = "backend", .argument = "NAME,...", .kind = WS_CLI_WORDS, .group = WS_GROUP_SELECT,
	 .list_words = list_backends, .commands = WS_RUN | WS_LIST | WS_MACHINE,
	 .offset = AT(backend), .help = "open only these back ends"},
	{.name = "memory", .argument = "KIND[:PAGES]", .kind = WS_CLI_MEMORY, .group = WS_GROUP_SELECT,
	 .commands = WS_RUN, .contradicts = "plan", .probe = true, .offset = AT(memory),
	 .help = "kind of host memory and size of its pages; huge means pinned:thp"},
	{.name = "engine", .argument = "NAME", .commands = WS_RUN, .planned = true, .help = "who moves the bytes"},
	{.name = "size", .argument = "SIZE[/SIZE]", .kind = WS_CLI_SIZE, .group = WS_GROUP_SELECT, .minimum = 1,
	 .maximum = TIB, .commands = WS_RUN, .contradicts = "plan", .probe = true, .offset = AT(size),
	 .help = "bytes moved by one operation; with two sizes the bandwidth is the slope between them"},
	{.name = "sizes", .argument = "SIZE..SIZE", .kind = WS_CLI_RANGE, .group = WS_GROUP_SELECT, .minimum = 1,
	 .maximum = TIB, .commands = WS_RUN, .contradicts = "plan", .probe = true, .offset = AT(sizes),
	 .help = "measure every power of two between two sizes"},
	{.name = "threads", .argument = "N", .kind = WS_CLI_COUNT, .group = WS_GROUP_SELECT, .minimum = 1,
	 .maximum = 4096, .commands = WS_RUN, .contradicts = "plan", .probe = true, .offset = AT(threads),
	 .help = "processor threads of an operation"},
	{.name = "plan", .argument = "FILE", .kind = WS_CLI_PATH, .group = WS_GROUP_SELECT, .commands = WS_RUN,
	 .contradicts = "quick thorough backend", .offset = AT(plan),
	 .help = "run this plan instead of probes; - is standard input"},

	{.name = "samples", .argument = "N", .kind = WS_CLI_COUNT, .group = WS_GROUP_MEASURE, .minimum = 1,
	 .maximum = 100000, .commands = WS_RUN, .contradicts = "time-limit quick thorough", .offset = AT(samples),
	 .help = "take exactly so many samples, however long that takes, instead of as many as precision needs"},
	{.name = "warmup", .argument = "N", .commands = WS_RUN, .planned = true,
	 .help = "untimed samples before the first one"},
	{.name = "time-limit", .argument = "TIME", .kind = WS_CLI_DURATION, .group = WS_GROUP_MEASURE, .minimum = MS,
	 .maximum = 24 * HOUR, .commands = WS_RUN, .contradicts = "samples thorough", .offset = AT(time_limit_ns),
	 .help = "longest time for the samples of one step (usually 1 s; more than 6 steps of probes share 6 "
		 "usual limits, and none has less than a twelfth of one)"},
	{.name = "timeout", .argument = "TIME", .kind = WS_CLI_DURATION, .group = WS_GROUP_MEASURE, .minimum = MS,
	 .maximum = 24 * HOUR, .commands = WS_RUN, .offset = AT(timeout_ns),
	 .help = "longest wait for a device that does not answer"},
	{.name = "quick", .kind = WS_CLI_FLAG, .group = WS_GROUP_MEASURE, .commands = WS_RUN,
	 .contradicts = "thorough plan samples", .offset = AT(quick),
	 .help = "stop at a precision of 1 %, or with a usual limit of 0.4 s a step (else 0.5 %, 1 s)"},
	{.name = "thorough", .kind = WS_CLI_FLAG, .group = WS_GROUP_MEASURE, .commands = WS_RUN,
	 .contradicts = "quick plan samples time-limit", .offset = AT(thorough),
	 .help = "take up to 10 s a step to reach a precision of 0.5 %"},
	{.name = "no-verify", .kind = WS_CLI_FLAG, .group = WS_GROUP_MEASURE, .commands = WS_RUN,
	 .offset = AT(no_verify), .help = "do not compare the data that arrived"},
	{.name = "pattern", .argument = "NAME", .commands = WS_RUN, .planned = true,
	 .help = "what the buffers are filled with"},
	{.name = "seed", .argument = "N", .kind = WS_CLI_COUNT, .group = WS_GROUP_MEASURE, .maximum = UINT64_MAX,
	 .commands = WS_RUN, .offset = AT(seed), .help = "start of the data pattern"},
	{.name = "machine", .argument = "PATH", .kind = WS_CLI_PATH, .group = WS_GROUP_MEASURE,
	 .commands = WS_RUN | WS_LIST | WS_MACHINE, .offset = AT(machine),
	 .help = "a recorded machine, a folder or a topology in XML: only for plans and lists"},

	{.name = "dry-run", .kind = WS_CLI_FLAG, .group = WS_GROUP_OUTPUT, .commands = WS_RUN,
	 .contradicts = "format color", .offset = AT(dry_run), .help = "print the plan and measure nothing"},
	{.name = "format", .argument = "NAME", .kind = WS_CLI_WORD, .group = WS_GROUP_OUTPUT, .list_words = list_reports,
	 .planned_words = "openmetrics html", .commands = WS_RUN, .contradicts = "dry-run", .offset = AT(format),
	 .help = "form of the report"},
	{.name = "json", .kind = WS_CLI_FLAG, .group = WS_GROUP_OUTPUT, .commands = WS_MACHINE, .offset = AT(json),
	 .help = "print JSON"},
	{.name = "output", .letter = 'o', .argument = "FILE", .kind = WS_CLI_PATH, .group = WS_GROUP_OUTPUT,
	 .commands = WS_RUN | WS_MACHINE, .offset = AT(output), .help = "write to this file, whole or not at all"},
	{.name = "save", .argument = "FILE", .commands = WS_MACHINE, .planned = true,
	 .help = "record this machine for --machine"},
	{.name = "verbose", .letter = 'v', .commands = WS_RUN, .planned = true,
	 .help = "also print what is usually left out of the text"},
	{.name = "color", .argument = "WHEN", .kind = WS_CLI_WORD, .group = WS_GROUP_OUTPUT, .words = "auto always never",
	 .commands = WS_RUN, .contradicts = "dry-run", .offset = AT(color),
	 .help = "colours in the text; auto means on a terminal"},

	{.name = "here", .kind = WS_CLI_FLAG, .group = WS_GROUP_GENERAL, .commands = WS_LIST, .offset = AT(here),
	 .help = "say for each probe whether it can run on this machine, and open the back ends for it"},
	{.name = "ranks", .letter = 'n', .argument = "N", .kind = WS_CLI_COUNT, .group = WS_GROUP_GENERAL, .minimum = 1,
	 .maximum = 1024, .commands = WS_LAUNCH, .offset = AT(rank_count),
	 .help = "how many ranks to start; the caller is rank 0"},
	{.name = "help", .letter = 'h', .kind = WS_CLI_FLAG, .group = WS_GROUP_GENERAL, .commands = WS_ALL,
	 .offset = AT(help), .help = "print this help; behind a command, that of the command"},
	{.name = "version", .letter = 'V', .kind = WS_CLI_FLAG, .group = WS_GROUP_GENERAL, .commands = WS_ALL,
	 .offset = AT(version), .help = "print the version"},
	{.name = "mdoc", .kind = WS_CLI_FLAG, .group = WS_GROUP_GENERAL, .commands = WS_HELP, .hidden = true,
	 .offset = AT(mdoc), .help = "print the manual page's section on options"},
};

#define COUNT (sizeof(options) / sizeof(options[0]))
_Static_assert(COUNT <= WS_CLI_OPTION_MAX, "struct ws_arguments has a flag for every option");

const struct ws_cli_option *ws_cli_options(size_t *count)
{
	*count = COUNT;
	return options;
}

const struct ws_cli_option *ws_cli_option_find(const char *name, size_t length)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0)
			return &options[i];
	}
	return NULL;
}

const struct ws_cli_option *ws_cli_option_letter(char letter)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (options[i].letter && options[i].letter == letter)
			return &options[i];
	}
	return NULL;
}

const char *ws_cli_option_words(const struct ws_cli_option *option, char text[WS_CLI_WORDS_TEXT])
{
	return option->list_words ? option->list_words(text, WS_CLI_WORDS_TEXT) : option->words;
}

/* "a b c" -> "a, b or c" */
static const char *join_words(const char *words, char *text, size_t size)
{
	size_t used = 0;

	for (const char *at = words; *at && used < size;) {
		const int length = (int)strcspn(at, " ");
		const char *next = at + length + strspn(at + length, " ");
		const char *join = at == words ? "" : *next ? ", " : " or ";
		const int written = snprintf(text + used, size - used, "%s%.*s", join, length, at);

		assert(written > 0 && (size_t)written < size - used);
		used += (size_t)written;
		at = next;
	}
	return text;
}

const char *ws_cli_option_allowed(const struct ws_cli_option *option, char *text, size_t size)
{
	char low[WS_UNITS_TEXT], high[WS_UNITS_TEXT], words[WS_CLI_WORDS_TEXT];

	switch (option->kind) {
	case WS_CLI_SIZE:
	case WS_CLI_RANGE:
		ws_size_format(option->minimum, low, sizeof(low));
		ws_size_format(option->maximum, high, sizeof(high));
		break;
	case WS_CLI_COUNT:
		snprintf(low, sizeof(low), "%" PRIu64, option->minimum);
		snprintf(high, sizeof(high), "%" PRIu64, option->maximum);
		break;
	case WS_CLI_DURATION:
		ws_duration_format((int64_t)option->minimum, low, sizeof(low));
		ws_duration_format((int64_t)option->maximum, high, sizeof(high));
		break;
	case WS_CLI_WORD:
	case WS_CLI_WORDS:
		return join_words(ws_cli_option_words(option, words), text, size);
	case WS_CLI_PLACES:
		snprintf(text, size, option->minimum > 1 ? "two places, as host0,host1" : "places, as host0,host1");
		return text;
	case WS_CLI_MEMORY:
		snprintf(text, size, "pageable, pinned, wc, mapped or svm, then :4k, :thp, :2m or :1g; or huge");
		return text;
	case WS_CLI_FLAG:
	case WS_CLI_PATH:
	default:
		text[0] = '\0';
		return text;
	}
	snprintf(text, size, "%s to %s", low, high);
	return text;
}

const char *ws_cli_group_title(enum ws_cli_group group)
{
	static const char *const titles[WS_GROUP_COUNT] = {
		[WS_GROUP_SELECT] = "What to measure",
		[WS_GROUP_MEASURE] = "How to measure",
		[WS_GROUP_OUTPUT] = "What to print",
		[WS_GROUP_GENERAL] = "General",
	};

	return titles[group];
}
