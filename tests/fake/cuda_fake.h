/*
 * A fake libcuda: device memory is host memory, kernels are known by their names and done in C, and what happens takes
 * the time of a simulated clock. Work is done when the program asks about it, all that can be done at once; time passes
 * only by work, so it does not depend on when that is. What the machine is: machine.h. Besides, read by cuInit:
 *
 *	FAKE_CUDA_FAIL=n:code	the n-th call after cuInit answers code; n:code+ lets all that follow do so, too
 *	FAKE_CUDA_FAIL=function@gpu#n:code
 *				the n-th call of that function for that GPU (-1: for none), whatever others do meanwhile
 *	FAKE_CUDA_LOG=path	a line for each call, "cuMemcpyAsync 0" with the GPU that it names or whose context it
 *				is in, " FAILS" behind it if it was told to; at last "LEFT n": what was not given back
 *	CUDA_VISIBLE_DEVICES	as for the real one: numbers or UUIDs
 */
#ifndef WS_FAKE_CUDA_FAKE_H
#define WS_FAKE_CUDA_FAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda_library.h"
#include "fake/machine.h"

#define FAKE_PARAMETERS_MAX 12
#define FAKE_CYCLES_PER_NS 2
#define FAKE_FLOWS_MAX 2
#define FAKE_USES_MAX 10

/* The simulated clock counts picoseconds. */
#define FAKE_PS_PER_NS 1000

struct cuda_context {
	int device, users;
	bool alive;
};

struct cuda_event {
	struct cuda_event *next;
	int64_t begun_ps, time_ps; /* when the work before it was let go, and ended */
	bool recorded, pending;
};

enum fake_kind { FAKE_COPY, FAKE_SET, FAKE_WAIT_VALUE, FAKE_WAIT_EVENT, FAKE_RECORD, FAKE_KERNEL };

enum fake_state { FAKE_QUEUED, FAKE_BEGUN, FAKE_FLOWING, FAKE_HUNG };

/* Bytes on their way through links and memories, each of which they take a share of. */
struct fake_flow {
	int from, to; /* GPUs or FAKE_HOST */
	double bytes, left, rate;
	bool flowing, by_processors;
	int64_t end_ps;
	uint64_t target;     /* where the bytes arrive, 0 = in registers */
	uint64_t cut_bytes;  /* of the end that do not arrive */
	uint64_t wrong_byte; /* number of the byte, from 1 on, that arrives wrong; 0 = none */
	int use_count;
	struct {
		int resource;
		double weight;
	} uses[FAKE_USES_MAX];
};

struct fake_work {
	struct fake_work *next;
	enum fake_kind kind;
	enum fake_state state;
	uint64_t to, from, bytes;
	uint32_t value;
	struct cuda_event *event;
	const struct fake_kernel *kernel;
	uint64_t parameters[FAKE_PARAMETERS_MAX];
	uint64_t threads;
	int64_t begin_ps, fixed_ps; /* from begin to the first byte */
	struct fake_flow flows[FAKE_FLOWS_MAX];
	int flow_count;
	bool spoilt; /* the last byte that it wrote */
};

struct cuda_stream {
	struct cuda_stream *next;
	int device;
	struct fake_work *first, **end;
	int64_t now_ps;	  /* what came before has ended */
	int64_t begun_ps; /* when a gate let it go, or it had work again */
	bool driven;	  /* by a caller that waits for each copy */
};

struct cuda_function {
	const struct fake_kernel *kernel;
};

/* Parameters are numbers of 4 or 8 bytes each. */
struct fake_kernel {
	const char *name;
	const char *sizes;
	/* How long it takes: adds to fixed_ps, and flows. May be NULL. */
	void (*begin)(struct fake_work *work, const struct cuda_stream *stream);
	/* What it does, once the time is over. May be NULL. */
	void (*end)(const struct fake_work *work, const struct cuda_stream *stream);
	int written; /* index of the parameter that says where it writes, -1 = none */
};

enum fake_content { FAKE_BYTES, FAKE_PATTERN, FAKE_VALUE };

/* What bytes [begin, end) of a region hold: as FAKE_BYTES they are there, else they are those of a pattern or value. */
struct fake_extent {
	uint64_t begin, end;
	enum fake_content kind;
	uint64_t number, phase; /* seed or value, and which of its bytes is the first */
};

struct fake_last_copy {
	uint64_t to, from, size, target_writes, source_writes, turn;
};

struct fake_last_sum {
	uint64_t address, size, writes, turn, sum;
};

struct fake_region {
	struct fake_region *next;
	char *start;
	uint64_t bytes;
	int device;		     /* FAKE_HOST = host memory */
	bool owned;		     /* by the fake, not registered */
	struct fake_extent *extents; /* all of it, in order; NULL = bytes alone */
	int extent_count;
	uint64_t writes;	    /* by the fake so far */
	struct fake_last_copy last; /* into it */
	struct fake_last_sum last_sum;
};

/* Which call fails. */
struct fake_order {
	char function[48]; /* "" = any */
	int device;	   /* of that function's calls */
	uint64_t at, seen; /* number of the call, from 1 on, 0 = none; calls that count, so far */
	int code;
	bool goes_on, failing; /* all that follow fail as well; they do so by now */
};

struct fake_cuda {
	struct fake_machine machine;
	int visible[FAKE_GPUS_MAX], visible_count;
	uint64_t calls, works;
	struct fake_order fail;
	struct cuda_context contexts[FAKE_GPUS_MAX];
	uint32_t peers[FAKE_GPUS_MAX]; /* bit n: enabled to n */
	int lost[FAKE_GPUS_MAX];       /* what calls of a GPU answer that fell off */
	struct cuda_stream *streams;
	struct fake_region *regions;
	struct cuda_event *events;
	int modules; /* that there are */
	int64_t now_ps;
	uint64_t turn;			       /* the host may have changed its memory from one to the next */
	uint64_t sent_bytes[FAKE_GPUS_MAX][4]; /* by NVLink: payload out and in, then with headers */
	uint64_t copies[FAKE_GPUS_MAX + 1][FAKE_GPUS_MAX + 1]; /* by path, the host first */
};

extern struct fake_cuda fake_state;
extern _Thread_local struct cuda_context *fake_current;

/* Calls are counted, and logged, from here on. */
void fake_begin_counting(void);
void fake_lock(void);
/* What a GPU's streams have to do is never done. */
void fake_stop_work(int device);
/*
 * Begins a call for a device, which may be made to fail: CUDA_SUCCESS with the lock held, or what the call answers. The
 * device is -1 for a call that belongs to none.
 */
int fake_enter(const char *function, int device, bool needs_context);
/* Ends a call that has begun; returns the result. */
int fake_leave(int result);
/* The device of the calling thread's context, -1 = it has none. */
int fake_current_device(void);
#define ENTER_AS(device, needs_context)                                                                                \
	do {                                                                                                           \
		const int entered = fake_enter(__func__, device, needs_context);                                       \
                                                                                                                       \
		if (entered != CUDA_SUCCESS)                                                                           \
			return entered;                                                                                \
	} while (0)
#define ENTER ENTER_AS(fake_current_device(), false)
#define ENTER_CONTEXT ENTER_AS(fake_current_device(), true)
/* Of a call that names its device: what it belongs to does not depend on the thread's context. */
#define ENTER_DEVICE(device) ENTER_AS(device, false)

/* Streams, events, modules, contexts and regions that nobody has given back; for the tests. */
__attribute__((visibility("default"))) int fake_cuda_outstanding(void);

const struct fake_gpu *fake_gpu(int device);
const struct fake_kernel *fake_find_kernel(const char *name);

/* Memory: cuda_fake_memory.c. */

/* The device whose memory an address is; FAKE_HOST for the host's. */
int fake_device_of(uint64_t address);
struct fake_region *fake_find_region(uint64_t address);
/* Bytes in a region from an address on; 0 = in none. */
uint64_t fake_bytes_at(uint64_t address);
void fake_drop_region(struct fake_region *region);

/* Paths: cuda_fake_path.c. */

/* Adds a flow to a work by an engine of a device. Addresses of 0 are registers. */
void fake_add_flow(struct fake_work *work, int device, uint64_t from, uint64_t to, uint64_t bytes, bool by_processors);
/* Sets the rates of flows that run at once: each gets the largest share that takes nothing from a smaller one. */
void fake_share(struct fake_flow *const *flows, int count);
/* Counts the bytes of a flow that has ended. */
void fake_count(const struct fake_flow *flow);

/* Faults: cuda_fake_fault.c. */

/* Decides what becomes of a copy or kernel that begins: time, hanging, wrong data, the loss of its GPU. */
void fake_decide(struct fake_work *work, const struct cuda_stream *stream);
/* Spoils what a work has just done. */
void fake_spoil(const struct fake_work *work);

/* The clock: cuda_fake_clock.c. */

/* Does all work that can be done now. */
void fake_pump(void);

/* Streams: cuda_fake_stream.c. */
struct fake_work *fake_add_work(struct cuda_stream *stream, enum fake_kind kind);
/* Takes the first work off. */
void fake_pop_work(struct cuda_stream *stream);
void fake_drop_stream(struct cuda_stream *stream);
void fake_drop_event(struct cuda_event *event);

#endif
