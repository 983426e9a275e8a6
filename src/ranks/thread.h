/* Ranks as threads of one process: what tests drive the whole protocol with. */
#ifndef WS_RANKS_THREAD_H
#define WS_RANKS_THREAD_H

#include "seam/ranks.h"

/* What a rank other than 0 does. ranks is its own and is freed behind its back once this returns. */
typedef void ws_ranks_follower(struct ws_ranks *ranks, void *context);

/*
 * The caller becomes rank 0 of size ranks, and each of the others a thread that runs follower. close ends and frees all;
 * a thread that does not end by the deadline cannot be ended: it stays, with its memory, and the process should leave
 * by _exit. WS_ENOMEM, WS_ESYSTEM.
 */
int ws_ranks_thread(int size, ws_ranks_follower *follower, void *context, struct ws_ranks **out,
		    struct ws_error *error);

#endif
