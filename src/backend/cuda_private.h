/* What the files of the CUDA back end share. */
#ifndef WS_BACKEND_CUDA_PRIVATE_H
#define WS_BACKEND_CUDA_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "backend/cuda_kernel.h"
#include "backend/cuda_library.h"
#include "backend/nvml.h"
#include "base/calls.h"
#include "base/topology.h"
#include "seam/backend.h"

#define CUDA_GPUS_MAX 64

struct cuda_gpu {
	struct cuda *cuda;
	int index;   /* of its place */
	int ordinal; /* the driver's own number */
	int device;  /* the driver's handle */
	char name[96], pci[16], uuid[48];
	uint64_t memory_bytes, l2_bytes;
	int processors, major, minor, numa_node;
	bool pageable_access, host_page_tables;
	char absent[160];
	struct nvml_device *nvml; /* NULL = not known to NVML */
	/* From here on once it was used. */
	bool made, open; /* its own part is, and with it what all GPUs share */
	struct cuda_context *context;
	struct cuda_stream *stream; /* of fills, checks and other work that is waited for */
	struct cuda_module *modules[CUDA_MODULE_COUNT];
	struct cuda_function *kernels[CUDA_KERNEL_COUNT];
	struct cuda_event *base;     /* origin of event times */
	_Atomic uint32_t base_epoch; /* in which it was recorded */
	uint64_t timer_origin;	     /* of the global timer in records; 0 = not chosen yet */
	uint64_t scratch;	     /* CUDA_SCRATCH_BYTES of its memory */
	uint64_t peers;		     /* bit n: direct access to the memory of GPU n is on */
	struct ws_queue *half_pair;  /* a two-way copy's first queue, until its second one comes */
	/* It could not be opened, or is of no use any more, and this is why. Issuing threads may find that out, too. */
	_Atomic int failed;	   /* set behind the text */
	_Atomic bool failing;	   /* somebody writes the text, or has */
	char failed_text[400];
	_Atomic bool lost; /* does not answer: nothing of it is touched any more */
};

/* Results of a kernel, read back at once. */
#define CUDA_SCRATCH_BYTES (sizeof(uint64_t) * CUDA_READ_SLOTS)

/* Host memory that engines reach, by its first byte. */
struct cuda_registration {
	struct cuda_registration *next;
	void *host;
	unsigned uses;
};

struct cuda {
	struct cuda_library api;
	struct ws_nvml *nvml; /* NULL = absent, and why */
	char nvml_absent[200];
	const struct ws_topology *topology;
	int64_t timeout_ns;
	bool confidential; /* times of events are not believed */
	bool simulated;
	struct cuda_gpu *gpus;
	int gpu_count;
	struct cuda_registration *registrations;
	pthread_mutex_t peer_lock; /* of turning access on and off, and the GPUs' peers: issuing threads do both */
	/* One word in pinned memory: queues wait until it reaches the number of the sample that they are in. */
	_Atomic uint32_t *gate;
	uint64_t gate_address;	   /* the same for all GPUs */
	struct cuda_gpu *gate_gpu; /* in whose context it was allocated */
	bool gate_by_kernel;	   /* the driver cannot wait for a word */
	uint32_t epoch;		   /* number of the sample being armed */
	int64_t released_ns;	   /* on the host's clock, the last one */
};

enum cuda_engine { CUDA_CE, CUDA_SM, CUDA_TMA };

/* An op made ready. */
struct cuda_op {
	struct cuda_op *next; /* of the queue */
	struct ws_op *op;
	uint64_t source, destination;	 /* addresses */
	int source_gpu, destination_gpu; /* -1 = host memory, or none */
	uint64_t results;		 /* in device memory: sums, times, a chase's counts */
	uint64_t results_bytes;
	uint64_t size_bytes; /* of the run's loops */
	uint64_t loops;	     /* of the run, lead loops included */
	uint64_t value;	     /* that is written */
	bool fused;	     /* all loops of an order in one launch */
	uint32_t passes;     /* loops of the next launch */
	struct cuda_chase *chase;
	struct cuda_pingpong *pingpong;
	struct ws_calls calls; /* without room: never timed one by one */
};

struct ws_queue {
	struct cuda_gpu *gpu;
	enum cuda_engine engine;
	struct cuda_stream *stream;
	struct cuda_event **marks;
	unsigned mark_count, mark_capacity; /* set in this run; there are */
	struct cuda_op *ops;
	/* A two-way copy by a kernel: two queues, of which the first does the work of both. */
	struct ws_queue *mate;
	bool follows;
	_Atomic uint32_t runs; /* flushed so far */
	/* The other side of a ping-pong between two GPUs. */
	struct cuda_gpu *far_gpu;
	struct cuda_stream *far_stream;
	struct cuda_feeder *feeder; /* once loops were to go on until stopped */
	bool building, gated, timed;
	bool endless, fed; /* the run at hand goes on until it is stopped, and its feeder has been ordered */
	uint32_t queued; /* loops since the gate */
	bool lost;
};

/* Errors: cuda_call.c. */

/* WS_OK for success, else the call and its result as an error. Notices results after which a GPU is of no use. */
int cuda_result(struct cuda_gpu *gpu, int result, const char *call, struct ws_error *error);
/* The same where no GPU is meant. */
int cuda_library_result(const struct cuda *cuda, int result, const char *call, struct ws_error *error);
/* Waits until a stream is empty. WS_ETIMEOUT: it is not, and the GPU counts as lost. */
int cuda_wait(struct cuda_gpu *gpu, struct cuda_stream *stream, int64_t deadline_ns, const char *what,
	      struct ws_error *error);
/* The same without a nap, for a wait that is itself timed. */
int cuda_wait_awake(struct cuda_gpu *gpu, struct cuda_stream *stream, int64_t deadline_ns, const char *what,
		    struct ws_error *error);
int64_t cuda_after_ns(int64_t time_ns);

/* GPUs: cuda_gpu.c. */
int cuda_find_gpus(struct cuda *cuda, struct ws_error *error);
/* The GPU of a place of this back end. */
int cuda_gpu_of(struct cuda *cuda, const struct ws_place *place, struct cuda_gpu **out, struct ws_error *error);
/*
 * Makes what is a GPU's alone (context, first kernels), unless that fails, which cuda_enter then says. Several threads
 * may do so, each for a GPU of its own that has not been entered yet.
 */
void cuda_gpu_make(struct cuda_gpu *gpu);
/* Makes a GPU's context (once) the calling thread's. */
int cuda_enter(struct cuda_gpu *gpu, struct ws_error *error);
void cuda_gpu_close(struct cuda_gpu *gpu);
int cuda_peer_set(struct cuda_gpu *gpu, struct cuda_gpu *memory, bool on, struct ws_error *error);

/* Several at the same time: cuda_ready.c. */
void cuda_ready(struct ws_backend *backend, const struct ws_place *places, int count);

/* Kernels: cuda_kernel.c. */
int cuda_kernel_get(struct cuda_gpu *gpu, enum cuda_kernel kernel, struct cuda_function **out, struct ws_error *error);
/* Queues a kernel; parameters as the driver takes them. The first launch of a kernel may wait for the GPU. */
int cuda_launch(struct cuda_gpu *gpu, struct cuda_stream *stream, enum cuda_kernel kernel, struct cuda_grid grid,
		void **parameters, struct ws_error *error);
/* Copies what a kernel left from device memory, after all work of the stream. */
int cuda_read_back(struct cuda_gpu *gpu, struct cuda_stream *stream, uint64_t address, void *to, size_t size_bytes,
		   int64_t deadline_ns, struct ws_error *error);

/* Memory: cuda_memory.c. */
int cuda_alloc(struct ws_backend *backend, const struct ws_place *place, const struct ws_place *near,
	       uint64_t size_bytes, struct ws_buffer *out, struct ws_error *error);
void cuda_free(struct ws_backend *backend, struct ws_buffer *buffer);
int cuda_attach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place,
		struct ws_error *error);
void cuda_detach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place);
int cuda_fill(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
	      struct ws_error *error);
int cuda_check(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
	       struct ws_check *check, struct ws_error *error);
/* Counts words of a buffer that are not what a kernel writes: what a WS_WRITE leaves. */
int cuda_check_value(struct cuda_gpu *gpu, uint64_t address, uint64_t size_bytes, uint64_t value,
		     struct ws_check *check, struct ws_error *error);

/* Work of items: cuda_work.c, cuda_calls.c, cuda_chase.c, cuda_pingpong.c. */
int cuda_op_prepare(struct ws_queue *queue, struct cuda_op *state, int64_t deadline_ns, struct ws_error *error);
int cuda_op_refilled(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error);
int cuda_op_begin(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error);
int cuda_op_submit(struct ws_queue *queue, struct cuda_op *state, uint32_t loops, struct ws_error *error);
int cuda_op_read(struct ws_queue *queue, struct cuda_op *state, struct ws_lane *lane, struct ws_error *error);
int cuda_op_verify(struct ws_queue *queue, struct cuda_op *state, struct ws_check *check, struct ws_error *error);
void cuda_op_free(struct ws_queue *queue, struct cuda_op *state);

/* One loop. */
int cuda_op_submit_one(struct ws_queue *queue, struct cuda_op *state, uint64_t size_bytes, struct ws_error *error);

/* Orders that are timed one by one by the host's clock: cuda_calls.c. */
int cuda_calls_prepare(struct cuda_op *state, struct ws_error *error);
/* Whether the run at hand is: an item of that kind that does not wait behind a gate. */
bool cuda_is_called(const struct ws_queue *queue);
/* Waits until nothing is left that the first call would wait for. */
int cuda_calls_start(struct ws_queue *queue, struct ws_error *error);
int cuda_calls_submit(struct ws_queue *queue, struct cuda_op *state, uint32_t loops, struct ws_error *error);

int cuda_chase_prepare(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error);
int cuda_chase_refilled(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error);
int cuda_chase_begin(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error);
int cuda_chase_submit(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error);
int cuda_chase_read(struct ws_queue *queue, struct cuda_op *state, struct ws_lane *lane, struct ws_error *error);
int cuda_chase_verify(struct ws_queue *queue, struct cuda_op *state, struct ws_check *check, struct ws_error *error);

int cuda_pingpong_prepare(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error);
int cuda_pingpong_begin(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error);
int cuda_pingpong_submit(struct ws_queue *queue, struct cuda_op *state, struct ws_error *error);
int cuda_pingpong_read(struct ws_queue *queue, struct cuda_op *state, struct ws_lane *lane, struct ws_error *error);
int cuda_pingpong_verify(struct ws_queue *queue, struct cuda_op *state, struct ws_check *check, struct ws_error *error);
void cuda_pingpong_free(struct ws_queue *queue, struct cuda_op *state);

/* Queues: cuda_queue.c. */
/* A stream with the priority that the item asks for, in the GPU that was entered. */
int cuda_stream_new(struct cuda_gpu *gpu, const struct ws_item *item, struct cuda_stream **out, struct ws_error *error);
int cuda_queue(struct ws_backend *backend, const struct ws_item *item, struct ws_queue **out, struct ws_error *error);
void cuda_queue_free(struct ws_backend *backend, struct ws_queue *queue);
int cuda_prepare(struct ws_queue *queue, struct ws_op *op, int64_t deadline_ns, struct ws_error *error);
int cuda_refilled(struct ws_queue *queue, struct ws_op *op, struct ws_error *error);
int cuda_gate(struct ws_queue *queue, struct ws_error *error);
int cuda_submit(struct ws_queue *queue, struct ws_op *op, int size_index, uint32_t loops, struct ws_error *error);
int cuda_mark(struct ws_queue *queue, int mark, struct ws_error *error);
int cuda_join(struct ws_queue *queue, struct ws_queue *other, int mark, struct ws_error *error);
int cuda_flush(struct ws_queue *queue, struct ws_error *error);
void cuda_release(struct ws_backend *backend);
void cuda_stop(struct ws_queue *queue);
int cuda_poll(struct ws_queue *queue, int64_t wait_until_ns, bool *done, struct ws_error *error);
int cuda_read(struct ws_queue *queue, struct ws_op *op, struct ws_lane *lane, struct ws_error *error);
int cuda_verify(struct ws_queue *queue, struct ws_op *op, struct ws_check *check, struct ws_error *error);
int cuda_cancel(struct ws_queue *queue);

#endif
