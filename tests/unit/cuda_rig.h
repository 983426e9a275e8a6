/* A CUDA back end over the fake driver, and items with their buffers, for the tests of both. */
#ifndef WS_TEST_CUDA_RIG_H
#define WS_TEST_CUDA_RIG_H

#include <stdint.h>

#include "backend/cuda.h"
#include "base/error.h"
#include "base/item.h"

struct bench {
	struct ws_backend backend;
};

/* Opens the back end on the fake; variable=value pairs are set in the environment before, and a NULL ends them. */
int bench_open(struct bench *bench, struct ws_error *error, const char *const *settings);
void bench_close(struct bench *bench);
/* Removes all variables that the fakes read. */
void bench_reset(void);

struct ws_place cuda_place(int index);
struct ws_place host_place(const char *memory);
struct ws_item new_item(enum ws_verb verb, struct ws_place source, struct ws_place destination, int gpu,
			const char *engine, uint64_t size_bytes);

/* An item with its own buffers, ready to run. */
struct rig {
	struct bench *bench;
	struct ws_item item;
	struct ws_buffer source, destination;
	bool source_attached, destination_attached;
	void *source_memory, *destination_memory; /* of the host */
	struct ws_queue *queue;
	struct ws_op op;
};

#define RIG_SEED UINT64_C(0x0000000512345678)

/* On failure what was made is in the rig, to be taken apart. */
int rig_build(struct rig *rig, struct bench *bench, const struct ws_item *item, struct ws_error *error);
void rig_take_apart(struct rig *rig);
/* How long a wait of a rig may take. */
extern int64_t rig_patience_ns;
/* Source and destination get their patterns. */
int rig_refill(struct rig *rig, struct ws_error *error);
/* Queues lead and timed loops behind the gate. */
int rig_arm(struct rig *rig, uint32_t lead, uint32_t loops, struct ws_error *error);
/* Waits for the end, reads the lane; values are the caller's to free. */
int rig_finish(struct rig *rig, uint32_t loops, struct ws_lane *lane, struct ws_error *error);
/* All of it: arm, release, finish. */
int rig_run(struct rig *rig, uint32_t lead, uint32_t loops, struct ws_lane *lane, struct ws_error *error);
/* What is wrong with the destination of a copy, or with the result of another verb. */
int rig_verify(struct rig *rig, struct ws_check *check, struct ws_error *error);

/* The fake's own accounts. */
int fake_outstanding(void);
uint64_t fake_calls(void);
/* GPUs that have a context, a bit each; and the most that were being made or released at once since this was asked. */
uint64_t fake_contexts(void);
int fake_most_at_once(void);
/* Streams made so far with a priority of -level. */
uint64_t fake_streams(unsigned level);

#endif
