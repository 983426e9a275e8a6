/* nvbandwidth: its command line, its tests in its order, its exit codes. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/item.h"
#include "base/system.h"
#include "dialect/nvbandwidth.h"
#include "dialect/tools.h"

#define EXIT_DONE 0
#define EXIT_FAILED 1

static const char small_buffer[] =
	"NOTE: You have chosen a buffer size that is smaller than the default buffer size. It is suggested to use the "
	"default buffer size (512MB) to achieve maximal peak bandwidth.";
static const char no_huge_pages[] =
	"NOTE: Huge pages were requested, but Transparent Huge Pages (THP) are not enabled on this system. The option "
	"will be ignored. Enable THP with 'echo madvise > /sys/kernel/mm/transparent_hugepage/enabled' if you wish to "
	"use this feature.";
static const char single_node[] =
	"WARNING: targetNumPairs is for multinode testcases only, and has no effect on a single node.";

static struct nvb_output open_output(const struct nvb_options *options)
{
	return (struct nvb_output){
		.ops = options->format == NVB_JSON ? &nvb_json_ops : &nvb_text_ops,
		.options = options,
		.to = stdout,
		.errors = stderr,
		.root = options->format == NVB_JSON ? json_object() : NULL,
	};
}

/* The command line is repeated, as the original does; what is wrong with it, it does not say. */
static int refuse(const struct nvb_options *options, const struct ws_dialect_call *call, const struct ws_error *error)
{
	struct nvb_output output = open_output(options);

	if (options->format == NVB_JSON) {
		char text[500];

		snprintf(text, sizeof(text), "ERROR: Invalid Arguments: %s", error->text);
		output.ops->version(&output);
		output.ops->error(&output, text);
		output.ops->end(&output, false);
		return EXIT_FAILED;
	}
	output.ops->version(&output);
	fputs("ERROR: Invalid Arguments \n", output.to);
	for (int i = 0; i < call->argc; i++)
		fprintf(output.to, "%s ", call->argv[i]);
	fputs(":\n\n", output.to);
	nvb_options_help(options->version, output.to);
	fflush(output.to);
	fprintf(output.errors, "nvbandwidth: %s\n", error->text);
	return EXIT_FAILED;
}

/* What the options say to each other; NULL, or what is wrong. */
static const char *contradiction(const struct nvb_options *options, char *text, size_t size)
{
	if (options->test_count > 0 && options->prefix_count > 0)
		return "You cannot specify both testcase and testcasePrefix options at the same time";
	if (options->pairs < -1) {
		snprintf(text, size,
			 "ERROR: Invalid targetNumPairs value: %lld. Must be -1 (all pairs), 0 (no pairs), or a "
			 "positive "
			 "number.",
			 (long long)options->pairs);
		return text;
	}
	return NULL;
}

static void warn(struct nvb_output *output, const struct ws_stage *stage)
{
	const struct nvb_options *options = output->options;
	struct ws_cli_wishes wishes;

	ws_stage_wish(stage, &wishes);
	if (options->buffer_mib < NVB_USUAL_MIB)
		output->ops->warning(output, small_buffer);
	if (options->huge_pages && !wishes.expand.thp)
		output->ops->warning(output, no_huge_pages);
	if (options->pairs > 0)
		output->ops->warning(output, single_node);
}

static void note_deviations(const struct nvb_setup *setup, const struct nvb_test *test)
{
	const struct nvb_options *options = setup->options;
	const bool fans = test->figure == NVB_TOTAL;

	if (fans && strstr(test->name, "_read_sm"))
		ws_stage_note("%s: the kernels read, as the name says; nvbandwidth's push", test->name);
	if (fans && setup->machine->count > 2)
		ws_stage_note("%s: of copies by several GPUs, whose clocks are apart, the longest counts", test->name);
	if (test->figure == NVB_LATENCY)
		ws_stage_note("%s: behind untimed loads, so that no launch is in the time", test->name);
	if (test->by_pair && options->verbose && options->format != NVB_JSON && options->version != NVB_0_9)
		ws_stage_note("%s: MIN is the least of the cells that have a figure", test->name);
}

/* Whether all cells that should have a figure have one. */
static bool run_test(struct nvb_output *output, const struct nvb_setup *setup, const struct nvb_test *test)
{
	struct nvb_result result = {.part_count = 0};
	struct ws_error error = {0};
	struct ws_plan plan = {.steps = NULL};
	char waived[200];
	bool ok = false;

	if (nvb_plan(setup, test, &plan, waived, sizeof(waived), &error) != WS_OK) {
		output->ops->failed(output, test, error.text);
	} else if (waived[0]) {
		output->ops->waived(output, test, waived);
		ok = true;
	} else {
		note_deviations(setup, test);
		output->ops->running(output, test);
		ok = nvb_measure(setup, test, &plan, &result, &error) == WS_OK;
		if (ok)
			output->ops->result(output, setup, test, &result);
		else
			output->ops->failed(output, test, error.text);
		ok = ok && result.failure_count == 0;
	}
	nvb_result_release(&result);
	ws_plan_release(&plan);
	return ok;
}

static bool has_prefix(const struct nvb_options *options, const char *name)
{
	for (int i = 0; i < options->prefix_count; i++) {
		if (strncmp(name, options->prefixes[i], strlen(options->prefixes[i])) == 0)
			return true;
	}
	return options->prefix_count == 0;
}

static bool stopped(const struct nvb_setup *setup)
{
	return *setup->stage->interrupted;
}

/* The tests named, in that order; else those that begin so, or all. */
static int run_tests(struct nvb_output *output, const struct nvb_setup *setup)
{
	const struct nvb_options *options = setup->options;
	const struct nvb_test *test;
	char message[300];
	int code = EXIT_DONE;

	for (int i = 0; i < options->test_count && !stopped(setup); i++) {
		test = nvb_test_find(options->version, options->tests[i], message, sizeof(message));
		if (!test)
			output->ops->not_found(output, options->tests[i], message);
		else if (!run_test(output, setup, test))
			code = EXIT_FAILED;
	}
	for (int i = 0; options->test_count == 0 && !stopped(setup); i++) {
		test = nvb_test_at(options->version, i);
		if (!test)
			break;
		if (has_prefix(options, test->name) && !run_test(output, setup, test))
			code = EXIT_FAILED;
	}
	return code;
}

static bool any_prefix(const struct nvb_options *options)
{
	const struct nvb_test *test;

	for (int i = 0; (test = nvb_test_at(options->version, i)) != NULL; i++) {
		if (has_prefix(options, test->name))
			return true;
	}
	return false;
}

static int give_up(struct nvb_output *output, const char *text)
{
	output->ops->error(output, text);
	output->ops->end(output, false);
	return EXIT_FAILED;
}

/* From an open stage to the last line. */
static int measure_all(struct nvb_output *output, struct ws_stage *stage)
{
	const struct nvb_options *options = output->options;
	struct nvb_machine machine = {.devices = NULL};
	struct nvb_setup setup = {.options = options, .machine = &machine, .stage = stage};
	struct ws_error error = {0};
	int code = EXIT_FAILED;

	if (nvb_machine_open(stage, &machine, &error) != WS_OK) {
		give_up(output, error.text);
	} else {
		warn(output, stage);
		output->ops->version(output);
		output->ops->machine(output, &machine);
		setup.has_pair = options->pair[0] != NULL;
		if (setup.has_pair && nvb_machine_pair(&machine, options->pair, setup.pair, &error) != WS_OK) {
			give_up(output, error.text);
		} else if (!any_prefix(options)) {
			give_up(output, "Specified list of testcase prefixes did not match any testcases");
		} else {
			code = run_tests(output, &setup);
			output->ops->end(output, !stopped(&setup));
		}
	}
	nvb_machine_release(&machine);
	return code;
}

static int run_parsed(const struct ws_dialect_call *call, const struct nvb_options *options)
{
	struct nvb_output output;
	struct ws_stage stage;
	struct ws_error error = {0};
	char text[200];
	const char *wrong;

	/* The original says nothing where JSON is asked for. */
	if (options->print_version || options->help || options->list) {
		if (options->format == NVB_JSON)
			return EXIT_DONE;
		output = open_output(options);
		if (options->help)
			nvb_options_help(options->version, stdout);
		else if (options->print_version || options->version != NVB_0_9)
			output.ops->version(&output);
		if (options->list && !options->help && !options->print_version)
			nvb_test_list(options->version, stdout);
		fflush(stdout);
		return EXIT_DONE;
	}
	output = open_output(options);
	wrong = contradiction(options, text, sizeof(text));
	if (wrong)
		return give_up(&output, wrong);
	if (ws_stage_open(call, "host cuda", nvb_timeout_ns(options), &stage, &error) != WS_OK)
		return give_up(&output, error.text);
	return ws_stage_close(&stage, measure_all(&output, &stage));
}

int ws_dialect_nvbandwidth(const struct ws_dialect_call *call)
{
	const enum nvb_version version = call->version && strcmp(call->version, "0.9") == 0 ? NVB_0_9 : NVB_0_10;
	struct ws_error error = {0};
	struct nvb_options options;
	int code;

	if (nvb_options_parse(version, call->argc, call->argv, &options, &error) != WS_OK)
		code = refuse(&options, call, &error);
	else
		code = run_parsed(call, &options);
	nvb_options_release(&options);
	return code;
}
