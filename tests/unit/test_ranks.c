/* Ranks as threads and as processes: messages arrive, and one that dies, stops or hangs is named and left behind. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "ranks/launch.h"
#include "ranks/self.h"
#include "ranks/thread.h"

#define SHORT_NS 200000000
#define LONG_NS 20000000000

static int64_t in_ns(int64_t time_ns)
{
	return ws_clock_now_ns(ws_clock_monotonic()) + time_ns;
}

static void say(struct ws_ranks *ranks, int to, const char *text)
{
	struct ws_error error = {0};

	if (ranks->ops->send(ranks, to, text, strlen(text), in_ns(LONG_NS), &error) != WS_OK)
		fail_msg("%s", error.text);
}

/* What the others do: answer each message as it asks, until rank 0 is gone. */
static void obey(struct ws_ranks *ranks, void *context)
{
	char answer[400], *message;
	size_t size;

	while (ranks->ops->receive(ranks, 0, INT64_MAX, &message, &size, NULL) == WS_OK) {
		snprintf(answer, sizeof(answer), "%d/%d:%.300s", ranks->rank, ranks->size, message);
		if (strcmp(message, "crash") == 0)
			raise(SIGSEGV);
		if (strcmp(message, "leave") == 0)
			_exit(7);
		if (strcmp(message, "return") == 0) {
			free(message);
			return;
		}
		if (strcmp(message, "hang") == 0)
			for (;;)
				pause();
		if (strcmp(message, "stop") == 0)
			raise(SIGSTOP);
		if (strcmp(message, "context") == 0)
			snprintf(answer, sizeof(answer), "%s", (const char *)context);
		if (strcmp(message, "print") == 0)
			printf("this must be seen by nobody\n");
		if (strcmp(message, "stdin") == 0)
			snprintf(answer, sizeof(answer), "%d", getchar());
		ranks->ops->send(ranks, 0, answer, strlen(answer), in_ns(LONG_NS), NULL);
		free(message);
	}
}

static void expect(struct ws_ranks *ranks, int from, const char *text)
{
	struct ws_error error = {0};
	char *message = NULL;
	size_t size = 0;

	if (ranks->ops->receive(ranks, from, in_ns(LONG_NS), &message, &size, &error) != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(size, strlen(text));
	assert_string_equal(message, text);
	free(message);
}

typedef int start(int, ws_ranks_follower *, void *, struct ws_ranks **, struct ws_error *);

static struct ws_ranks *start_all(start *starter, int size)
{
	struct ws_ranks *ranks = NULL;
	struct ws_error error = {0};

	if (starter(size, obey, (void *)(uintptr_t)"shared", &ranks, &error) != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(ranks->rank, 0);
	assert_int_equal(ranks->size, size);
	return ranks;
}

static void exchange(start *starter)
{
	struct ws_ranks *ranks = start_all(starter, 4);
	struct ws_error error = {0};
	char *message = (char *)1, *large = malloc(1 << 20);
	size_t size;

	for (int i = 1; i < 4; i++)
		say(ranks, i, "a");
	expect(ranks, 3, "3/4:a");
	expect(ranks, 1, "1/4:a");
	expect(ranks, 2, "2/4:a");
	say(ranks, 2, "context");
	expect(ranks, 2, "shared");
	assert_int_equal(ranks->ops->receive(ranks, 1, 0, &message, &size, &error), WS_OK);
	assert_null(message);
	assert_int_equal(ranks->ops->receive(ranks, 1, in_ns(1000000), &message, &size, &error), WS_ETIMEOUT);
	memset(large, 'x', 1 << 20);
	assert_int_equal(ranks->ops->send(ranks, 3, large, 1 << 20, in_ns(LONG_NS), NULL), WS_OK);
	large[300] = '\0';
	assert_int_equal(ranks->ops->receive(ranks, 3, in_ns(LONG_NS), &message, &size, NULL), WS_OK);
	assert_int_equal(size, 304);
	assert_string_equal(message + 4, large);
	free(message);
	free(large);
	assert_int_equal(ranks->ops->send(ranks, 0, "x", 1, in_ns(LONG_NS), NULL), WS_EINVAL);
	assert_int_equal(ranks->ops->send(ranks, 4, "x", 1, in_ns(LONG_NS), NULL), WS_EINVAL);
	assert_int_equal(ranks->ops->receive(ranks, -1, 0, &message, &size, NULL), WS_EINVAL);
	ranks->ops->close(ranks, in_ns(LONG_NS));
}

static void test_exchange_threads(void **state)
{
	(void)state;
	exchange(ws_ranks_thread);
}

static void test_exchange_processes(void **state)
{
	(void)state;
	exchange(ws_ranks_launch);
}

static void test_thread_that_leaves(void **state)
{
	struct ws_ranks *ranks = start_all(ws_ranks_thread, 3);
	struct ws_error error = {0};
	char *message = NULL;
	size_t size;

	(void)state;
	say(ranks, 2, "return");
	assert_int_equal(ranks->ops->receive(ranks, 2, in_ns(LONG_NS), &message, &size, &error), WS_ELOST);
	assert_string_equal(error.text, "rank 2 has closed its connection");
	say(ranks, 1, "a");
	expect(ranks, 1, "1/3:a");
	ranks->ops->close(ranks, in_ns(LONG_NS));
}

static pid_t process_of(struct ws_ranks *ranks, int rank)
{
	char text[100];
	int number = 0, process = 0;

	ranks->ops->describe(ranks, rank, text, sizeof(text));
	assert_int_equal(sscanf(text, "rank %d (process %d)", &number, &process), 2);
	assert_int_equal(number, rank);
	return (pid_t)process;
}

/* Rank 1 of 3 gets a message that it does not survive; what is said of it is returned in text. */
static void end_by(const char *order, int wanted, char *text, size_t text_size)
{
	struct ws_ranks *ranks = start_all(ws_ranks_launch, 3);
	const pid_t process = process_of(ranks, 1);
	struct ws_error error = {0}, again = {0};
	char *message = NULL;
	size_t size;

	say(ranks, 1, order);
	assert_int_equal(ranks->ops->receive(ranks, 1, in_ns(wanted == WS_ELOST ? LONG_NS : SHORT_NS), &message, &size,
					     &error), wanted);
	snprintf(text, text_size, "rank 1 (process %d) ", (int)process);
	assert_memory_equal(error.text, text, strlen(text));
	snprintf(text, text_size, "%s", error.text + strlen(text));
	if (wanted == WS_ELOST) {
		/* Said again, whoever asks. */
		assert_int_equal(ranks->ops->send(ranks, 1, "a", 1, in_ns(LONG_NS), &again), WS_ELOST);
		assert_string_equal(again.text, error.text);
	}
	say(ranks, 2, "a");
	expect(ranks, 2, "2/3:a");
	ranks->ops->close(ranks, in_ns(SHORT_NS));
	assert_int_equal(kill(process, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void test_process_that_ends(void **state)
{
	char text[400];

	(void)state;
	signal(SIGSEGV, SIG_DFL);
	end_by("crash", WS_ELOST, text, sizeof(text));
	assert_string_equal(text, "was killed by signal 11 (Segmentation fault)");
	end_by("leave", WS_ELOST, text, sizeof(text));
	assert_string_equal(text, "has ended with code 7");
	end_by("hang", WS_ETIMEOUT, text, sizeof(text));
	assert_string_equal(text, "does not answer");
	end_by("stop", WS_ETIMEOUT, text, sizeof(text));
	assert_string_equal(text, "does not answer: it is stopped");
}

static void test_process_killed_before_it_is_asked(void **state)
{
	struct ws_ranks *ranks = start_all(ws_ranks_launch, 2);
	struct ws_error error = {0};
	char *message = NULL;
	size_t size;
	int rc;

	(void)state;
	kill(process_of(ranks, 1), SIGKILL);
	rc = ranks->ops->send(ranks, 1, "a", 1, in_ns(LONG_NS), &error);
	if (rc == WS_OK)
		rc = ranks->ops->receive(ranks, 1, in_ns(LONG_NS), &message, &size, &error);
	assert_int_equal(rc, WS_ELOST);
	assert_non_null(strstr(error.text, "was killed by signal 9 (Killed)"));
	ranks->ops->close(ranks, in_ns(LONG_NS));
}

static void test_processes_survive_the_terminal(void **state)
{
	struct ws_ranks *ranks = start_all(ws_ranks_launch, 2);
	const pid_t process = process_of(ranks, 1);

	(void)state;
	kill(process, SIGINT);
	kill(process, SIGTERM);
	say(ranks, 1, "a");
	expect(ranks, 1, "1/2:a");
	ranks->ops->close(ranks, in_ns(LONG_NS));
}

static void test_process_has_no_standard_streams(void **state)
{
	int kept = dup(STDOUT_FILENO), outlet[2];
	struct ws_ranks *ranks;
	char text[100];

	(void)state;
	fflush(stdout);
	assert_int_equal(pipe(outlet), 0);
	dup2(outlet[1], STDOUT_FILENO);
	close(outlet[1]);
	printf("once\n");
	ranks = start_all(ws_ranks_launch, 2);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	say(ranks, 1, "print");
	expect(ranks, 1, "1/2:print");
	say(ranks, 1, "stdin");
	expect(ranks, 1, "-1");
	/* Nor does the child hold the pipe open: its reader sees the end while the child still lives. */
	assert_int_equal(read(outlet[0], text, sizeof(text)), 5);
	assert_memory_equal(text, "once\n", 5);
	assert_int_equal(read(outlet[0], text, sizeof(text)), 0);
	close(outlet[0]);
	ranks->ops->close(ranks, in_ns(LONG_NS));
}

static int sockets_of(pid_t process)
{
	char path[300], target[100];
	struct dirent *entry;
	int count = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)process);
	folder = opendir(path);
	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		ssize_t length;

		snprintf(path, sizeof(path), "/proc/%d/fd/%.20s", (int)process, entry->d_name);
		length = readlink(path, target, sizeof(target));
		count += length > 7 && memcmp(target, "socket:", 7) == 0;
	}
	closedir(folder);
	return count;
}

static void test_process_knows_its_own_connection_only(void **state)
{
	const int before = sockets_of(getpid());
	struct ws_ranks *ranks = start_all(ws_ranks_launch, 4);

	(void)state;
	assert_int_equal(sockets_of(getpid()), before + 3);
	for (int i = 1; i < 4; i++)
		assert_int_equal(sockets_of(process_of(ranks, i)), before + 1);
	ranks->ops->close(ranks, in_ns(LONG_NS));
	assert_int_equal(sockets_of(getpid()), before);
}

/* Starts ranks in a process that is then killed: their processes end with it, also one that is stopped. */
static void test_processes_end_with_rank_0(void **state)
{
	pid_t parent, children[2] = {0};
	int outlet[2];

	(void)state;
	assert_int_equal(pipe(outlet), 0);
	parent = fork();
	assert_true(parent >= 0);
	if (parent == 0) {
		struct ws_ranks *ranks = NULL;

		if (ws_ranks_launch(3, obey, NULL, &ranks, NULL) != WS_OK)
			_exit(1);
		for (int i = 1; i < 3; i++)
			children[i - 1] = process_of(ranks, i);
		kill(children[1], SIGSTOP);
		if (write(outlet[1], children, sizeof(children)) != (ssize_t)sizeof(children))
			_exit(1);
		for (;;)
			pause();
	}
	close(outlet[1]);
	assert_int_equal(read(outlet[0], children, sizeof(children)), (ssize_t)sizeof(children));
	kill(parent, SIGKILL);
	waitpid(parent, NULL, 0);
	for (int i = 0; i < 2; i++) {
		const int64_t until_ns = in_ns(LONG_NS);
		char path[60], text[300] = "";
		FILE *file;

		/* Gone, or left as a zombie where nobody collects orphans. */
		snprintf(path, sizeof(path), "/proc/%d/stat", (int)children[i]);
		while ((file = fopen(path, "r")) != NULL) {
			const char *end = fgets(text, sizeof(text), file) ? strrchr(text, ')') : NULL;
			const bool zombie = !end || end[2] == 'Z' || end[2] == 'X';

			fclose(file);
			if (zombie)
				break;
			assert_true(ws_clock_now_ns(ws_clock_monotonic()) < until_ns);
			ws_clock_sleep_until_ns(ws_clock_monotonic(), in_ns(1000000));
		}
	}
	close(outlet[0]);
}

static void test_self(void **state)
{
	struct ws_ranks ranks = ws_ranks_self();
	struct ws_error error = {0};
	char *message = NULL, text[40];
	size_t size;

	(void)state;
	assert_int_equal(ranks.size, 1);
	assert_int_equal(ranks.ops->send(&ranks, 1, "x", 1, in_ns(LONG_NS), &error), WS_EINVAL);
	assert_string_equal(error.text, "rank 0 of 1 has no connection to rank 1");
	assert_int_equal(ranks.ops->receive(&ranks, 0, 0, &message, &size, NULL), WS_EINVAL);
	ranks.ops->describe(&ranks, 0, text, sizeof(text));
	assert_string_equal(text, "rank 0");
	ranks.ops->close(&ranks, 0);
}

static void test_many_processes(void **state)
{
	struct ws_ranks *ranks = start_all(ws_ranks_launch, 48);

	(void)state;
	for (int i = 1; i < 48; i++)
		say(ranks, i, "a");
	for (int i = 1; i < 48; i++) {
		char text[20];

		snprintf(text, sizeof(text), "%d/48:a", i);
		expect(ranks, i, text);
	}
	ranks->ops->close(ranks, in_ns(LONG_NS));
}

int main(void)
{
	/* Processes first: none may be started once there are threads. */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_self),
		cmocka_unit_test(test_exchange_processes),
		cmocka_unit_test(test_many_processes),
		cmocka_unit_test(test_process_that_ends),
		cmocka_unit_test(test_process_killed_before_it_is_asked),
		cmocka_unit_test(test_processes_survive_the_terminal),
		cmocka_unit_test(test_process_has_no_standard_streams),
		cmocka_unit_test(test_process_knows_its_own_connection_only),
		cmocka_unit_test(test_processes_end_with_rank_0),
		cmocka_unit_test(test_exchange_threads),
		cmocka_unit_test(test_thread_that_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
