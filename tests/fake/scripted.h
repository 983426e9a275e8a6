/*
 * A scripted activity on a simulated clock: every time is computed, so that what is measured is known exactly. It can
 * be late, hang, be lost, deliver wrong data, stall and drift, and it keeps a log of the calls it got.
 */
#ifndef WS_FAKE_SCRIPTED_H
#define WS_FAKE_SCRIPTED_H

#include "base/clock.h"
#include "seam/activity.h"

#define SCRIPT_ITEMS_MAX 16

/* How one item of the step behaves. */
struct script_item {
	int64_t fixed_ns;        /* of every loop */
	double ns_per_kib;       /* beside it */
	double back_factor;      /* times the way back of a two-way item takes that of the way there; 0 = 1 */
	const double *values;    /* what it yields, 0 = nothing */
	int value_count;
	const char *clock;       /* its device clock; NULL = only the host's bounds */
};

enum script_fault {
	SCRIPT_FINE,
	SCRIPT_HANG,       /* the shot never ends; cancel works */
	SCRIPT_LOST,       /* the same, and cancel does not */
	SCRIPT_WRONG,      /* one word of the destination is wrong */
	SCRIPT_STALL,      /* takes five times as long */
	SCRIPT_FAIL_ARM,
	SCRIPT_FAIL_READ
};

struct script {
	struct script_item items[SCRIPT_ITEMS_MAX];
	double drift;               /* every shot takes so much longer than the one before, as a share */
	const double *noise;        /* factors of successive shots, over and over */
	int noise_count;
	uint32_t loops_max;         /* that its queues hold; more fail to arm; 0 = any number */
	int64_t poll_ns;            /* a poll takes so long, and sees all that ended meanwhile; 0 = until the next end */
	int64_t refill_ns;          /* what a refill takes */
	int64_t late_release_ns;    /* from release to the start of work */
	enum script_fault fault;
	int fault_shot;             /* in the shot with this number, counted from 0; -1 = in every one */
	const char *fail_prepare;   /* not NULL: prepare fails with this text */
	uint64_t counter_step;      /* not 0: a counter that grows by this with every shot */

	/* What happened. */
	struct ws_clock clock;
	int64_t now_ns;
	int shots;
	int opened, freed;
	struct ws_activity *lost[SCRIPT_ITEMS_MAX]; /* what the caller, rightly, did not free */
	int lost_count;
	int refills, verifies;
	uint64_t last_seed;
	uint32_t last_loops[SCRIPT_ITEMS_MAX], last_trail[SCRIPT_ITEMS_MAX], last_lead;
	int last_size_index;
	bool last_gated;
	char log[512];              /* a letter a call: o p F a R r s v c f (offer prepare reFill arm Release ...) */
};

/* Sets the clock; everything else is the caller's. */
void script_init(struct script *script);
struct ws_activity_source script_source(struct script *script);

/* Frees what was lost; after the run. */
void script_release(struct script *script);

#endif
