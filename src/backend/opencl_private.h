/* What the files of the OpenCL back end share: our own names for the few types and values of OpenCL that it uses. */
#ifndef WS_BACKEND_OPENCL_PRIVATE_H
#define WS_BACKEND_OPENCL_PRIVATE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/calls.h"
#include "base/dl.h"
#include "seam/backend.h"

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint32_t cl_bool;
typedef uint64_t cl_bits;
typedef struct _cl_platform_id *cl_platform;
typedef struct _cl_device_id *cl_device;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_event *cl_event;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef void cl_notify(const char *, const void *, size_t, void *);
typedef void cl_built(cl_program, void *);

enum {
	CL_COMPLETE = 0,
	CL_DEVICE_NOT_FOUND = -1,
	CL_INVALID_VALUE = -30,
	CL_PLATFORM_NOT_FOUND_KHR = -1001,
	CL_PLATFORM_VERSION = 0x0901,
	CL_PLATFORM_NAME = 0x0902,
	CL_DEVICE_TYPE = 0x1000,
	CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
	CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
	CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
	CL_DEVICE_AVAILABLE = 0x1027,
	CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
	CL_DEVICE_NAME = 0x102B,
	CL_DRIVER_VERSION = 0x102D,
	CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
	CL_DEVICE_SVM_CAPABILITIES = 0x1053, /* OpenCL 2.0 */
	CL_DEVICE_UUID_KHR = 0x106A,	     /* cl_khr_device_uuid */
	/* cl_nv_device_attribute_query; the device is the slot's upper bits, the domain came later. */
	CL_DEVICE_PCI_BUS_ID_NV = 0x4008,
	CL_DEVICE_PCI_SLOT_ID_NV = 0x4009,
	CL_DEVICE_PCI_DOMAIN_ID_NV = 0x400A,
	/* cl_khr_pci_bus_info: a struct of domain, bus, device and function. */
	CL_DEVICE_PCI_BUS_INFO_KHR = 0x410F,
	CL_PROGRAM_BUILD_LOG = 0x1183,
	CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3,
	CL_PROFILING_COMMAND_START = 0x1282,
	CL_PROFILING_COMMAND_END = 0x1283,
	/* Bits. */
	CL_DEVICE_TYPE_CPU = 1 << 1,
	CL_MEM_READ_WRITE = 1 << 0,
	CL_MEM_USE_HOST_PTR = 1 << 3,
	CL_MEM_ALLOC_HOST_PTR = 1 << 4,
	CL_MAP_READ = 1 << 0,
	CL_MAP_WRITE = 1 << 1,
	CL_MAP_WRITE_INVALIDATE_REGION = 1 << 2,
	CL_DEVICE_SVM_COARSE_GRAIN_BUFFER = 1 << 0,
	CL_QUEUE_PROFILING_ENABLE = 1 << 1
};
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFF

/* Copies that wait behind a closed gate. */
#define OPENCL_QUEUE_DEPTH 512

struct opencl_library {
#define WS_DL WS_DL_POINTER
#include "backend/opencl.def"
};

/* What a map of the device's memory does. */
enum opencl_maps {
	OPENCL_MAPS_UNKNOWN,
	OPENCL_MAPS_MOVE, /* it brings the bytes to the host */
	OPENCL_MAPS_SHARE /* nothing: the host gets the device's memory itself */
};

/* Where the memory of a kind is while the device works on it. */
enum opencl_home { OPENCL_HOME_UNKNOWN, OPENCL_HOME_HOST, OPENCL_HOME_DEVICE };

enum opencl_kind {
	OPENCL_DEVICE, /* a device's own memory */
	OPENCL_PINNED, /* the runtime's host memory: copies take its address */
	OPENCL_MAPPED, /* memory of the host back end that the runtime uses in place */
	OPENCL_SVM,    /* shared virtual memory */
	OPENCL_KINDS
};

struct opencl_device {
	int index;
	cl_platform platform;
	cl_device device;
	cl_context context; /* made when first needed, like the queue */
	cl_queue queue;	    /* for fills and checks */
	cl_event gate;	    /* what gated commands wait for; NULL = open */
	cl_int gate_code;   /* why it could not be opened; 0 = not tried, or it was */
	void *staging;	    /* what its memory is filled and compared through, made when first needed */
	enum opencl_maps maps;
	enum opencl_home homes[OPENCL_KINDS];
	cl_program programs[2]; /* for work-items of one element, and of several; compiled when first needed */
	cl_bits type;
	size_t local;	     /* size of work-groups */
	uint64_t most_bytes; /* of one buffer */
	_Atomic bool lost;   /* something did not end: nothing of it is called, freed or released any more */
};

/* Two devices of one platform in a context of both, between which the runtime copies by a way of its own. */
struct opencl_pair {
	struct opencl_pair *next;
	struct opencl_device *devices[2];
	cl_context context;
	cl_queue queues[2]; /* for fills and checks */
};

struct opencl {
	struct opencl_library cl;
	const struct ws_topology *topology;
	int64_t timeout_ns;
	struct opencl_device *devices;
	int count;
	struct opencl_buffer *attached; /* memory of the host back end that devices reach */
	struct opencl_pair *pairs;
};

/* Memory that the runtime knows. Of the host's kinds the host owns it while it is mapped, else the device. */
struct opencl_buffer {
	struct opencl_device *device;
	enum opencl_kind kind;
	cl_mem memory;
	cl_context context; /* the device's, or of a pair */
	cl_queue queue;	    /* of that context: for maps, fills and checks */
	uint64_t size_bytes;
	void *mapped;		    /* NULL = not mapped; of a device's own, what could not be unmapped */
	void *host;		    /* of the kinds that begin with a piece of memory */
	struct opencl_buffer *next; /* of those attached */
};

enum opencl_kernel { OPENCL_KERNEL_COPY, OPENCL_KERNEL_READ, OPENCL_KERNEL_WRITE, OPENCL_KERNEL_NOOP };

struct opencl_argument {
	size_t size;
	const void *value;
};

struct opencl_op;
struct ws_queue;

/* What an engine offers. Either a command is queued, or calls are made that return when all is done. */
struct opencl_verb {
	enum ws_verb verb;
	const char *engine;
	const char *access; /* of the option, or NULL */
	/* Refuses what cannot be done, and makes ready what takes time. */
	int (*prepare)(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error);
	cl_int (*enqueue)(struct ws_queue *queue, const struct opencl_op *state, cl_event *event, const char **call);
	int (*call)(struct ws_queue *queue, struct opencl_op *state, int64_t *time_ns, struct ws_error *error);
	enum opencl_kernel kernel; /* of the engine sm */
	const char *why_not; /* it is known, and not offered */
};

/* An op made ready. */
struct opencl_op {
	struct opencl_op *next; /* of the queue */
	struct ws_op *op;
	const struct opencl_verb *verb;
	struct opencl_buffer *source, *destination; /* NULL = pageable memory, or none */
	uint64_t size_bytes;			    /* of the run's loops */
	uint32_t loops;				    /* of the run, lead loops included */
	struct ws_calls calls; /* of each loop, if the item wants that */
	cl_kernel kernel; /* of the engine sm; its own, as arguments are the kernel's */
	cl_mem sums;	  /* of a reading kernel, one for each work-group */
	uint64_t *sums_here;
	size_t sums_bytes;
	uint64_t value;	  /* that is written */
	uint32_t touched; /* the first word of a copy between devices */
};

#define OPENCL_EVENTS (2 * OPENCL_QUEUE_DEPTH) /* timed commands and as many before them */

struct ws_queue {
	struct opencl *opencl;
	struct opencl_device *device;
	cl_queue queue;
	struct opencl_op *ops;
	cl_event first;			/* of the timed commands */
	cl_event newest;		/* of all commands; one of the others */
	cl_event others[OPENCL_EVENTS]; /* beside the first one, the latest: number n is at n % OPENCL_EVENTS */
	uint32_t other_count;
	uint32_t timed_count;		/* of the others up to the last timed one */
	bool building;		  /* between a run's first order and its last */
	bool gated;		  /* this run waits for the gate */
	bool timed;		  /* what is submitted now is timed */
	bool has_pending;	  /* newest has not been seen to end */
	int64_t start_ns, end_ns; /* of the timed loops of a run without a gate, on the host's clock */
};

/* The device of a place; WS_ELOST if it is lost. */
int opencl_find(struct opencl *opencl, const struct ws_place *place, struct opencl_device **out,
		struct ws_error *error);
/* Makes its context and queue, if they are not there yet. */
int opencl_device_start(struct opencl *opencl, struct opencl_device *device, struct ws_error *error);
/* Writes "call: code (name)" as the error. Always WS_EDRIVER, or WS_ENOMEM where that is what the code says. */
int opencl_fail(struct ws_error *error, const char *call, cl_int code);
/*
 * Waits until a command of a queue of the device has ended, and releases its event. WS_EDRIVER if it failed, or a call
 * on the way did. WS_ELOST if it has not ended in time: then the device is lost, as the command may still touch memory.
 */
int opencl_wait(struct opencl *opencl, struct opencl_device *device, cl_queue queue, cl_event event, const char *call,
		const char *phase, struct ws_error *error);
/* The same without a nap, for a wait that is itself timed; the event stays. */
int opencl_wait_awake(struct opencl *opencl, struct opencl_device *device, cl_queue queue, cl_event event,
		      const char *call, struct ws_error *error);

/* Buffers: opencl_buffer.c. */
int opencl_alloc(struct ws_backend *backend, const struct ws_place *place, const struct ws_place *near,
		 uint64_t size_bytes, struct ws_buffer *out, struct ws_error *error);
void opencl_free(struct ws_backend *backend, struct ws_buffer *buffer);
int opencl_attach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place,
		  struct ws_error *error);
void opencl_detach(struct ws_backend *backend, struct ws_buffer *buffer, const struct ws_place *place);
int opencl_fill(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		struct ws_error *error);
int opencl_check(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		 struct ws_check *check, struct ws_error *error);
/* What the runtime knows of a buffer, for a device's engines; NULL = nothing, it is reached by its address. */
struct opencl_buffer *opencl_buffer_of(struct opencl *opencl, const struct opencl_device *device,
				       const struct ws_buffer *buffer);
/* Hands memory of the host's kinds to the host, or to the device. Does nothing where it is there already. */
int opencl_give_to_host(struct opencl *opencl, struct opencl_buffer *buffer, struct ws_error *error);
int opencl_give_to_device(struct opencl *opencl, struct opencl_buffer *buffer, struct ws_error *error);
/* Gives a device's buffer to a context, its content lost; does nothing if it is there. Not for other kinds. */
int opencl_bind(struct opencl *opencl, struct opencl_buffer *buffer, cl_context context, cl_queue queue,
		struct ws_error *error);
/* What a device's memory is filled and compared through; NULL when out of memory. */
void *opencl_staging(struct opencl_device *device);
/* Moves one piece between it and a device's buffer. */
int opencl_move(struct opencl *opencl, const struct opencl_buffer *buffer, uint64_t offset, uint64_t size,
		bool to_device, struct ws_error *error);
/* Compares memory of a device, or that the host has, with the pattern of a seed. */
int opencl_check_pattern(struct opencl *opencl, const struct opencl_buffer *buffer, uint64_t size_bytes, uint64_t seed,
			 struct ws_check *check, struct ws_error *error);

/* The same with the bytes of a value, low byte first, again and again. */
int opencl_check_value(struct opencl *opencl, const struct opencl_buffer *buffer, uint64_t size_bytes, uint64_t value,
		       struct ws_check *check, struct ws_error *error);

/* Maps: opencl_map.c. */

/* Maps, and waits for it. */
int opencl_map(struct ws_queue *queue, struct opencl_buffer *buffer, cl_bits how, uint64_t size_bytes, void **out,
	       struct ws_error *error);
/*
 * Maps by a call that returns when it is done, which is what is timed. It may never return, and is therefore for threads
 * that are waited for no longer than their sample may last.
 */
int opencl_map_blocking(struct ws_queue *queue, const struct opencl_buffer *buffer, cl_bits how, uint64_t size_bytes,
			void **out, struct ws_error *error);
/* Unmaps, and waits for it: until *end_ns, if that is wanted. */
int opencl_unmap(struct ws_queue *queue, struct opencl_buffer *buffer, void *mapped, int64_t *end_ns,
		 struct ws_error *error);
/* Looks what a map of a device's memory does, and whether the device works on the host's memory in place. */
int opencl_see_maps(struct ws_queue *queue, struct opencl_buffer *buffer, struct ws_error *error);
int opencl_see_home(struct ws_queue *queue, struct opencl_buffer *buffer, struct ws_error *error);

/* Pairs of devices: opencl_pair.c. */

/* A copy from one device's memory to another's. */
extern const struct opencl_verb opencl_between;
void opencl_pairs_release(struct opencl *opencl);

/* Kernels: opencl_kernel.c. */

/* A kernel of one's own, of a program that is compiled if it has not been. */
int opencl_kernel_new(const struct opencl *opencl, struct opencl_device *device, enum opencl_kernel kernel,
		      cl_kernel *out, struct ws_error *error);
void opencl_kernels_release(const struct opencl *opencl, struct opencl_device *device);
/* The number of work-groups of a launch over so many bytes. */
size_t opencl_kernel_groups(const struct opencl_device *device, enum opencl_kernel kernel, uint64_t size_bytes);
/* Queues a kernel over so many bytes; event may be NULL. */
cl_int opencl_kernel_launch(const struct opencl *opencl, struct ws_queue *queue, enum opencl_kernel kernel,
			    cl_kernel with, uint64_t size_bytes, const struct opencl_argument *arguments, cl_uint count,
			    cl_event *event);

/* Work of items by kernels: opencl_work_sm.c. */
extern const struct opencl_verb opencl_sm_verbs[];
extern const size_t opencl_sm_verb_count;
void opencl_sm_free(struct ws_queue *queue, struct opencl_op *state);
int opencl_sm_begin(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error);
int opencl_sm_refilled(struct ws_queue *queue, struct opencl_op *state, struct ws_error *error);
int opencl_sm_verify(struct ws_queue *queue, const struct opencl_op *state, struct ws_check *check,
		     struct ws_error *error);

/* Work of items: opencl_work.c. */
int opencl_prepare(struct ws_queue *queue, struct ws_op *op, int64_t deadline_ns, struct ws_error *error);
/* Before a run's first loop, and after its last: who owns the host's memory. */
int opencl_work_begin(struct ws_queue *queue, struct ws_error *error);
int opencl_work_end(struct ws_queue *queue, struct ws_error *error);
int opencl_submit(struct ws_queue *queue, struct ws_op *op, int size_index, uint32_t loops, struct ws_error *error);
/* Whether an item is made of calls that return when all is done, which are timed one by one. */
bool opencl_is_called(const struct opencl_op *state);
/* Refuses what cannot wait behind a gate. */
int opencl_check_gated(const struct opencl_op *state, struct ws_error *error);
/* False for maps of memory that host and device share. */
bool opencl_moves_bytes(const struct ws_queue *queue, const struct opencl_op *state);
int opencl_verify(struct ws_queue *queue, struct ws_op *op, struct ws_check *check, struct ws_error *error);
int opencl_refilled(struct ws_queue *queue, struct ws_op *op, struct ws_error *error);
void opencl_op_free(struct ws_queue *queue, struct opencl_op *state);

/* Queues: opencl_queue.c. */
int opencl_queue_new(struct ws_backend *backend, const struct ws_item *item, struct ws_queue **out,
		     struct ws_error *error);
void opencl_queue_free(struct ws_backend *backend, struct ws_queue *queue);
int opencl_gate(struct ws_queue *queue, struct ws_error *error);
/* The first order of a run. */
int opencl_begin(struct ws_queue *queue, struct ws_error *error);
/* Keeps a command's event until the run has been read. */
void opencl_keep_event(struct ws_queue *queue, cl_event event);
/* Waits for a command, awake, and keeps its event. What is timed ends at *end_ns, if that is wanted. */
int opencl_end(struct ws_queue *queue, cl_event event, const char *call, int64_t *end_ns, struct ws_error *error);
int opencl_mark(struct ws_queue *queue, int mark, struct ws_error *error);
int opencl_flush(struct ws_queue *queue, struct ws_error *error);
void opencl_release(struct ws_backend *backend);
int opencl_poll(struct ws_queue *queue, int64_t wait_until_ns, bool *done, struct ws_error *error);
int opencl_read(struct ws_queue *queue, struct ws_op *op, struct ws_lane *lane, struct ws_error *error);
int opencl_cancel(struct ws_queue *queue);

#endif
