/* The monotonic clock moves forward, sleeps long enough, and can be replaced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"

static void monotonic_clock_sleeps_long_enough(void **state)
{
	const struct ws_clock *clock = ws_clock_monotonic();
	const int64_t start_ns = ws_clock_now_ns(clock), wanted_ns = start_ns + 3000000;

	(void)state;
	ws_clock_sleep_until_ns(clock, wanted_ns);
	assert_true(ws_clock_now_ns(clock) >= wanted_ns);
	/* A time that has passed, or lies before the clock's start, must not block. */
	ws_clock_sleep_until_ns(clock, start_ns);
	ws_clock_sleep_until_ns(clock, -5);
}

static void resolution_is_a_small_positive_step(void **state)
{
	const int64_t resolution_ns = ws_clock_resolution_ns();

	(void)state;
	assert_true(resolution_ns >= 1);
	assert_true(resolution_ns <= 20000000);
}

static int64_t simulated_now_ns(void *context)
{
	return *(int64_t *)context;
}

static void simulated_sleep_until_ns(void *context, int64_t time_ns)
{
	if (time_ns > *(int64_t *)context)
		*(int64_t *)context = time_ns;
}

static void a_simulated_clock_takes_its_place(void **state)
{
	int64_t time_ns = 40;
	const struct ws_clock clock = {simulated_now_ns, simulated_sleep_until_ns, &time_ns};

	(void)state;
	assert_true(ws_clock_now_ns(&clock) == 40);
	ws_clock_sleep_until_ns(&clock, INT64_C(3600000000000));
	assert_true(ws_clock_now_ns(&clock) == INT64_C(3600000000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(monotonic_clock_sleeps_long_enough),
		cmocka_unit_test(resolution_is_a_small_positive_step),
		cmocka_unit_test(a_simulated_clock_takes_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
