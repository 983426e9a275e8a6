/* The places of a session: one device under two back ends is recognised by where it sits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "activity/session.h"
#include "base/place.h"

static int open_backend(struct ws_backend *backend, const struct ws_backend_options *options, struct ws_error *error)
{
	(void)backend;
	(void)options;
	(void)error;
	return WS_OK;
}

static void close_backend(struct ws_backend *backend)
{
	(void)backend;
}

static int add(struct ws_places *places, const char *place, const char *pci, const char *uuid, struct ws_error *error)
{
	struct ws_place_facts facts = {0};

	ws_place_parse(place, &facts.place, NULL);
	snprintf(facts.pci, sizeof(facts.pci), "%s", pci);
	snprintf(facts.uuid, sizeof(facts.uuid), "%s", uuid);
	return ws_places_add(places, &facts, error);
}

#define UUID(digit) digit "0000000-0000-0000-0000-00000000000a"

static int cuda_places(struct ws_backend *backend, struct ws_places *places, struct ws_error *error)
{
	(void)backend;
	add(places, "cuda0", "0000:3b:00.0", "GPU-" UUID("1"), error);
	return add(places, "cuda1", "0000:af:00.0", "", error);
}

static int opencl_places(struct ws_backend *backend, struct ws_places *places, struct ws_error *error)
{
	(void)backend;
	add(places, "ocl0", "", "", error);
	add(places, "ocl1", "0000:af:00.0", "", error);
	/* Under two platforms of one back end it is listed twice. */
	add(places, "ocl2", "0000:af:00.0", "", error);
	add(places, "ocl3", "0000:5e:00.0", "", error);
	/* By its UUID alone, whoever writes it how. */
	add(places, "ocl4", "", "10000000-0000-0000-0000-00000000000A", error);
	/* Two parts of one card, one of them under two platforms. */
	add(places, "ocl5", "0000:d8:00.0", UUID("2"), error);
	add(places, "ocl6", "0000:d8:00.0", UUID("3"), error);
	return add(places, "ocl7", "0000:d8:00.0", UUID("3"), error);
}

static const struct ws_backend_ops cuda_like = {
	.name = "cuda", .family = "cuda", .open = open_backend, .close = close_backend, .places = cuda_places};
static const struct ws_backend_ops opencl_like = {
	.name = "opencl", .family = "ocl", .open = open_backend, .close = close_backend, .places = opencl_places};
static const struct ws_backend_ops *const backends[] = {&cuda_like, &opencl_like};

static void check(int rank, const char *const *expected)
{
	const struct ws_session_options options = {.timeout_ns = 1000000000, .rank = rank, .backends = backends,
						   .backend_count = 2};
	struct ws_session *session = NULL;
	const struct ws_places *places;

	assert_int_equal(ws_session_open(&options, &session, NULL), WS_OK);
	assert_int_equal(ws_session_need(session, NULL, NULL), WS_OK);
	places = ws_session_places(session);
	assert_int_equal(places->count, 10);
	for (int i = 0; i < 10; i++)
		assert_string_equal(places->at[i].same_as, expected[i]);
	ws_session_close(session);
}

static void a_device_under_two_back_ends_is_recognised(void **state)
{
	static const char *const alone[] = {"", "", "", "cuda1", "cuda1", "", "cuda0", "", "", "ocl6"};
	static const char *const ranked[] = {"", "", "", "r0/cuda1", "r0/cuda1", "", "r0/cuda0", "", "", "r0/ocl6"};

	(void)state;
	check(WS_RANK_NONE, alone);
	check(0, ranked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_under_two_back_ends_is_recognised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
