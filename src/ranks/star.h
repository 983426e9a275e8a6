/* What all kinds of ranks over sockets share: rank 0 in the middle with a connection to each of the others. */
#ifndef WS_RANKS_STAR_H
#define WS_RANKS_STAR_H

#include "ranks/frame.h"
#include "seam/ranks.h"

/* How one kind of ranks names its members, and how it ends them. */
struct ws_star_kind {
	void (*describe)(const struct ws_ranks *, int rank, char *text, size_t size);
	/*
	 * May be NULL. Why a rank was silent (WS_ETIMEOUT) or has gone (WS_ELOST), if that can be found out: a text that
	 * follows its description. Leaves text as it is otherwise.
	 */
	void (*explain)(struct ws_ranks *, int rank, int status, char *text, size_t size);
	/* Rank 0's alone: the connections are closed; waits for the others, ends those that do not end by themselves. */
	void (*end)(struct ws_ranks *, int64_t deadline_ns);
};

/* The other end of a connection. */
struct ws_star_end {
	struct ws_frame_link link;
	bool lost;
	char why[200]; /* of a lost one */
};

struct ws_star {
	struct ws_ranks ranks; /* ranks.state points to the star */
	const struct ws_star_kind *kind;
	void *members;         /* the kind's own, freed by its end */
	struct ws_star_end *ends; /* of rank 0: by rank, without use of [0]; of the others: [0] alone */
	int end_count;
};

/* All without connections yet. A rank's connection is added by ws_star_connect. WS_ENOMEM. */
int ws_star_new(int rank, int size, const struct ws_star_kind *kind, struct ws_star **out, struct ws_error *error);

/* Takes over the socket, also on failure. */
int ws_star_connect(struct ws_star *star, int to, int fd, struct ws_error *error);

/* Greets every rank that it is connected to, and checks their greetings. */
int ws_star_greet(struct ws_star *star, int64_t deadline_ns, struct ws_error *error);

/* Closes the connections and frees the star, without a word to or a wait for the others. NULL is let through. */
void ws_star_free(struct ws_star *star);

#endif
