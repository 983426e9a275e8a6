/* Ranks as processes of this machine, started here: wirespeed launch. */
#ifndef WS_RANKS_LAUNCH_H
#define WS_RANKS_LAUNCH_H

#include "ranks/thread.h"
#include "seam/ranks.h"

#define WS_RANKS_LAUNCH_MAX 1024

/*
 * The caller becomes rank 0 of size ranks; each of the others is a child that runs follower and leaves by _exit. Must be
 * called before any thread is started or any driver is loaded. A child has nothing of the other ranks' connections,
 * standard input and output are empty to it, and SIGINT and SIGTERM do not reach it: rank 0 collects what there is first.
 * It ends when rank 0 ends, however that comes. close ends all, by SIGKILL after the deadline, and frees.
 * WS_ENOMEM, WS_ESYSTEM.
 */
int ws_ranks_launch(int size, ws_ranks_follower *follower, void *context, struct ws_ranks **out,
		    struct ws_error *error);

#endif
