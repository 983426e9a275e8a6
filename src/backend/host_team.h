/* A team of pinned threads that work through a list of orders side by side; each stamps the clock itself. */
#ifndef WS_BACKEND_HOST_TEAM_H
#define WS_BACKEND_HOST_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The owner's thread appends orders to an idle team, starts it, and waits for its end. From start to end every member
 * carries out all orders, in their order. Idle members sleep. Members that wait for each other or for a gate spin for
 * WS_TEAM_SPIN_NS, then sleep as well. No member allocates, prints or takes a lock.
 */
struct ws_team;

#define WS_TEAM_SPIN_NS 1000000
#define WS_TEAM_UNTIL_STOPPED UINT32_MAX

/* What a work function knows of the thread that calls it. */
struct ws_team_member {
	unsigned index, count;
	const _Atomic uint32_t *control; /* for ws_team_ended */
	uint32_t end_at;
};

/* One loop, as far as it is this member's. Takes a look at ws_team_ended every few milliseconds. */
typedef void ws_team_work(void *argument, const struct ws_team_member *member);

/* The rest of this loop is not wanted any more. */
static inline bool ws_team_ended(const struct ws_team_member *member)
{
	return atomic_load_explicit(member->control, memory_order_relaxed) >= member->end_at;
}

/* One thread per CPU of the list, which may name a CPU twice. WS_ESYSTEM if one cannot be started or pinned. */
int ws_team_new(const unsigned *cpus, size_t count, struct ws_team **out, struct ws_error *error);

/* Of an idle team. A team that was lost keeps its memory, which its threads may still touch. */
void ws_team_free(struct ws_team *team);

size_t ws_team_size(const struct ws_team *team);

/* What follows waits while *gate holds the value that it has now; whoever changes it calls ws_team_wake. */
int ws_team_gate(struct ws_team *team, const _Atomic uint32_t *gate, struct ws_error *error);
void ws_team_wake(const _Atomic uint32_t *gate);

/* loops calls of work; WS_TEAM_UNTIL_STOPPED: until ws_team_stop, but at least one. argument outlives the run. */
int ws_team_loops(struct ws_team *team, ws_team_work *work, void *argument, uint32_t loops, struct ws_error *error);

/* Every member notes the time. At mark 0 all wait for the last one first, so that they go on together. */
int ws_team_mark(struct ws_team *team, unsigned mark, struct ws_error *error);

/* What follows waits until the last member of another team has passed mark 0 or 1 in its run under way. */
int ws_team_join(struct ws_team *team, struct ws_team *other, unsigned mark, struct ws_error *error);

/*
 * Starts the run. If its first order is a gate, returns when all members stand there, or WS_ETIMEOUT at the deadline
 * (then cancel).
 */
int ws_team_start(struct ws_team *team, int64_t deadline_ns, struct ws_error *error);

/* Sleeps until the run has ended, at most until a time of CLOCK_MONOTONIC (0 = only looks). True if it has. */
bool ws_team_wait(struct ws_team *team, int64_t until_ns);

/* Ends loops that run until stopped. */
void ws_team_stop(struct ws_team *team);

/*
 * Forgets orders not started and ends a run under way. WS_ELOST: a member did not come back before the deadline; the
 * team and all its work touches must stay as they are.
 */
int ws_team_cancel(struct ws_team *team, int64_t deadline_ns);

/* After the run: when the first member passed the mark, or the last one. 0 for a mark that was not ordered. */
int64_t ws_team_first_ns(const struct ws_team *team, unsigned mark);
int64_t ws_team_last_ns(const struct ws_team *team, unsigned mark);

/* One loop of work, started and waited for. At the deadline it is cancelled: WS_ETIMEOUT, or WS_ELOST. */
int ws_team_run(struct ws_team *team, ws_team_work *work, void *argument, int64_t deadline_ns, struct ws_error *error);

#endif
