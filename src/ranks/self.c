/* The only rank there is. */
#include "ranks/self.h"

#include <stdio.h>

static int refuse(int rank, struct ws_error *error)
{
	return ws_fail(error, WS_EINVAL, "rank 0 of 1 has no connection to rank %d", rank);
}

static int self_send(struct ws_ranks *ranks, int to, const char *message, size_t size, int64_t deadline_ns,
		     struct ws_error *error)
{
	(void)ranks;
	(void)message;
	(void)size;
	(void)deadline_ns;
	return refuse(to, error);
}

static int self_receive(struct ws_ranks *ranks, int from, int64_t deadline_ns, char **message, size_t *size,
			struct ws_error *error)
{
	(void)ranks;
	(void)message;
	(void)size;
	(void)deadline_ns;
	return refuse(from, error);
}

static void self_describe(struct ws_ranks *ranks, int rank, char *text, size_t size)
{
	(void)ranks;
	snprintf(text, size, "rank %d", rank);
}

static void self_close(struct ws_ranks *ranks, int64_t deadline_ns)
{
	(void)ranks;
	(void)deadline_ns;
}

struct ws_ranks ws_ranks_self(void)
{
	static const struct ws_ranks_ops ops = {
		.send = self_send,
		.receive = self_receive,
		.describe = self_describe,
		.close = self_close,
	};

	return (struct ws_ranks){.ops = &ops, .rank = 0, .size = 1};
}
