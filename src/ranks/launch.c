/* Ranks as processes of this machine. */
#include "ranks/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "ranks/star.h"

#define GREETING_NS 30000000000
#define LOOK_NS 1000000            /* how often the end of a process is looked for */
#define DEATH_NS 1000000000        /* a process that has closed its connection is gone soon after */
#define OTHER_FILES 64             /* besides the connections */

struct child {
	pid_t process; /* 0 = none */
	bool ended;
	int status; /* of waitpid, once ended */
};

static int64_t now(void)
{
	return ws_clock_now_ns(ws_clock_monotonic());
}

static struct child *child_of(const struct ws_ranks *ranks, int rank)
{
	const struct ws_star *star = ranks->state;
	struct child *children = star->members;

	return children && rank > 0 ? &children[rank] : NULL;
}

static void launch_describe(const struct ws_ranks *ranks, int rank, char *text, size_t size)
{
	const struct child *child = child_of(ranks, rank);

	if (child && child->process)
		snprintf(text, size, "rank %d (process %d)", rank, (int)child->process);
	else
		snprintf(text, size, "rank %d", rank);
}

static bool has_ended(struct child *child)
{
	pid_t found;

	while (!child->ended) {
		found = waitpid(child->process, &child->status, WNOHANG);
		if (found == 0)
			return false;
		child->ended = found > 0 || errno != EINTR;
	}
	return true;
}

static bool wait_end(struct child *child, int64_t deadline_ns)
{
	while (!has_ended(child)) {
		if (now() >= deadline_ns)
			return false;
		ws_clock_sleep_until_ns(ws_clock_monotonic(), now() + LOOK_NS);
	}
	return true;
}

/* Whether a process is stopped now: the state that /proc shows behind the name, which may itself hold anything. */
static bool is_stopped(pid_t process)
{
	char path[40], text[512];
	const char *state;
	size_t count;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)process);
	file = fopen(path, "re");
	if (!file)
		return false;
	count = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[count] = '\0';
	state = strrchr(text, ')');
	return state && state[1] == ' ' && (state[2] == 'T' || state[2] == 't');
}

static void launch_explain(struct ws_ranks *ranks, int rank, int status, char *text, size_t size)
{
	struct child *child = child_of(ranks, rank);

	if (!child || !child->process)
		return;
	if (status == WS_ETIMEOUT) {
		if (is_stopped(child->process))
			snprintf(text, size, "does not answer: it is stopped");
		return;
	}
	if (!wait_end(child, now() + DEATH_NS))
		return;
	if (WIFSIGNALED(child->status))
		snprintf(text, size, "was killed by signal %d (%s)", WTERMSIG(child->status),
			 strsignal(WTERMSIG(child->status)));
	else if (WIFEXITED(child->status))
		snprintf(text, size, "has ended with code %d", WEXITSTATUS(child->status));
}

static void launch_end(struct ws_ranks *ranks, int64_t deadline_ns)
{
	struct ws_star *star = ranks->state;
	struct child *children = star->members;

	for (int i = 1; i < ranks->size; i++) {
		struct child *child = &children[i];

		if (!child->process)
			continue;
		/* A lost one was waited for already. */
		if (!wait_end(child, star->ends[i].lost ? 0 : deadline_ns)) {
			kill(child->process, SIGKILL);
			wait_end(child, INT64_MAX);
		}
	}
	free(children);
}

static const struct ws_star_kind kind = {
	.describe = launch_describe,
	.explain = launch_explain,
	.end = launch_end,
};

/* What a child inherits and must not use. */
static int leave_parent(pid_t parent)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	int null_fd;

	/* Also if it hangs in a driver's call and cannot see the end of the connection. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		return -1;
	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGTERM, &ignore, NULL);
	null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null_fd < 0 || dup2(null_fd, STDIN_FILENO) < 0 || dup2(null_fd, STDOUT_FILENO) < 0)
		return -1;
	if (null_fd > STDERR_FILENO)
		close(null_fd);
	return 0;
}

static _Noreturn void run_child(int rank, int size, int fd, pid_t parent, ws_ranks_follower *follower, void *context)
{
	struct ws_star *star = NULL;
	int rc = leave_parent(parent) == 0 ? ws_star_new(rank, size, &kind, &star, NULL) : WS_ESYSTEM;

	if (rc == WS_OK)
		rc = ws_star_connect(star, 0, fd, NULL);
	if (rc == WS_OK)
		rc = ws_star_greet(star, now() + GREETING_NS, NULL);
	if (rc == WS_OK)
		follower(&star->ranks, context);
	_exit(rc == WS_OK ? 0 : 1);
}

static int start_child(struct ws_star *star, int rank, ws_ranks_follower *follower, void *context,
		       struct ws_error *error)
{
	struct child *child = child_of(&star->ranks, rank);
	const pid_t parent = getpid();
	int pair[2], rc;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return ws_fail(error, WS_ESYSTEM, "socketpair for rank %d: %s", rank, strerror(errno));
	rc = ws_star_connect(star, rank, pair[0], error);
	if (rc != WS_OK) {
		close(pair[1]);
		return rc;
	}
	child->process = fork();
	if (child->process == 0) {
		const int size = star->ranks.size;

		free(star->members);
		ws_star_free(star);
		run_child(rank, size, pair[1], parent, follower, context);
	}
	close(pair[1]);
	if (child->process < 0) {
		child->process = 0;
		return ws_fail(error, WS_ESYSTEM, "fork of rank %d: %s", rank, strerror(errno));
	}
	return WS_OK;
}

/* Each rank takes a file descriptor; the customary limit of 1024 is lower than what the system allows. */
static void allow_files(int size)
{
	const rlim_t wanted = (rlim_t)size + OTHER_FILES;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted) {
		limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

int ws_ranks_launch(int size, ws_ranks_follower *follower, void *context, struct ws_ranks **out,
		    struct ws_error *error)
{
	struct ws_star *star = NULL;
	int rc = ws_star_new(0, size, &kind, &star, error);

	if (rc != WS_OK)
		return rc;
	star->members = calloc((size_t)size, sizeof(struct child));
	if (!star->members) {
		ws_star_free(star);
		return ws_fail(error, WS_ENOMEM, "no memory for %d ranks", size);
	}
	/* A child has no use for what is not yet printed, and must not print it again. */
	fflush(NULL);
	allow_files(size);
	for (int i = 1; i < size && rc == WS_OK; i++)
		rc = start_child(star, i, follower, context, error);
	if (rc == WS_OK)
		rc = ws_star_greet(star, now() + GREETING_NS, error);
	if (rc != WS_OK)
		star->ranks.ops->close(&star->ranks, now());
	else
		*out = &star->ranks;
	return rc;
}
