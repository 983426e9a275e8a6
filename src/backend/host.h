/* The host back end: memory of NUMA nodes, moved by pinned threads of their CPUs. */
#ifndef WS_BACKEND_HOST_H
#define WS_BACKEND_HOST_H

#include "seam/backend.h"

/*
 * Places host<N>, by the system's number of the node; engine "cpu"; memory kinds pageable (the default) and pinned,
 * which is pageable memory that the engine's own back end registers. Without the option "threads" a queue has a thread
 * for each core of the node that no queue of the step opened before it uses, or for each core if all are in use; a way
 * of a two-way copy for half of the cores. Queues for dependent loads and no-ops have one thread. One loop of a chase
 * is WS_HOST_CHASE_STEPS loads; its lane's only value is the time of one.
 */
extern const struct ws_backend_ops ws_host_backend;

/* A prime: a chain of any usual length ends elsewhere than it began, so that its end says something. */
#define WS_HOST_CHASE_STEPS 65537

#endif
