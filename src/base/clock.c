/* The system's monotonic clock behind the replaceable interface. */
#include "base/clock.h"

#include <errno.h>
#include <time.h>

#define NS_PER_S INT64_C(1000000000)

static int64_t monotonic_now_ns(void *context)
{
	struct timespec time;

	(void)context;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

static void monotonic_sleep_until_ns(void *context, int64_t time_ns)
{
	const struct timespec time = {.tv_sec = time_ns / NS_PER_S, .tv_nsec = time_ns % NS_PER_S};

	(void)context;
	if (time_ns <= 0)
		return;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		continue;
}

const struct ws_clock *ws_clock_monotonic(void)
{
	static const struct ws_clock monotonic = {
		.now_ns = monotonic_now_ns,
		.sleep_until_ns = monotonic_sleep_until_ns,
	};

	return &monotonic;
}

int64_t ws_clock_resolution_ns(void)
{
	const int64_t start_ns = monotonic_now_ns(NULL);
	int64_t last_ns = start_ns, smallest_ns = INT64_MAX;

	for (int steps = 0; steps < 1000;) {
		const int64_t now_ns = monotonic_now_ns(NULL);

		if (now_ns > last_ns) {
			smallest_ns = now_ns - last_ns < smallest_ns ? now_ns - last_ns : smallest_ns;
			last_ns = now_ns;
			steps++;
		}
		if (now_ns - start_ns > NS_PER_S / 100)
			break;
	}
	return smallest_ns;
}
