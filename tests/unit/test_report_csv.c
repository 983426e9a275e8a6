/* CSV: exact rows for results made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "report/report.h"
#include "report_sample.h"

#define HEADER                                                                                                         \
	"probe,row,column,coords,quantity,unit,value,low,high,status,reason,samples,discarded,flags,verified,method,"  \
	"limit,ratio,simulated,wire_bytes,wire_share\r\n"

/* The report of a result, which is released. */
static char *print(struct ws_result *result)
{
	const struct ws_report_options options = {.color = true};
	const struct ws_report *report;
	char *text;
	size_t size;

	assert_int_equal(ws_report_find("csv", &report, NULL), WS_OK);
	assert_int_equal(ws_report_print(report, result, &options, &text, &size, NULL), WS_OK);
	assert_int_equal(strlen(text), size);
	ws_result_release(result);
	return text;
}

static void check(struct ws_result *result, const char *expected)
{
	char *text = print(result);

	assert_string_equal(text, expected);
	free(text);
}

static void the_header_is_always_there(void **state)
{
	struct ws_result result = {0};

	(void)state;
	check(&result, HEADER);
}

static void a_missing_figure_has_a_reason(void **state)
{
#define PAIR(row, column) "host_to_host_memcpy_cpu," row "," column ",row=" row " column=" column ",bandwidth,GB/s,"
	static const char expected[] = HEADER
		PAIR("host0", "host0") ",,,not_applicable,a place is not copied to itself,0,0,,no,,,,no,,\r\n" PAIR(
			"host0",
			"host1") ",,,failed,"
				 "\"mbind: the kernel moved none of the pages to node 1, although the node has free "
				 "memory and the "
				 "cpuset of this process allows it; try --host-node\",0,0,,no,,,,no,,\r\n" PAIR("host0", "host2") "10.5,10.25,10.75,wrong_data,,20,0,,no,slope,,,no,,\r\n" PAIR(
					 "host1",
					 "host0") "11,10.75,11.25,measured,,20,0,unconverged "
						  "drift,yes,slope,,,no,,\r\n" PAIR(
							  "host1",
							  "host1") ",,,not_applicable,a place "
								   "is not copied to "
								   "itself,0,0,,no,,,,"
								   "no,,\r\n" PAIR(
									   "host1",
									   "host2") "11.5,11."
										    "25,11.75,"
										    "measured,,"
										    "112,3,two_"
										    "modes "
										    "stalls,"
										    "yes,slope,"
										    ",,"
										    "no,,\r"
										    "\n" PAIR(
											    "ho"
											    "st"
											    "2",
											    "ho"
											    "st"
											    "0") "12,"
												 "11."
												 "75,"
												 "12."
												 "25,"
												 "meas"
												 "ured"
												 ",,"
												 "20,"
												 "0,"
												 "unve"
												 "rifi"
												 "ed,"
												 "no,"
												 "slop"
												 "e,"
												 "20,"
												 "0.6,"
												 "no,,\r"
												 "\n" PAIR(
													 "host2",
													 "ho"
													 "st"
													 "1") ",,,"
													      "interrup"
													      "ted,"
													      "interrup"
													      "ted,0,0,"
													      ",no,,,,"
													      "no,,\r"
													      "\n" PAIR("host2",
															"host2") ",,,"
																 "not_"
																 "appl"
																 "icab"
																 "le,"
																 "a "
																 "plac"
																 "e "
																 "is "
																 "not "
																 "copi"
																 "ed "
																 "to "
																 "itse"
																 "lf,"
																 "0,0,"
																 ",no,"
																 ",,,"
																 "no,,\r"
																 "\n";
	struct ws_result result = {0};

	(void)state;
	sample_gaps(&result);
	for (int i = 0; i < 9; i++) {
		struct ws_figure *figure = &result.tables[0].cells[i].folded.figures[0];

		/* Figures that a binary fraction holds exactly. */
		figure->value = 10 + i / 3 + 0.25 * (i % 3);
		figure->low = figure->value - 0.25;
		figure->high = figure->value + 0.25;
	}
	check(&result, expected);
}

static void each_quantity_has_a_row(void **state)
{
#define SIZE(size) "all_sizes," size ",,size=" size ","
	static const char *const rows[] = {
		SIZE("4K") "bandwidth,GB/s,0.05123,",
		SIZE("4K") "time,us,18342.4,",
		SIZE("4K") "launches,1,,,,measured,the samples do not yield it,20,0,unverified,no,size/time,,,no,,\r\n",
		SIZE("1000001") "bandwidth,GB/s,,,,not_applicable,no multiple of 4,0,0,unverified,no,,,,no,,\r\n",
		SIZE("1000001") "launches,1,,,,not_applicable,no multiple of 4,0,0,unverified,no,,,,no,,\r\n",
	};
	struct ws_result result = {0};
	char *text;
	int lines = 0;

	(void)state;
	sample_sizes(&result);
	text = print(&result);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_non_null(strstr(text, rows[i]));
	for (const char *at = text; (at = strstr(at, "\r\n")); at += 2)
		lines++;
	assert_int_equal(lines, 1 + 6 * 3);
	free(text);
}

static void the_limit_is_the_first_quantity_s(void **state)
{
	struct ws_result result = {0};
	char *text;

	(void)state;
	sample_both_ways(&result);
	result.simulated = true;
	text = print(&result);
	assert_non_null(strstr(text, ",first,GB/s,11.25,11.205,11.295,measured,,20,0,,yes,slope,12.5,0.9,yes,1.0625,0.75\r\n"));
	assert_non_null(strstr(text, ",second,GB/s,9.75,9.711,9.789,measured,,20,0,,yes,slope,,,yes,,\r\n"));
	free(text);
}

static void odd_text_is_quoted(void **state)
{
	struct ws_result result = {0};
	char *text;

	(void)state;
	sample_records(&result);
	strcpy(result.tables[0].cells[0].reason, "two\nlines");
	text = print(&result);
	assert_non_null(strstr(text, "custom,,,\"label=a \"\"quoted\"\", odd one\",bandwidth,GB/s,"));
	assert_non_null(strstr(text, ",measured,\"two\nlines\",20,"));
	free(text);
}

static void what_is_no_number_is_empty(void **state)
{
	struct ws_result result = {0};

	(void)state;
	sample_matrix(&result, 1, "host");
	result.tables[0].cells[0].folded.figures[0] = (struct ws_figure){
		.known = true, .has_interval = true, .value = NAN, .low = -INFINITY, .high = INFINITY};
	check(&result, HEADER PAIR("host0", "host0") ",,,measured,the samples do not yield it,20,0,,no,,,,no,,\r\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_is_always_there), cmocka_unit_test(a_missing_figure_has_a_reason),
		cmocka_unit_test(each_quantity_has_a_row),    cmocka_unit_test(the_limit_is_the_first_quantity_s),
		cmocka_unit_test(odd_text_is_quoted),	      cmocka_unit_test(what_is_no_number_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
