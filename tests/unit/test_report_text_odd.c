/* Text reports: what must be seen at once, colour, and figures and texts that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "report/names.h"
#include "report/report.h"
#include "report_sample.h"

/* The report of a result, which is released. */
static char *print(struct ws_result *result, bool color)
{
	const struct ws_report_options options = {.color = color};
	const struct ws_report *report;
	char *text;
	size_t size;

	assert_int_equal(ws_report_find("text", &report, NULL), WS_OK);
	assert_int_equal(ws_report_print(report, result, &options, &text, &size, NULL), WS_OK);
	assert_int_equal(strlen(text), size);
	ws_result_release(result);
	return text;
}

static void check(struct ws_result *result, const char *expected)
{
	char *text = print(result, false);

	assert_string_equal(text, expected);
	free(text);
}

static void the_worst_is_shown_loudly(void **state)
{
	struct ws_result result = {0};
	char *text;

	(void)state;
	sample_everything(&result);
	text = print(&result, false);
	assert_int_equal(strncmp(text, "INCOMPLETE: interrupted; this is what was measured until then\n\n", 63), 0);
	assert_non_null(strstr(text, "all_sizes: a copy of each size\n"
				     "  SIMULATED: these figures come from a stand-in for a driver\n"));
	assert_non_null(strstr(text, "WRONG[3]"));
	assert_non_null(strstr(text,
			       "[3] WRONG DATA: 4096 elements, first at byte 1048576: expected 0x1234abcd, found\n"
			       "    0xdeadbeef\n"));
	assert_non_null(strstr(text,
			       "\n27 cells: 19 measured (13 verified), 1 with WRONG DATA, 1 failed, 1 interrupted,\n"
			       "5 not applicable; 4.250 s; INCOMPLETE\n"));
	free(text);
}

static void a_cell_without_coordinates_is_shown(void **state)
{
	static const char expected[] = "copy_pages\n"
				       "  bandwidth in GB/s (read + written), higher is better\n"
				       "  not measured: one place only\n"
				       "\n"
				       "1 cell: 0 measured (0 verified), 1 not applicable; 0 s\n";
	const struct ws_coords none = {0};
	struct ws_result result = {0};
	struct ws_cell *cell = ws_table_cell(ws_result_table(&result, sample_probe("copy_pages")), &none);

	(void)state;
	cell->status = WS_CELL_NOT_APPLICABLE;
	strcpy(cell->reason, "one place only");
	cell->step = -1;
	check(&result, expected);
}

static void a_latency_is_no_size_over_time(void **state)
{
	static const char expected[] = "host_latency: time of a load that misses the caches, from a node's CPU to a\n"
				       "              node's memory\n"
				       "  latency in ns, lower is better\n"
				       "  in 256M, by cpu, 4 threads\n"
				       "\n"
				       "       host1\n"
				       "host0  98.76\n"
				       "\n"
				       "spread: not known; 20 samples\n"
				       "limit: not known (the speed of this memory is not reported)\n"
				       "\n"
				       "1 cell: 1 measured (1 verified); 0 s\n";
	struct ws_result result = {0};

	(void)state;
	sample_latency(&result);
	check(&result, expected);
}

static void columns_follow_the_rows(void **state)
{
	struct ws_result result = {0};
	const struct ws_table *table;
	char *text;

	(void)state;
	/* Without the cells of a place with itself, the first row names the first place last. */
	sample_matrix(&result, 3, "host");
	table = &result.tables[0];
	for (int i = 0; i < 9; i += 4)
		free(table->cells[i].items);
	table->cells[0] = table->cells[1];
	table->cells[1] = table->cells[2];
	table->cells[2] = table->cells[3];
	table->cells[3] = table->cells[5];
	table->cells[4] = table->cells[6];
	table->cells[5] = table->cells[7];
	result.tables[0].cell_count = 6;
	text = print(&result, false);
	assert_non_null(strstr(text, "       host0  host1  host2\n"
				     "host0         10.10  10.20\n"
				     "host1  11.00         11.20\n"
				     "host2  12.00  12.10\n"));
	free(text);
}

static void nothing_is_a_page_too(void **state)
{
	struct ws_result result = {0};

	(void)state;
	check(&result, "0 cells: 0 measured (0 verified); 0 s\n");
}

static void colour_only_where_asked(void **state)
{
	struct ws_result result = {0};
	char *plain, *colored, *out;

	(void)state;
	sample_gaps(&result);
	plain = print(&result, false);
	assert_null(strchr(plain, '\033'));
	sample_gaps(&result);
	colored = print(&result, true);
	assert_non_null(strstr(colored, "\033[1;31mWRONG[3]\033[0m"));
	assert_non_null(strstr(colored, "\033[33m11.00[4]\033[0m"));
	/* Without the escape sequences it is the same page. */
	out = colored;
	for (const char *at = colored; *at; at++) {
		if (*at == '\033')
			at = strchr(at, 'm');
		else
			*out++ = *at;
	}
	*out = '\0';
	assert_string_equal(colored, plain);
	free(plain);
	free(colored);
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
	struct ws_result result = {0};
	char *text;

	(void)state;
	sample_matrix(&result, 1, "host");
	strcpy(result.tables[0].cells[0].reason, "driver says \033[2J\007 and more");
	text = print(&result, false);
	assert_non_null(strstr(text, "[1] driver says ?[2J? and more\n"));
	free(text);
}

static void a_cell_can_describe_its_wrong_data(void **state)
{
	struct ws_result result = {0};
	char *text;

	(void)state;
	sample_gaps(&result);
	strcpy(result.tables[0].cells[2].reason, "wrong data: 1 words differ, the first at byte 12 of item 1");
	text = print(&result, false);
	assert_non_null(strstr(text, "\n[3] WRONG DATA: 1 words differ, the first at byte 12 of item 1\n"));
	free(text);
}

static void what_is_no_number_is_no_figure(void **state)
{
	struct ws_result result = {0};
	char *text;

	(void)state;
	sample_matrix(&result, 2, "host");
	result.tables[0].cells[0].folded.figures[0].value = NAN;
	result.tables[0].cells[1].folded.figures[0].value = INFINITY;
	result.tables[0].cells[2].folded.precision = INFINITY;
	text = print(&result, false);
	assert_non_null(strstr(text, "host0      -[1]      -[1]\n"));
	assert_non_null(strstr(text, "at most +-0.40 % (row=host1 column=host1)"));
	free(text);
}

static void ends_that_read_alike_are_one(void **state)
{
	struct ws_result result = {0};
	char *text;

	(void)state;
	sample_both_ways(&result);
	for (int i = 0; i < 2; i++) {
		result.tables[0].cells[i].limit.value = 12.5 + 1e-5 * i;
		result.tables[0].cells[i].wire = (struct ws_wire){
			.applies = true, .bytes = 1.065 + 1e-5 * i, .used = 12 + 1e-5 * i, .raw = 16};
	}
	text = print(&result, false);
	assert_non_null(strstr(text, "\nlimit: 12.50 GB/s (UPI, 3 links); reached "));
	assert_non_null(strstr(text, "\nwire: 1.065 bytes on NVLink for each byte copied; 12.00 of 16.00 GB/s raw"));
	free(text);
	ws_result_release(&result);
}

static void wrong_data_reaches_no_part_of_a_limit(void **state)
{
	struct ws_cell cell = {.limit = {.known = true, .value = 50}};
	double ratio = 0;

	(void)state;
	cell.folded.figures[0] = (struct ws_figure){.known = true, .value = 40};
	assert_true(ws_cell_ratio(&cell, &ratio));
	assert_float_equal(ratio, 0.8, 1e-9);
	cell.status = WS_CELL_WRONG_DATA;
	assert_false(ws_cell_ratio(&cell, &ratio));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_that_read_alike_are_one),
		cmocka_unit_test(wrong_data_reaches_no_part_of_a_limit),
		cmocka_unit_test(the_worst_is_shown_loudly),
		cmocka_unit_test(a_cell_without_coordinates_is_shown),
		cmocka_unit_test(a_latency_is_no_size_over_time),
		cmocka_unit_test(columns_follow_the_rows),
		cmocka_unit_test(nothing_is_a_page_too),
		cmocka_unit_test(colour_only_where_asked),
		cmocka_unit_test(control_characters_do_not_reach_the_terminal),
		cmocka_unit_test(a_cell_can_describe_its_wrong_data),
		cmocka_unit_test(what_is_no_number_is_no_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
