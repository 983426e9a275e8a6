/*
 * GPUs opened several at the same time: each takes long, and none needs another. Closing them together gains nothing:
 * the driver (580) takes as long as for one after the other.
 */
#include "backend/cuda_private.h"

static void *make(void *gpu)
{
	cuda_gpu_make(gpu);
	return NULL;
}

/* The first is the calling thread's, and so are those that get no thread of their own. */
static void make_all(struct cuda_gpu *const *gpus, int count)
{
	pthread_t threads[CUDA_GPUS_MAX];
	bool begun[CUDA_GPUS_MAX] = {false};

	for (int i = 1; i < count; i++)
		begun[i] = pthread_create(&threads[i], NULL, make, gpus[i]) == 0;
	for (int i = 0; i < count; i++)
		if (!begun[i])
			cuda_gpu_make(gpus[i]);
	for (int i = 0; i < count; i++)
		if (begun[i])
			pthread_join(threads[i], NULL);
}

void cuda_ready(struct ws_backend *backend, const struct ws_place *places, int count)
{
	struct cuda *cuda = backend->state;
	struct cuda_gpu *gpus[CUDA_GPUS_MAX] = {NULL}, *gpu = NULL;
	bool wanted[CUDA_GPUS_MAX] = {false};
	int found = 0;

	for (int i = 0; i < count; i++)
		if (cuda_gpu_of(cuda, &places[i], &gpu, NULL) == WS_OK)
			wanted[gpu->index] = !gpu->made && gpu->failed == WS_OK && !gpu->lost;
	for (int i = 0; i < cuda->gpu_count; i++)
		if (wanted[i])
			gpus[found++] = &cuda->gpus[i];
	make_all(gpus, found);
	/* What they share is made by one thread, and in the same order in every run. */
	for (int i = 0; i < found; i++)
		cuda_enter(gpus[i], NULL);
}
