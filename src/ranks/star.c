/* Rank 0 in the middle with a connection to each of the others. */
#include "ranks/star.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WHO 80

static struct ws_star *star_of(struct ws_ranks *ranks)
{
	return ranks->state;
}

/* The connection to a rank, or NULL: there is none to oneself, nor between two that are not rank 0. */
static struct ws_star_end *end_of(struct ws_star *star, int rank)
{
	if (rank < 0 || rank >= star->end_count || rank == star->ranks.rank)
		return NULL;
	return &star->ends[rank];
}

/* Puts the rank's name before what happened to it, and remembers that it is lost. */
static int failed(struct ws_star *star, int rank, int rc, const struct ws_error *cause, struct ws_error *error)
{
	struct ws_star_end *end = &star->ends[rank];
	char who[WHO], why[sizeof(end->why)];

	/* Nobody wants to know: to find out may take longer than the wait did. */
	if (!error && rc == WS_ETIMEOUT && !end->link.broken)
		return rc;
	snprintf(why, sizeof(why), "%.*s", (int)sizeof(why) - 1, cause->text);
	if (star->kind->explain && (rc == WS_ELOST || rc == WS_ETIMEOUT))
		star->kind->explain(&star->ranks, rank, rc, why, sizeof(why));
	if (end->link.broken && !end->lost) {
		end->lost = true;
		memcpy(end->why, why, sizeof(why));
	}
	star->kind->describe(&star->ranks, rank, who, sizeof(who));
	return ws_fail(error, rc, "%s %s", who, why);
}

/* WS_OK if a rank can be talked to. */
static int check_end(struct ws_star *star, int rank, struct ws_error *error)
{
	const struct ws_star_end *end = end_of(star, rank);
	char who[WHO];

	if (!end)
		return ws_fail(error, WS_EINVAL, "rank %d of %d has no connection to rank %d", star->ranks.rank,
			       star->ranks.size, rank);
	if (!end->lost)
		return WS_OK;
	star->kind->describe(&star->ranks, rank, who, sizeof(who));
	return ws_fail(error, WS_ELOST, "%s %s", who, end->why);
}

static int star_send(struct ws_ranks *ranks, int to, const char *message, size_t size, int64_t deadline_ns,
		     struct ws_error *error)
{
	struct ws_star *star = star_of(ranks);
	struct ws_error cause = {0};
	int rc = check_end(star, to, error);

	if (rc != WS_OK)
		return rc;
	rc = ws_frame_send(&star->ends[to].link, message, size, deadline_ns, &cause);
	return rc == WS_OK ? rc : failed(star, to, rc, &cause, error);
}

static int star_receive(struct ws_ranks *ranks, int from, int64_t deadline_ns, char **message, size_t *size,
			struct ws_error *error)
{
	struct ws_star *star = star_of(ranks);
	struct ws_error cause = {0};
	int rc = check_end(star, from, error);

	if (rc != WS_OK)
		return rc;
	rc = ws_frame_receive(&star->ends[from].link, deadline_ns, message, size, &cause);
	return rc == WS_OK ? rc : failed(star, from, rc, &cause, error);
}

static void star_describe(struct ws_ranks *ranks, int rank, char *text, size_t size)
{
	star_of(ranks)->kind->describe(ranks, rank, text, size);
}

static void close_links(struct ws_star *star)
{
	for (int i = 0; i < star->end_count; i++)
		ws_frame_link_release(&star->ends[i].link);
}

static void star_close(struct ws_ranks *ranks, int64_t deadline_ns)
{
	struct ws_star *star = star_of(ranks);

	/* The others see the end of the connection, which tells them to end. */
	close_links(star);
	if (star->ranks.rank == 0)
		star->kind->end(ranks, deadline_ns);
	ws_star_free(star);
}

static const struct ws_ranks_ops star_ops = {
	.send = star_send,
	.receive = star_receive,
	.describe = star_describe,
	.close = star_close,
};

int ws_star_new(int rank, int size, const struct ws_star_kind *kind, struct ws_star **out, struct ws_error *error)
{
	struct ws_star *star = calloc(1, sizeof(*star));
	const int ends = rank == 0 ? size : 1;

	if (star)
		star->ends = calloc((size_t)ends, sizeof(*star->ends));
	if (!star || !star->ends) {
		free(star);
		return ws_fail(error, WS_ENOMEM, "no memory for %d ranks", size);
	}
	star->ranks = (struct ws_ranks){.ops = &star_ops, .rank = rank, .size = size, .state = star};
	star->kind = kind;
	star->end_count = ends;
	for (int i = 0; i < ends; i++)
		star->ends[i].link = (struct ws_frame_link){.fd = -1, .broken = true};
	*out = star;
	return WS_OK;
}

int ws_star_connect(struct ws_star *star, int to, int fd, struct ws_error *error)
{
	int rc = ws_frame_link_init(&star->ends[to].link, fd, error);

	if (rc != WS_OK)
		close(fd);
	return rc;
}

int ws_star_greet(struct ws_star *star, int64_t deadline_ns, struct ws_error *error)
{
	struct ws_error cause = {0};
	int rc = WS_OK;

	/* All are greeted before any is waited for. */
	for (int i = 0; i < star->end_count; i++) {
		if (!end_of(star, i))
			continue;
		rc = ws_frame_greet(&star->ends[i].link, deadline_ns, &cause);
		if (rc != WS_OK)
			return failed(star, i, rc, &cause, error);
	}
	for (int i = 0; i < star->end_count; i++) {
		if (!end_of(star, i))
			continue;
		rc = ws_frame_check_greeting(&star->ends[i].link, deadline_ns, &cause);
		if (rc != WS_OK)
			return failed(star, i, rc, &cause, error);
	}
	return WS_OK;
}

void ws_star_free(struct ws_star *star)
{
	if (!star)
		return;
	close_links(star);
	free(star->ends);
	free(star);
}
