/* The CPU's side of a ping-pong: a thread that answers each trip of a GPU. */
#include "backend/cuda_player.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Looks at the time, and at whether it should end, once in so many looks at the flag. */
#define LOOKS 4096

struct cuda_player {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	_Atomic uint32_t ordered; /* number of the last trip ordered */
	_Atomic bool quit;
	const _Atomic uint32_t *mine;
	_Atomic uint32_t *theirs;
	bool relaxed;
	int64_t time_ns;
};

/* Sleeps until there are trips to make; false if it shall end. */
static bool wait_for_order(struct cuda_player *player, uint32_t made)
{
	pthread_mutex_lock(&player->lock);
	while (atomic_load(&player->ordered) == made && !atomic_load(&player->quit))
		pthread_cond_wait(&player->changed, &player->lock);
	pthread_mutex_unlock(&player->lock);
	return !atomic_load(&player->quit);
}

static bool wait_for_trip(const struct cuda_player *player, uint32_t trip)
{
	const memory_order order = player->relaxed ? memory_order_relaxed : memory_order_acquire;
	const int64_t until_ns = ws_clock_now_ns(ws_clock_monotonic()) + player->time_ns;

	for (unsigned looks = 1; atomic_load_explicit(player->mine, order) != trip; looks++)
		if (looks % LOOKS == 0 &&
		    (atomic_load(&player->quit) || ws_clock_now_ns(ws_clock_monotonic()) > until_ns))
			return false;
	return true;
}

static void *play(void *argument)
{
	struct cuda_player *player = argument;
	const memory_order order = player->relaxed ? memory_order_relaxed : memory_order_release;
	uint32_t made = 0, last;

	while (wait_for_order(player, made)) {
		while (made != (last = atomic_load_explicit(&player->ordered, memory_order_relaxed))) {
			/* Without an answer the rest will not come either. */
			if (!wait_for_trip(player, made + 1))
				made = last;
			else
				atomic_store_explicit(player->theirs, ++made, order);
		}
	}
	return NULL;
}

static int start(struct cuda_player *player, int cpu, struct ws_error *error)
{
	pthread_attr_t attributes;
	cpu_set_t cpus;
	int rc = pthread_attr_init(&attributes);

	if (rc == 0 && cpu >= 0) {
		CPU_ZERO(&cpus);
		CPU_SET((unsigned)cpu, &cpus);
		rc = pthread_attr_setaffinity_np(&attributes, sizeof(cpus), &cpus);
	}
	if (rc == 0)
		rc = pthread_create(&player->thread, &attributes, play, player);
	pthread_attr_destroy(&attributes);
	return rc == 0 ? WS_OK : ws_fail(error, WS_ESYSTEM, "pthread_create on CPU %d: %s", cpu, strerror(rc));
}

int cuda_player_new(int cpu, const _Atomic uint32_t *mine, _Atomic uint32_t *theirs, bool relaxed, int64_t time_ns,
		    struct cuda_player **out, struct ws_error *error)
{
	struct cuda_player *player = calloc(1, sizeof(*player));
	int rc;

	if (!player)
		return ws_fail(error, WS_ENOMEM, "no memory for a thread");
	player->mine = mine;
	player->theirs = theirs;
	player->relaxed = relaxed;
	player->time_ns = time_ns;
	pthread_mutex_init(&player->lock, NULL);
	pthread_cond_init(&player->changed, NULL);
	rc = start(player, cpu, error);
	if (rc != WS_OK) {
		pthread_cond_destroy(&player->changed);
		pthread_mutex_destroy(&player->lock);
		free(player);
		return rc;
	}
	*out = player;
	return WS_OK;
}

static void wake(struct cuda_player *player)
{
	pthread_mutex_lock(&player->lock);
	pthread_cond_signal(&player->changed);
	pthread_mutex_unlock(&player->lock);
}

void cuda_player_order(struct cuda_player *player, uint32_t trips)
{
	atomic_fetch_add(&player->ordered, trips);
	wake(player);
}

void cuda_player_free(struct cuda_player *player)
{
	if (!player)
		return;
	atomic_store(&player->quit, true);
	wake(player);
	pthread_join(player->thread, NULL);
	pthread_cond_destroy(&player->changed);
	pthread_mutex_destroy(&player->lock);
	free(player);
}
