/* Ranks as threads of one process. */
#include "ranks/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "ranks/star.h"

#define GREETING_NS 10000000000

struct member {
	pthread_t thread;
	bool started;
	struct ws_star *star; /* the thread's own */
	ws_ranks_follower *follower;
	void *context;
};

static void thread_describe(const struct ws_ranks *ranks, int rank, char *text, size_t size)
{
	(void)ranks;
	snprintf(text, size, "rank %d", rank);
}

/* pthread_timedjoin_np takes the time of day. */
static struct timespec time_of_day(int64_t deadline_ns)
{
	const int64_t left_ns = deadline_ns - ws_clock_now_ns(ws_clock_monotonic());
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	if (left_ns > 0) {
		at.tv_sec += left_ns / 1000000000;
		at.tv_nsec += left_ns % 1000000000;
		at.tv_sec += at.tv_nsec / 1000000000;
		at.tv_nsec %= 1000000000;
	}
	return at;
}

static void thread_end(struct ws_ranks *ranks, int64_t deadline_ns)
{
	struct ws_star *star = ranks->state;
	struct member *members = star->members;
	const struct timespec at = time_of_day(deadline_ns);
	bool all = true;

	for (int i = 1; i < ranks->size; i++) {
		if (!members[i].started)
			continue;
		if (pthread_timedjoin_np(members[i].thread, NULL, &at) != 0) {
			pthread_detach(members[i].thread);
			all = false;
		}
	}
	/* One that still runs may still look at its own. */
	if (all)
		free(members);
}

static const struct ws_star_kind kind = {.describe = thread_describe, .end = thread_end};

static void *run_member(void *argument)
{
	struct member *member = argument;
	const int64_t until_ns = ws_clock_now_ns(ws_clock_monotonic()) + GREETING_NS;

	if (ws_star_greet(member->star, until_ns, NULL) == WS_OK)
		member->follower(&member->star->ranks, member->context);
	ws_star_free(member->star);
	return NULL;
}

static int start_member(struct ws_star *star, int rank, struct member *member, struct ws_error *error)
{
	int pair[2], rc;

	rc = ws_star_new(rank, star->ranks.size, &kind, &member->star, error);
	if (rc != WS_OK)
		return rc;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
		rc = ws_fail(error, WS_ESYSTEM, "socketpair for rank %d: %s", rank, strerror(errno));
		goto out;
	}
	rc = ws_star_connect(member->star, 0, pair[1], error);
	if (rc != WS_OK) {
		close(pair[0]);
		goto out;
	}
	rc = ws_star_connect(star, rank, pair[0], error);
	if (rc == WS_OK) {
		rc = pthread_create(&member->thread, NULL, run_member, member);
		rc = rc ? ws_fail(error, WS_ESYSTEM, "pthread_create for rank %d: %s", rank, strerror(rc)) : WS_OK;
		member->started = rc == WS_OK;
	}
out:
	if (rc != WS_OK)
		ws_star_free(member->star);
	return rc;
}

int ws_ranks_thread(int size, ws_ranks_follower *follower, void *context, struct ws_ranks **out,
		    struct ws_error *error)
{
	const int64_t until_ns = ws_clock_now_ns(ws_clock_monotonic()) + GREETING_NS;
	struct ws_star *star = NULL;
	struct member *members;
	int rc = ws_star_new(0, size, &kind, &star, error);

	if (rc != WS_OK)
		return rc;
	members = calloc((size_t)size, sizeof(*members));
	if (!members) {
		ws_star_free(star);
		return ws_fail(error, WS_ENOMEM, "no memory for %d ranks", size);
	}
	star->members = members;
	for (int i = 1; i < size && rc == WS_OK; i++) {
		members[i].follower = follower;
		members[i].context = context;
		rc = start_member(star, i, &members[i], error);
	}
	if (rc == WS_OK)
		rc = ws_star_greet(star, until_ns, error);
	if (rc != WS_OK)
		star->ranks.ops->close(&star->ranks, until_ns);
	else
		*out = &star->ranks;
	return rc;
}
