/*
 * A fake libcuda: device memory is host memory, work of streams is done when it is asked about, on a simulated clock
 * that advances by latencies and rates, and kernels are known by their names. From the environment, read by cuInit:
 *
 *	FAKE_CUDA_GPUS=n		how many GPUs (2)
 *	FAKE_CUDA_FAIL=n:code		the n-th call after cuInit answers code
 *	FAKE_CUDA_INIT=code		cuInit answers code
 *	FAKE_CUDA_PEER=0		no GPU reaches another one's memory
 *	FAKE_CUDA_PTX=code		modules are refused
 *	FAKE_CUDA_WAIT=0		streams cannot wait for a word
 *	FAKE_CUDA_HANG=n		the n-th copy or kernel never ends
 *	FAKE_CUDA_CORRUPT=n		the n-th copy or kernel changes the last byte of what it wrote
 *	FAKE_CUDA_ORDER=reverse		ordinals against PCI order
 *	FAKE_CUDA_MODE=n		compute mode of GPU 0
 *	CUDA_VISIBLE_DEVICES		as for the real one: numbers or UUIDs
 */
#ifndef WS_FAKE_CUDA_FAKE_H
#define WS_FAKE_CUDA_FAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda_library.h"

#define FAKE_GPUS_MAX 16
#define FAKE_PROCESSORS 4
#define FAKE_PARAMETERS_MAX 12
#define FAKE_CYCLES_PER_NS 2

struct cuda_context {
	int device, users;
	bool alive;
};

struct cuda_event {
	struct cuda_event *next;
	int64_t time_ns;
	bool recorded, pending;
};

enum fake_kind { FAKE_COPY, FAKE_SET, FAKE_WAIT_VALUE, FAKE_WAIT_EVENT, FAKE_RECORD, FAKE_KERNEL };

struct fake_work {
	struct fake_work *next;
	enum fake_kind kind;
	uint64_t to, from, bytes;
	uint32_t value;
	struct cuda_event *event;
	const struct fake_kernel *kernel;
	uint64_t parameters[FAKE_PARAMETERS_MAX];
	uint64_t threads;
};

struct cuda_stream {
	struct cuda_stream *next;
	int device;
	struct fake_work *first, **end;
	int64_t now_ns;
};

struct cuda_function {
	const struct fake_kernel *kernel;
};

/* Parameters are numbers of 4 or 8 bytes each. */
struct fake_kernel {
	const char *name;
	const char *sizes;
	void (*run)(const struct fake_work *work, struct cuda_stream *stream);
	int written; /* index of the parameter that says where it writes, -1 = none */
};

struct fake_region {
	struct fake_region *next;
	char *start;
	uint64_t bytes;
	int device; /* -1 = host memory */
	bool owned; /* by the fake, not registered */
};

struct fake_cuda {
	int gpu_count, visible[FAKE_GPUS_MAX], visible_count;
	bool peer, wait_value, reverse;
	int mode, module_result;
	uint64_t calls, fail_at, works, hang_at, corrupt_at;
	int fail_code;
	struct cuda_context contexts[FAKE_GPUS_MAX];
	uint32_t peers[FAKE_GPUS_MAX]; /* bit n: enabled to n */
	struct cuda_stream *streams;
	struct fake_region *regions;
	struct cuda_event *events;
	int modules; /* that there are */
	uint32_t gate_value;
	int64_t gate_ns;
};

extern struct fake_cuda fake_state;
extern _Thread_local struct cuda_context *fake_current;

/* Begins a call, which may be made to fail: CUDA_SUCCESS with the lock held, or what the call answers. */
int fake_enter(bool needs_context);
/* Ends a call that has begun; returns the result. */
int fake_leave(int result);
#define ENTER_AS(needs_context)                                                                                        \
	do {                                                                                                           \
		const int entered = fake_enter(needs_context);                                                         \
                                                                                                                       \
		if (entered != CUDA_SUCCESS)                                                                           \
			return entered;                                                                                \
	} while (0)
#define ENTER ENTER_AS(false)
#define ENTER_CONTEXT ENTER_AS(true)

const struct fake_kernel *fake_find_kernel(const char *name);
/* The device whose memory an address is; -1 for the host's. */
int fake_device_of(uint64_t address);
/* Bytes in a region from an address on; 0 = in none. */
uint64_t fake_bytes_at(uint64_t address);
/* What one load takes, and the bytes per ns of a copy, by an engine of a device. */
double fake_latency_ns(int device, int memory);
double fake_rate(int device, int from, int to, bool by_processors);
/* Does all work that can be done now. */
void fake_pump(void);
struct fake_work *fake_add_work(struct cuda_stream *stream, enum fake_kind kind);
void fake_drop_stream(struct cuda_stream *stream);
void fake_drop_event(struct cuda_event *event);
void fake_drop_region(struct fake_region *region);

#endif
