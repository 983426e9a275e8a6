/*
 * Objects and queues of the fake libOpenCL. It is strict: commands run only once they are flushed; a handle used after
 * its release, one released while a command still needs it, or left at a clean end, ends the process with 97.
 */
#include "fake/opencl_objects.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *objects;
static const char *const kind_names[] = {"context", "queue", "buffer", "event", "piece of shared virtual memory",
					 "program", "kernel"};

struct object *fake_objects(void)
{
	return objects;
}

void fake_lock(void)
{
	pthread_mutex_lock(&lock);
}

int fake_enter(const char *name, int device, uint64_t size)
{
	fake_lock();
	return opencl_call(name, device, size);
}

cl_int fake_leave(cl_int code)
{
	pthread_mutex_unlock(&lock);
	return code;
}

cl_int fake_answer(const void *fact, size_t fact_size, size_t size, void *value, size_t *needed)
{
	if (needed)
		*needed = fact_size;
	if (value && size < fact_size)
		return INVALID_VALUE;
	if (value)
		memcpy(value, fact, fact_size);
	return 0;
}

void *fake_make(enum kind kind, size_t size)
{
	struct object *object = calloc(1, size), **at = &objects;

	if (!object)
		opencl_misuse("no memory for a %s", kind_names[kind]);
	*object = (struct object){.kind = kind, .references = 1};
	while (*at)
		at = &(*at)->next;
	*at = object;
	return object;
}

void *fake_live(const void *handle, enum kind kind, const char *call)
{
	for (struct object *at = objects; at; at = at->next)
		if (at == handle && at->kind == kind)
			return at;
	opencl_misuse("%s: this %s is none, or not any more", call, kind_names[kind]);
}

bool fake_drop(struct object *object)
{
	struct object **at = &objects;

	if (--object->references > 0)
		return false;
	while (*at != object)
		at = &(*at)->next;
	*at = object->next;
	return true;
}

void fake_drop_event(cl_event event)
{
	if (event && fake_drop(&event->object))
		free(event);
}

static void corrupt(struct command *command, const struct opencl_model *model)
{
	unsigned char *at = command->to;

	switch (model->wrong) {
	case OPENCL_ONE_BYTE:
		at[command->size / 2] ^= 1;
		break;
	case OPENCL_LAST_BYTE:
		at[command->size - 1] = (unsigned char)~command->from[command->size - 1];
		break;
	case OPENCL_OFFSET:
		memmove(at + 4, at, command->size > 4 ? command->size - 4 : 0);
		break;
	case OPENCL_RIGHT:
	case OPENCL_NOTHING:
		break;
	}
}

/* Carries out a copy; false if it never ends. */
static bool move(struct command *command, cl_device device)
{
	const struct opencl_model *model = device->model;
	const uint64_t number = command->pinned ? ++device->pinned_copies : ++device->other_copies;
	const bool wrong = command->pinned && model->wrong != OPENCL_RIGHT && number >= model->wrong_at;

	if (number == (command->pinned ? model->hang : model->hang_other))
		return false;
	if (command->pinned && number == model->break_at) {
		if (command->event)
			command->event->status = FAILED;
		return true;
	}
	if (!wrong || model->wrong != OPENCL_NOTHING)
		memcpy(command->to, command->from, command->size);
	if (wrong)
		corrupt(command, model);
	return true;
}

static uint64_t duration(const struct command *command, const struct opencl_model *model)
{
	const double rates[] = {model->write_gb_s, model->read_gb_s, model->local_gb_s};

	return model->fixed_ns + (uint64_t)((double)command->size / rates[command->direction] + 0.5);
}

/* A map of device memory brings its bytes to where the host sees them, and an unmap what the host wrote there. */
static void move_window(const struct command *command)
{
	const cl_mem buffer = command->buffer;

	if (buffer->copy && command->action == MAP)
		memcpy(buffer->bytes, buffer->copy, buffer->size);
	else if (buffer->copy && buffer->written)
		memcpy(buffer->copy, buffer->bytes, buffer->size);

	if (!buffer->window)
		return;
	if (command->action == MAP)
		memcpy(buffer->window, buffer->bytes, buffer->size);
	else if (buffer->written)
		memcpy(buffer->bytes, buffer->window, buffer->size);
}

static bool is_work(const struct command *command)
{
	return command->action == COPY || command->action == COMPUTE;
}

/* Runs the first command of a queue; false if it cannot run now. */
static bool run_one(cl_queue queue)
{
	struct command *command = queue->first;
	const cl_device device = queue->device;
	uint64_t *engine = &device->engine_ns[command->direction], start = queue->end_ns;

	if (queue->stuck || !command->flushed || (command->wait && command->wait->status > CL_COMPLETE))
		return false;
	if (command->wait && command->wait->end_ns > start)
		start = command->wait->end_ns;
	if (command->event)
		command->event->status = CL_COMPLETE;
	if (command->action == COPY) {
		start = *engine > start ? *engine : start;
		queue->stuck = !move(command, device);
	} else if (command->action == COMPUTE) {
		start = *engine > start ? *engine : start;
		queue->stuck = ++device->kernels == device->model->hang_kernel;
		if (!queue->stuck)
			fake_compute(command);
	} else if (command->action != MARK) {
		queue->stuck = ++device->maps == device->model->hang_map;
		if (!queue->stuck)
			move_window(command);
	}
	if (queue->stuck) {
		if (command->event)
			command->event->status = SUBMITTED;
		return false;
	}
	queue->end_ns = start + (is_work(command) ? duration(command, device->model) : 0);
	if (is_work(command))
		*engine = queue->end_ns;
	device->last_ns = queue->end_ns > device->last_ns ? queue->end_ns : device->last_ns;
	if (command->event) {
		command->event->start_ns = start;
		command->event->end_ns = queue->end_ns;
	}
	queue->first = command->next;
	fake_drop_event(command->wait);
	fake_drop_event(command->event);
	free(command);
	return true;
}

void fake_run_all(void)
{
	for (struct object *at = objects; at; at = at->next) {
		cl_queue queue = (cl_queue)(void *)at;

		while (at->kind == QUEUE && queue->first && run_one(queue))
			continue;
	}
}

void fake_drain(cl_queue queue)
{
	for (struct command *command = queue->first; command; command = command->next)
		command->flushed = true;
	fake_run_all();
	while (queue->first) {
		fake_leave(0);
		usleep(200);
		fake_lock();
		fake_run_all();
	}
	if (queue->device->now_ns < queue->end_ns)
		queue->device->now_ns = queue->end_ns;
}

cl_int fake_status(cl_event event)
{
	uint64_t next_ns = UINT64_MAX;

	if (!event->device || event->status != CL_COMPLETE || event->end_ns <= event->device->now_ns)
		return event->status;
	for (struct object *at = objects; at; at = at->next) {
		const cl_event other = (cl_event)(void *)at;

		if (at->kind == EVENT && other->device == event->device && other->end_ns > event->device->now_ns &&
		    other->end_ns < next_ns)
			next_ns = other->end_ns;
	}
	event->device->now_ns = next_ns;
	return SUBMITTED;
}

cl_mem fake_mapped_at(const unsigned char *address)
{
	for (struct object *at = objects; at; at = at->next) {
		cl_mem buffer = (cl_mem)(void *)at;

		if (at->kind == BUFFER && buffer->mapped && address >= buffer->bytes &&
		    address < buffer->bytes + buffer->size)
			return buffer;
	}
	return NULL;
}

void fake_append(cl_queue queue, struct command command, const cl_event *wait, cl_event *event)
{
	struct command *copy = malloc(sizeof(*copy)), **at = &queue->first;

	if (!copy)
		opencl_misuse("no memory for a command");
	*copy = command;
	if (wait) {
		copy->wait = fake_live(*wait, EVENT, "wait list");
		copy->wait->object.references++;
	}
	if (event) {
		*event = copy->event = fake_make(EVENT, sizeof(struct _cl_event));
		copy->event->status = QUEUED;
		copy->event->device = queue->device;
		copy->event->object.references++;
	}
	while (*at)
		at = &(*at)->next;
	*at = copy;
}

unsigned char *fake_worked_on(cl_mem buffer)
{
	return buffer->copy ? buffer->copy : buffer->bytes;
}

bool fake_in_use(cl_mem buffer)
{
	for (struct object *at = objects; at; at = at->next) {
		cl_queue queue = (cl_queue)(void *)at;

		for (struct command *command = at->kind == QUEUE ? queue->first : NULL; command;
		     command = command->next)
			if (command->buffer == buffer || command->from_buffer == buffer ||
			    (command->action == COPY &&
			     (fake_mapped_at(command->from) == buffer || fake_mapped_at(command->to) == buffer)))
				return true;
	}
	return false;
}

void fake_drop_context(cl_context context)
{
	if (fake_drop(&context->object))
		free(context);
}

static cl_context context_of(const struct object *object)
{
	const void *at = object;

	switch (object->kind) {
	case CONTEXT:
		return (cl_context)(uintptr_t)at;
	case QUEUE:
		return ((const struct _cl_command_queue *)at)->context;
	case BUFFER:
		return ((const struct _cl_mem *)at)->context;
	case SVM:
		return ((const struct svm *)at)->context;
	case PROGRAM:
		return ((const struct _cl_program *)at)->context;
	case KERNEL:
		return ((const struct _cl_kernel *)at)->program->context;
	case EVENT:
		break;
	}
	return NULL;
}

/* A clean end leaves nothing. (After a hang the program leaves by _exit, and this does not run.) */
__attribute__((destructor)) static void look_for_leaks(void)
{
	const cl_context context = objects ? context_of(objects) : NULL;

	if (objects)
		opencl_misuse("a %s is left at the end, of device ocl%d", kind_names[objects->kind],
			      context ? context->device->index : -1);
}
