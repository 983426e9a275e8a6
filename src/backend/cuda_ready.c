/* GPUs opened and closed, several at the same time: each takes long, and none needs another. */
#include "backend/cuda_private.h"

struct task {
	pthread_t thread;
	bool begun;
	struct cuda_gpu *gpu;
	void (*work)(struct cuda_gpu *);
};

static void *run(void *argument)
{
	const struct task *task = argument;

	task->work(task->gpu);
	return NULL;
}

/* Does something for each GPU. The first is the calling thread's, and so are those that get no thread of their own. */
static void do_all(struct cuda_gpu *const *gpus, int count, void (*work)(struct cuda_gpu *))
{
	struct task tasks[CUDA_GPUS_MAX];

	for (int i = 0; i < count; i++) {
		tasks[i] = (struct task){.gpu = gpus[i], .work = work};
		tasks[i].begun = i > 0 && pthread_create(&tasks[i].thread, NULL, run, &tasks[i]) == 0;
	}
	for (int i = 0; i < count; i++)
		if (!tasks[i].begun)
			work(gpus[i]);
	for (int i = 0; i < count; i++)
		if (tasks[i].begun)
			pthread_join(tasks[i].thread, NULL);
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
	do_all(gpus, found, cuda_gpu_make);
	/* What they share is made by one thread, and in the same order in every run. */
	for (int i = 0; i < found; i++)
		cuda_enter(gpus[i], NULL);
}

void cuda_close_gpus(struct cuda *cuda)
{
	struct cuda_gpu *gpus[CUDA_GPUS_MAX] = {NULL};
	int found = 0;

	for (int i = 0; i < cuda->gpu_count; i++)
		if (cuda->gpus[i].context)
			gpus[found++] = &cuda->gpus[i];
	do_all(gpus, found, cuda_gpu_close);
}
