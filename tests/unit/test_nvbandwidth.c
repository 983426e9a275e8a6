/* The nvbandwidth dialect: its command line, its plans, its folds and its writers, over a fake machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/item.h"
#include "dialect/nvbandwidth.h"
#include "plan/plan_text.h"

#define WORDS_MAX 32

/* Splits a command line at its spaces; the words stay valid until the next call. */
static int parse(enum nvb_version version, const char *line, struct nvb_options *out, struct ws_error *error)
{
	static char copy[400], *words[WORDS_MAX];
	int count = 0;

	snprintf(copy, sizeof(copy), "nvbandwidth %s", line);
	for (char *word = strtok(copy, " "); word && count < WORDS_MAX; word = strtok(NULL, " "))
		words[count++] = word;
	return nvb_options_parse(version, count, words, out, error);
}

static void what_is_not_said_is_as_the_tool_has_it(void **state)
{
	struct nvb_options options;

	(void)state;
	assert_int_equal(parse(NVB_0_10, "", &options, NULL), WS_OK);
	assert_int_equal(options.buffer_mib, 512);
	assert_int_equal(options.samples, 3);
	assert_int_equal(options.loops, 16);
	assert_int_equal(options.pairs, -1);
	assert_int_equal(options.format, NVB_TEXT);
	assert_false(options.verbose || options.skip_verification || options.no_affinity || options.mean);
	assert_false(options.huge_pages || options.help || options.list);
	assert_int_equal(options.test_count + options.prefix_count, 0);
	nvb_options_release(&options);
}

static void options_are_taken_in_every_form(void **state)
{
	static const char *const lines[] = {
		"-b 64 -i 5 -vsdmH -P -1 -t 3 4 -t 5 -p x y",
		("--bufferSize 64 --testSamples 5 --verbose --skipVerification --disableAffinity --useMean "
		 "--useHugePages -t 3 4 5 -p x y"),
		("--buffer=64 --testS=5 --verb --skip --dis --useM --useH --testcase=3 4 --testcase 5 "
		 "--testcaseP x -p y"),
		"-b64 -i5 -v -s -d -m -H -t3 4 5 -px -p y",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		for (int version = NVB_0_9; version <= NVB_0_10; version++) {
			struct nvb_options options;
			struct ws_error error = {0};

			if (parse((enum nvb_version)version, lines[i], &options, &error) != WS_OK)
				fail_msg("%s: %s", lines[i], error.text);
			assert_int_equal(options.buffer_mib, 64);
			assert_int_equal(options.samples, 5);
			assert_int_equal(options.pairs, -1);
			assert_true(options.verbose && options.skip_verification && options.no_affinity);
			assert_true(options.mean && options.huge_pages);
			assert_int_equal(options.test_count, 3);
			assert_string_equal(options.tests[0], "3");
			assert_string_equal(options.tests[2], "5");
			assert_int_equal(options.prefix_count, 2);
			assert_string_equal(options.prefixes[1], "y");
			nvb_options_release(&options);
		}
	}
}

static void formats_are_each_versions_own(void **state)
{
	static const struct {
		enum nvb_version version;
		const char *line;
		int status;
		enum nvb_format format;
	} rows[] = {
		{NVB_0_10, "-F json", WS_OK, NVB_JSON},
		{NVB_0_10, "--format=perf", WS_OK, NVB_PERF},
		{NVB_0_10, "--form text", WS_OK, NVB_TEXT},
		{NVB_0_10, "-j", WS_OK, NVB_JSON},
		{NVB_0_10, "--json --loopCount 4", WS_OK, NVB_JSON},
		{NVB_0_10, "--js", WS_EINVAL, NVB_TEXT},
		{NVB_0_9, "--js", WS_OK, NVB_JSON},
		{NVB_0_9, "--perf", WS_OK, NVB_PERF},
		{NVB_0_9, "--perfFormatter -j", WS_OK, NVB_JSON},
		{NVB_0_9, "-F json", WS_EINVAL, NVB_TEXT},
		{NVB_0_9, "--version", WS_EINVAL, NVB_TEXT},
		{NVB_0_9, "-b x -j", WS_EINVAL, NVB_JSON},
		{NVB_0_10, "-b x -F json", WS_EINVAL, NVB_JSON},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct nvb_options options;

		assert_int_equal(parse(rows[i].version, rows[i].line, &options, NULL), rows[i].status);
		assert_int_equal(options.format, rows[i].format);
		nvb_options_release(&options);
	}
}

static void tests_are_found_by_name_and_number(void **state)
{
	char message[100] = "";

	(void)state;
	assert_ptr_equal(nvb_test_find(NVB_0_10, "38", message, sizeof(message)), nvb_test_at(NVB_0_10, 38));
	assert_string_equal(nvb_test_at(NVB_0_10, 38)->name, "device_local_copy");
	assert_string_equal(nvb_test_at(NVB_0_9, 34)->name, "device_local_copy");
	assert_string_equal(nvb_test_at(NVB_0_9, 33)->name, "device_to_device_latency_sm");
	assert_null(nvb_test_at(NVB_0_9, 35));
	assert_null(nvb_test_at(NVB_0_10, 44));
	assert_null(nvb_test_find(NVB_0_9, "device_local_copy_sm", message, sizeof(message)));
	assert_string_equal(message, "Testcase device_local_copy_sm not found!");
	assert_null(nvb_test_find(NVB_0_9, "35", message, sizeof(message)));
	assert_string_equal(message, "Testcase index 35 out of bound!");
	assert_null(nvb_test_find(NVB_0_9, "-1", message, sizeof(message)));
	assert_null(nvb_test_find(NVB_0_9, "99999999999999999999", message, sizeof(message)));
	assert_null(nvb_test_find(NVB_0_9, "1e", message, sizeof(message)));
}

/* A stage over the fake, with everything a plan is made of. */
struct scene {
	struct ws_stage stage;
	struct nvb_machine machine;
	struct nvb_options options;
	struct nvb_setup setup;
};

static void open_scene(struct scene *scene, const char *machine, enum nvb_version version, const char *line)
{
	static const volatile sig_atomic_t interrupted;
	static const struct ws_dialect_call call = {.interrupted = &interrupted};
	struct ws_error error = {0};

	setenv("WIRESPEED_CUDA_LIB", WS_FAKE_CUDA, 1);
	setenv("WIRESPEED_NVML_LIB", WS_FAKE_NVML, 1);
	setenv("FAKE_CUDA_MACHINE", machine, 1);
	unsetenv("CUDA_VISIBLE_DEVICES");
	if (parse(version, line, &scene->options, &error) != WS_OK ||
	    ws_stage_open(&call, "host cuda", 0, &scene->stage, &error) != WS_OK ||
	    nvb_machine_open(&scene->stage, &scene->machine, &error) != WS_OK)
		fail_msg("%s", error.text);
	scene->setup =
		(struct nvb_setup){.options = &scene->options, .machine = &scene->machine, .stage = &scene->stage};
	if (scene->options.pair[0]) {
		scene->setup.has_pair = true;
		if (nvb_machine_pair(&scene->machine, scene->options.pair, scene->setup.pair, &error) != WS_OK)
			fail_msg("%s", error.text);
	}
}

static void close_scene(struct scene *scene)
{
	nvb_machine_release(&scene->machine);
	nvb_options_release(&scene->options);
	assert_int_equal(ws_stage_close(&scene->stage, 0), 0);
}

static void make_plan(const struct scene *scene, const char *name, struct ws_plan *plan, char waived[200])
{
	struct ws_error error = {0};
	char message[100];
	const struct nvb_test *test = nvb_test_find(scene->options.version, name, message, sizeof(message));

	assert_non_null(test);
	if (nvb_plan(&scene->setup, test, plan, waived, 200, &error) != WS_OK)
		fail_msg("%s: %s", name, error.text);
}

static void expect_step(const struct ws_plan *plan, int index, const char *items)
{
	struct ws_error error = {0};
	char *text = NULL;

	assert_true(index < plan->step_count);
	assert_int_equal(ws_step_print(&plan->steps[index], &text, &error), WS_OK);
	assert_non_null(strstr(text, "]: "));
	assert_string_equal(strstr(text, "]: ") + 3, items);
	free(text);
}

static void plans_have_the_tools_sizes_and_policy(void **state)
{
	/* 16 bytes for each of 512 threads of 132 multiprocessors, as often as 512 MiB and 1 GiB hold that. */
	static const struct {
		const char *test, *step;
	} rows[] = {
		{"host_to_device_memcpy_ce", "host0:pinned:4k -> cuda0 by cuda0.ce 512M"},
		{"device_to_host_bidirectional_memcpy_ce",
		 "cuda0 -> host0:pinned:4k by cuda0.ce 512M + host0:pinned:4k -> cuda0 by cuda0.ce 1G interfering"},
		{"host_to_device_memcpy_sm", "host0:pinned:4k -> cuda0 by cuda0.sm 523776K fused"},
		{"all_to_host_memcpy_sm", "cuda0 -> host0:pinned:4k by cuda0.sm 523776K fused + cuda1 -> host0:pinned:4k by "
					  "cuda1.sm 1023M fused interfering"},
		{"host_to_device_bidirectional_memcpy_sm", "host0:pinned:4k <-> cuda0 by cuda0.sm 256M fused"},
		{"device_to_device_memcpy_read_ce", "cuda1 -> cuda0 by cuda0.ce 512M"},
		{"device_to_device_memcpy_write_tma", "cuda0 -> cuda1 by cuda0.tma 512M"},
		{"device_local_read_sm", "read cuda0 by cuda0.sm 523776K fused"},
		{"host_device_latency_sm", "chase host0 by cuda0.sm 2M"},
	};
	struct scene scene;

	(void)state;
	open_scene(&scene, WS_FAKE_MACHINES "/2gpu.machine", NVB_0_10, "");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const bool latency = strstr(rows[i].test, "latency") != NULL;
		struct ws_plan plan;
		char waived[200];

		make_plan(&scene, rows[i].test, &plan, waived);
		assert_string_equal(waived, "");
		assert_int_equal(plan.settings.samples, latency ? 1 : 3);
		assert_int_equal(plan.settings.lead_loops, 4);
		/* 237 times 32 loads of each of 132 multiprocessors are the first to reach a million. */
		assert_int_equal(plan.settings.loops, latency ? 237 : 16);
		assert_int_equal(plan.settings.verify, WS_VERIFY_EACH);
		if (!latency)
			expect_step(&plan, 0, rows[i].step);
		ws_plan_release(&plan);
	}
	close_scene(&scene);
}

static void options_change_the_plan(void **state)
{
	struct scene scene;
	struct ws_plan plan;
	char waived[200];

	(void)state;
	open_scene(&scene, WS_FAKE_MACHINES "/2gpu.machine", NVB_0_9, "-b 63 -i 7 -m -s -H -d --loopCount 2");
	make_plan(&scene, "host_to_device_memcpy_sm", &plan, waived);
	assert_int_equal(plan.settings.samples, 7);
	assert_int_equal(plan.settings.loops, 2);
	assert_int_equal(plan.settings.verify, WS_VERIFY_NONE);
	assert_string_equal(plan.settings.statistic, "mean");
	/* Below 64 MiB their kernel copies every byte. */
	expect_step(&plan, 0, "host0:pinned:thp -> cuda0 by cuda0.sm 63M fused");
	ws_plan_release(&plan);
	close_scene(&scene);
}

static void large_copies_have_more_time(void **state)
{
	const struct nvb_options usual = {.buffer_mib = 512, .loops = 16};
	const struct nvb_options large = {.buffer_mib = 65536, .loops = 16};
	const struct nvb_options most = {.buffer_mib = 16777216, .loops = 1000000};

	(void)state;
	/* 20 copies at 1 GB/s beside the usual 30 s. */
	assert_int_equal(nvb_timeout_ns(&usual), INT64_C(30000000000) + INT64_C(20) * (INT64_C(512) << 20));
	assert_int_equal(nvb_timeout_ns(&large), INT64_C(30000000000) + INT64_C(20) * (INT64_C(65536) << 20));
	assert_int_equal(nvb_timeout_ns(&most), INT64_C(86400000000000));
}

static void two_way_copies_are_measured_once_from_0_10_on(void **state)
{
	struct scene scene;
	struct ws_plan plan;
	char waived[200];

	(void)state;
	open_scene(&scene, WS_FAKE_MACHINES "/4gpu.machine", NVB_0_9, "");
	make_plan(&scene, "device_to_device_bidirectional_memcpy_read_ce", &plan, waived);
	assert_int_equal(plan.step_count, 12);
	ws_plan_release(&plan);
	close_scene(&scene);
	open_scene(&scene, WS_FAKE_MACHINES "/4gpu.machine", NVB_0_10, "");
	make_plan(&scene, "device_to_device_bidirectional_memcpy_read_ce", &plan, waived);
	assert_int_equal(plan.step_count, 6);
	ws_plan_release(&plan);
	close_scene(&scene);
}

static void a_pair_leaves_one_step_of_pair_tests(void **state)
{
	struct scene scene;
	struct ws_plan plan;
	char waived[200];

	(void)state;
	open_scene(&scene, WS_FAKE_MACHINES "/4gpu.machine", NVB_0_10,
		   "--pair GPU-6a1f0c53-9d0e-4e6b-8000-000000000003 GPU-6A1F0C53-9D0E-4E6B-8000-000000000001");
	assert_int_equal(scene.setup.pair[0], 3);
	assert_int_equal(scene.setup.pair[1], 1);
	make_plan(&scene, "device_to_device_memcpy_read_ce", &plan, waived);
	assert_int_equal(plan.step_count, 1);
	expect_step(&plan, 0, "cuda1 -> cuda3 by cuda3.ce 512M");
	ws_plan_release(&plan);
	make_plan(&scene, "device_to_device_bidirectional_memcpy_write_ce", &plan, waived);
	assert_int_equal(plan.step_count, 1);
	expect_step(&plan, 0, "cuda1 -> cuda3 by cuda1.ce 512M + cuda3 -> cuda1 by cuda3.ce 512M");
	ws_plan_release(&plan);
	make_plan(&scene, "all_to_one_write_ce", &plan, waived);
	assert_int_equal(plan.step_count, 4);
	ws_plan_release(&plan);
	close_scene(&scene);
}

static void waivers_have_a_reason(void **state)
{
	struct scene scene;
	struct ws_plan plan;
	char waived[200];

	(void)state;
	open_scene(&scene, WS_FAKE_MACHINES "/1gpu.machine", NVB_0_10, "");
	make_plan(&scene, "device_to_device_latency_tma", &plan, waived);
	assert_string_not_equal(waived, "");
	ws_plan_release(&plan);
	make_plan(&scene, "device_local_copy", &plan, waived);
	assert_string_equal(waived, "");
	ws_plan_release(&plan);
	close_scene(&scene);
}

/* Two items on two GPUs. */
static struct ws_item two_items[2];
static const struct ws_step two_steps = {.items = two_items, .item_count = 2};

static struct ws_lane lane_of(int item, const char *clock, int64_t start_ns, int64_t end_ns)
{
	struct ws_lane lane = {.item = item,
			       .bytes = 16000,
			       .loops = 16,
			       .lead_loops = 4,
			       .has_device = clock[0] != 0,
			       .start_ns = start_ns,
			       .end_ns = end_ns,
			       .host_start_ns = 1000,
			       .host_end_ns = 3000};

	snprintf(lane.clock, sizeof(lane.clock), "%s", clock);
	return lane;
}

static void rates_are_bytes_over_time(void **state)
{
	struct ws_lane lanes[] = {lane_of(0, "cuda0:event", 500, 1500), lane_of(1, "cuda1:event", 90, 1690)};
	struct ws_sample sample = {.lanes = lanes, .lane_count = 2};

	(void)state;
	two_items[0] = (struct ws_item){.verb = WS_COPY};
	two_items[1] = (struct ws_item){.verb = WS_COPY};
	assert_float_equal(nvb_item_rate(&two_steps, &sample, 0), 16, 1e-9);
	assert_float_equal(nvb_item_rate(&two_steps, &sample, 1), 10, 1e-9);
	/* Two clocks: both copies over the longer one. */
	assert_float_equal(nvb_total_rate(&two_steps, &sample), 20, 1e-9);
	/* One clock: over the span. */
	sample.has_span = true;
	sample.span_ns = 2000;
	assert_float_equal(nvb_total_rate(&two_steps, &sample), 16, 1e-9);
	/* The host's bounds have the four lead loops in them: 16 of 20 parts of 2000 ns. */
	lanes[0].has_device = false;
	assert_float_equal(nvb_item_rate(&two_steps, &sample, 0), 10, 1e-9);
	/* What interferes is not in the total. */
	assert_int_equal(ws_item_option_set(&two_items[1], "interfering", NULL, NULL), WS_OK);
	sample.has_span = false;
	assert_float_equal(nvb_total_rate(&two_steps, &sample), 10, 1e-9);
	/* Of a two-way kernel half of both lanes. */
	two_items[0].verb = WS_COPY2;
	lanes[1] = lane_of(0, "cuda0:timer", 500, 1500);
	lanes[0] = lane_of(0, "cuda0:timer", 500, 1500);
	assert_float_equal(nvb_item_rate(&two_steps, &sample, 0), 16, 1e-9);
	sample.lane_count = 0;
	assert_true(nvb_item_rate(&two_steps, &sample, 0) < 0);
	assert_true(nvb_total_rate(&two_steps, &sample) < 0);
}

static void variation_is_of_runs_or_of_cells(void **state)
{
	double values[] = {-1, 10, 30, -1}, sums[] = {38, 40, 42};
	const struct nvb_matrix matrix = {.rows = 2, .columns = 2, .values = values, .sums = sums, .sample_count = 3};
	const struct nvb_test *copy = nvb_test_at(NVB_0_10, 4), *chase = nvb_test_at(NVB_0_10, 33);
	struct nvb_statistics made = nvb_statistics_make(NVB_0_10, copy, &matrix, true);

	(void)state;
	assert_int_equal(made.count, 2);
	assert_true(made.missing);
	assert_float_equal(made.sum, 40, 1e-9);
	assert_float_equal(made.min, 10, 1e-9);
	assert_float_equal(made.max, 30, 1e-9);
	assert_true(made.has_variation);
	assert_float_equal(made.variation, 2.0 / 40, 1e-9);
	assert_false(nvb_statistics_make(NVB_0_10, copy, &matrix, false).has_variation);
	assert_false(nvb_statistics_make(NVB_0_10, chase, &matrix, true).has_variation);
	made = nvb_statistics_make(NVB_0_9, chase, &matrix, false);
	assert_true(made.has_variation);
	assert_float_equal(made.variation, 10.0 / 20, 1e-9);
	values[1] = -1;
	assert_false(nvb_statistics_make(NVB_0_9, copy, &matrix, true).has_variation);
	values[2] = -1;
	assert_false(nvb_statistics_make(NVB_0_10, copy, &matrix, true).has_variation);
}

/* What an output writes of one result, ended. The caller frees it. */
static char *written(const struct nvb_options *options, const struct nvb_test *test, const struct nvb_result *result)
{
	static const struct nvb_setup setup;
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	struct nvb_output output = {
		.ops = options->format == NVB_JSON ? &nvb_json_ops : &nvb_text_ops,
		.options = options,
		.to = to,
		.errors = to,
		.root = options->format == NVB_JSON ? json_object() : NULL,
	};

	assert_non_null(to);
	output.ops->running(&output, test);
	output.ops->result(&output, &setup, test, result);
	output.ops->end(&output, false);
	fclose(to);
	return text;
}

static void texts_have_the_tools_widths(void **state)
{
	double values[] = {1234567.126, -1, 0.004, 99999999.5, 55.374}, sums[] = {1};
	const struct nvb_result result = {
		.parts =
			{{.rows = 1, .columns = 5, .first_row = 10, .values = values, .sums = sums, .sample_count = 1}},
		.part_count = 1,
	};
	struct nvb_options options = {.version = NVB_0_10};
	char *text = written(&options, nvb_test_at(NVB_0_10, 0), &result);

	(void)state;
	assert_string_equal(text, "Running host_to_device_memcpy_ce.\n"
				  "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n"
				  "           0         1         2         3         4\n"
				  "101234567.13       N/A      0.0099999999.50     55.37\n"
				  "\n"
				  "SUM host_to_device_memcpy_ce 101234622.00\n"
				  "\n");
	free(text);
	options = (struct nvb_options){.version = NVB_0_9, .format = NVB_PERF, .verbose = true};
	values[0] = values[3] = -1;
	text = written(&options, nvb_test_at(NVB_0_9, 32), &result);
	assert_string_equal(text, "Running host_device_latency_sm.\n"
				  "memory latency SM CPU(row) <-> GPU(column) (ns)\n"
				  "           0         1         2         3         4\n"
				  "10       N/A       N/A      0.00       N/A     55.37\n"
				  "\n"
				  "&&&& PERF host_device_latency_sm 55.38 -ns\n"
				  "COEFFICIENT_OF_VARIATION host_device_latency_sm 1.00\n"
				  "MIN host_device_latency_sm 0.00\n"
				  "MAX host_device_latency_sm 55.37\n"
				  "AVG host_device_latency_sm 27.69\n"
				  "\n");
	free(text);
}

static void json_is_whole_with_odd_words(void **state)
{
	double values[] = {12, -1}, sums[] = {12};
	struct nvb_failure failure = {"a \"quoted\" reason\twith \xc3\xa9"};
	const struct nvb_result result = {
		.parts = {{.rows = 1, .columns = 2, .values = values, .sums = sums, .sample_count = 1}},
		.part_count = 1,
		.failures = &failure,
		.failure_count = 1,
	};
	const struct nvb_options options = {.version = NVB_0_10, .format = NVB_JSON};
	char *text = written(&options, nvb_test_at(NVB_0_10, 1), &result);
	json_t *read = json_loads(text, 0, NULL);

	(void)state;
	assert_non_null(read);
	assert_string_equal(text, "{\n"
				  "\t\"nvbandwidth\" : \n"
				  "\t{\n"
				  "\t\t\"testcases\" : \n"
				  "\t\t[\n"
				  "\t\t\t{\n"
				  "\t\t\t\t\"bandwidth_description\" : \"memcpy CE CPU(row) <- GPU(column) bandwidth "
				  "(GB/s)\",\n"
				  "\t\t\t\t\"bandwidth_matrix\" : \n"
				  "\t\t\t\t[\n"
				  "\t\t\t\t\t[\n"
				  "\t\t\t\t\t\t\"12\",\n"
				  "\t\t\t\t\t\t\"N/A\"\n"
				  "\t\t\t\t\t]\n"
				  "\t\t\t\t],\n"
				  "\t\t\t\t\"error\" : \"a \\\"quoted\\\" reason\\twith \\u00E9\",\n"
				  "\t\t\t\t\"name\" : \"device_to_host_memcpy_ce\",\n"
				  "\t\t\t\t\"status\" : \"Error\",\n"
				  "\t\t\t\t\"sum\" : 12.0\n"
				  "\t\t\t}\n"
				  "\t\t]\n"
				  "\t}\n"
				  "}\n"
				  "\n");
	json_decref(read);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_said_is_as_the_tool_has_it),
		cmocka_unit_test(options_are_taken_in_every_form),
		cmocka_unit_test(formats_are_each_versions_own),
		cmocka_unit_test(tests_are_found_by_name_and_number),
		cmocka_unit_test(plans_have_the_tools_sizes_and_policy),
		cmocka_unit_test(options_change_the_plan),
		cmocka_unit_test(large_copies_have_more_time),
		cmocka_unit_test(two_way_copies_are_measured_once_from_0_10_on),
		cmocka_unit_test(a_pair_leaves_one_step_of_pair_tests),
		cmocka_unit_test(waivers_have_a_reason),
		cmocka_unit_test(rates_are_bytes_over_time),
		cmocka_unit_test(variation_is_of_runs_or_of_cells),
		cmocka_unit_test(texts_have_the_tools_widths),
		cmocka_unit_test(json_is_whole_with_odd_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
