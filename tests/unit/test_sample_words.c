/* The lax command lines of the bandwidth tests, and the sizes of their modes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "dialect/bandwidth_test_sizes.h"
#include "dialect/sample_words.h"

#define WORDS_MAX 10

struct line {
	char *argv[WORDS_MAX + 2];
	int argc;
};

/* Words by spaces. */
static void read_line(struct line *line, char *text, enum ws_words_style style, struct ws_words *words)
{
	static char program[] = "program";

	*line = (struct line){.argv = {program}, .argc = 1};
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		line->argv[line->argc++] = word;
	ws_words_init(words, style, line->argc, line->argv);
}

static void flags(void **state)
{
	static const struct {
		const char *line;
		enum ws_words_style style;
		bool csv;
	} rows[] = {
		{"--csv", WS_WORDS_CUDA, true},	    {"-csv", WS_WORDS_CUDA, true},
		{"csv", WS_WORDS_CUDA, true},	    {"-----CsV", WS_WORDS_CUDA, true},
		{"--csv=no", WS_WORDS_CUDA, true},  {"--csvs", WS_WORDS_CUDA, false},
		{"--cs", WS_WORDS_CUDA, false},	    {"--", WS_WORDS_CUDA, false},
		{"-", WS_WORDS_CUDA, false},	    {"word --csv", WS_WORDS_CUDA, true},
		{"=csv", WS_WORDS_CUDA, false},	    {"--csv", WS_WORDS_SDK, true},
		{"-csv", WS_WORDS_SDK, true},	    {"---csv", WS_WORDS_SDK, false},
		{"--CSV", WS_WORDS_SDK, false},	    {"--csv=0", WS_WORDS_SDK, true},
		{"csv", WS_WORDS_SDK, false},	    {"word --csv", WS_WORDS_SDK, false},
		{"--csv word", WS_WORDS_SDK, true}, {"", WS_WORDS_SDK, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = strdup(rows[i].line);
		struct ws_words words;
		struct line line;

		read_line(&line, text, rows[i].style, &words);
		assert_int_equal(ws_words_flag(&words, "csv"), rows[i].csv);
		free(text);
	}
}

static void values(void **state)
{
	static const struct {
		const char *line;
		enum ws_words_style style;
		const char *memory;
	} rows[] = {
		{"--memory=pinned", WS_WORDS_CUDA, "pinned"},
		{"-MEMORY=Pinned", WS_WORDS_CUDA, "Pinned"},
		{"--memory=a --memory=b", WS_WORDS_CUDA, "b"},
		{"--memory", WS_WORDS_CUDA, ""},
		{"--memory=", WS_WORDS_CUDA, ""},
		{"--memory:x", WS_WORDS_CUDA, "x"},
		{"--memo=x", WS_WORDS_CUDA, NULL},
		{"", WS_WORDS_CUDA, NULL},
		{"--memory=pinned", WS_WORDS_SDK, "pinned"},
		{"-memory=a --memory=b", WS_WORDS_SDK, "b"},
		{"--memory:x", WS_WORDS_SDK, NULL},
		{"--Memory=x", WS_WORDS_SDK, NULL},
		{"--memory", WS_WORDS_SDK, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = strdup(rows[i].line);
		struct ws_words words;
		const char *value;
		struct line line;

		read_line(&line, text, rows[i].style, &words);
		value = ws_words_value(&words, "memory");
		if (rows[i].memory) {
			assert_non_null(value);
			assert_string_equal(value, rows[i].memory);
		} else {
			assert_null(value);
		}
		free(text);
	}
}

static void numbers(void **state)
{
	static const struct {
		const char *line;
		enum ws_words_style style;
		enum ws_words_number kind;
		int64_t number;
	} rows[] = {
		{"--start=1024", WS_WORDS_CUDA, WS_NUMBER_READ, 1024},
		{"--start=4294967296", WS_WORDS_CUDA, WS_NUMBER_READ, 4294967296},
		{"--start=99999999999999999999", WS_WORDS_CUDA, WS_NUMBER_READ, INT64_MAX},
		{"--start=-7", WS_WORDS_CUDA, WS_NUMBER_READ, -7},
		{"--start=many", WS_WORDS_CUDA, WS_NUMBER_READ, 0},
		{"--start=", WS_WORDS_CUDA, WS_NUMBER_READ, 0},
		{"--start", WS_WORDS_CUDA, WS_NUMBER_READ, 0},
		{"--start=32M", WS_WORDS_CUDA, WS_NUMBER_REST, 32},
		{"--start=1 --start=2", WS_WORDS_CUDA, WS_NUMBER_READ, 2},
		{"--start1024", WS_WORDS_CUDA, WS_NUMBER_ABSENT, -1},
		{"--start=5 --start1024", WS_WORDS_CUDA, WS_NUMBER_READ, 1024},
		{"--end=1", WS_WORDS_CUDA, WS_NUMBER_ABSENT, -1},
		{"--start=1024", WS_WORDS_SDK, WS_NUMBER_READ, 1024},
		{"--start=-7", WS_WORDS_SDK, WS_NUMBER_READ, -7},
		{"--start=", WS_WORDS_SDK, WS_NUMBER_READ, 0},
		{"--start", WS_WORDS_SDK, WS_NUMBER_ABSENT, -1},
		{"--start=32M", WS_WORDS_SDK, WS_NUMBER_ABSENT, -1},
		{"--start=many", WS_WORDS_SDK, WS_NUMBER_ABSENT, -1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = strdup(rows[i].line);
		struct ws_words words;
		struct line line;
		int64_t number = -1;

		read_line(&line, text, rows[i].style, &words);
		assert_int_equal(ws_words_number(&words, "start", &number), rows[i].kind);
		assert_int_equal(number, rows[i].number);
		free(text);
	}
}

static void words_of_the_harness(void **state)
{
	char text[] = "--csv word ---QATest noprompt=1 -word";
	struct ws_words words;
	struct line line;

	(void)state;
	read_line(&line, text, WS_WORDS_SDK, &words);
	assert_true(words.cut);
	assert_int_equal(words.count, 1);
	assert_int_equal(ws_words_last(&words, "qatest"), 2);
	assert_int_equal(ws_words_last(&words, "WORD"), 4);
	assert_int_equal(ws_words_last(&words, "noprompt"), -1);
	assert_int_equal(ws_words_last(&words, "prompt"), -1);
}

static void ladders(void **state)
{
	/* By index: the first size, both sides of each change of step, the last size. */
	static const struct {
		uint64_t kilo;
		int index;
		uint64_t size_bytes;
	} rows[] = {
		{1000, 0, 1000},      {1000, 19, 20000},    {1000, 20, 22000},	  {1000, 34, 50000},
		{1000, 35, 60000},    {1000, 39, 100000},   {1000, 40, 200000},	  {1000, 48, 1000000},
		{1000, 49, 2000000},  {1000, 63, 16000000}, {1000, 64, 18000000}, {1000, 71, 32000000},
		{1000, 72, 36000000}, {1000, 80, 68000000}, {1024, 0, 1024},	  {1024, 19, 20480},
		{1024, 20, 22528},    {1024, 34, 51200},    {1024, 35, 61440},	  {1024, 39, 102400},
		{1024, 40, 204800},   {1024, 49, 1126400},  {1024, 50, 2174976},  {1024, 64, 16855040},
		{1024, 65, 18952192}, {1024, 72, 33632256}, {1024, 73, 37826560}, {1024, 80, 67186688},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct bwt_sizes sizes = {.mode = BWT_SIZES_SHMOO, .kilo = rows[i].kilo};
		uint64_t size_bytes = 0;
		int count = 0;

		while (bwt_sizes_next(&sizes, &size_bytes))
			if (count++ == rows[i].index)
				assert_int_equal(size_bytes, rows[i].size_bytes);
		assert_int_equal(count, 81);
	}
}

static void ranges(void **state)
{
	static const struct {
		struct bwt_sizes sizes;
		int count;
		uint64_t last;
	} rows[] = {
		{{.mode = BWT_SIZES_QUICK, .kilo = 1000}, 1, 32000000},
		{{.mode = BWT_SIZES_QUICK, .kilo = 1024}, 1, 33554432},
		{{.mode = BWT_SIZES_RANGE, .start = 5, .end = 5, .increment = 1}, 1, 5},
		{{.mode = BWT_SIZES_RANGE, .start = 1000, .end = 12000, .increment = 5000}, 3, 11000},
		{{.mode = BWT_SIZES_RANGE, .start = 1000, .end = 11000, .increment = 5000}, 3, 11000},
		{{.mode = BWT_SIZES_RANGE, .start = 1, .end = INT64_MAX, .increment = INT64_MAX}, 1, 1},
		{{.mode = BWT_SIZES_RANGE, .start = UINT64_MAX - 1, .end = UINT64_MAX, .increment = 1}, 2, UINT64_MAX},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t size_bytes = 0;
		int count = 0;

		while (bwt_sizes_next(&rows[i].sizes, &size_bytes))
			count++;
		assert_int_equal(count, rows[i].count);
		assert_int_equal(size_bytes, rows[i].last);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags),   cmocka_unit_test(values),
		cmocka_unit_test(numbers), cmocka_unit_test(words_of_the_harness),
		cmocka_unit_test(ladders), cmocka_unit_test(ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
