/* The host back end of this machine, opened for a test. Include after cmocka.h. */
#ifndef WS_TESTS_UNIT_HOST_BENCH_H
#define WS_TESTS_UNIT_HOST_BENCH_H

#include <stdlib.h>
#include <string.h>

#include "backend/host.h"
#include "base/clock.h"
#include "base/item.h"
#include "base/place.h"
#include "base/topology.h"

#define MIB ((uint64_t)1 << 20)

struct bench {
	struct ws_topology *topology;
	struct ws_backend backend;
	struct ws_places places;
	struct ws_place node; /* one with CPUs */
	unsigned cpus;
};

static inline int open_bench(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	struct ws_backend_options options = {.timeout_ns = 20000000000};

	assert_non_null(bench);
	assert_int_equal(ws_topology_open(NULL, &bench->topology, NULL), WS_OK);
	options.topology = bench->topology;
	bench->backend.ops = &ws_host_backend;
	assert_int_equal(ws_host_backend.open(&bench->backend, &options, NULL), WS_OK);
	assert_int_equal(ws_host_backend.places(&bench->backend, &bench->places, NULL), WS_OK);
	for (int i = bench->places.count - 1; i >= 0; i--) {
		if (bench->places.at[i].cpu_count > 0 && !bench->places.at[i].absent[0]) {
			bench->node = bench->places.at[i].place;
			bench->cpus = (unsigned)bench->places.at[i].cpu_count;
		}
	}
	assert_true(bench->cpus > 0);
	*state = bench;
	return 0;
}

static inline int close_bench(void **state)
{
	struct bench *bench = *state;

	ws_host_backend.close(&bench->backend);
	ws_places_release(&bench->places);
	ws_topology_close(bench->topology);
	free(bench);
	return 0;
}

static inline int64_t soon_ns(void)
{
	return ws_clock_now_ns(ws_clock_monotonic()) + 20000000000;
}

static inline struct ws_item new_item(const struct bench *bench, enum ws_verb verb, uint64_t size_bytes)
{
	struct ws_item item = {.verb = verb, .engine = {.place = bench->node, .name = "cpu"}};

	if (ws_verb_row(verb)->source)
		item.source = bench->node;
	if (ws_verb_row(verb)->destination)
		item.destination = bench->node;
	item.size_bytes[0] = size_bytes;
	item.size_count = 1;
	return item;
}

static inline void flag(struct ws_item *item, const char *name, const char *value)
{
	assert_int_equal(ws_item_option_set(item, name, value, NULL), WS_OK);
}

#endif
