/* Teams of threads: order of work, gates, marks, joins, loops until stopped, cancelling, and threads that do not
 * return. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backend/host_team.h"
#include "base/clock.h"

#define SECOND_NS 1000000000

static int64_t now_ns(void)
{
	return ws_clock_now_ns(ws_clock_monotonic());
}

static int64_t soon_ns(void)
{
	return now_ns() + 20LL * SECOND_NS;
}

/* CPUs that this process may use, the list repeated until it has count entries. */
static struct ws_team *new_team(size_t count)
{
	struct ws_error error = {0};
	struct ws_team *team = NULL;
	unsigned cpus[64], found = 0;
	cpu_set_t set;

	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE && found < count; cpu++)
		if (CPU_ISSET(cpu, &set))
			cpus[found++] = cpu;
	for (size_t i = found; i < count; i++)
		cpus[i] = cpus[i - found];
	assert_int_equal(ws_team_new(cpus, count, &team, &error), WS_OK);
	assert_int_equal(ws_team_size(team), count);
	return team;
}

struct tally {
	_Atomic unsigned calls[8];
	_Atomic unsigned seen_cpu[8];
	_Atomic bool hang;
};

static void count_call(void *argument, const struct ws_team_member *member)
{
	struct tally *tally = argument;

	atomic_fetch_add(&tally->calls[member->index], 1);
	atomic_store(&tally->seen_cpu[member->index], (unsigned)sched_getcpu());
	while (atomic_load(&tally->hang))
		usleep(1000);
}

static void every_member_does_every_loop_on_its_cpu(void **state)
{
	struct ws_team *team = new_team(2);
	struct tally tally = {0}, more = {0};
	unsigned first_cpu;

	(void)state;
	for (unsigned run = 1; run <= 50; run++) {
		assert_int_equal(ws_team_loops(team, count_call, &tally, 3, NULL), WS_OK);
		assert_int_equal(ws_team_mark(team, 0, NULL), WS_OK);
		assert_int_equal(ws_team_loops(team, count_call, &more, 1, NULL), WS_OK);
		assert_int_equal(ws_team_mark(team, 1, NULL), WS_OK);
		assert_int_equal(ws_team_start(team, soon_ns(), NULL), WS_OK);
		assert_true(ws_team_wait(team, soon_ns()));
		assert_true(ws_team_first_ns(team, 0) <= ws_team_last_ns(team, 0));
		assert_true(ws_team_first_ns(team, 0) < ws_team_last_ns(team, 1));
		for (unsigned i = 0; i < 2; i++) {
			assert_int_equal(atomic_load(&tally.calls[i]), 3 * run);
			assert_int_equal(atomic_load(&more.calls[i]), run);
		}
		first_cpu = atomic_load(&tally.seen_cpu[0]);
		assert_int_equal(first_cpu, atomic_load(&more.seen_cpu[0]));
	}
	ws_team_free(team);
}

static void gate_holds_all_work_back(void **state)
{
	struct ws_team *team = new_team(3);
	struct tally tally = {0};
	_Atomic uint32_t gate = 7;
	int64_t released_ns;

	(void)state;
	assert_int_equal(ws_team_gate(team, &gate, NULL), WS_OK);
	assert_int_equal(ws_team_loops(team, count_call, &tally, 1, NULL), WS_OK);
	assert_int_equal(ws_team_mark(team, 0, NULL), WS_OK);
	assert_int_equal(ws_team_start(team, soon_ns(), NULL), WS_OK);
	/* Longer than members spin, so that some are asleep when the gate opens. */
	assert_false(ws_team_wait(team, now_ns() + 5 * WS_TEAM_SPIN_NS));
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(atomic_load(&tally.calls[i]), 0);
	released_ns = now_ns();
	atomic_fetch_add(&gate, 1);
	ws_team_wake(&gate);
	assert_true(ws_team_wait(team, soon_ns()));
	assert_true(ws_team_first_ns(team, 0) >= released_ns);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(atomic_load(&tally.calls[i]), 1);
	ws_team_free(team);
}

static void many_marks_rise(void **state)
{
	struct ws_team *team = new_team(2);
	struct tally tally = {0};
	enum { MARKS = 1500 };

	(void)state;
	for (unsigned mark = 0; mark < MARKS; mark++) {
		assert_int_equal(ws_team_mark(team, mark, NULL), WS_OK);
		assert_int_equal(ws_team_loops(team, count_call, &tally, 1, NULL), WS_OK);
	}
	assert_int_equal(ws_team_start(team, soon_ns(), NULL), WS_OK);
	assert_true(ws_team_wait(team, soon_ns()));
	for (unsigned mark = 1; mark < MARKS; mark++)
		assert_true(ws_team_last_ns(team, mark) >= ws_team_last_ns(team, mark - 1));
	assert_true(ws_team_first_ns(team, MARKS - 1) > 0);
	assert_int_equal(ws_team_first_ns(team, 1 << 20), 0);
	ws_team_free(team);
}

static void joined_team_starts_after_the_mark(void **state)
{
	struct ws_team *noise = new_team(1), *measured = new_team(1);
	struct tally noisy = {0}, tally = {0};
	_Atomic uint32_t gate = 0;

	(void)state;
	for (unsigned run = 0; run < 20; run++) {
		assert_int_equal(ws_team_gate(noise, &gate, NULL), WS_OK);
		assert_int_equal(ws_team_mark(noise, 0, NULL), WS_OK);
		assert_int_equal(ws_team_loops(noise, count_call, &noisy, WS_TEAM_UNTIL_STOPPED, NULL), WS_OK);
		assert_int_equal(ws_team_mark(noise, 1, NULL), WS_OK);
		assert_int_equal(ws_team_start(noise, soon_ns(), NULL), WS_OK);

		assert_int_equal(ws_team_join(measured, noise, 0, NULL), WS_OK);
		assert_int_equal(ws_team_mark(measured, 0, NULL), WS_OK);
		assert_int_equal(ws_team_loops(measured, count_call, &tally, 10, NULL), WS_OK);
		assert_int_equal(ws_team_mark(measured, 1, NULL), WS_OK);
		assert_int_equal(ws_team_start(measured, soon_ns(), NULL), WS_OK);
		assert_false(ws_team_wait(measured, now_ns() + 100000));
		atomic_fetch_add(&gate, 1);
		ws_team_wake(&gate);
		assert_true(ws_team_wait(measured, soon_ns()));
		assert_false(ws_team_wait(noise, 0));
		ws_team_stop(noise);
		assert_true(ws_team_wait(noise, soon_ns()));
		assert_true(ws_team_first_ns(measured, 0) >= ws_team_first_ns(noise, 0));
		assert_true(ws_team_last_ns(noise, 1) > ws_team_first_ns(measured, 0));
	}
	assert_int_equal(atomic_load(&tally.calls[0]), 200);
	assert_int_equal(ws_team_join(measured, noise, 5, NULL), WS_EUNSUPPORTED);
	ws_team_free(noise);
	ws_team_free(measured);
}

static void cancel_frees_from_gate_and_loops(void **state)
{
	struct ws_team *team = new_team(2);
	struct tally tally = {0};
	_Atomic uint32_t gate = 0;

	(void)state;
	assert_int_equal(ws_team_gate(team, &gate, NULL), WS_OK);
	assert_int_equal(ws_team_loops(team, count_call, &tally, 5, NULL), WS_OK);
	assert_int_equal(ws_team_start(team, soon_ns(), NULL), WS_OK);
	assert_int_equal(ws_team_cancel(team, soon_ns()), WS_OK);
	assert_int_equal(atomic_load(&tally.calls[0]), 0);

	assert_int_equal(ws_team_loops(team, count_call, &tally, UINT32_MAX - 1, NULL), WS_OK);
	assert_int_equal(ws_team_mark(team, 0, NULL), WS_OK);
	assert_int_equal(ws_team_start(team, soon_ns(), NULL), WS_OK);
	assert_false(ws_team_wait(team, now_ns() + 1000000));
	assert_int_equal(ws_team_cancel(team, soon_ns()), WS_OK);

	/* Orders that were never started are gone, and the team works as before. */
	assert_int_equal(ws_team_loops(team, count_call, &tally, 5, NULL), WS_OK);
	assert_int_equal(ws_team_cancel(team, soon_ns()), WS_OK);
	memset(&tally, 0, sizeof(tally));
	assert_int_equal(ws_team_run(team, count_call, &tally, soon_ns(), NULL), WS_OK);
	assert_int_equal(atomic_load(&tally.calls[0]), 1);
	assert_int_equal(atomic_load(&tally.calls[1]), 1);
	ws_team_free(team);
}

/* The tally is static because the threads outlive the test, as those of a lost team do. */
static void member_that_hangs_makes_the_team_lost(void **state)
{
	static struct tally tally;
	struct ws_team *team = new_team(2);
	int64_t start_ns = now_ns();

	(void)state;
	atomic_store(&tally.hang, true);
	assert_int_equal(ws_team_loops(team, count_call, &tally, 1, NULL), WS_OK);
	assert_int_equal(ws_team_start(team, soon_ns(), NULL), WS_OK);
	assert_false(ws_team_wait(team, now_ns() + 20000000));
	assert_int_equal(ws_team_cancel(team, now_ns() + 20000000), WS_ELOST);
	assert_int_equal(ws_team_cancel(team, soon_ns()), WS_ELOST);
	assert_true(now_ns() - start_ns < 10LL * SECOND_NS);
	ws_team_free(team);
	atomic_store(&tally.hang, false);
}

/* The owner must leave the CPUs to the team: waiting costs it next to no processor time. */
static void waiting_sleeps(void **state)
{
	struct ws_team *team = new_team(2);
	struct tally tally = {0};
	struct timespec before, after;

	(void)state;
	assert_int_equal(ws_team_loops(team, count_call, &tally, WS_TEAM_UNTIL_STOPPED, NULL), WS_OK);
	assert_int_equal(ws_team_start(team, soon_ns(), NULL), WS_OK);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
	assert_false(ws_team_wait(team, now_ns() + 100000000));
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
	assert_true((after.tv_sec - before.tv_sec) * SECOND_NS + after.tv_nsec - before.tv_nsec < 20000000);
	ws_team_stop(team);
	assert_true(ws_team_wait(team, soon_ns()));
	ws_team_free(team);
}

static void cpu_that_cannot_be_used_is_an_error(void **state)
{
	unsigned cpus[2] = {0, 5000};
	struct ws_error error = {0};
	struct ws_team *team = NULL;
	cpu_set_t set;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	for (cpus[0] = 0; !CPU_ISSET(cpus[0], &set); cpus[0]++)
		continue;
	assert_int_equal(ws_team_new(cpus, 2, &team, &error), WS_ESYSTEM);
	assert_null(team);
	assert_non_null(strstr(error.text, "thread 2 of 2, pinned to CPU 5000"));
	ws_team_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_member_does_every_loop_on_its_cpu),
		cmocka_unit_test(gate_holds_all_work_back),
		cmocka_unit_test(many_marks_rise),
		cmocka_unit_test(joined_team_starts_after_the_mark),
		cmocka_unit_test(cancel_frees_from_gate_and_loops),
		cmocka_unit_test(member_that_hangs_makes_the_team_lost),
		cmocka_unit_test(waiting_sleeps),
		cmocka_unit_test(cpu_that_cannot_be_used_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
