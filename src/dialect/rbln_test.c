/* The test cases of rblnBandwidthLatencyTest and their text. */
#include <inttypes.h>
#include <string.h>

#include "dialect/rbln.h"

#define BANNER "=============================================================================="
#define LINE "---------------------------------"

enum part { MATRIX, LATENCY_ALL, RATES_OF_FIRST, LATENCY_OF_FIRST, BOTH_WAYS, AT_ONCE };
#define BIT(part) (1u << (part))

static const struct {
	const char *name;
	unsigned parts;
} tests[] = {
	{"RBLN_PERF_TEST_ALL", BIT(MATRIX) | BIT(LATENCY_ALL)}, {"RBLN_PERF_BANDWIDTH_TEST_ALL", BIT(MATRIX)},
	{"RBLN_PERF_LATENCY_TEST_ALL", BIT(LATENCY_ALL)},	{"RBLN_PERF_BANDWIDTH_TEST", BIT(RATES_OF_FIRST)},
	{"RBLN_PERF_LATENCY_TEST", BIT(LATENCY_OF_FIRST)},	{"RBLN_PERF_BIDIR_BANDWIDTH_TEST", BIT(BOTH_WAYS)},
	{"RBLN_PERF_PARALLEL_BANDWIDTH_TEST", BIT(AT_ONCE)},
};

static bool has_part(const struct rbln *rbln, enum part part)
{
	return (tests[rbln->options.test_case].parts & BIT(part)) != 0;
}

void rbln_test_list(FILE *to)
{
	fputs("List of tests:\n", to);
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		fprintf(to, "%s\n", tests[i].name);
}

int rbln_test_buffers(const struct rbln *rbln)
{
	if (has_part(rbln, MATRIX) || has_part(rbln, RATES_OF_FIRST))
		return 1;
	if (has_part(rbln, AT_ONCE) && rbln->options.has_source && rbln->chosen_count > 2)
		return rbln->chosen_count - 1;
	return has_part(rbln, BOTH_WAYS) || has_part(rbln, AT_ONCE) ? 2 : 0;
}

static void put_header(const struct rbln *rbln, const char *what)
{
	printf(LINE "\n%s *%s\n" LINE "\n", what, rbln->options.hdma_read ? "Read" : "Write");
	fflush(stdout);
}

/* ": MAX 14.71, MIN 14.71, AVG 14.71" */
static void put_figure(const struct rbln_figure *figure)
{
	if (figure->known)
		printf(" : MAX %.2f, MIN %.2f, AVG %.2f\n", figure->greatest, figure->least, figure->average);
	else
		printf(" : MAX -, MIN -, AVG -\n");
	fflush(stdout);
}

static void put_rate(const struct rbln *rbln, const char *tag, const struct rbln_flow *flow, const char *arrow,
		     const struct rbln_figure *figure)
{
	printf("[%s] %s %s %s", tag, rbln_label(rbln, flow->from), arrow, rbln_label(rbln, flow->to));
	put_figure(figure);
	rbln_print_perf(rbln, flow, arrow, figure, stdout);
}

static void one_way(struct rbln *rbln, const char *tag, int from, int to)
{
	const struct rbln_flow flow = {from, to};
	struct rbln_figure figure;

	if (ws_stage_is_over(&rbln->stage))
		return;
	rbln_bandwidth(rbln, &flow, 1, &figure, NULL);
	put_rate(rbln, tag, &flow, "->", &figure);
	rbln_figure_release(&figure);
}

/* From the host to the first device, from there to each of the others, and from these to the host. */
static void rates_of_first(struct rbln *rbln)
{
	const int first = rbln->chosen[0];

	put_header(rbln, "Device bandwidth (GB/s)");
	if (!rbln->options.only_d2d)
		one_way(rbln, "H2D", RBLN_HOST, first);
	for (int i = 1; i < rbln->chosen_count; i++)
		one_way(rbln, "D2D", first, rbln->chosen[i]);
	for (int i = rbln->chosen_count > 1; i < rbln->chosen_count && !rbln->options.only_d2d; i++)
		one_way(rbln, "D2H", rbln->chosen[i], RBLN_HOST);
}

static void latency(struct rbln *rbln, int from, int to)
{
	const struct rbln_flow flow = {from, to};
	struct rbln_figure figure;

	if (from == to || ws_stage_is_over(&rbln->stage))
		return;
	rbln_latency(rbln, &flow, &figure);
	printf("%s -> %s ", rbln_label(rbln, from), rbln_label(rbln, to));
	if (figure.known)
		printf("%.2f (us)\n", figure.average);
	else
		printf("- (us)\n");
	fflush(stdout);
	rbln_print_perf(rbln, &flow, "->", &figure, stdout);
	rbln_figure_release(&figure);
}

static void latency_of_all(struct rbln *rbln)
{
	puts("Device P2P sync latency (us)");
	fflush(stdout);
	for (int i = 0; i < rbln->chosen_count; i++)
		for (int k = 0; k < rbln->chosen_count; k++)
			if (rbln_is_source(rbln, rbln->chosen[i]))
				latency(rbln, rbln->chosen[i], rbln->chosen[k]);
}

static void latency_of_first(struct rbln *rbln)
{
	printf(LINE "\nDevice P2P sync latency (us)\n" LINE "\n");
	fflush(stdout);
	for (int i = 1; i < rbln->chosen_count; i++)
		latency(rbln, rbln->chosen[0], rbln->chosen[i]);
}

static void two_ways(struct rbln *rbln, const char *tag, int from, int to)
{
	const struct rbln_flow flows[] = {{from, to}, {to, from}};
	struct rbln_figure figures[2], total = {.known = false};

	if (ws_stage_is_over(&rbln->stage))
		return;
	rbln_bandwidth(rbln, flows, 2, figures, &total);
	put_rate(rbln, tag, &flows[0], "<->", &total);
	rbln_figure_release(&figures[0]);
	rbln_figure_release(&figures[1]);
	rbln_figure_release(&total);
}

static void both_ways(struct rbln *rbln)
{
	put_header(rbln, "Device bidirectional bandwidth (GB/s)");
	for (int i = 0; i < rbln->chosen_count && !rbln->options.only_d2d; i++)
		two_ways(rbln, "H2D+D2H", RBLN_HOST, rbln->chosen[i]);
	for (int i = 0; i < rbln->chosen_count; i++)
		for (int k = i + 1; k < rbln->chosen_count; k++)
			if (rbln_is_source(rbln, rbln->chosen[i]))
				two_ways(rbln, "D2D", rbln->chosen[i], rbln->chosen[k]);
}

/* All flows that are possible at once, a line for each flow and one for all together. */
static void at_once(struct rbln *rbln, const char *tag, const struct rbln_flow *flows, int count)
{
	struct rbln_flow possible[RBLN_FLOWS_MAX];
	struct rbln_figure figures[RBLN_FLOWS_MAX], total = {.known = false};
	const struct rbln_figure none = {.known = false};
	int possible_count = 0;
	bool is_run[RBLN_FLOWS_MAX];

	if (count == 0 || ws_stage_is_over(&rbln->stage))
		return;
	for (int i = 0; i < count; i++) {
		is_run[i] = rbln_can(rbln, &flows[i]);
		if (is_run[i])
			possible[possible_count++] = flows[i];
	}
	if (possible_count > 0)
		rbln_bandwidth(rbln, possible, possible_count, figures, &total);
	for (int i = 0, k = 0; i < count; i++)
		put_rate(rbln, tag, &flows[i], "->", is_run[i] ? &figures[k++] : &none);
	printf("[%s] TOTAL", tag);
	put_figure(&total);
	for (int i = 0; i < possible_count; i++)
		rbln_figure_release(&figures[i]);
	rbln_figure_release(&total);
}

/* Between devices each sends to the next one, round the list; or the source to all others. */
static void all_at_once(struct rbln *rbln)
{
	const int count = rbln->chosen_count;
	struct rbln_flow in[RBLN_FLOWS_MAX], out[RBLN_FLOWS_MAX], between[RBLN_FLOWS_MAX];
	int between_count = 0;

	for (int i = 0; i < count; i++) {
		in[i] = (struct rbln_flow){RBLN_HOST, rbln->chosen[i]};
		out[i] = (struct rbln_flow){rbln->chosen[i], RBLN_HOST};
		if (rbln->options.has_source && i > 0)
			between[between_count++] = (struct rbln_flow){rbln->chosen[0], rbln->chosen[i]};
		else if (!rbln->options.has_source && count > 1)
			between[between_count++] = (struct rbln_flow){rbln->chosen[i], rbln->chosen[(i + 1) % count]};
	}
	put_header(rbln, "Device parallel bandwidth (GB/s)");
	at_once(rbln, "H2D", in, rbln->options.only_d2d ? 0 : count);
	at_once(rbln, "D2D", between, between_count);
	at_once(rbln, "D2H", out, rbln->options.only_d2d ? 0 : count);
}

static void put_banner(const char *state, const char *name)
{
	printf(BANNER "\n[ %8s ] : %s\n" BANNER "\n", state, name);
	fflush(stdout);
}

static void run_parts(struct rbln *rbln)
{
	static void (*const parts[])(struct rbln * rbln) = {
		[MATRIX] = rbln_matrix_bandwidth,  [LATENCY_ALL] = latency_of_all,
		[RATES_OF_FIRST] = rates_of_first, [LATENCY_OF_FIRST] = latency_of_first,
		[BOTH_WAYS] = both_ways,	   [AT_ONCE] = all_at_once,
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!has_part(rbln, (enum part)i) || ws_stage_is_over(&rbln->stage))
			continue;
		parts[i](rbln);
		putchar('\n');
	}
}

bool rbln_test_run(struct rbln *rbln, const char *root)
{
	static const struct rbln_layout layouts[] = {{5, 3}, {9, 4}};
	const char *name = tests[rbln->options.test_case].name;
	bool is_passed;

	put_banner("Run", name);
	printf("\n[Measure Iteration cnt : %" PRId64 "]\n[Measure Buffer Size : 0x%" PRIx64 "]\n\n",
	       rbln->options.iterations, rbln->options.size_bytes);
	rbln_print_distances(rbln->all, rbln->all_count, rbln->chosen, rbln->chosen_count,
			     &layouts[!has_part(rbln, MATRIX) && !has_part(rbln, LATENCY_ALL)], root, stdout);
	putchar('\n');
	run_parts(rbln);
	is_passed = rbln->failures == 0 && rbln->figures > 0 && !ws_stage_is_over(&rbln->stage);
	if (!is_passed && ws_stage_is_over(&rbln->stage) && !rbln->stage.lost && !*rbln->stage.interrupted)
		rbln_say("not done within %" PRId64 " s: see --timeout", rbln->options.timeout_s);
	else if (rbln->failures == 0 && rbln->figures == 0 && !ws_stage_is_over(&rbln->stage))
		rbln_say("%s: %s", name,
			 rbln->chosen_count > 1 ? "these NPUs do not reach each other"
						: "it takes two NPUs, and there is one or the options leave one");
	put_banner(is_passed ? "PASS" : "FAIL", name);
	return is_passed;
}
