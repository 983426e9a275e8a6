/* Sizes, durations, counts and figures: exact in both directions, under any locale, and deaf to nonsense. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void sizes_parse(void **state)
{
	static const struct {
		const char *text;
		uint64_t size_bytes;
	} cases[] = {
		{"0", 0},
		{"1", 1},
		{"007", 7},
		{"4096", 4096},
		{"1k", 1024},
		{"64M", UINT64_C(64) << 20},
		{"3g", UINT64_C(3) << 30},
		{"2T", UINT64_C(2) << 40},
		{"5KiB", 5 * 1024},
		{"5mib", 5 * 1048576},
		{"5GIB", UINT64_C(5) << 30},
		{"1tib", UINT64_C(1) << 40},
		{"7KB", 7000},
		{"7mb", 7000000},
		{"7GB", UINT64_C(7000000000)},
		{"7Tb", UINT64_C(7000000000000)},
		{"18446744073709551615", UINT64_MAX},
		{"16777215T", UINT64_C(16777215) << 40},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t size_bytes = 99;

		assert_int_equal(ws_size_parse(cases[i].text, &size_bytes), WS_OK);
		assert_true(size_bytes == cases[i].size_bytes);
	}
}

static void bad_sizes_are_refused(void **state)
{
	static const char *const cases[] = {
		"",
		" ",
		"-1",
		"+1",
		" 1",
		"1 ",
		"1 K",
		"1.5G",
		"1,5",
		"K",
		"1KK",
		"1Ki",
		"1P",
		"1Kib4",
		"1B",
		"0x10",
		"1e3",
		"nan",
		"1M\n",
		"1GBs",
		"٣",
		"1K\xc2",
		"1/2",
		"64M/",
		"18446744073709551616",
		"16777216T",
		"18446744073709551615K",
		"18446745TB",
		"99999999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t size_bytes = 99;

		assert_int_equal(ws_size_parse(cases[i], &size_bytes), WS_EINVAL);
		assert_true(size_bytes == 99);
	}
}

static void sizes_print_and_parse_back(void **state)
{
	static const struct {
		uint64_t size_bytes;
		const char *text;
	} cases[] = {
		{0, "0"},
		{1, "1"},
		{1023, "1023"},
		{1024, "1K"},
		{1536 * 1024, "1536K"},
		{1000001, "1000001"},
		{UINT64_C(64) << 20, "64M"},
		{UINT64_C(256) << 30, "256G"},
		{UINT64_C(1) << 50, "1024T"},
		{UINT64_MAX, "18446744073709551615"},
	};
	char text[WS_UNITS_TEXT];
	uint64_t value = 1;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(ws_size_format(cases[i].size_bytes, text, sizeof(text)), cases[i].text);
	for (int i = 0; i < 2000; i++) {
		const uint64_t size_bytes = (value >> (i % 64)) << (i % 23);
		uint64_t back = 0;

		assert_int_equal(ws_size_parse(ws_size_format(size_bytes, text, sizeof(text)), &back), WS_OK);
		assert_true(back == size_bytes);
		value = value * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	}
}

static void durations_parse(void **state)
{
	static const struct {
		const char *text;
		int64_t time_ns;
	} cases[] = {
		{"0", 0},
		{"10", INT64_C(10000000000)},
		{"10s", INT64_C(10000000000)},
		{"1.5s", INT64_C(1500000000)},
		{"0.000000001", 1},
		{"1.50000000000000000000", INT64_C(1500000000)},
		{"500ms", INT64_C(500000000)},
		{"2m", INT64_C(120000000000)},
		{"2.5m", INT64_C(150000000000)},
		{"1h", INT64_C(3600000000000)},
		{"20us", 20000},
		{"0.25us", 250},
		{"7ns", 7},
		{"9223372036.854775807", INT64_MAX},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int64_t time_ns = -9;

		assert_int_equal(ws_duration_parse(cases[i].text, &time_ns), WS_OK);
		assert_true(time_ns == cases[i].time_ns);
	}
}

static void bad_durations_are_refused(void **state)
{
	static const char *const cases[] = {
		"",
		"s",
		"-1s",
		"+1s",
		".5s",
		"1.s",
		"1 s",
		"1.5.5s",
		"1e3",
		"1d",
		"1,5s",
		"0.5ns",
		"0.0000000001",
		"1sec",
		"inf",
		"nan",
		" 1",
		"9223372036.854775808",
		"9999999999s",
		"2562048h",
		"18446744073709551616ns",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int64_t time_ns = -9;

		assert_int_equal(ws_duration_parse(cases[i], &time_ns), WS_EINVAL);
		assert_true(time_ns == -9);
	}
}

static void durations_print_and_parse_back(void **state)
{
	static const struct {
		int64_t time_ns;
		const char *text;
	} cases[] = {
		{0, "0s"},
		{1, "1ns"},
		{999, "999ns"},
		{1500, "1.5us"},
		{500000000, "500ms"},
		{500000001, "500.000001ms"},
		{1500000000, "1.5s"},
		{INT64_C(120000000000), "120s"},
		{INT64_MAX, "9223372036.854775807s"},
	};
	char text[WS_UNITS_TEXT];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int64_t back = -9;

		assert_string_equal(ws_duration_format(cases[i].time_ns, text, sizeof(text)), cases[i].text);
		assert_int_equal(ws_duration_parse(text, &back), WS_OK);
		assert_true(back == cases[i].time_ns);
	}
}

static void counts_obey_their_range(void **state)
{
	uint64_t count = 99;

	(void)state;
	assert_int_equal(ws_count_parse("1", 1, 8, &count), WS_OK);
	assert_true(count == 1);
	assert_int_equal(ws_count_parse("8", 1, 8, &count), WS_OK);
	assert_true(count == 8);
	assert_int_equal(ws_count_parse("18446744073709551615", 0, UINT64_MAX, &count), WS_OK);
	assert_true(count == UINT64_MAX);
	count = 99;
	assert_int_equal(ws_count_parse("0", 1, 8, &count), WS_EINVAL);
	assert_int_equal(ws_count_parse("9", 1, 8, &count), WS_EINVAL);
	assert_int_equal(ws_count_parse("", 0, 8, &count), WS_EINVAL);
	assert_int_equal(ws_count_parse("1K", 0, 4096, &count), WS_EINVAL);
	assert_int_equal(ws_count_parse("-1", 0, UINT64_MAX, &count), WS_EINVAL);
	assert_int_equal(ws_count_parse("18446744073709551616", 0, UINT64_MAX, &count), WS_EINVAL);
	assert_true(count == 99);
}

static void numbers_parse(void **state)
{
	static const char *const bad[] = {"",	   ".",	  "-",	"e5", "1e",    "1e+", "inf",  "nan",
					  "0x1p3", "1,5", " 1", "1 ", "1e999", "--1", "1.5.5"};
	double number = 0;

	(void)state;
	assert_int_equal(ws_number_parse("-2.5e-3", &number), WS_OK);
	assert_true(fabs(number + 0.0025) <= 0);
	assert_int_equal(ws_number_parse(".5", &number), WS_OK);
	assert_true(fabs(number - 0.5) <= 0);
	assert_int_equal(ws_number_parse("+3.", &number), WS_OK);
	assert_true(fabs(number - 3) <= 0);
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_equal(ws_number_parse(bad[i], &number), WS_EINVAL);
	assert_true(fabs(number - 3) <= 0);
}

static void numbers_print_and_parse_back(void **state)
{
	static const double cases[] = {0,	0.1,	 1.0 / 3, -2.5,	     1e22, 123456789.123456789,
				       DBL_MIN, DBL_MAX, 5e-324,  0.1 + 0.2, 3e10};
	char text[WS_UNITS_TEXT];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		double back = 9;

		assert_int_equal(ws_number_parse(ws_number_format(cases[i], text, sizeof(text)), &back), WS_OK);
		assert_true(memcmp(&back, &cases[i], sizeof(back)) == 0);
	}
	assert_string_equal(ws_number_format(0.1, text, sizeof(text)), "0.1");
	assert_string_equal(ws_number_format(0.1 + 0.2, text, sizeof(text)), "0.30000000000000004");
}

static void figures_keep_four_digits(void **state)
{
	static const struct {
		double figure;
		const char *text;
	} cases[] = {
		{0, "0"},
		{-0.0, "0"},
		{0.0512345, "0.05123"},
		{7.12345, "7.123"},
		{55.4199, "55.42"},
		{396.24, "396.2"},
		{4302.4, "4302"},
		{18342.4, "18342"},
		{9.99996, "10.00"},
		{999.96, "1000"},
		{-12.345, "-12.35"},
		{0.000123449, "0.0001234"},
		{0.0000999999, "0.0001000"},
		{0.00001234, "1.234e-05"},
		{1e15, "1.000e+15"},
		{123456789012345, "123456789012345"},
		{DBL_MAX, "1.798e+308"},
	};
	char text[WS_UNITS_TEXT];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(ws_figure_format(cases[i].figure, text, sizeof(text)), cases[i].text);
}

static void the_locale_does_not_matter(void **state)
{
	static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8"};
	char text[WS_UNITS_TEXT];
	bool found = false;
	double number;

	(void)state;
	for (size_t i = 0; i < COUNT(with_comma) && !found; i++)
		found = setlocale(LC_ALL, with_comma[i]) != NULL;
	if (!found) {
		print_message("SKIP: no locale with a decimal comma is installed\n");
		skip();
	}
	assert_string_equal(localeconv()->decimal_point, ",");
	assert_string_equal(ws_figure_format(7.1234, text, sizeof(text)), "7.123");
	assert_string_equal(ws_number_format(0.5, text, sizeof(text)), "0.5");
	assert_int_equal(ws_number_parse("0.5", &number), WS_OK);
	assert_true(fabs(number - 0.5) <= 0);
	assert_string_equal(localeconv()->decimal_point, ",");
	setlocale(LC_ALL, "C");
}

static void the_nearest_name_is_found(void **state)
{
	static const char *const names[] = {"host_memory_read",
					    "host_memory_copy_nt",
					    "host_latency",
					    "host_to_host_memcpy_cpu",
					    "run",
					    "list",
					    "json"};
	static const struct {
		const char *word, *name;
	} cases[] = {
		{"host_memroy_read", "host_memory_read"},
		{"host-memory-read", "host_memory_read"},
		{"HOST_LATENCY", "host_latency"},
		{"host_latncy", "host_latency"},
		{"rnu", "run"},
		{"lst", "list"},
		{"jason", "json"},
		{"host_mem", "host_memory_read"},
		{"host_memory_cp_nt", "host_memory_copy_nt"},
	};
	char lengthy[400];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(ws_nearest(cases[i].word, names, COUNT(names)), cases[i].name);
	memset(lengthy, 'r', sizeof(lengthy) - 1);
	lengthy[sizeof(lengthy) - 1] = '\0';
	assert_null(ws_nearest(lengthy, names, COUNT(names)));
	assert_null(ws_nearest("", names, COUNT(names)));
	assert_null(ws_nearest("x", names, COUNT(names)));
	assert_null(ws_nearest("bandwidth", names, COUNT(names)));
	assert_null(ws_nearest("run", names, 0));
}

static void words_are_found_whole(void **state)
{
	(void)state;
	assert_true(ws_word_in("ce sm tma", "sm", 2));
	assert_true(ws_word_in("ce sm tma", "tma,ce", 3));
	assert_true(ws_word_in("  ce", "ce", 2));
	assert_false(ws_word_in("ce sm tma", "s", 1));
	assert_false(ws_word_in("ce sm tma", "smt", 3));
	assert_false(ws_word_in("ce sm tma", "", 0));
	assert_false(ws_word_in("", "ce", 2));
	assert_false(ws_word_in(NULL, "ce", 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_parse),
		cmocka_unit_test(bad_sizes_are_refused),
		cmocka_unit_test(sizes_print_and_parse_back),
		cmocka_unit_test(durations_parse),
		cmocka_unit_test(bad_durations_are_refused),
		cmocka_unit_test(durations_print_and_parse_back),
		cmocka_unit_test(counts_obey_their_range),
		cmocka_unit_test(numbers_parse),
		cmocka_unit_test(numbers_print_and_parse_back),
		cmocka_unit_test(figures_keep_four_digits),
		cmocka_unit_test(the_locale_does_not_matter),
		cmocka_unit_test(the_nearest_name_is_found),
		cmocka_unit_test(words_are_found_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
