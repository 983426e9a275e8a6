/* A probe: a row that says what to measure, where, and how records become figures. */
#ifndef WS_SEAM_PROBE_H
#define WS_SEAM_PROBE_H

#include "base/error.h"
#include "seam/item.h"
#include "seam/result.h"

/* What an expansion may look at: all of it facts and wishes, nothing opened. */
#define WS_BROKEN_MAX 4
struct ws_expand {
	const struct ws_places *places; /* of all ranks */
	int rank_count;                 /* 1 = places have no rank prefix */
	/* The user's wishes; an empty string or 0 = none. A probe lists in `honours` those that it obeys. */
	const char *device;             /* only these places, by commas */
	const char *pair_a, *pair_b;
	const char *host_node;
	const char *memory;             /* memory kind and page size of host memory */
	const char *engine;
	uint64_t sizes_bytes[2];        /* --size, or a slope's two */
	int size_count;
	uint64_t series_bytes[2];       /* --sizes: first and last size of a sweep; 0 = the probe's */
	uint32_t threads;
	bool thp;                       /* transparent huge pages can be had on this machine */
	bool one_by_one;                /* of devices that share a way one is measured at a time, beside the others */
	struct {
		const char *family, *why;
	} broken[WS_BROKEN_MAX];        /* back ends that are there, but do not open, and what they say */
	int broken_count;
};

/* Records of one cell. */
struct ws_fold_input {
	const struct ws_step *step;
	const int *items; /* indices of the cell's items */
	int item_count;
	const struct ws_records *records;
	const struct ws_settings *settings;
};

/* Pure. A figure that cannot be made stays unknown. */
typedef void ws_fold(const struct ws_fold_input *, struct ws_folded *out);

struct ws_probe {
	const char *name;
	const char *summary;   /* one line for "list" */
	const char *family;    /* "host", "copy", "latency": a name that selects all of them */
	const char *needs;     /* place families it can use, by spaces: "host", "cuda ocl" */
	const char *honours;   /* options of run that it obeys besides the common ones, by spaces: "size threads memory" */
	bool quick;            /* part of the quick set */
	/* Appends steps to the plan; a machine without the places for it gets none, and *reason says why. */
	int (*expand)(const struct ws_probe *, const struct ws_expand *, struct ws_plan *, char *reason,
		      int reason_size, struct ws_error *);
	enum ws_verb verb;     /* for shapes that serve several probes */
	const char *engine;
	const char *item_flags; /* item options every item gets, as plan text: "nt" */
	const char *axes[WS_COORDS_MAX]; /* names; the first two are row and column of the text matrix */
	struct ws_quantity quantities[WS_QUANTITY_MAX]; /* ended by a NULL name; the first is the primary one */
	ws_fold *fold;
	uint64_t size_bytes[2]; /* defaults; 0 = by the shape, from cache and memory */
};

#endif
