/* What was observed in one sample; the only thing folds and reports ever see of a measurement. */
#ifndef WS_SEAM_RECORD_H
#define WS_SEAM_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/*
 * One lane of one item in one sample. Times of the host clock are bounds for queued work: start is the release of the
 * gate, end the first poll that saw the end, poll_gap the time since the poll before. Times of the device clock are
 * exact but have an origin of their own: two clocks are never subtracted from each other.
 */
struct ws_lane {
	int item;             /* index in the step */
	int lane;             /* 0, or 1 for the way back of a two-way item */
	uint64_t bytes;       /* of the timed loops together, counted once per byte moved */
	uint32_t loops;
	uint32_t lead_loops, trail_loops; /* untimed, before and behind the timed ones */
	bool gated;
	int64_t host_start_ns, host_end_ns, poll_gap_ns;
	int64_t issue_ns;     /* host time of handing the timed loops to the driver, one by one; 0 = not known */
	bool has_device;      /* the next three are known */
	char clock[32];       /* "cuda0:event", "ocl0:event", "host:monotonic"; with ranks "r1/host:monotonic" */
	int64_t start_ns, end_ns;
	double *values;       /* where one item yields many: per SM, loop or round trip; owned by the sample */
	int value_count;
	char value_unit[12];  /* of values: "ns" */
};

/* The comparison of one sample's data with what it must be. */
struct ws_check {
	bool done;             /* all data of the sample was compared */
	uint64_t wrong_count;  /* elements that differ */
	uint64_t first_offset; /* in bytes, of the first; valid with wrong_count > 0, like the rest */
	uint64_t expected, found;
	int item;              /* of the first */
	int rank;              /* WS_RANK_NONE without ranks */
	bool several_items;    /* data of another item differs as well */
};

struct ws_counter {
	char name[40]; /* "cuda0.nvlink.raw_tx_bytes"; with ranks "r1/cuda0.nvlink..." */
	uint64_t delta;
};

struct ws_sample {
	int size_index;
	struct ws_lane *lanes; /* owned; of an item-less failure NULL */
	int lane_count;
	int64_t host_start_ns, host_end_ns; /* of the measured items on the host clock: first start, last end seen */
	bool has_span;                      /* the step's span is known on one device clock, after a join */
	int64_t span_ns;
	int64_t release_skew_ns;            /* first to last release */
	bool discarded;
	char discard_reason[80];
	struct ws_check check;
	struct ws_counter *counters;        /* owned */
	int counter_count;
};

/* All samples of a step, kept and discarded, in the order taken. */
struct ws_records {
	struct ws_sample *samples; /* owned */
	int count, capacity;
};

#endif
