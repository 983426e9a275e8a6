/* A back end: one driver library, or the host itself. It knows nothing of probes, plans or reports. */
#ifndef WS_SEAM_BACKEND_H
#define WS_SEAM_BACKEND_H

#include "base/error.h"
#include "seam/item.h"
#include "seam/record.h"

struct json_t;
struct ws_topology;
struct ws_backend;
struct ws_queue; /* of a back end: one stream of work for one engine */

struct ws_backend_options {
	const struct ws_topology *topology; /* outlives the back end */
	int64_t timeout_ns;                 /* deadline of waits inside a call */
};

/* Memory of one place. Buffers are allocated once per run and shared by items through an allocation's key. */
struct ws_buffer {
	const struct ws_backend *owner;
	struct ws_place place;   /* as asked */
	char pages_obtained[6];  /* page size in fact, "" = not known */
	uint64_t size_bytes;
	void *host;              /* where the CPU can reach it, else NULL */
	uint64_t address;        /* where a device can reach it, else 0 */
	void *handle;            /* the owner's */
};

/* An item made ready on a queue. */
struct ws_op {
	const struct ws_item *item;
	struct ws_buffer *source, *destination; /* NULL where the verb takes none */
	uint64_t seed;                          /* of the source's pattern, for results that are computed (sums) */
	void *state;                            /* the back end's, made by prepare, freed by queue_free */
};

/* NULL = not offered; the cell says so. Every function that waits obeys its deadline and answers WS_ETIMEOUT. */
struct ws_backend_ops {
	const char *name;    /* "host", "opencl": of --backend */
	const char *family;  /* of its places: "host", "ocl" */
	const char *engines; /* names it can have, by spaces */
	const char *options; /* of items that its engines honour, by spaces; every item's ("ungated" ...) go without saying */
	const char *library; /* what is loaded at run time, for "list --here" and reports; NULL = nothing */
	uint32_t queue_depth; /* loops that can wait behind closed gates, of all queues together; 0 = any number */

	/* WS_EABSENT: library or device missing, which is a fact and not a fault; the error says what was looked for. */
	int (*open)(struct ws_backend *, const struct ws_backend_options *, struct ws_error *);
	void (*close)(struct ws_backend *);

	/* Appends to the list (ws_places_add). */
	int (*places)(struct ws_backend *, struct ws_places *, struct ws_error *);

	/*
	 * May be NULL. Makes devices ready that will be used, all at once, where the first use of each would take long
	 * (contexts, kernels). Not called while anything is measured. One that cannot be made ready says so when it is used.
	 */
	void (*ready)(struct ws_backend *, const struct ws_place *, int count);

	/* Adds what is known of a place's state now (clocks, link, ECC, page size) to a JSON object. May be NULL. */
	int (*state)(struct ws_backend *, const struct ws_place *, struct json_t *into, struct ws_error *);

	/* Reads a place's counters; at most max, the number in *count. The caller subtracts. May be NULL. */
	int (*counters)(struct ws_backend *, const struct ws_place *, struct ws_counter *, int max, int *count,
			struct ws_error *);

	/*
	 * Memory of a place of this back end; or of a host place, if its kind is one that only this driver can give
	 * (write-combined, svm, OpenCL's pinned): then near is the device that will use it, and WS_EUNSUPPORTED means
	 * that memory of the host back end will do, attached. Of other places near is NULL.
	 */
	int (*alloc)(struct ws_backend *, const struct ws_place *, const struct ws_place *near, uint64_t size_bytes,
		     struct ws_buffer *out, struct ws_error *);
	void (*free)(struct ws_backend *, struct ws_buffer *);

	/*
	 * Makes a buffer of another back end reachable for the engines of a place (register, USE_HOST_PTR), and undoes
	 * that. NULL: buffers of other back ends cannot be used.
	 */
	int (*attach)(struct ws_backend *, struct ws_buffer *, const struct ws_place *, struct ws_error *);
	void (*detach)(struct ws_backend *, struct ws_buffer *, const struct ws_place *);

	/* Describes a buffer to another process as JSON, and opens such a description. May be NULL. */
	int (*share)(struct ws_backend *, const struct ws_buffer *, struct json_t **description, struct ws_error *);
	int (*import)(struct ws_backend *, const struct json_t *description, struct ws_buffer *out, struct ws_error *);

	/* The pattern of kernel/host_kernel.h over the first size_bytes of a buffer of this back end; synchronous. */
	int (*fill)(struct ws_backend *, struct ws_buffer *, uint64_t size_bytes, uint64_t seed, struct ws_error *);
	/* Counts 4-byte words of it that differ; the first one is described. */
	int (*check)(struct ws_backend *, struct ws_buffer *, uint64_t size_bytes, uint64_t seed, struct ws_check *,
		     struct ws_error *);

	/*
	 * May be NULL. Queues opened from here on until the next call are of one step and run at the same time; those
	 * opened before do not run with them. Engines that are shared out (CPUs) are shared out among these.
	 */
	void (*begin_step)(struct ws_backend *);
	/*
	 * A queue of its own for an item (whose options may set the number of threads). A two-way copy comes as two
	 * queues with an op each: the item of either has the verb WS_COPY2 and source and destination of its own way.
	 */
	int (*queue)(struct ws_backend *, const struct ws_item *, struct ws_queue **out, struct ws_error *);
	/* Also frees the state of ops prepared on it. */
	void (*queue_free)(struct ws_backend *, struct ws_queue *);

	/* All that is slow for an item: kernels loaded, chains built. WS_EUNSUPPORTED: this engine cannot do it. */
	int (*prepare)(struct ws_queue *, struct ws_op *, int64_t deadline_ns, struct ws_error *);
	/*
	 * After the source was filled anew, or the destination alone: makes what the item needs to find there (a chase's
	 * chain, what a write must not find). May be NULL.
	 */
	int (*refilled)(struct ws_queue *, struct ws_op *, struct ws_error *);

	/* What follows on this queue waits until release. */
	int (*gate)(struct ws_queue *, struct ws_error *);
	/* Queues so many loops; safe to call for different queues from different threads. */
	int (*submit)(struct ws_queue *, struct ws_op *, int size_index, uint32_t loops, struct ws_error *);
	/* Queues a time stamp. Mark 0 is the start of the timed loops, mark 1 their end; marks 2, 3, ... lie between loops. */
	int (*mark)(struct ws_queue *, int mark, struct ws_error *);
	/* What follows on this queue waits for another queue's mark (of the same back end). May be NULL. */
	int (*join)(struct ws_queue *, struct ws_queue *other, int mark, struct ws_error *);
	/* Sends off what was queued, where the driver holds it back until then. May be NULL. */
	int (*flush)(struct ws_queue *, struct ws_error *);
	/* Opens the gate of every queue of the back end. */
	void (*release)(struct ws_backend *);
	/* Ends submissions of WS_LOOPS_UNTIL_STOPPED. May be NULL. */
	void (*stop)(struct ws_queue *);

	/* *done: all that was queued has ended. May block until wait_until_ns. */
	int (*poll)(struct ws_queue *, int64_t wait_until_ns, bool *done, struct ws_error *);
	/*
	 * Fills the device clock's part of a lane: its start, end and clock; and its values, if the item yields any
	 * (allocated with malloc). Leaves has_device false if the clock cannot be believed. bytes and loops are set as
	 * ordered; it corrects them where only it knows: loops until stopped, loads of a chase.
	 */
	int (*read)(struct ws_queue *, struct ws_op *, struct ws_lane *, struct ws_error *);
	/* Checks a result that is not a copy: a sum, a chase's end. NULL: only destinations are checked. */
	int (*verify)(struct ws_queue *, struct ws_op *, struct ws_check *, struct ws_error *);
	/* WS_OK: the queue is empty and usable again; WS_ELOST: nothing of its place may be touched again. */
	int (*cancel)(struct ws_queue *);

	/* Turns direct access from a's engines to b's memory on or off. May be NULL. */
	int (*peer)(struct ws_backend *, const struct ws_place *a, const struct ws_place *b, bool on, struct ws_error *);
	/* The driver's own handle of a place or buffer, for collective libraries. May be NULL. */
	void *(*native)(struct ws_backend *, const struct ws_place *);
};

struct ws_backend {
	const struct ws_backend_ops *ops;
	void *state;            /* the back end's own */
	char library_path[200]; /* what was loaded; "" = nothing */
	char version[80];       /* of the library or driver; "" = not known */
	bool simulated;         /* the library is a fake */
	bool lost;              /* set by close if something did not answer even then: the process ends by _exit */
};

#endif
