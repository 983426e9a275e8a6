/* Text reports: exact pages for results made by hand, none wider than 80 columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "report/report.h"
#include "report_sample.h"

/* The report of a result, which is released. */
static char *print(struct ws_result *result)
{
	const struct ws_report_options options = {.color = false};
	const struct ws_report *report;
	char *text;
	size_t size;

	assert_int_equal(ws_report_find("text", &report, NULL), WS_OK);
	assert_int_equal(ws_report_print(report, result, &options, &text, &size, NULL), WS_OK);
	assert_int_equal(strlen(text), size);
	ws_result_release(result);
	return text;
}

/* Columns of the widest line, UTF-8 sequences counted once. */
static int width_of(const char *text)
{
	int widest = 0, width = 0;

	for (; *text; text++) {
		width = *text == '\n' ? 0 : width + (((unsigned char)*text & 0xc0) != 0x80);
		widest = width > widest ? width : widest;
	}
	return widest;
}

static void check(struct ws_result *result, const char *expected)
{
	char *text = print(result);

	assert_string_equal(text, expected);
	assert_true(width_of(text) <= 80);
	assert_null(strstr(text, " \n"));
	free(text);
}

static void one_figure(void **state)
{
	static const char expected[] = "host_to_host_memcpy_cpu: copies between memories by pinned threads\n"
				       "  bandwidth in GB/s (each byte once), higher is better\n"
				       "  slope between 64M and 256M, by cpu, 4 threads\n"
				       "\n"
				       "       host0\n"
				       "host0  10.00\n"
				       "\n"
				       "spread: 95 % interval within this run +-0.40 %; 20 samples\n"
				       "limit: not known (the speed of this memory is not reported)\n"
				       "\n"
				       "1 cell: 1 measured (1 verified); 12.35 s\n";
	struct ws_result result = {0};

	(void)state;
	sample_matrix(&result, 1, "host");
	check(&result, expected);
}

static void a_matrix(void **state)
{
	static const char expected[] =
		"host_to_host_memcpy_cpu: copies between memories by pinned threads\n"
		"  bandwidth in GB/s (each byte once), higher is better\n"
		"  slope between 64M and 256M, by cpu, 4 threads\n"
		"\n"
		"       host0  host1\n"
		"host0  10.00  10.10\n"
		"host1  11.00  11.10\n"
		"\n"
		"spread: 95 % interval within this run at most +-0.40 % (row=host0 column=host0);\n"
		"        20 samples a cell\n"
		"limit: not known (the speed of this memory is not reported)\n"
		"\n"
		"4 cells: 4 measured (4 verified); 12.35 s\n";
	struct ws_result result = {0};

	(void)state;
	sample_matrix(&result, 2, "host");
	check(&result, expected);
}

static void eight_places_of_a_rank_fit(void **state)
{
	static const char expected[] =
		"host_to_host_memcpy_cpu: copies between memories by pinned threads\n"
		"  bandwidth in GB/s (each byte once), higher is better\n"
		"  slope between 64M and 256M, by cpu, 4 threads\n"
		"\n"
		"         r0/host0 r0/host1 r0/host2 r0/host3 r0/host4 r0/host5 r0/host6 r0/host7\n"
		"r0/host0    10.00    10.10    10.20    10.30    10.40    10.50    10.60    10.70\n"
		"r0/host1    11.00    11.10    11.20    11.30    11.40    11.50    11.60    11.70\n"
		"r0/host2    12.00    12.10    12.20    12.30    12.40    12.50    12.60    12.70\n"
		"r0/host3    13.00    13.10    13.20    13.30    13.40    13.50    13.60    13.70\n"
		"r0/host4    14.00    14.10    14.20    14.30    14.40    14.50    14.60    14.70\n"
		"r0/host5    15.00    15.10    15.20    15.30    15.40    15.50    15.60    15.70\n"
		"r0/host6    16.00    16.10    16.20    16.30    16.40    16.50    16.60    16.70\n"
		"r0/host7    17.00    17.10    17.20    17.30    17.40    17.50    17.60    17.70\n"
		"\n"
		"spread: 95 % interval within this run at most +-0.40 % (row=r0/host0\n"
		"        column=r0/host0); 20 samples a cell\n"
		"limit: not known (the speed of this memory is not reported)\n"
		"\n"
		"64 cells: 64 measured (64 verified); 12.35 s\n";
	struct ws_result result = {0};

	(void)state;
	sample_matrix(&result, 8, "r0/host");
	check(&result, expected);
}

static void twelve_places_of_a_rank_are_cut_into_blocks(void **state)
{
	static const char expected[] = "host_to_host_memcpy_cpu: copies between memories by pinned threads\n"
				       "  bandwidth in GB/s (each byte once), higher is better\n"
				       "  slope between 64M and 256M, by cpu, 4 threads\n"
				       "\n"
				       "           r0/host0  r0/host1  r0/host2  r0/host3  r0/host4  r0/host5\n"
				       "r0/host0      10.00     10.10     10.20     10.30     10.40     10.50\n"
				       "r0/host1      11.00     11.10     11.20     11.30     11.40     11.50\n"
				       "r0/host2      12.00     12.10     12.20     12.30     12.40     12.50\n"
				       "r0/host3      13.00     13.10     13.20     13.30     13.40     13.50\n"
				       "r0/host4      14.00     14.10     14.20     14.30     14.40     14.50\n"
				       "r0/host5      15.00     15.10     15.20     15.30     15.40     15.50\n"
				       "r0/host6      16.00     16.10     16.20     16.30     16.40     16.50\n"
				       "r0/host7      17.00     17.10     17.20     17.30     17.40     17.50\n"
				       "r0/host8      18.00     18.10     18.20     18.30     18.40     18.50\n"
				       "r0/host9      19.00     19.10     19.20     19.30     19.40     19.50\n"
				       "r0/host10     20.00     20.10     20.20     20.30     20.40     20.50\n"
				       "r0/host11     21.00     21.10     21.20     21.30     21.40     21.50\n"
				       "\n"
				       "                                                      r0/     r0/\n"
				       "           r0/host6  r0/host7  r0/host8  r0/host9  host10  host11\n"
				       "r0/host0      10.60     10.70     10.80     10.90   11.00   11.10\n"
				       "r0/host1      11.60     11.70     11.80     11.90   12.00   12.10\n"
				       "r0/host2      12.60     12.70     12.80     12.90   13.00   13.10\n"
				       "r0/host3      13.60     13.70     13.80     13.90   14.00   14.10\n"
				       "r0/host4      14.60     14.70     14.80     14.90   15.00   15.10\n"
				       "r0/host5      15.60     15.70     15.80     15.90   16.00   16.10\n"
				       "r0/host6      16.60     16.70     16.80     16.90   17.00   17.10\n"
				       "r0/host7      17.60     17.70     17.80     17.90   18.00   18.10\n"
				       "r0/host8      18.60     18.70     18.80     18.90   19.00   19.10\n"
				       "r0/host9      19.60     19.70     19.80     19.90   20.00   20.10\n"
				       "r0/host10     20.60     20.70     20.80     20.90   21.00   21.10\n"
				       "r0/host11     21.60     21.70     21.80     21.90   22.00   22.10\n"
				       "\n"
				       "spread: 95 % interval within this run at most +-0.40 % (row=r0/host0\n"
				       "        column=r0/host0); 20 samples a cell\n"
				       "limit: not known (the speed of this memory is not reported)\n"
				       "\n"
				       "144 cells: 144 measured (144 verified); 12.35 s\n";
	struct ws_result result = {0};

	(void)state;
	sample_matrix(&result, 12, "r0/host");
	check(&result, expected);
}

static void long_places_are_broken_in_headers(void **state)
{
	static const char expected[] = "host_to_host_memcpy_cpu: copies between memories by pinned threads\n"
				       "  bandwidth in GB/s (each byte once), higher is better\n"
				       "  slope between 64M and 256M, by cpu, 4 threads\n"
				       "\n"
				       "            r10/   r10/\n"
				       "           host0  host1\n"
				       "r10/host0  10.00  10.10\n"
				       "r10/host1  11.00  11.10\n"
				       "\n"
				       "spread: 95 % interval within this run at most +-0.40 % (row=r10/host0\n"
				       "        column=r10/host0); 20 samples a cell\n"
				       "limit: not known (the speed of this memory is not reported)\n"
				       "\n"
				       "4 cells: 4 measured (4 verified); 12.35 s\n";
	struct ws_result result = {0};

	(void)state;
	sample_matrix(&result, 2, "r10/host");
	check(&result, expected);
}

static void gaps_and_flags_have_footnotes(void **state)
{
	static const char expected[] =
		"host_to_host_memcpy_cpu: copies between memories by pinned threads\n"
		"  bandwidth in GB/s (each byte once), higher is better\n"
		"  slope between 64M and 256M, by cpu, 4 threads\n"
		"\n"
		"       host0       host1  host2\n"
		"host0      -[1]  FAIL[2]  WRONG[3]\n"
		"host1  11.00[4]     -[1]  11.20[5]\n"
		"host2  12.00[6]     -[7]      -[1]\n"
		"\n"
		"spread: 95 % interval within this run at most +-2.34 % (row=host1 column=host0);\n"
		"        20 to 112 samples a cell, 3 discarded\n"
		"limit: 20.00 GB/s (2 channels of DDR5-5600); reached 60.00 % of it; not known of\n"
		"       3 of 4 cells (the speed of this memory is not reported)\n"
		"[1] a place is not copied to itself\n"
		"[2] failed: mbind: the kernel moved none of the pages to node 1, although the\n"
		"    node has free memory and the cpuset of this process allows it; try\n"
		"    --host-node\n"
		"[3] WRONG DATA: 4096 elements, first at byte 1048576: expected 0x1234abcd, found\n"
		"    0xdeadbeef\n"
		"[4] not converged: its time was spent before it was precise enough; drift: the\n"
		"    samples move in one direction\n"
		"[5] two modes: the samples gather around two figures; stalls: a few samples took\n"
		"    much longer than the rest\n"
		"[6] not verified: the data that arrived was not compared\n"
		"[7] interrupted\n"
		"\n"
		"9 cells: 3 measured (2 verified), 1 with WRONG DATA, 1 failed, 1 interrupted, 3\n"
		"not applicable; 12.35 s\n";
	struct ws_result result = {0};

	(void)state;
	sample_gaps(&result);
	check(&result, expected);
}

static void quantities_of_pairs_have_a_matrix_each(void **state)
{
	static const char expected[] =
		"both_ways: copies there and back at the same time\n"
		"  first in GB/s (each byte once), higher is better\n"
		"  second in GB/s (each byte once), higher is better\n"
		"  total in GB/s (each byte once), higher is better\n"
		"  slope between 64M and 256M, by cpu, 4 threads\n"
		"\n"
		"first in GB/s\n"
		"       host0  host1\n"
		"host0         11.25\n"
		"host1  12.25\n"
		"\n"
		"second in GB/s\n"
		"       host0  host1\n"
		"host0         9.750\n"
		"host1  8.750\n"
		"\n"
		"total in GB/s\n"
		"       host0  host1\n"
		"host0         21.00\n"
		"host1  21.00\n"
		"\n"
		"spread: 95 % interval within this run at most +-0.40 % (row=host0 column=host1);\n"
		"        20 samples a cell\n"
		"limit: 12.50 GB/s (UPI, 3 links); reached 90.00 % to 98.00 % of it, least at\n"
		"       row=host0 column=host1\n"
		"wire: 1.062 to 1.125 bytes on NVLink for each byte copied; 12.00 to 13.00 of\n"
		"      16.00 GB/s raw in use (75.00 % to 81.25 %)\n"
		"\n"
		"2 cells: 2 measured (2 verified); 0 s\n";
	struct ws_result result = {0};

	(void)state;
	sample_both_ways(&result);
	check(&result, expected);
}

static void quantities_of_one_axis_are_a_list(void **state)
{
	static const char expected[] =
		"all_sizes: a copy of each size\n"
		"  bandwidth in GB/s (each byte once), higher is better\n"
		"  time in us, lower is better\n"
		"  launches\n"
		"  size over time, 4K..256M, by cpu, 4 threads, thp pages\n"
		"\n"
		"          bandwidth   time     launches\n"
		"size        GB/s        us\n"
		"4K       0.05123     18342         -[1]\n"
		"64K       0.1025     36685         -[1]\n"
		"1M        0.1537     55027         -[1]\n"
		"16M       0.2049     73370         -[1]\n"
		"256M      0.2561     91712         -[1]\n"
		"1000001        -[2]      -[2]      -[2]\n"
		"\n"
		"fit: none: the times are up to 137.8 % off any line; caches may be at work\n"
		"spread: 95 % interval within this run at most +-0.40 % (size=4K); 20 samples a\n"
		"        cell\n"
		"limit: not known (the speed of this memory is not reported)\n"
		"not verified: the data that arrived was not compared\n"
		"[1] the samples do not yield it\n"
		"[2] no multiple of 4\n"
		"\n"
		"6 cells: 5 measured (0 verified), 1 not applicable; 0.5000 s\n";
	struct ws_result result = {0};

	(void)state;
	sample_sizes(&result);
	check(&result, expected);
}

static void further_axes_give_blocks(void **state)
{
	static const char expected[] =
		"copy_pages\n"
		"  bandwidth in GB/s (read + written), higher is better\n"
		"  slope between 64M and 256M, by cpu, 4 threads\n"
		"\n"
		"pages=4k peer=off\n"
		"        host0   host1\n"
		"host0  123456  123458\n"
		"host1  123460  123462\n"
		"\n"
		"pages=thp peer=off\n"
		"        host0   host1\n"
		"host0  123457  123459\n"
		"host1  123461  123463\n"
		"\n"
		"spread: 95 % interval within this run at most +-0.40 % (row=host0 column=host0\n"
		"        pages=4k peer=off); 20 samples a cell\n"
		"limit: not known (the speed of this memory is not reported)\n"
		"\n"
		"8 cells: 8 measured (8 verified); 0 s\n";
	struct ws_result result = {0};

	(void)state;
	sample_pages(&result);
	check(&result, expected);
}

static void odd_text_and_axes_of_hand_written_steps(void **state)
{
	static const char expected[] =
		"custom: steps written by hand\n"
		"  bandwidth in GB/s (each byte once), higher is better\n"
		"  time in us, lower is better\n"
		"  slope between 4K and 64K, by cpu, 4 threads, thp pages\n"
		"\n"
		"                     bandwidth       time\n"
		"label                  GB/s            us\n"
		"a \"quoted\", odd one  0.3333[1]  2.000e-05[1]\n"
		"\n"
		"spread: 95 % interval within this run +-0.40 %; 20 samples\n"
		"limit: not known (the speed of this memory is not reported)\n"
		"[1] stalls: a few samples took much longer than the rest; clocked \303\244t 2,1 GHz \377\n"
		"\n"
		"1 cell: 1 measured (1 verified); 0 s\n";
	struct ws_result result = {0};

	(void)state;
	sample_records(&result);
	check(&result, expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_figure),
		cmocka_unit_test(a_matrix),
		cmocka_unit_test(eight_places_of_a_rank_fit),
		cmocka_unit_test(twelve_places_of_a_rank_are_cut_into_blocks),
		cmocka_unit_test(long_places_are_broken_in_headers),
		cmocka_unit_test(gaps_and_flags_have_footnotes),
		cmocka_unit_test(quantities_of_pairs_have_a_matrix_each),
		cmocka_unit_test(quantities_of_one_axis_are_a_list),
		cmocka_unit_test(further_axes_give_blocks),
		cmocka_unit_test(odd_text_and_axes_of_hand_written_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
