/* One lane of a back-end item: an op on a queue of its own, from its buffers to its record. */
#ifndef WS_ACTIVITY_STEP_LANE_H
#define WS_ACTIVITY_STEP_LANE_H

#include <stdatomic.h>

#include "activity/session.h"
#include "backend/host_team.h"

struct step_lane {
	struct ws_session *session;
	int item_index, lane_index; /* lane 1 is the way back of a two-way copy */
	struct ws_item item; /* as the back end sees it: this way, places without rank; members stay the step's */
	struct ws_backend *backend;				 /* of the engine */
	struct ws_backend *source_backend, *destination_backend; /* of the memory; NULL where the verb takes none */
	struct ws_queue *queue;
	struct ws_op op; /* its buffers are lent by the session */
	bool interfering;
	bool filled; /* with the pattern of op.seed */
	/* Of the shot that was armed last. */
	int size_index;
	uint32_t lead_loops, loops, trail_loops;
	bool gated, mark_every_loop;
	int64_t issue_ns; /* that handing over the timed loops took, 0 = not known */
	bool armed, ended;
	/* A thread that issues what cannot wait in a queue, and what became of that. */
	struct ws_team *issuer;
	int issue_status;
	struct ws_error issue_error;
};

/* Finds the back ends. */
int step_lane_init(struct step_lane *lane, struct ws_session *session, const struct ws_item *item, int item_index,
		   int lane_index, struct ws_error *error);

/* Its engine is the host's processors, by itself or through a runtime: who waits for it must sleep. */
bool step_lane_on_cpu(const struct step_lane *lane);

/* Takes buffers, attaches them, opens a queue and makes the op ready. */
int step_lane_prepare(struct step_lane *lane, bool ungated, int64_t deadline_ns, struct ws_error *error);

/*
 * The source gets the pattern of seed, the destination one that differs in every bit. With the seed of the call before,
 * the source still has it and is left alone.
 */
int step_lane_refill(struct step_lane *lane, uint64_t seed, struct ws_error *error);

/*
 * Queues the loops behind the back end's gate and the start marks of the joined lanes (of the same back end, armed
 * before), or gets the issuing thread ready to do so when *release changes.
 */
int step_lane_arm(struct step_lane *lane, const struct ws_shot *shot, struct step_lane *const *joined, int joined_count,
		  const _Atomic uint32_t *release, int64_t deadline_ns, struct ws_error *error);

/* Sets lane->ended. Blocks until a time of CLOCK_MONOTONIC at most. */
int step_lane_poll(struct step_lane *lane, int64_t wait_until_ns, struct ws_error *error);

/* Ends loops that run until stopped. */
void step_lane_stop(struct step_lane *lane);

int step_lane_read(struct step_lane *lane, struct ws_sample *sample, struct ws_error *error);
int step_lane_verify(struct step_lane *lane, struct ws_check *check, struct ws_error *error);
/* WS_OK or WS_ELOST. */
int step_lane_cancel(struct step_lane *lane);
void step_lane_release(struct step_lane *lane);

#endif
