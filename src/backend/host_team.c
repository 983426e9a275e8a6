/* A team of pinned threads that work through a list of orders side by side; each stamps the clock itself. */
#include "backend/host_team.h"

#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

/* In rising order: a member that ends at STOP also ends at CANCEL. */
enum { CONTROL_RUN, CONTROL_STOP, CONTROL_CANCEL };

enum { STACK_BYTES = 256 << 10, JOIN_MARKS = 2 };

/* A sleeper looks at the control word this often, so that a wake-up that came too early is not missed for good. */
#define SLICE_NS 20000000
/* Time that a cancelled run gets to come back when it is ended by ws_team_run itself. */
#define GRACE_NS 2000000000

enum order_kind { ORDER_GATE, ORDER_LOOPS, ORDER_MARK, ORDER_JOIN };

struct order {
	enum order_kind kind;
	uint32_t value; /* of a gate or joined mark while closed; the loops */
	unsigned mark;
	const _Atomic uint32_t *word; /* of a gate or a joined mark */
	ws_team_work *work;
	void *argument;
};

struct worker {
	_Alignas(64) struct ws_team *team;
	unsigned index;
	pthread_t thread;
};

struct ws_team {
	struct worker *workers;
	unsigned count;
	struct order *orders;
	size_t order_count, order_capacity;
	int64_t *stamps; /* by mark, then by member */
	unsigned mark_count;
	bool quit, lost;
	/* Words that members and owner wait for, each on a line of its own. */
	_Alignas(64) _Atomic uint32_t generation; /* number of the run started last */
	_Alignas(64) _Atomic uint32_t finished;	  /* number of the run ended last */
	_Alignas(64) _Atomic uint32_t control;
	_Alignas(64) _Atomic uint32_t running;		     /* members still at it */
	_Alignas(64) _Atomic uint32_t ready;		     /* members that have come to the gate */
	_Alignas(64) _Atomic uint32_t arrived;		     /* members at the barrier */
	_Alignas(64) _Atomic uint32_t barrier;		     /* barriers passed */
	_Alignas(64) _Atomic uint32_t passed_by[JOIN_MARKS]; /* members past a mark in this run */
	_Atomic uint32_t passed[JOIN_MARKS];		     /* number of the last run that has passed it */
};

static int64_t now_ns(void)
{
	return ws_clock_now_ns(ws_clock_monotonic());
}

static void pause_cpu(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* Sleeps while *word == value, until a wake-up, a time of CLOCK_MONOTONIC (INT64_MAX = none), or for no reason. */
static void futex_wait(const _Atomic uint32_t *word, uint32_t value, int64_t until_ns)
{
	struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};

	syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, until_ns == INT64_MAX ? NULL : &until, NULL,
		FUTEX_BITSET_MATCH_ANY);
}

void ws_team_wake(const _Atomic uint32_t *gate)
{
	syscall(SYS_futex, gate, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Waits while *word == value; false if the run was cancelled meanwhile. */
static bool wait_for_word(const struct ws_team *team, const _Atomic uint32_t *word, uint32_t value)
{
	int64_t spin_until_ns = 0;

	for (unsigned turn = 0; atomic_load_explicit(word, memory_order_acquire) == value; turn++) {
		if (atomic_load_explicit(&team->control, memory_order_relaxed) == CONTROL_CANCEL)
			return false;
		pause_cpu();
		if (turn % 64 == 0) {
			int64_t time_ns = now_ns();

			if (!spin_until_ns)
				spin_until_ns = time_ns + WS_TEAM_SPIN_NS;
			else if (time_ns > spin_until_ns)
				futex_wait(word, value, time_ns + SLICE_NS);
		}
	}
	return true;
}

static bool pass_barrier(struct ws_team *team)
{
	uint32_t turn = atomic_load_explicit(&team->barrier, memory_order_acquire);

	if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1 < team->count)
		return wait_for_word(team, &team->barrier, turn);
	atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
	atomic_store_explicit(&team->barrier, turn + 1, memory_order_release);
	ws_team_wake(&team->barrier);
	return true;
}

static bool pass_gate(struct ws_team *team, const struct order *order)
{
	if (atomic_fetch_add_explicit(&team->ready, 1, memory_order_acq_rel) + 1 == team->count)
		ws_team_wake(&team->ready);
	return wait_for_word(team, order->word, order->value);
}

static bool pass_mark(struct ws_team *team, unsigned member, unsigned mark)
{
	if (mark == 0 && !pass_barrier(team))
		return false;
	team->stamps[(size_t)mark * team->count + member] = now_ns();
	if (mark < JOIN_MARKS &&
	    atomic_fetch_add_explicit(&team->passed_by[mark], 1, memory_order_acq_rel) + 1 == team->count) {
		uint32_t run = atomic_load_explicit(&team->generation, memory_order_relaxed);

		atomic_store_explicit(&team->passed[mark], run, memory_order_release);
		ws_team_wake(&team->passed[mark]);
	}
	return true;
}

static bool do_loops(struct ws_team *team, const struct order *order, struct ws_team_member *member)
{
	const bool endless = order->value == WS_TEAM_UNTIL_STOPPED;

	member->end_at = CONTROL_CANCEL;
	for (uint32_t i = 0; (endless || i < order->value) && !ws_team_ended(member); i++) {
		order->work(order->argument, member);
		/* The first loop is always a whole one: its data can be checked. */
		if (endless)
			member->end_at = CONTROL_STOP;
	}
	return atomic_load_explicit(&team->control, memory_order_relaxed) != CONTROL_CANCEL;
}

static void carry_out(struct ws_team *team, struct ws_team_member *member)
{
	bool going = true;

	for (size_t i = 0; going && i < team->order_count; i++) {
		const struct order *order = &team->orders[i];

		switch (order->kind) {
		case ORDER_GATE:
			going = pass_gate(team, order);
			break;
		case ORDER_LOOPS:
			going = do_loops(team, order, member);
			break;
		case ORDER_MARK:
			going = pass_mark(team, member->index, order->mark);
			break;
		case ORDER_JOIN:
			going = wait_for_word(team, order->word, order->value);
			break;
		}
	}
}

static void *run_member(void *argument)
{
	const struct worker *worker = argument;
	struct ws_team *team = worker->team;
	struct ws_team_member member = {.index = worker->index, .control = &team->control};
	uint32_t run = 0, next;

	for (;;) {
		while ((next = atomic_load_explicit(&team->generation, memory_order_acquire)) == run)
			futex_wait(&team->generation, run, INT64_MAX);
		run = next;
		if (team->quit)
			return NULL;
		member.count = team->count;
		carry_out(team, &member);
		if (atomic_fetch_sub_explicit(&team->running, 1, memory_order_acq_rel) == 1) {
			atomic_store_explicit(&team->finished, run, memory_order_release);
			ws_team_wake(&team->finished);
		}
	}
}

static bool is_idle(const struct ws_team *team)
{
	return atomic_load_explicit(&team->finished, memory_order_acquire) ==
	       atomic_load_explicit(&team->generation, memory_order_relaxed);
}

/* Threads inherit the caller's signal mask: a signal is for the thread that measures, not for a member. */
static int start_threads(struct ws_team *team, const unsigned *cpus, struct ws_error *error)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	unsigned started;
	int rc = 0;

	if (pthread_attr_init(&attributes) != 0)
		return ws_fail(error, WS_ENOMEM, "no memory for a thread's attributes");
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	for (started = 0; started < team->count; started++) {
		struct worker *worker = &team->workers[started];
		const unsigned cpu = cpus[started];
		const size_t size = CPU_ALLOC_SIZE(cpu + 1);
		cpu_set_t *set = CPU_ALLOC(cpu + 1);

		if (!set) {
			rc = ws_fail(error, WS_ENOMEM, "no memory for a CPU set");
			break;
		}
		CPU_ZERO_S(size, set);
		CPU_SET_S(cpu, size, set);
		*worker = (struct worker){.team = team, .index = started};
		rc = pthread_attr_setaffinity_np(&attributes, size, set);
		if (rc == 0)
			rc = pthread_create(&worker->thread, &attributes, run_member, worker);
		CPU_FREE(set);
		if (rc != 0) {
			rc = ws_fail(error, WS_ESYSTEM, "starting thread %u of %u, pinned to CPU %u: %s", started + 1,
				     team->count, cpu, strerror(rc));
			break;
		}
	}
	team->count = started;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return rc;
}

int ws_team_new(const unsigned *cpus, size_t count, struct ws_team **out, struct ws_error *error)
{
	struct ws_team *team = aligned_alloc(_Alignof(struct ws_team), sizeof(*team));
	int rc;

	assert(count > 0 && count < UINT_MAX);
	if (!team)
		return ws_fail(error, WS_ENOMEM, "no memory for a team of %zu threads", count);
	memset(team, 0, sizeof(*team));
	team->count = (unsigned)count;
	team->workers = aligned_alloc(_Alignof(struct worker), count * sizeof(*team->workers));
	if (!team->workers) {
		free(team);
		return ws_fail(error, WS_ENOMEM, "no memory for a team of %zu threads", count);
	}
	rc = start_threads(team, cpus, error);
	if (rc != WS_OK) {
		ws_team_free(team);
		return rc;
	}
	*out = team;
	return WS_OK;
}

void ws_team_free(struct ws_team *team)
{
	if (!team || team->lost)
		return;
	assert(is_idle(team));
	team->quit = true;
	atomic_fetch_add_explicit(&team->generation, 1, memory_order_release);
	ws_team_wake(&team->generation);
	for (unsigned i = 0; i < team->count; i++)
		pthread_join(team->workers[i].thread, NULL);
	free(team->workers);
	free(team->orders);
	free(team->stamps);
	free(team);
}

size_t ws_team_size(const struct ws_team *team)
{
	return team->count;
}

static int add_order(struct ws_team *team, struct order order, struct ws_error *error)
{
	if (team->lost)
		return ws_fail(error, WS_ELOST, "a thread on these CPUs does not answer any more");
	assert(is_idle(team));
	if (team->order_count == team->order_capacity) {
		size_t capacity = team->order_capacity ? 2 * team->order_capacity : 16;
		struct order *orders = realloc(team->orders, capacity * sizeof(*orders));

		if (!orders)
			return ws_fail(error, WS_ENOMEM, "no memory for %zu orders", capacity);
		team->orders = orders;
		team->order_capacity = capacity;
	}
	team->orders[team->order_count++] = order;
	return WS_OK;
}

int ws_team_gate(struct ws_team *team, const _Atomic uint32_t *gate, struct ws_error *error)
{
	uint32_t closed = atomic_load_explicit(gate, memory_order_relaxed);

	return add_order(team, (struct order){.kind = ORDER_GATE, .word = gate, .value = closed}, error);
}

int ws_team_loops(struct ws_team *team, ws_team_work *work, void *argument, uint32_t loops, struct ws_error *error)
{
	struct order order = {.kind = ORDER_LOOPS, .value = loops, .work = work, .argument = argument};

	return add_order(team, order, error);
}

int ws_team_mark(struct ws_team *team, unsigned mark, struct ws_error *error)
{
	if (mark >= team->mark_count) {
		unsigned count = mark < 2 ? 2 : mark < 1024 ? 1024 : 2 * mark;
		int64_t *stamps = realloc(team->stamps, (size_t)count * team->count * sizeof(*stamps));

		if (!stamps)
			return ws_fail(error, WS_ENOMEM, "no memory for %u time stamps of %u threads", count,
				       team->count);
		memset(stamps + (size_t)team->mark_count * team->count, 0,
		       (size_t)(count - team->mark_count) * team->count * sizeof(*stamps));
		team->stamps = stamps;
		team->mark_count = count;
	}
	return add_order(team, (struct order){.kind = ORDER_MARK, .mark = mark}, error);
}

int ws_team_join(struct ws_team *team, struct ws_team *other, unsigned mark, struct ws_error *error)
{
	struct order order = {.kind = ORDER_JOIN};

	if (mark >= JOIN_MARKS)
		return ws_fail(error, WS_EUNSUPPORTED, "threads can wait for marks 0 and 1 of others, not for %u",
			       mark);
	order.word = &other->passed[mark];
	order.value = atomic_load_explicit(order.word, memory_order_acquire);
	/* A mark that the run under way has passed already is not waited for. */
	if (!is_idle(other) && order.value == atomic_load_explicit(&other->generation, memory_order_relaxed))
		return WS_OK;
	return add_order(team, order, error);
}

int ws_team_start(struct ws_team *team, int64_t deadline_ns, struct ws_error *error)
{
	bool gated = team->order_count > 0 && team->orders[0].kind == ORDER_GATE;
	uint32_t ready;

	assert(is_idle(team) && !team->lost);
	atomic_store_explicit(&team->control, CONTROL_RUN, memory_order_relaxed);
	atomic_store_explicit(&team->running, team->count, memory_order_relaxed);
	atomic_store_explicit(&team->ready, 0, memory_order_relaxed);
	atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
	for (unsigned i = 0; i < JOIN_MARKS; i++)
		atomic_store_explicit(&team->passed_by[i], 0, memory_order_relaxed);
	if (team->stamps)
		memset(team->stamps, 0, (size_t)team->mark_count * team->count * sizeof(*team->stamps));
	atomic_fetch_add_explicit(&team->generation, 1, memory_order_release);
	ws_team_wake(&team->generation);
	while (gated && (ready = atomic_load_explicit(&team->ready, memory_order_acquire)) < team->count) {
		if (now_ns() >= deadline_ns)
			return ws_fail(error, WS_ETIMEOUT, "only %u of %u threads came to the gate in time", ready,
				       team->count);
		futex_wait(&team->ready, ready, deadline_ns);
	}
	return WS_OK;
}

bool ws_team_wait(struct ws_team *team, int64_t until_ns)
{
	while (!is_idle(team)) {
		uint32_t finished = atomic_load_explicit(&team->finished, memory_order_acquire);

		if (is_idle(team))
			break;
		if (until_ns <= 0 || now_ns() >= until_ns)
			return false;
		futex_wait(&team->finished, finished, until_ns);
	}
	team->order_count = 0;
	return true;
}

void ws_team_stop(struct ws_team *team)
{
	uint32_t expected = CONTROL_RUN;

	atomic_compare_exchange_strong(&team->control, &expected, CONTROL_STOP);
}

int ws_team_cancel(struct ws_team *team, int64_t deadline_ns)
{
	if (team->lost)
		return WS_ELOST;
	if (!is_idle(team)) {
		atomic_store_explicit(&team->control, CONTROL_CANCEL, memory_order_relaxed);
		for (size_t i = 0; i < team->order_count; i++)
			if (team->orders[i].word)
				ws_team_wake(team->orders[i].word);
		ws_team_wake(&team->barrier);
		if (!ws_team_wait(team, deadline_ns)) {
			team->lost = true;
			return WS_ELOST;
		}
	}
	team->order_count = 0;
	return WS_OK;
}

/* The earliest or the latest stamp of a mark. */
static int64_t outer_stamp(const struct ws_team *team, unsigned mark, bool latest)
{
	const int64_t *stamps;
	int64_t found_ns;

	if (mark >= team->mark_count)
		return 0;
	stamps = team->stamps + (size_t)mark * team->count;
	found_ns = stamps[0];
	for (unsigned i = 1; i < team->count; i++)
		if (latest ? stamps[i] > found_ns : stamps[i] < found_ns)
			found_ns = stamps[i];
	return found_ns;
}

int64_t ws_team_first_ns(const struct ws_team *team, unsigned mark)
{
	return outer_stamp(team, mark, false);
}

int64_t ws_team_last_ns(const struct ws_team *team, unsigned mark)
{
	return outer_stamp(team, mark, true);
}

int ws_team_run(struct ws_team *team, ws_team_work *work, void *argument, int64_t deadline_ns, struct ws_error *error)
{
	int rc = ws_team_loops(team, work, argument, 1, error);

	if (rc == WS_OK)
		rc = ws_team_start(team, deadline_ns, error);
	if (rc != WS_OK || ws_team_wait(team, deadline_ns))
		return rc;
	if (ws_team_cancel(team, now_ns() + GRACE_NS) == WS_ELOST)
		return ws_fail(error, WS_ELOST, "threads that fill or check memory do not come back");
	return ws_fail(error, WS_ETIMEOUT, "filling or checking memory did not end in time");
}
