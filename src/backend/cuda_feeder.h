/* Loops that go on until they are stopped: a thread that keeps a queue supplied. */
#ifndef WS_BACKEND_CUDA_FEEDER_H
#define WS_BACKEND_CUDA_FEEDER_H

#include <stdbool.h>

#include "base/error.h"

struct cuda_feeder;
struct cuda_op;
struct ws_queue;

/* What the queue is given before the feeder begins: so many loops wait behind the gate with the others. */
#define CUDA_FEEDER_FIRST 4

/* Starts the thread, which sleeps until it is ordered. */
int cuda_feeder_new(struct ws_queue *queue, struct cuda_op *state, struct cuda_feeder **out, struct ws_error *error);
/* Keeps the queue supplied from now on; nobody else submits to it until the feeder has ended. */
void cuda_feeder_order(struct cuda_feeder *feeder);
/* Ends it soon: what was submitted until then is the last, and mark 1 follows. */
void cuda_feeder_stop(struct cuda_feeder *feeder);
/* Whether it has ended since it was ordered. With a status that is not WS_OK the error says what stopped it. */
bool cuda_feeder_ended(struct cuda_feeder *feeder, int *status, struct ws_error *error);
/* Of one that is not ordered, or has ended; NULL is let through. */
void cuda_feeder_free(struct cuda_feeder *feeder);

#endif
