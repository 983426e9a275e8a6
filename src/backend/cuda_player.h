/* The CPU's side of a ping-pong: a thread that answers each trip of a GPU. */
#ifndef WS_BACKEND_CUDA_PLAYER_H
#define WS_BACKEND_CUDA_PLAYER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct cuda_player;

/*
 * Starts a thread, pinned to a CPU unless cpu < 0, that sleeps until trips are ordered and then waits, spinning, for
 * *mine to become the number of the next trip, and sets *theirs to it. Trips are numbered from 1. After time_ns without
 * the next trip it gives up what was ordered.
 */
int cuda_player_new(int cpu, const _Atomic uint32_t *mine, _Atomic uint32_t *theirs, bool relaxed, int64_t time_ns,
		    struct cuda_player **out, struct ws_error *error);
/* So many trips more. May be called while earlier ones are under way. */
void cuda_player_order(struct cuda_player *player, uint32_t trips);
/* Stops the thread; NULL is let through. */
void cuda_player_free(struct cuda_player *player);

#endif
