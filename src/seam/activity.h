/* The one thing that measuring drives: back-end items, collectives, remote transfers and other ranks alike. */
#ifndef WS_SEAM_ACTIVITY_H
#define WS_SEAM_ACTIVITY_H

#include "base/error.h"
#include "seam/item.h"
#include "seam/record.h"

struct json_t;
struct ws_activity;

/* One sample's orders to a step. */
struct ws_shot {
	int size_index;         /* of items with two sizes; items with one always use that */
	uint32_t lead_loops;    /* untimed, behind the same gate, before the start mark */
	const uint32_t *loops;  /* timed loops, by index of the step's item; WS_LOOPS_UNTIL_STOPPED allowed */
	const uint32_t *trail_loops; /* untimed, behind the end mark, by index of the step's item; NULL = none */
	bool gated;
	bool mark_every_loop;   /* a value per loop in the records */
	bool counters;          /* read counters before and after */
	bool link_counters;     /* only those of links between devices that the step's bytes go by, where that can be */
};

enum ws_phase { WS_PHASE_OFFER, WS_PHASE_PREPARE, WS_PHASE_REFILL, WS_PHASE_ARM, WS_PHASE_VERIFY, WS_PHASE_READ };

/*
 * The order of calls is offer, prepare, then for every sample [refill] arm release poll... [stop] read [verify], at
 * the end free. Deadlines are absolute times of the session's clock. A hook that may be NULL says so.
 */
struct ws_activity_ops {
	/*
	 * May be NULL. Starts a phase without waiting for it: called for every activity of the step before the phase's
	 * own hook is called for any, so that what needs several ranks inside one phase (a communicator's creation, an
	 * in-place collective's second run) finds them all there. The arguments are those of the phase's hook.
	 */
	int (*post)(struct ws_activity *, enum ws_phase, const void *argument, int64_t deadline_ns, struct ws_error *);

	/*
	 * May be NULL. Adds to a JSON object what others need before they can prepare: a communicator's id, a memory
	 * handle, a worker's address. Keys must be unique over activities and ranks. prepare gets the union.
	 */
	int (*offer)(struct ws_activity *, int64_t deadline_ns, struct json_t *into, struct ws_error *);

	/* All that is slow: allocate, attach, fill, load, compile. */
	int (*prepare)(struct ws_activity *, const struct json_t *offers, int64_t deadline_ns, struct ws_error *);

	/*
	 * Sources get the pattern of seed, destinations a different one, so that a copy that moved nothing is caught. With
	 * the seed of the call before, only what samples have overwritten needs to be restored.
	 */
	int (*refill)(struct ws_activity *, uint64_t seed, int64_t deadline_ns, struct ws_error *);

	/* Queues a sample behind the closed gate; what cannot be queued is made ready to go at release. */
	int (*arm)(struct ws_activity *, const struct ws_shot *, int64_t deadline_ns, struct ws_error *);

	/* Opens the gate. Takes no lock that arm holds, and never fails. */
	void (*release)(struct ws_activity *);

	/*
	 * Sets item_done[i] for every item of the step that this activity runs and that has ended. May block until
	 * wait_until_ns (0 = not at all), and should if its engine is a CPU: a spinning poller takes memory bandwidth.
	 */
	int (*poll)(struct ws_activity *, int64_t wait_until_ns, bool *item_done, struct ws_error *);

	/* May be NULL. Ends items that run until stopped; poll then reports them done. */
	void (*stop)(struct ws_activity *);

	/*
	 * Appends this activity's lanes and counters to the sample (ws_sample_add_lane), with device clocks and values.
	 * The caller has set, and the hook leaves alone, the host times; lanes appended without them get the caller's.
	 */
	int (*read)(struct ws_activity *, int64_t deadline_ns, struct ws_sample *, struct ws_error *);

	/*
	 * Compares the data of the last sample. May run the item again on fresh data (in-place collectives). Adds to
	 * check: wrong counts add up, the first mismatch stays. WS_OK also if data is wrong: that is a finding.
	 */
	int (*verify)(struct ws_activity *, int64_t deadline_ns, struct ws_check *, struct ws_error *);

	/*
	 * Ends what was armed. WS_OK: the activity can be armed again. WS_ELOST: its places will not be freed or used
	 * again, and free is not called.
	 */
	int (*cancel)(struct ws_activity *);

	/* May be NULL. Adds what is known of its paths now, under load: link state, clocks, page size obtained. */
	int (*path)(struct ws_activity *, struct json_t *into, struct ws_error *);

	void (*free)(struct ws_activity *);
};

/* Embedded at the start of an implementation's own struct. */
struct ws_activity {
	const struct ws_activity_ops *ops;
	bool sleeps;   /* a CPU engine takes part: poll must block, not spin */
	uint32_t loops_max; /* most timed loops of one sample that its queues hold; 0 = no limit */
};

/* Where measuring gets a step's activities from. */
struct ws_activity_source {
	/*
	 * May be NULL. Called once for a plan, before its first step is opened: makes ready at once what steps would wait
	 * for one by one. The places are those of the steps, each device or node once. Fails only where the run cannot go
	 * on (out of memory); what cannot be made ready says so in the steps that use it.
	 */
	int (*begin)(void *context, const struct ws_place *, int count, int64_t timeout_ns, struct ws_error *);

	/* A list that the caller frees with free(), of activities that it frees by their own hook. */
	int (*open)(void *context, const struct ws_step *, const struct ws_settings *, struct ws_activity ***list,
		    int *count, struct ws_error *);
	void *context;
};

#endif
