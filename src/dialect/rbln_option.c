/* The command line of rblnBandwidthLatencyTest: a table of options, and reading it. */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "dialect/rbln.h"

enum kind { FLAG, NUMBER, SIZE, IDS };

struct option_row {
	char letter; /* 0 = none */
	const char *name;
	enum kind kind;
	size_t offset;
	size_t given; /* of a flag that is set with it; 0 = none */
	int64_t minimum, maximum;
	const char *argument, *help;
};

#define AT(field) offsetof(struct rbln_options, field)

static const struct option_row rows[] = {
	{'h', "help", FLAG, AT(help), 0, 0, 0, "", "print this text"},
	{'t', "timeout", NUMBER, AT(timeout_s), 0, 1, 86400, " <int>", "seconds that the test may take"},
	{'i', "iteration_cnt", NUMBER, AT(iterations), 0, 1, 100000, " <int>", "measured iterations (1)"},
	{0, "warmup", FLAG, AT(warmup), 0, 0, 0, "", "an iteration before those that are measured"},
	{0, "test_size", SIZE, AT(size_bytes), AT(has_size), 1, INT64_C(1) << 50, " <str>",
	 "bytes of a transfer, such as 4K, 128M or 1G (512M)"},
	{0, "npu_id_list", IDS, AT(ids), 0, 0, RBLN_DEVICES_MAX - 1, " <list>", "NPUs that take part, such as 0,1,2"},
	{0, "only_d2d", FLAG, AT(only_d2d), 0, 0, 0, "", "transfers between NPUs only"},
	{0, "test_list", FLAG, AT(test_list), 0, 0, 0, "", "print the names of the test cases"},
	{0, "tc", NUMBER, AT(test_case), 0, 0, 6, " <int>", "test case, by its place in that list (0)"},
	{0, "test_env_info", FLAG, AT(test_env_info), 0, 0, 0, "", "print the processor, NPUs and their links"},
	{0, "skip_test_env_info", FLAG, AT(skip_test_env_info), 0, 0, 0, "", "do not print the machine before a test"},
	{'n', "device_name", NUMBER, AT(source), AT(has_source), 0, RBLN_DEVICES_MAX - 1, " <int>",
	 "NPU that is the source"},
	{0, "get_perf", NUMBER, AT(get_perf), 0, 1, 2, " <int>", "print times: 1 = average, 2 = of each iteration"},
	{0, "priority", NUMBER, AT(priority), 0, 0, 4, " <int>",
	 "0 = least, 1 = normal, 2 = high, 3 = kernel, 4 = real-time (1)"},
	{'r', "hdma_read", NUMBER, AT(hdma_read), 0, 0, 1, " <int>",
	 "0 = the sender writes, 1 = the receiver reads (0)"},
	{0, "numa_node", NUMBER, AT(numa_node), AT(has_numa_node), -1, INT32_MAX, " <int>",
	 "NUMA node of host memory, -1 = the nearest (-1)"},
	{0, "data_pattern", NUMBER, AT(pattern), AT(has_pattern), INT32_MIN, UINT32_MAX, " <int>",
	 "32-bit number that fills the buffers"},
	{'f', "flags", NUMBER, AT(flags), AT(has_flags), INT32_MIN, UINT32_MAX, " <int>",
	 "context flags: no device here has any"},
	{'g', NULL, NUMBER, AT(group), AT(has_group), INT32_MIN, INT32_MAX, " <int>",
	 "execution group: no device here has any"},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

void rbln_say(const char *format, ...)
{
	va_list arguments;

	fputs(RBLN_NAME ": ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

void rbln_help(FILE *to)
{
	fputs("Usage: " RBLN_NAME " [options]\n"
	      "       " RBLN_NAME " --tc <id> [options]\n"
	      "\nOptions:\n",
	      to);
	for (size_t i = 0; i < ROWS; i++) {
		char left[40];
		int length = 0;

		if (rows[i].letter)
			length = snprintf(left, sizeof(left), "-%c%s", rows[i].letter, rows[i].name ? ", " : "");
		if (rows[i].name)
			length += snprintf(left + length, sizeof(left) - (size_t)length, "--%s", rows[i].name);
		snprintf(left + length, sizeof(left) - (size_t)length, "%s", rows[i].argument);
		fprintf(to, "  %-28s  %s\n", left, rows[i].help);
	}
}

static void show(const struct option_row *row, char text[32])
{
	if (row->name)
		snprintf(text, 32, "--%s", row->name);
	else
		snprintf(text, 32, "-%c", row->letter);
}

/* A whole number, negative ones and 0x too. */
static bool read_number(const char *text, int64_t minimum, int64_t maximum, int64_t *out)
{
	const bool negative = text[0] == '-';
	const char *digits = text + negative;
	const bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	const char *allowed = is_hex ? "0123456789abcdefABCDEF" : "0123456789";
	const char *start = digits + (is_hex ? 2 : 0);
	int64_t number = 0;

	if (!*start || strlen(start) > 18 || strspn(start, allowed) != strlen(start))
		return false;
	number = (int64_t)strtoull(start, NULL, is_hex ? 16 : 10);
	number = negative ? -number : number;
	if (number < minimum || number > maximum)
		return false;
	*out = number;
	return true;
}

static bool read_ids(const char *text, const struct option_row *row, struct rbln_options *out)
{
	out->id_count = 0;
	for (const char *at = text;; at++) {
		const size_t length = strcspn(at, ",");
		char word[8];
		int64_t id;

		snprintf(word, sizeof(word), "%.*s", (int)length, at);
		if (length >= sizeof(word) || !read_number(word, row->minimum, row->maximum, &id))
			return false;
		for (int i = 0; i < out->id_count; i++)
			if (out->ids[i] == (int)id)
				return false;
		out->ids[out->id_count++] = (int)id;
		at += length;
		if (!*at)
			return true;
	}
}

static bool read_value(const struct option_row *row, const char *value, struct rbln_options *out)
{
	void *field = (char *)out + row->offset;
	char name[32], least[WS_UNITS_TEXT], most[WS_UNITS_TEXT], quoted[WS_QUOTE_TEXT];

	show(row, name);
	ws_cli_quote(value, strlen(value), quoted);
	switch (row->kind) {
	case NUMBER:
		if (read_number(value, row->minimum, row->maximum, (int64_t *)field))
			return true;
		rbln_say("%s: %s is not allowed; allowed are whole numbers from %" PRId64 " to %" PRId64, name, quoted,
			 row->minimum, row->maximum);
		return false;
	case SIZE:
		if (ws_size_parse(value, (uint64_t *)field) == WS_OK && *(uint64_t *)field >= (uint64_t)row->minimum &&
		    *(uint64_t *)field <= (uint64_t)row->maximum)
			return true;
		rbln_say("%s: %s is not allowed; allowed are sizes from %s to %s, such as 4K, 128M or 1G", name, quoted,
			 ws_size_format((uint64_t)row->minimum, least, sizeof(least)),
			 ws_size_format((uint64_t)row->maximum, most, sizeof(most)));
		return false;
	case IDS:
		if (read_ids(value, row, out))
			return true;
		rbln_say("%s: %s is not allowed; allowed are numbers of NPUs, each once, such as 0,1,2", name, quoted);
		return false;
	case FLAG:
		break;
	}
	return false;
}

/* Takes one option; value is NULL, what follows its = or letter, or the next word, and *taken says that it was used. */
static bool take(const struct option_row *row, const char *attached, const char *next, bool *taken,
		 struct rbln_options *out)
{
	char name[32], quoted[WS_QUOTE_TEXT];

	show(row, name);
	*taken = false;
	if (row->given)
		*((bool *)out + row->given) = true;
	if (row->kind == FLAG) {
		if (attached) {
			rbln_say("%s takes no value, not %s", name, ws_cli_quote(attached, strlen(attached), quoted));
			return false;
		}
		*((bool *)out + row->offset) = true;
		return true;
	}
	*taken = !attached;
	if (!attached && !next) {
		rbln_say("%s needs a value:%s", name, row->argument);
		return false;
	}
	return read_value(row, attached ? attached : next, out);
}

static const struct option_row *find(const char *word, const char **attached)
{
	const bool is_long = word[0] == '-' && word[1] == '-';
	const size_t length = is_long ? strcspn(word + 2, "=") : 1;

	*attached = NULL;
	for (size_t i = 0; i < ROWS; i++) {
		if (is_long && rows[i].name && strlen(rows[i].name) == length &&
		    strncmp(rows[i].name, word + 2, length) == 0) {
			*attached = word[2 + length] ? word + 3 + length : NULL;
			return &rows[i];
		}
		if (!is_long && word[0] == '-' && word[1] && word[1] == rows[i].letter) {
			*attached = word[2] ? word + 2 : NULL;
			return &rows[i];
		}
	}
	return NULL;
}

static bool say_unknown(const char *word)
{
	const char *names[ROWS];
	char near[WS_QUOTE_TEXT], quoted[WS_QUOTE_TEXT];
	const bool is_option = word[0] == '-';
	size_t count = 0;

	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].name)
			names[count++] = rows[i].name;
	rbln_say("%s %s%s; see: " RBLN_NAME " --help", is_option ? "unknown option" : "no argument is allowed here:",
		 ws_cli_quote(word, strlen(word), quoted),
		 is_option ? ws_cli_near(word + strspn(word, "-"), names, count, near, sizeof(near)) : "");
	return false;
}

static bool check_together(const struct rbln_options *options)
{
	bool is_listed = options->id_count == 0;

	if (options->test_env_info && options->skip_test_env_info) {
		rbln_say("--test_env_info and --skip_test_env_info contradict each other");
		return false;
	}
	if (options->only_d2d && options->has_numa_node) {
		rbln_say("--numa_node says where host memory is, and --only_d2d leaves it out");
		return false;
	}
	for (int i = 0; i < options->id_count; i++)
		is_listed = is_listed || options->ids[i] == (int)options->source;
	if (options->has_source && !is_listed) {
		rbln_say("--device_name: NPU %" PRId64 " is not in --npu_id_list", options->source);
		return false;
	}
	return true;
}

bool rbln_options_parse(int argc, char **argv, struct rbln_options *out)
{
	struct rbln_options options = {
		.iterations = 1, .priority = 1, .numa_node = -1, .size_bytes = UINT64_C(512) << 20};

	for (int i = 1; i < argc; i++) {
		const char *attached;
		const struct option_row *row = find(argv[i], &attached);
		bool taken;

		if (!row)
			return say_unknown(argv[i]);
		if (!take(row, attached, i + 1 < argc ? argv[i + 1] : NULL, &taken, &options))
			return false;
		i += taken;
	}
	if (!options.help && !check_together(&options))
		return false;
	*out = options;
	return true;
}
