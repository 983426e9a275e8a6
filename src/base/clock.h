/* The clock that samples, deadlines and pauses are taken from; a simulated one can stand in its place. */
#ifndef WS_BASE_CLOCK_H
#define WS_BASE_CLOCK_H

#include <stdint.h>

/* Times are nanoseconds from an arbitrary start and never run backwards. Both functions may be called by any thread. */
struct ws_clock {
	int64_t (*now_ns)(void *context);
	void (*sleep_until_ns)(void *context, int64_t time_ns); /* not before time_ns; at once if that has passed */
	void *context;
};

/* The system's monotonic clock. Sleeping goes on after a signal: who must stop early sleeps in short steps. */
const struct ws_clock *ws_clock_monotonic(void);

static inline int64_t ws_clock_now_ns(const struct ws_clock *clock)
{
	return clock->now_ns(clock->context);
}

static inline void ws_clock_sleep_until_ns(const struct ws_clock *clock, int64_t time_ns)
{
	clock->sleep_until_ns(clock->context, time_ns);
}

/*
 * The smallest step seen between two readings of the monotonic clock, at least 1: granularity or cost of one reading,
 * whichever is larger, hence the error of a time difference. Measures for at most 10 ms.
 */
int64_t ws_clock_resolution_ns(void);

#endif
