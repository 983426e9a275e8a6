/* What the files of the fake libOpenCL share: its objects, and the queues that carry commands out. */
#ifndef WS_FAKE_OPENCL_OBJECTS_H
#define WS_FAKE_OPENCL_OBJECTS_H

#include "backend/opencl_private.h"
#include "fake/opencl_machine.h"

enum { INVALID_VALUE = -30, INVALID_OPERATION = -59, MEM_ALLOCATION_FAILURE = -4, NOT_AVAILABLE = -7, FAILED = -5 };
enum { QUEUED = 3, SUBMITTED = 2 };

enum kind { CONTEXT, QUEUE, BUFFER, EVENT, SVM, PROGRAM, KERNEL };

/* All that is alive, in the order of creation. */
struct object {
	struct object *next;
	enum kind kind;
	int references;
};

enum direction { TO_DEVICE, FROM_DEVICE, INSIDE, DIRECTIONS };

struct _cl_platform_id {
	int index;
};

struct _cl_device_id {
	int index;
	const struct opencl_model *model;
	uint64_t used_bytes, pinned_copies, other_copies, maps, kernels;
	uint64_t engine_ns[DIRECTIONS]; /* when each way will be free */
	uint64_t last_ns;		/* end of the last command that is known */
	uint64_t now_ns; /* how far its clock has come: each look at a command that has not ended moves it to the next
			    end */
};

struct _cl_context {
	struct object object;
	cl_device device, other; /* NULL = of one device alone */
};

struct _cl_event {
	struct object object;
	cl_device device; /* NULL = a user event */
	cl_int status;
	uint64_t start_ns, end_ns;
};

struct _cl_mem {
	struct object object;
	cl_context context;
	unsigned char *bytes;
	size_t size;
	bool of_host;  /* host memory, which a map hands over as it is */
	bool is_users; /* and not ours to free */
	int mapped;
	bool written;	       /* it is mapped for writing */
	unsigned char *window; /* what a map of device memory gives */
	unsigned char *copy;   /* of host memory, that is worked on; NULL = it is worked on in place */
};

/* A piece of shared virtual memory. */
struct svm {
	struct object object;
	cl_context context;
	void *bytes;
};

enum fake_kernel { FAKE_COPY, FAKE_READ, FAKE_WRITE, FAKE_NOOP };

struct _cl_program {
	struct object object;
	cl_context context;
	size_t local, each; /* as it was built */
};

struct _cl_kernel {
	struct object object;
	cl_program program;
	enum fake_kernel kernel;
	int argument_count;
	unsigned set; /* bit n: argument n has been set */
	uint64_t arguments[4];
};

enum action { MARK, COPY, MAP, UNMAP, COMPUTE };

struct command {
	struct command *next;
	enum action action;
	enum direction direction;
	cl_mem buffer;
	unsigned char *to;
	const unsigned char *from;
	size_t size;
	cl_mem from_buffer; /* of a copy between buffers: the other one is its buffer */
	enum fake_kernel kernel;
	uint64_t value;	      /* that a kernel writes */
	cl_event wait, event; /* NULL = none */
	bool pinned, flushed;
};

struct _cl_command_queue {
	struct object object;
	cl_context context;
	cl_device device;
	struct command *first;
	bool stuck;
	uint64_t end_ns; /* of its newest command */
};

/* Enters the library, counts and logs a call: 0, or the code with which it is to fail. Every call ends with leave. */
int fake_enter(const char *name, int device, uint64_t size_bytes);
/* The same for a function of a handle, whose device is known only inside. */
void fake_lock(void);
cl_int fake_leave(cl_int code);
/* Answers a question about a fact. Like the real one, does not cut what does not fit. */
cl_int fake_answer(const void *fact, size_t fact_size, size_t size, void *value, size_t *needed);

/* A new object with one reference, all else zero. */
void *fake_make(enum kind kind, size_t size);
/* The first of all that is alive. */
struct object *fake_objects(void);
/* Checks a handle and hands it on. */
void *fake_live(const void *handle, enum kind kind, const char *call);
/* Drops a reference; true if it was the last one, and the object is off the list, to be freed by the caller. */
bool fake_drop(struct object *object);
void fake_drop_context(cl_context context);
void fake_drop_event(cl_event event);

/* The buffer whose mapped bytes hold an address, or NULL. */
cl_mem fake_mapped_at(const unsigned char *address);
/* What commands work on. */
unsigned char *fake_worked_on(cl_mem buffer);
/* Whether a command of any queue still needs a buffer, by its handle or through its mapped bytes. */
bool fake_in_use(cl_mem buffer);

/* Carries out a kernel. */
void fake_compute(const struct command *command);
/* Appends a command, with an event if one is asked for. */
void fake_append(cl_queue queue, struct command command, const cl_event *wait, cl_event *event);
/* Sends off and waits for all of a queue. The lock is given up meanwhile: what never ends is waited for for ever. */
void fake_drain(cl_queue queue);
/* A command's status as its device's clock has it now. */
cl_int fake_status(cl_event event);

/* Carries out all that can run: commands that are flushed, whose event has come, in the order of their queues. */
void fake_run_all(void);

#endif
