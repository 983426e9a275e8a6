/* Loops that go on until they are stopped: a thread that keeps a queue supplied. */
#include "backend/cuda_feeder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/cuda_private.h"

/* So many batches are under way, each of which lasts so long if it may be so large. */
enum { BATCHES = 3, BATCH_MAX = 128 };
#define BATCH_NS 1000000
#define NAP_NS 50000

struct cuda_feeder {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool ordered, quit; /* under the lock */
	_Atomic bool stop, ended;
	struct ws_queue *queue;
	struct cuda_op *state;
	struct cuda_event *events[BATCHES]; /* each behind a batch */
	int status;
	struct ws_error error;
};

static bool wait_for_order(struct cuda_feeder *feeder)
{
	bool quit;

	pthread_mutex_lock(&feeder->lock);
	while (!feeder->ordered && !feeder->quit)
		pthread_cond_wait(&feeder->changed, &feeder->lock);
	feeder->ordered = false;
	quit = feeder->quit;
	pthread_mutex_unlock(&feeder->lock);
	return !quit;
}

static int submit_batch(struct cuda_feeder *feeder, unsigned batch, uint32_t loops, struct ws_error *error)
{
	struct ws_queue *queue = feeder->queue;
	int rc = cuda_op_submit(queue, feeder->state, loops, error);

	if (rc != WS_OK)
		return rc;
	feeder->state->loops += loops;
	return cuda_result(queue->gpu,
			   queue->gpu->cuda->api.event_record(feeder->events[batch % BATCHES], queue->stream),
			   "cuEventRecord", error);
}

/* Until the oldest batch under way has ended, or nobody wants more. */
static int wait_for_batch(struct cuda_feeder *feeder, unsigned batch, struct ws_error *error)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};
	struct cuda_gpu *gpu = feeder->queue->gpu;

	while (!atomic_load_explicit(&feeder->stop, memory_order_acquire)) {
		const int result = gpu->cuda->api.event_query(feeder->events[batch % BATCHES]);

		if (result != CUDA_NOT_READY)
			return cuda_result(gpu, result, "work of a queue (cuEventQuery)", error);
		nanosleep(&nap, NULL);
	}
	return WS_OK;
}

/* Batches are enlarged until they outlast the naps between two looks. */
static int feed(struct cuda_feeder *feeder, struct ws_error *error)
{
	struct ws_queue *queue = feeder->queue;
	int64_t before_ns = 0;
	uint32_t loops = 1;
	int rc = cuda_enter(queue->gpu, error);

	for (unsigned batch = 0; rc == WS_OK && !atomic_load_explicit(&feeder->stop, memory_order_acquire); batch++) {
		rc = submit_batch(feeder, batch, loops, error);
		if (rc == WS_OK && batch >= BATCHES - 1) {
			rc = wait_for_batch(feeder, batch + 1, error);
			if (before_ns && cuda_after_ns(0) - before_ns < BATCH_NS && loops < BATCH_MAX)
				loops *= 2;
			before_ns = cuda_after_ns(0);
		}
	}
	if (rc == WS_OK)
		rc = cuda_result(queue->gpu, queue->gpu->cuda->api.event_record(queue->marks[1], queue->stream),
				 "cuEventRecord", error);
	return rc;
}

static void *run(void *argument)
{
	struct cuda_feeder *feeder = argument;

	while (wait_for_order(feeder)) {
		feeder->error = (struct ws_error){0};
		feeder->status = feed(feeder, &feeder->error);
		atomic_store_explicit(&feeder->ended, true, memory_order_release);
	}
	return NULL;
}

static void free_events(struct cuda_feeder *feeder)
{
	for (int i = 0; i < BATCHES; i++)
		if (feeder->events[i])
			feeder->queue->gpu->cuda->api.event_destroy(feeder->events[i]);
}

int cuda_feeder_new(struct ws_queue *queue, struct cuda_op *state, struct cuda_feeder **out, struct ws_error *error)
{
	struct cuda_feeder *feeder = calloc(1, sizeof(*feeder));
	int created, rc = WS_OK;

	if (!feeder)
		return ws_fail(error, WS_ENOMEM, "no memory for a thread");
	feeder->queue = queue;
	feeder->state = state;
	for (int i = 0; i < BATCHES && rc == WS_OK; i++)
		rc = cuda_result(queue->gpu,
				 queue->gpu->cuda->api.event_create(&feeder->events[i], CUDA_EVENT_DEFAULT),
				 "cuEventCreate", error);
	pthread_mutex_init(&feeder->lock, NULL);
	pthread_cond_init(&feeder->changed, NULL);
	if (rc == WS_OK) {
		created = pthread_create(&feeder->thread, NULL, run, feeder);
		if (created != 0)
			rc = ws_fail(error, WS_ESYSTEM, "pthread_create: %s", strerror(created));
	}
	if (rc == WS_OK) {
		*out = feeder;
		return WS_OK;
	}
	free_events(feeder);
	pthread_cond_destroy(&feeder->changed);
	pthread_mutex_destroy(&feeder->lock);
	free(feeder);
	return rc;
}

void cuda_feeder_order(struct cuda_feeder *feeder)
{
	atomic_store(&feeder->stop, false);
	atomic_store(&feeder->ended, false);
	pthread_mutex_lock(&feeder->lock);
	feeder->ordered = true;
	pthread_cond_signal(&feeder->changed);
	pthread_mutex_unlock(&feeder->lock);
}

void cuda_feeder_stop(struct cuda_feeder *feeder)
{
	atomic_store_explicit(&feeder->stop, true, memory_order_release);
}

bool cuda_feeder_ended(struct cuda_feeder *feeder, int *status, struct ws_error *error)
{
	if (!atomic_load_explicit(&feeder->ended, memory_order_acquire))
		return false;
	*status = feeder->status == WS_OK ? WS_OK : ws_fail(error, feeder->status, "%s", feeder->error.text);
	return true;
}

void cuda_feeder_free(struct cuda_feeder *feeder)
{
	if (!feeder)
		return;
	pthread_mutex_lock(&feeder->lock);
	feeder->quit = true;
	pthread_cond_signal(&feeder->changed);
	pthread_mutex_unlock(&feeder->lock);
	pthread_join(feeder->thread, NULL);
	/* What belongs to a GPU that is of no use any more goes with the process. */
	if (cuda_enter(feeder->queue->gpu, NULL) == WS_OK)
		free_events(feeder);
	pthread_cond_destroy(&feeder->changed);
	pthread_mutex_destroy(&feeder->lock);
	free(feeder);
}
