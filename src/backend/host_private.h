/* What the files of the host back end share. */
#ifndef WS_BACKEND_HOST_PRIVATE_H
#define WS_BACKEND_HOST_PRIVATE_H

#include "backend/host_team.h"
#include "base/topology.h"
#include "kernel/host_chase.h"
#include "kernel/host_kernel.h"
#include "kernel/host_pattern.h"
#include "seam/backend.h"

/* A node's threads for filling and checking, started when first needed; and how many queues of a step use each of its
 * CPUs. */
struct host_node {
	const struct ws_topology_node *facts;
	struct ws_team *team;
	unsigned *uses; /* by index in facts->cpus */
	bool allocated; /* a buffer has been: the rest is known */
	bool bound;
	char not_bound[64]; /* why memory could not be bound */
	unsigned checked;   /* pages of the last buffer whose node the kernel told */
};

struct host {
	const struct ws_topology *topology;
	const struct ws_host_kernels *kernels;
	int64_t timeout_ns;
	struct host_node *nodes;
	size_t node_count;
	_Alignas(64) _Atomic uint32_t gate; /* times that it was opened */
};

/* What one thread did in a run. */
struct host_slot {
	_Alignas(64) uint64_t sum; /* of all that was read in whole loops */
	uint64_t bytes;		   /* moved, also in a loop that was stopped */
	uint64_t loops;		   /* whole ones */
	_Atomic uint64_t expected; /* sum of one loop */
};

/* An op made ready: what the threads need, and what they leave. */
struct host_op {
	struct host_op *next; /* of the queue */
	struct ws_op *op;
	const struct ws_host_kernels *kernels;
	ws_team_work *work;
	void (*copy)(void *, const void *, size_t);
	void (*write)(void *, size_t, uint64_t);
	const unsigned char *source;
	unsigned char *destination;
	uint64_t size_bytes;  /* of the run's loops */
	uint64_t loops;	      /* that the run was to do, lead loops included; 0 = until stopped, at least one */
	uint64_t chunk_bytes; /* moved between two looks at the control word */
	uint64_t value;	      /* that is written */
	struct ws_chase chase;
	const void *chase_start, *chase_end; /* of the last run; NULL = there is no chain yet */
	unsigned slot_count, found_count;
	struct host_slot *slots;   /* by member of the queue's team */
	struct ws_mismatch *found; /* by member of the node's team */
};

struct ws_queue {
	struct host *host;
	struct host_node *node;
	unsigned cpu_count;
	struct ws_team *team;
	struct host_op *ops;
	bool building; /* orders of a run are being given */
	bool until_stopped;
	unsigned mark_count;
	bool lost;
};

/* Part `index` of `count` of a buffer: whole pages, or whole lines where that leaves nobody idle. */
struct host_part {
	uint64_t offset, size;
};
struct host_part host_part(uint64_t size_bytes, unsigned index, unsigned count);

/* Chooses an op's loops and allocates what they need, or says why this engine cannot do it. */
int host_op_prepare(struct host_op *state, const struct ws_queue *queue, struct ws_error *error);
void host_op_free(struct host_op *state);
/* Makes what depends on the data: a chain in the source; a destination that differs from what will be written. */
int host_op_refilled(struct host_op *state, struct ws_team *team, int64_t deadline_ns, struct ws_error *error);
/* Before a run of loops of that size. */
void host_op_begin(struct host_op *state, uint64_t size_bytes);
/* Checks sums, what was written, and a chase's end. */
int host_op_verify(struct host_op *state, struct ws_team *team, int64_t deadline_ns, struct ws_check *check,
		   struct ws_error *error);

/* The threads of a node that has CPUs, else of one that has; NULL with an error if they cannot be started. */
struct ws_team *host_node_team(struct host *host, struct host_node *node, struct ws_error *error);

/* Memory of places: host_place.c. */
int host_alloc(struct ws_backend *backend, const struct ws_place *place, const struct ws_place *near,
	       uint64_t size_bytes, struct ws_buffer *out, struct ws_error *error);
void host_free(struct ws_backend *backend, struct ws_buffer *buffer);
int host_fill(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
	      struct ws_error *error);
int host_check(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
	       struct ws_check *check, struct ws_error *error);
int host_find_node(struct host *host, const struct ws_place *place, struct host_node **out, struct ws_error *error);

#endif
