/* Ranks as threads of a test, each with a scripted activity of its own, and a log of all calls in their order. */
#ifndef WS_TESTS_RANKS_WORLD_H
#define WS_TESTS_RANKS_WORLD_H

#include <pthread.h>

#include "activity/proxy.h"
#include "fake/seam_probes.h"
#include "ranks/thread.h"

#define RANKS_MAX 4
#define SIM "sim0:event"
#define LONG_NS 20000000000
#define LOG_MAX 1000

/* All ranks of a run, each with a script of its own; one log of all, in the order in which things happened. */
struct world {
	int size;
	size_t offers; /* how many ranks take part, each with an offer */
	struct script scripts[RANKS_MAX];
	struct ws_places places[RANKS_MAX];
	struct ws_activity_source inner[RANKS_MAX], source[RANKS_MAX];
	struct observer {
		struct world *world;
		int rank;
		int64_t prepare_ns;     /* how long it takes to prepare */
		int prepare_status;     /* what it then says */
		bool no_places;
		bool same_offer;
		int begin_status;   /* what it says before the first step */
		char begun[80];     /* its places that the plan uses, as it was told them, by spaces */
	} observers[RANKS_MAX];
	pthread_mutex_t lock;
	struct {
		int rank;
		char call;
	} log[LOG_MAX];
	int log_count;
	struct ws_ranks *ranks; /* rank 0's */
	struct ws_proxies *proxies;
};

/* What differs from a fine world is set by the test before it starts. Rank r has host0 with r + 1 CPUs. */
struct world *world_new(int size);
/* For ws_ranks_thread, with the world as context. */
void world_follow(struct ws_ranks *ranks, void *context);
/* Starts the ranks and asks for their places. */
void world_start(struct world *world);
/* Runs a plan over a world that was started, and folds it. */
void world_run(struct world *world, const char *plan_text, struct ws_result *result);
/* Ends the ranks; what they have noted stays until the world ends. */
void world_leave(struct world *world);
void world_end(struct world *world);

void world_add_place(struct ws_places *places, const char *text, int cpus);
int world_count(const struct world *world, int rank, char call);
/*
 * The calls that a rank got, a letter each (o p F a R r v c f), but for those to stop, which say nothing where no item
 * runs until it is stopped.
 */
const char *world_calls(const struct world *world, int rank, char *text);

/* The same item on each of three ranks, of one, two and three MiB. */
#define THREE                                                                                                          \
	"first[row=r0 column=a]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4 + "                                          \
	"[row=r1 column=a] r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 2M x4 + "                                                 \
	"[row=r2 column=a] r2/cuda0 -> r2/cuda1 by r2/cuda0.ce 3M x4\n"

/* An item on each of two ranks, first between GPUs, then between nodes. */
#define TWO_STEPS                                                                                                      \
	"first[row=a column=b]: r0/cuda0 -> r0/cuda1 by r0/cuda0.ce 1M x4 + r1/cuda0 -> r1/cuda1 by r1/cuda0.ce 1M x4\n" \
	"first[row=a column=c]: r0/host0 -> r0/host1 by r0/host0.cpu 1M x4 + r1/host0 -> r1/host1 by r1/host0.cpu 1M x4\n"

#endif
