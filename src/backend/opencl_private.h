/* What the files of the OpenCL back end share: our own names for the few types and values of OpenCL 1.2 that it uses. */
#ifndef WS_BACKEND_OPENCL_PRIVATE_H
#define WS_BACKEND_OPENCL_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

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
typedef void cl_notify(const char *, const void *, size_t, void *);

enum {
	CL_COMPLETE = 0,
	CL_DEVICE_NOT_FOUND = -1,
	CL_PLATFORM_NOT_FOUND_KHR = -1001,
	CL_PLATFORM_VERSION = 0x0901,
	CL_PLATFORM_NAME = 0x0902,
	CL_DEVICE_TYPE = 0x1000,
	CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
	CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
	CL_DEVICE_AVAILABLE = 0x1027,
	CL_DEVICE_NAME = 0x102B,
	CL_DRIVER_VERSION = 0x102D,
	CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
	/* cl_nv_device_attribute_query; the device is the slot's upper bits, the domain came later. */
	CL_DEVICE_PCI_BUS_ID_NV = 0x4008,
	CL_DEVICE_PCI_SLOT_ID_NV = 0x4009,
	CL_DEVICE_PCI_DOMAIN_ID_NV = 0x400A,
	/* cl_khr_pci_bus_info: a struct of domain, bus, device and function. */
	CL_DEVICE_PCI_BUS_INFO_KHR = 0x410F,
	CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3,
	CL_PROFILING_COMMAND_START = 0x1282,
	CL_PROFILING_COMMAND_END = 0x1283,
	/* Bits. */
	CL_DEVICE_TYPE_CPU = 1 << 1,
	CL_MEM_READ_WRITE = 1 << 0,
	CL_MEM_ALLOC_HOST_PTR = 1 << 4,
	CL_MAP_READ = 1 << 0,
	CL_MAP_WRITE = 1 << 1,
	CL_QUEUE_PROFILING_ENABLE = 1 << 1
};
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFF

/* Copies that wait behind a closed gate. */
#define OPENCL_QUEUE_DEPTH 512

struct opencl_library {
#define WS_DL WS_DL_POINTER
#include "backend/opencl.def"
};

struct opencl_device {
	int index;
	cl_platform platform;
	cl_device device;
	cl_context context;  /* made when first needed, like the queue */
	cl_queue queue;      /* for fills and checks */
	cl_event gate;       /* what gated commands wait for; NULL = open */
	cl_int gate_code;    /* why it could not be opened; 0 = not tried, or it was */
	void *staging;       /* what its memory is filled and compared through, made when first needed */
	cl_bits type;
	uint64_t most_bytes; /* of one buffer */
	bool lost;           /* something did not end: nothing of it is called, freed or released any more */
};

struct opencl {
	struct opencl_library cl;
	int64_t timeout_ns;
	struct opencl_device *devices;
	int count;
};

/* A buffer's handle: device memory, or host memory of the runtime that stays mapped. */
struct opencl_buffer {
	struct opencl_device *device;
	cl_mem memory;
	void *mapped; /* NULL = device memory */
};

/* The device of a place; WS_ELOST if it is lost. */
int opencl_find(struct opencl *opencl, const struct ws_place *place, struct opencl_device **out, struct ws_error *error);
/* Makes its context and queue, if they are not there yet. */
int opencl_device_start(struct opencl *opencl, struct opencl_device *device, struct ws_error *error);
/* Writes "call: code (name)" as the error. Always WS_EDRIVER, or WS_ENOMEM where that is what the code says. */
int opencl_fail(struct ws_error *error, const char *call, cl_int code);
/*
 * Waits until a command of the device's own queue has ended, and releases its event. WS_EDRIVER if it failed, or a call
 * on the way did. WS_ELOST if it has not ended in time: then the device is lost, as the command may still touch memory.
 */
int opencl_wait(struct opencl *opencl, struct opencl_device *device, cl_event event, const char *call, const char *phase,
		struct ws_error *error);

/* Buffers: opencl_buffer.c. */
int opencl_alloc(struct ws_backend *backend, const struct ws_place *place, const struct ws_place *near,
		 uint64_t size_bytes, struct ws_buffer *out, struct ws_error *error);
void opencl_free(struct ws_backend *backend, struct ws_buffer *buffer);
int opencl_fill(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		struct ws_error *error);
int opencl_check(struct ws_backend *backend, struct ws_buffer *buffer, uint64_t size_bytes, uint64_t seed,
		 struct ws_check *check, struct ws_error *error);

/* Queues: opencl_queue.c. */
int opencl_queue_new(struct ws_backend *backend, const struct ws_item *item, struct ws_queue **out, struct ws_error *error);
void opencl_queue_free(struct ws_backend *backend, struct ws_queue *queue);
int opencl_prepare(struct ws_queue *queue, struct ws_op *op, int64_t deadline_ns, struct ws_error *error);
int opencl_gate(struct ws_queue *queue, struct ws_error *error);
int opencl_submit(struct ws_queue *queue, struct ws_op *op, int size_index, uint32_t loops, struct ws_error *error);
int opencl_mark(struct ws_queue *queue, int mark, struct ws_error *error);
int opencl_flush(struct ws_queue *queue, struct ws_error *error);
void opencl_release(struct ws_backend *backend);
int opencl_poll(struct ws_queue *queue, int64_t wait_until_ns, bool *done, struct ws_error *error);
int opencl_read(struct ws_queue *queue, struct ws_op *op, struct ws_lane *lane, struct ws_error *error);
int opencl_cancel(struct ws_queue *queue);

#endif
