/* The OpenCL back end on whatever OpenCL there is, which on a machine without devices is PoCL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "activity/session.h"
#include "backend/host.h"
#include "backend/opencl.h"
#include "backend/opencl_private.h"
#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "measure/run.h"
#include "plan/plan_text.h"
#include "probe/fold.h"
#include "probe/probe.h"

static const struct ws_backend_ops *const backends[] = {&ws_host_backend, &ws_opencl_backend};

static struct ws_session *open_session(void)
{
	const struct ws_session_options options = {
		.timeout_ns = 20000000000, .rank = WS_RANK_NONE, .backends = backends, .backend_count = 2};
	struct ws_session *session = NULL;

	assert_int_equal(ws_session_open(&options, &session, NULL), WS_OK);
	return session;
}

/* A session in which OpenCL is open; without any the test is skipped, with the reason. */
static struct ws_session *need_opencl(void)
{
	struct ws_session *session = open_session();
	struct ws_backend *backend = NULL;
	struct ws_error error = {0};

	if (ws_session_backend(session, "ocl", &backend, &error) != WS_OK) {
		printf("SKIP: %s\n", error.text);
		ws_session_close(session);
		skip();
	}
	return session;
}

static void run(struct ws_session *session, const char *text, struct ws_result *result)
{
	const struct ws_activity_source source = ws_session_source(session);
	const struct ws_run_options options = {.clock = ws_clock_monotonic(), .source = &source};
	struct ws_error error = {0};
	struct ws_plan plan;

	*result = (struct ws_result){0};
	if (ws_plan_parse(text, strlen(text), ws_probe_find, &plan, &error) != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(ws_run_plan(&plan, &options, result, &error), WS_OK);
	assert_int_equal(ws_result_fold(result, &error), WS_OK);
	ws_plan_release(&plan);
}

static void devices_are_places(void **state)
{
	struct ws_session *session = need_opencl();
	const struct ws_places *places;
	int devices = 0;

	(void)state;
	assert_int_equal(ws_session_need(session, "ocl", NULL), WS_OK);
	places = ws_session_places(session);
	for (int i = 0; i < places->count; i++) {
		if (strcmp(places->at[i].place.family, "ocl") != 0)
			continue;
		assert_int_equal(places->at[i].place.index, devices++);
		assert_true(places->at[i].name[0] != '\0');
		assert_true(places->at[i].memory_bytes > 0);
		assert_string_equal(places->at[i].engines, "ce sm");
	}
	assert_true(devices > 0);
	ws_session_close(session);
}

static void copies_arrive_whole(void **state)
{
	static const char *const sizes[] = {"1", "3", "63", "4097", "1M", "1048579"};
	struct ws_session *session = need_opencl();
	char text[400];

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct ws_result result;

		snprintf(text, sizeof(text),
			 "with samples=3 loops=3 lead=1 verify=each\n"
			 "there: host0:pinned -> ocl0 by ocl0.ce %s\nback: ocl0 -> host0:pinned by ocl0.ce %s\n",
			 sizes[i], sizes[i]);
		run(session, text, &result);
		for (int k = 0; k < 2; k++) {
			const struct ws_step_result *step = &result.steps[k];

			if (step->status != WS_OK || step->check.wrong_count)
				fail_msg("%s: %s, %d wrong", step->step.text, step->reason,
					 (int)step->check.wrong_count);
			assert_true(step->check.done);
			assert_int_equal(step->records.count, 3);
			assert_int_equal(step->records.samples[2].lanes[0].loops, 3);
			assert_true(step->records.samples[2].lanes[0].gated);
			assert_string_equal(step->records.samples[2].lanes[0].clock, "ocl0:event");
		}
		ws_result_release(&result);
	}
	ws_session_close(session);
}

/* Kernels as a device with many lanes gets them: large work-groups with few elements for each of their work-items. */
static void pretend_many_lanes(struct ws_session *session)
{
	struct ws_backend *backend = NULL;
	struct opencl *opencl;

	assert_int_equal(ws_session_backend(session, "ocl", &backend, NULL), WS_OK);
	opencl = backend->state;
	opencl->devices[0].type = 1 << 2;
	opencl->devices[0].local = 256;
}

/* Every kind of host memory, both ways, and whatever is timed by the host's clock. */
static void kinds_and_ways_arrive_whole(void **state)
{
	static const struct {
		const char *item, *clock;
		double bytes; /* a loop */
	} cases[] = {
		{"host0:pageable -> ocl0 by ocl0.ce 1048579 ungated", "host:monotonic", 1048579},
		{"ocl0 -> host0:pageable by ocl0.ce 1048579 ungated", "host:monotonic", 1048579},
		{"host0 -> ocl0 by ocl0.ce 5 ungated", "host:monotonic", 5},
		{"host0:mapped -> ocl0 by ocl0.ce 1048579", "ocl0:event", 1048579},
		{"ocl0 -> host0:mapped by ocl0.ce 1048579", "ocl0:event", 1048579},
		{"host0:svm -> ocl0 by ocl0.ce 1048579", "ocl0:event", 1048579},
		{"ocl0 -> host0:svm by ocl0.ce 1048579", "ocl0:event", 1048579},
		{"ocl0 -> ocl0 by ocl0.ce 1048579", "ocl0:event", 1048579},
		{"host0:pageable -> ocl0 by ocl0.ce 1048579 access=mapped ungated", "ocl0:calls", 1048579},
		{"ocl0 -> host0:pageable by ocl0.ce 1048579 access=mapped ungated", "ocl0:calls", 1048579},
		{"host0:pinned -> ocl0 by ocl0.ce 1048579 access=mapped ungated", "ocl0:calls", 1048579},
		{"ocl0 -> host0:pinned by ocl0.ce 1048579 access=mapped ungated", "ocl0:calls", 1048579},
		/* Of a processor's memory a map moves nothing: it has a cost, and no bytes. */
		{"host0:pinned -> ocl0 by ocl0.sm 1048579", "ocl0:event", 1048579},
		{"ocl0 -> host0:pinned by ocl0.sm 1048579", "ocl0:event", 1048579},
		{"host0:mapped -> ocl0 by ocl0.sm 1048579", "ocl0:event", 1048579},
		{"ocl0 -> host0:svm by ocl0.sm 9", "ocl0:event", 9},
		{"ocl0 -> ocl0 by ocl0.sm 1048579", "ocl0:event", 1048579},
		{"read ocl0 by ocl0.sm 1048579", "ocl0:event", 1048579},
		{"read host0:pinned by ocl0.sm 4097", "ocl0:event", 4097},
		{"read ocl0 by ocl0.sm 1", "ocl0:event", 1},
		{"write ocl0 by ocl0.sm 1048579", "ocl0:event", 1048579},
		{"write host0:mapped by ocl0.sm 15", "ocl0:event", 15},
		{"noop ocl0 by ocl0.sm ungated marks", "ocl0:calls", 0},
		{"map ocl0 by ocl0.ce 1048579 ungated marks", "ocl0:calls", 0},
		{"unmap ocl0 by ocl0.ce 1048579 ungated marks", "ocl0:calls", 0},
	};
	struct ws_session *session = need_opencl();
	char text[400];

	if (*state)
		pretend_many_lanes(session);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ws_result result;
		const struct ws_step_result *step;
		const struct ws_lane *lane;

		snprintf(text, sizeof(text), "with samples=3 loops=3 lead=1 verify=each\na: %s\n", cases[i].item);
		run(session, text, &result);
		step = &result.steps[0];
		if (step->status != WS_OK || step->check.wrong_count)
			fail_msg("%s: %s, %d wrong", text, step->reason, (int)step->check.wrong_count);
		assert_true(step->check.done);
		lane = &step->records.samples[2].lanes[0];
		assert_string_equal(lane->clock, cases[i].clock);
		assert_true(lane->has_device && lane->end_ns > lane->start_ns);
		assert_true((double)lane->bytes == 3 * cases[i].bytes);
		assert_int_equal(lane->value_count, strstr(text, " marks") ? 3 : 0);
		ws_result_release(&result);
	}
	ws_session_close(session);
}

/* With marks every loop has a time of its own, and together they are the lane's. */
static void loops_have_times(void **state)
{
	static const char *const items[] = {
		"host0:pinned -> ocl0 by ocl0.ce 64K marks",
		"host0:pinned -> ocl0 by ocl0.ce 64K marks together",
		"host0:pinned -> ocl0 by ocl0.ce 64K ungated marks",
		"map ocl0 by ocl0.ce 64K ungated marks",
	};
	struct ws_session *session = need_opencl();
	char text[200];

	(void)state;
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		struct ws_result result;
		const struct ws_lane *lane;
		double sum = 0;

		snprintf(text, sizeof(text), "with samples=1 loops=40 lead=2\na: %s\n", items[i]);
		run(session, text, &result);
		assert_int_equal(result.steps[0].status, WS_OK);
		lane = &result.steps[0].records.samples[0].lanes[0];
		assert_int_equal(lane->value_count, 40);
		assert_string_equal(lane->value_unit, "ns");
		for (int k = 0; k < 40; k++)
			sum += lane->values[k];
		assert_true(sum == (double)(lane->end_ns - lane->start_ns));
		ws_result_release(&result);
	}
	ws_session_close(session);
}

/* Where there are two devices of one platform, which the test's environment can have PoCL show. */
static void copies_between_devices_arrive_whole(void **state)
{
	static const char *const plan =
		"with samples=3 loops=3 lead=1 verify=each\n"
		"read: ocl0 -> ocl1 by ocl1.ce 1048579 ungated\nwrite: ocl0 -> ocl1 by ocl0.ce 1048579 ungated\n"
		"home: host0:pinned -> ocl1 by ocl1.ce 1048579\nfew: ocl1 -> ocl0 by ocl0.ce 3 ungated\n";
	struct ws_session *session = need_opencl();
	struct ws_place place = {.rank = WS_RANK_NONE, .family = "ocl", .index = 1};
	const struct ws_place_facts *facts = ws_places_find(ws_session_places(session), &place);
	struct ws_result result;

	(void)state;
	if (!facts) {
		ws_session_close(session);
		print_message("SKIP: OpenCL has one device here\n");
		skip();
	}
	run(session, plan, &result);
	for (int i = 0; i < 4; i++) {
		const struct ws_step_result *step = &result.steps[i];

		if (step->status != WS_OK || step->check.wrong_count || !step->check.done)
			fail_msg("%s: %s, %d wrong", step->step.text, step->reason, (int)step->check.wrong_count);
		assert_string_equal(step->records.samples[2].lanes[0].clock, i == 2   ? "ocl1:event"
									     : i == 0 ? "ocl1:calls"
										      : "ocl0:calls");
	}
	ws_result_release(&result);
	ws_session_close(session);
}

static void a_slope_has_a_figure(void **state)
{
	struct ws_session *session = need_opencl();
	struct ws_result result;

	(void)state;
	run(session,
	    "with samples=7\nhost_to_device_memcpy_ce[row=host0 column=ocl0]: host0:pinned -> ocl0 by ocl0.ce 4M/16M\n",
	    &result);
	assert_int_equal(result.steps[0].status, WS_OK);
	assert_int_equal(result.steps[0].records.count, 14);
	assert_true(result.tables[0].cells[0].folded.figures[0].value > 0);
	ws_result_release(&result);
	ws_session_close(session);
}

static void what_it_cannot_do_has_a_reason(void **state)
{
	static const struct {
		const char *plan, *reason;
	} cases[] = {
		{"a: host0:pinned -> ocl999 by ocl999.ce 1M\n", "there is no place ocl999"},
		{"a: host0:pinned:thp -> ocl0 by ocl0.ce 1M\n",
		 "does not let the page size of pinned memory be chosen"},
		{"a: host0:wc -> ocl0 by ocl0.ce 1M\n", "OpenCL offers no host memory of kind wc"},
		{"a: ocl0:fabric -> host0:pinned by ocl0.ce 1M\n", "neither kind nor page size"},
		{"a: host0:pageable -> ocl0 by ocl0.ce 1M\n", "copies of pageable memory cannot wait behind a gate"},
		{"a: map ocl0 by ocl0.ce 1M\n", "zero copy"},
		{"a: map ocl0 by ocl0.ce 1M marks\n", "what is timed call by call cannot wait behind a gate"},
		{"a: map host0:pinned by ocl0.ce 1M ungated\n", "maps its own memory only"},
		{"a: host0:mapped -> ocl0 by ocl0.ce 1M access=mapped ungated\n",
		 "pageable and pinned host memory only"},
		{"a: host0:pinned -> ocl0 by ocl0.ce 1T\n", "bytes are more than"},
		{"a: read ocl0 by ocl0.ce 1M\n", "engine \"ce\" of an OpenCL device does not offer \"read\""},
		{"a: host0:pinned <-> ocl0 by ocl0.sm 1M\n", "does not offer \"<->\": OpenCL kernels have no clock"},
		{"a: chase ocl0 by ocl0.sm 1M\n", "does not offer \"chase\": OpenCL kernels have no clock"},
		{"a: host0:pageable -> ocl0 by ocl0.sm 1M\n", "do not reach pageable host memory"},
		{"a: noop ocl0 by ocl0.sm\n", "what is timed call by call cannot wait behind a gate"},
		{"a: host0:pinned -> host0:pinned by ocl0.ce 1M\n", "from or to a device's memory only"},
	};
	struct ws_session *session = need_opencl();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ws_result result;

		run(session, cases[i].plan, &result);
		assert_int_not_equal(result.steps[0].status, WS_OK);
		if (!strstr(result.steps[0].reason, cases[i].reason))
			fail_msg("%s: %s", cases[i].plan, result.steps[0].reason);
		ws_result_release(&result);
	}
	ws_session_close(session);
}

static void a_missing_library_is_a_fact(void **state)
{
	struct ws_session *session = open_session();
	struct ws_backend *backend = NULL;
	struct ws_error error = {0};

	(void)state;
	setenv("WIRESPEED_OPENCL_LIB", "/nonexistent/libOpenCL.so.1", 1);
	assert_int_equal(ws_session_backend(session, "ocl", &backend, &error), WS_EABSENT);
	assert_non_null(strstr(error.text, "/nonexistent/libOpenCL.so.1"));
	unsetenv("WIRESPEED_OPENCL_LIB");
	ws_session_close(session);
}

int main(void)
{
	static bool many_lanes;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_are_places),
		cmocka_unit_test(copies_arrive_whole),
		cmocka_unit_test(kinds_and_ways_arrive_whole),
		cmocka_unit_test_prestate(kinds_and_ways_arrive_whole, &many_lanes),
		cmocka_unit_test(loops_have_times),
		cmocka_unit_test(copies_between_devices_arrive_whole),
		cmocka_unit_test(a_slope_has_a_figure),
		cmocka_unit_test(what_it_cannot_do_has_a_reason),
		cmocka_unit_test(a_missing_library_is_a_fact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
