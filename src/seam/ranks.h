/* Ranks: the processes, threads or hosts that measure together. Rank 0 decides and talks to each of the others. */
#ifndef WS_SEAM_RANKS_H
#define WS_SEAM_RANKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct ws_ranks;

/*
 * A message is a text of at most WS_MESSAGE_MAX bytes, whole or not at all. Rank 0 exchanges messages with every rank,
 * the others with rank 0 only: what must happen in step (barrier, broadcast, agreement on a status) is a question to
 * every member and the wait for every answer. One thread uses a ranks object.
 */
struct ws_ranks_ops {
	int (*send)(struct ws_ranks *, int to, const char *message, size_t size, int64_t deadline_ns, struct ws_error *);
	/*
	 * The message is the caller's, freed with free(), and ends with a 0 byte that size does not count. deadline_ns 0:
	 * does not wait, *message = NULL if there is none. WS_ELOST names a rank that has died, WS_ETIMEOUT one that is
	 * silent.
	 */
	int (*receive)(struct ws_ranks *, int from, int64_t deadline_ns, char **message, size_t *size, struct ws_error *);
	/* "rank 1 (process 1234)", for messages. */
	void (*describe)(struct ws_ranks *, int rank, char *text, size_t size);
	/* Waits for the others to end until the deadline, then ends them. */
	void (*close)(struct ws_ranks *, int64_t deadline_ns);
};
#define WS_MESSAGE_MAX (64u << 20)

struct ws_ranks {
	const struct ws_ranks_ops *ops;
	int rank, size;
	void *state;
};

#endif
