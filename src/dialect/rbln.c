/* The dialect of rblnBandwidthLatencyTest, for whatever accelerators the machine has. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "dialect/rbln.h"
#include "dialect/tools.h"

/* Of devices; what has no back end in a build is not looked for. */
#define FAMILIES "host rbln cuda ocl"
#define SECOND_NS INT64_C(1000000000)

static int measure(struct rbln *rbln, const char *root)
{
	const struct rbln_options *options = &rbln->options;

	if (!rbln_devices_choose(rbln))
		return rbln->all_count ? RBLN_EXIT_USAGE : RBLN_EXIT_FAIL;
	if (options->has_size)
		printf("This test will run with size (0x%" PRIx64 ")\n", options->size_bytes);
	if (!options->skip_test_env_info)
		rbln_print_machine(rbln->all, rbln->all_count, root, false, stdout);
	if (options->timeout_s)
		rbln->stage.deadline_ns = ws_clock_now_ns(ws_clock_monotonic()) + options->timeout_s * SECOND_NS;
	return rbln_test_run(rbln, root) ? RBLN_EXIT_PASS : RBLN_EXIT_FAIL;
}

static int open_and_run(const struct ws_dialect_call *call, struct rbln *rbln)
{
	struct ws_error error = {0};
	const char *root;
	int code = RBLN_EXIT_FAIL;

	if (ws_stage_open(call, FAMILIES, rbln->options.timeout_s * SECOND_NS, &rbln->stage, &error) != WS_OK) {
		rbln_say("%s", error.text);
		return RBLN_EXIT_FAIL;
	}
	root = ws_topology_root(ws_session_topology(rbln->stage.session));
	rbln_devices_find(rbln);
	if (!rbln->options.test_env_info) {
		code = measure(rbln, root);
	} else {
		rbln_print_machine(rbln->all, rbln->all_count, root, true, stdout);
		code = RBLN_EXIT_PASS;
	}
	return ws_stage_close(&rbln->stage, code);
}

int ws_dialect_rbln(const struct ws_dialect_call *call)
{
	struct rbln *rbln = calloc(1, sizeof(*rbln));
	int code = RBLN_EXIT_PASS;

	if (!rbln) {
		rbln_say("out of memory");
		return RBLN_EXIT_FAIL;
	}
	if (!rbln_options_parse(call->argc, call->argv, &rbln->options))
		code = RBLN_EXIT_USAGE;
	else if (rbln->options.help)
		rbln_help(stdout);
	else if (rbln->options.test_list)
		rbln_test_list(stdout);
	else
		code = open_and_run(call, rbln);
	free(rbln);
	return code;
}
