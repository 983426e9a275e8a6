/* From places and wishes to plans, on machines made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/item.h"
#include "base/place.h"
#include "plan/plan_text.h"
#include "probe/probe.h"
#include "probe/shape.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define GIB ((uint64_t)1 << 30)
#define MIB ((uint64_t)1 << 20)

struct node {
	const char *place;
	int cpus;
	uint64_t memory_bytes, cache_bytes;
	const char *absent;
};

struct machine {
	struct node nodes[6];
	int ranks;
};

static const struct machine one = {{{"host0", 4, 32 * GIB, 64 * MIB, ""}}, 1};
static const struct machine two = {{{"host0", 8, 64 * GIB, 100 * MIB, ""}, {"host1", 8, 64 * GIB, 100 * MIB, ""}}, 1};
/* A memory-only node, and one that a cpuset forbids although its CPUs may be used. */
static const struct machine odd = {{{"host0", 8, 64 * GIB, 64 * MIB, ""},
				    {"host2", 0, 16 * GIB, 64 * MIB, ""},
				    {"host5", 2, 64 * GIB, 64 * MIB, "memory of this node is not in the cpuset"}},
				   1};
static const struct machine ranks = {{{"r0/host0", 2, 16 * GIB, 64 * MIB, ""}, {"r1/host0", 2, 16 * GIB, 64 * MIB, ""}}, 2};
/* Small memory behind large caches: an eighth is enough, a quarter is, nothing is. */
static const struct machine small = {{{"host0", 2, 1 * GIB, 64 * MIB, ""},
				      {"host1", 2, 512 * MIB, 64 * MIB, ""},
				      {"host2", 2, 256 * MIB, 64 * MIB, ""}},
				     1};
static const struct machine empty = {{{NULL, 0, 0, 0, NULL}}, 1};

static struct ws_places make_places(const struct machine *machine)
{
	struct ws_places places = {0};

	for (size_t i = 0; i < COUNT(machine->nodes) && machine->nodes[i].place; i++) {
		const struct node *node = &machine->nodes[i];
		struct ws_place_facts facts = {
			.memory_bytes = node->memory_bytes, .cache_bytes = node->cache_bytes, .cpu_count = node->cpus};

		assert_int_equal(ws_place_parse(node->place, &facts.place, NULL), WS_OK);
		snprintf(facts.absent, sizeof(facts.absent), "%s", node->absent);
		assert_int_equal(ws_places_add(&places, &facts, NULL), WS_OK);
	}
	return places;
}

/* Expands probes with wishes; the plan's steps as text, or the error's text. */
static char *expand(const struct machine *machine, const char *probe, struct ws_expand wishes)
{
	struct ws_places places = make_places(machine);
	const struct ws_settings settings = ws_settings_default(true);
	struct ws_selection selection;
	struct ws_plan plan = {0};
	struct ws_error error = {0};
	char *text = NULL;

	wishes.places = &places;
	wishes.rank_count = machine->ranks;
	assert_int_equal(ws_probe_select(&probe, probe ? 1 : 0, &selection, NULL), WS_OK);
	if (ws_probe_expand_all(&selection, &wishes, &settings, &plan, &error) == WS_OK) {
		struct ws_plan again = {0};
		char *twice;

		assert_int_equal(ws_plan_check_built(&plan, &error), WS_OK);
		assert_int_equal(ws_plan_print(&plan, &text, NULL), WS_OK);
		assert_int_equal(ws_plan_parse(text, strlen(text), ws_probe_find, &again, &error), WS_OK);
		assert_int_equal(ws_plan_print(&again, &twice, NULL), WS_OK);
		assert_string_equal(text, twice);
		for (int i = 0; i < plan.step_count; i++)
			assert_string_equal(plan.steps[i].text, again.steps[i].text);
		free(twice);
		memmove(text, strchr(text, '\n') + 1, strlen(strchr(text, '\n')));
		ws_plan_release(&plan);
		ws_plan_release(&again);
	} else {
		assert_int_equal(error.code, WS_EINVAL);
		text = strdup(error.text);
	}
	ws_places_release(&places);
	return text;
}

static const struct {
	const struct machine *machine;
	const char *probe;
	struct ws_expand wishes;
	const char *plan;
} cases[] = {
	{&one, NULL, {.thp = true},
	 "host_memory_read[row=host0 column=host0]: read host0:thp by host0.cpu 256M\n"
	 "host_memory_copy_nt[row=host0 column=host0]: host0:thp -> host0:thp by host0.cpu 256M nt\n"
	 "host_latency[row=host0 column=host0]: chase host0:thp by host0.cpu 256M\n"},
	{&one, "host_memory_write", {.thp = false}, "host_memory_write[row=host0 column=host0]: write host0:4k by host0.cpu 256M\n"},
	/* Larger caches, larger buffers. */
	{&two, "host_memory_read", {.thp = true},
	 "host_memory_read[row=host0 column=host0]: read host0:thp by host0.cpu 416M\n"
	 "host_memory_read[row=host0 column=host1]: read host1:thp by host0.cpu 416M\n"
	 "host_memory_read[row=host1 column=host0]: read host0:thp by host1.cpu 416M\n"
	 "host_memory_read[row=host1 column=host1]: read host1:thp by host1.cpu 416M\n"},
	{&two, "host_memory_copy_nt", {.pair_a = "host0", .pair_b = "host1", .thp = true},
	 "host_memory_copy_nt[row=host0 column=host1]: host1:thp -> host1:thp by host0.cpu 416M nt\n"},
	{&two, "host_to_host_memcpy_cpu", {.pair_a = "host1", .pair_b = "host0", .thp = true, .threads = 3},
	 "host_to_host_memcpy_cpu[row=host1 column=host0]: host1:thp -> host0:thp by host1.cpu 416M threads=3\n"},
	/* Wishes. */
	{&two, "host_memory_read", {.device = "host1", .memory = "4k", .sizes_bytes = {64 * MIB, 0}, .size_count = 1},
	 "host_memory_read[row=host1 column=host1]: read host1:4k by host1.cpu 64M\n"},
	{&two, "host_memory_read", {.host_node = "1", .memory = "pinned:thp", .sizes_bytes = {64 * MIB, 256 * MIB}, .size_count = 2},
	 "host_memory_read[row=host1 column=host1]: read host1:pinned:thp by host1.cpu 64M/256M\n"},
	{&two, "host_memory_read", {.device = "host1,host0", .host_node = "0"},
	 "host_memory_read[row=host0 column=host0]: read host0:4k by host0.cpu 416M\n"},
	{&two, "host_memory_read", {.device = "host1", .host_node = "0"},
	 "host_memory_read: none \"there are no NUMA nodes of one rank, or none that the options leave\"\n"},
	/* What one of them does not obey is left to the others. */
	{&one, "host_*", {.thp = true, .threads = 2},
	 "host_memory_read[row=host0 column=host0]: read host0:thp by host0.cpu 256M threads=2\n"
	 "host_memory_write[row=host0 column=host0]: write host0:thp by host0.cpu 256M threads=2\n"
	 "host_memory_copy_nt[row=host0 column=host0]: host0:thp -> host0:thp by host0.cpu 256M nt threads=2\n"
	 "host_to_host_memcpy_cpu[row=host0 column=host0]: host0:thp -> host0:thp by host0.cpu 256M threads=2\n"
	 "host_latency[row=host0 column=host0]: chase host0:thp by host0.cpu 256M\n"},
	{&one, "latency", {.sizes_bytes = {64 * MIB, 256 * MIB}, .size_count = 2},
	 "host_latency: none \"a latency has no slope: --size with one size measures it\"\n"},
	/* Too many threads. */
	{&one, "host_memory_read", {.threads = 5},
	 "host_memory_read: none \"5 threads are asked for, but host0 has 4 CPUs that this process may use\"\n"},
	/* Memory without CPUs is a column; CPUs without memory are a row, but no source. */
	{&odd, "host_memory_read", {.thp = true},
	 "host_memory_read[row=host0 column=host0]: read host0:thp by host0.cpu 256M\n"
	 "host_memory_read[row=host0 column=host2]: read host2:thp by host0.cpu 256M\n"
	 "host_memory_read[row=host5 column=host0]: read host0:thp by host5.cpu 256M\n"
	 "host_memory_read[row=host5 column=host2]: read host2:thp by host5.cpu 256M\n"},
	{&odd, "copy", {.thp = true},
	 "host_to_host_memcpy_cpu[row=host0 column=host0]: host0:thp -> host0:thp by host0.cpu 256M\n"
	 "host_to_host_memcpy_cpu[row=host0 column=host2]: host0:thp -> host2:thp by host0.cpu 256M\n"},
	{&odd, "host_memory_read", {.device = "host2"}, "host_memory_read: none \"host2 has no CPUs that this process may use\"\n"},
	/* A pair that was asked for has its cell in any case. */
	{&odd, "memory", {.pair_a = "host2", .pair_b = "host0"},
	 "host_memory_read[row=host2 column=host0]: none \"host2 has no CPUs that this process may use\"\n"
	 "host_memory_write[row=host2 column=host0]: none \"host2 has no CPUs that this process may use\"\n"
	 "host_memory_copy_nt[row=host2 column=host0]: none \"host2 has no CPUs that this process may use\"\n"},
	{&odd, "host_latency", {.pair_a = "host0", .pair_b = "host5"},
	 "host_latency[row=host0 column=host5]: none \"host5: memory of this node is not in the cpuset\"\n"},
	/* Ranks measure one after the other, each its own memory. */
	{&ranks, "host_memory_read", {.thp = true},
	 "host_memory_read[row=r0/host0 column=host0]: read r0/host0:thp by r0/host0.cpu 256M\n"
	 "host_memory_read[row=r1/host0 column=host0]: read r1/host0:thp by r1/host0.cpu 256M\n"},
	{&ranks, "host_latency", {.device = "host0"},
	 "host_latency[row=r0/host0 column=host0]: chase r0/host0:4k by r0/host0.cpu 256M\n"
	 "host_latency[row=r1/host0 column=host0]: chase r1/host0:4k by r1/host0.cpu 256M\n"},
	{&ranks, "host_latency", {.device = "r1/host0"},
	 "host_latency[row=r1/host0 column=host0]: chase r1/host0:4k by r1/host0.cpu 256M\n"},
	{&ranks, "host_memory_read", {.pair_a = "r0/host0", .pair_b = "r1/host0"},
	 "host_memory_read: none \"there are no NUMA nodes of one rank, or none that the options leave\"\n"},
	/* Little memory. */
	{&small, "host_memory_read", {.host_node = "0"}, "host_memory_read[row=host0 column=host0]: read host0:4k by host0.cpu 128M\n"},
	{&small, "host_memory_read", {.host_node = "1"}, "host_memory_read[row=host1 column=host1]: read host1:4k by host1.cpu 128M\n"},
	{&small, "host_to_host_memcpy_cpu", {.pair_a = "host0", .pair_b = "host2"},
	 "host_to_host_memcpy_cpu[row=host0 column=host2]: none \"a quarter of the memory of host2 would fit into the cache; "
	 "--size measures with any size\"\n"},
	{&small, "host_to_host_memcpy_cpu", {.pair_a = "host2", .pair_b = "host0", .sizes_bytes = {4096, 0}, .size_count = 1},
	 "host_to_host_memcpy_cpu[row=host2 column=host0]: host2:4k -> host0:4k by host2.cpu 4K\n"},
	/* No host at all: named, or nothing else to say. */
	{&empty, "host_memory_read", {.thp = true},
	 "host_memory_read: none \"there are no NUMA nodes of one rank, or none that the options leave\"\n"},
	{&empty, "host_l*", {.thp = true},
	 "host_latency: none \"there are no NUMA nodes of one rank, or none that the options leave\"\n"},
	/* What this machine does not have. */
	{&two, NULL, {.device = "host0,hosd1"}, "--device: there is no place hosd1 on this machine; did you mean host1?; there are "
						"host0, host1"},
	{&two, NULL, {.pair_a = "host0", .pair_b = "host7"}, "--pair: there is no place host7 on this machine; did you mean host0?; "
							      "there are host0, host1"},
	{&two, NULL, {.device = "host0:thp"}, "--device: host0:thp: a device or node is asked for; --memory says what memory of it"},
	{&two, NULL, {.host_node = "3"}, "--host-node: there is no place host3 on this machine; did you mean host0?; there are host0, "
					 "host1"},
	{&ranks, NULL, {.device = "r2/host0"}, "--device: there is no place r2/host0 on this machine; did you mean r0/host0?; there "
					       "are r0/host0, r1/host0"},
	{&two, NULL, {.memory = "5k"}, "--memory: \"5k\" is none: pageable, pinned, wc, mapped or svm, then :4k, :thp, :2m or :1g"},
	{&two, NULL, {.sizes_bytes = {5, 5}, .size_count = 2}, "--size: the second size of a slope must be the larger one"},
};

static void machines_and_wishes_make_plans(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *text = expand(cases[i].machine, cases[i].probe, cases[i].wishes);

		assert_string_equal(text, cases[i].plan);
		free(text);
	}
}

static void settings_come_along(void **state)
{
	struct ws_places places = make_places(&one);
	const struct ws_expand wishes = {.places = &places, .rank_count = 1};
	const struct ws_settings settings = {.samples = 7, .verify = WS_VERIFY_NONE, .statistic = "min"};
	struct ws_selection selection;
	struct ws_plan plan = {0};

	(void)state;
	assert_int_equal(ws_probe_select(NULL, 0, &selection, NULL), WS_OK);
	assert_int_equal(ws_probe_expand_all(&selection, &wishes, &settings, &plan, NULL), WS_OK);
	assert_int_equal(plan.settings.samples, 7);
	assert_int_equal(plan.settings.verify, WS_VERIFY_NONE);
	ws_plan_release(&plan);
	ws_places_release(&places);
}

static void every_probe_says_whether_it_applies(void **state)
{
	struct ws_places places = make_places(&one), none = make_places(&empty);
	const struct ws_expand wishes = {.places = &places, .rank_count = 1};
	const struct ws_expand nothing = {.places = &none, .rank_count = 1};
	const struct ws_probe *row;
	char reason[160];

	(void)state;
	for (size_t i = 0; (row = ws_probe_row(i)) != NULL; i++) {
		assert_int_equal(ws_probe_applies(row, &wishes, reason, sizeof(reason), NULL), WS_OK);
		/* This machine has no devices. */
		if (strcmp(row->needs, "host") == 0)
			assert_string_equal(reason, "");
		else
			assert_string_not_equal(reason, "");
		assert_int_equal(ws_probe_applies(row, &nothing, reason, sizeof(reason), NULL), WS_OK);
		assert_string_not_equal(reason, "");
	}
	ws_places_release(&places);
	ws_places_release(&none);
}

/* The rule itself: 4 caches, 256 MiB, an eighth, a quarter. */
static void buffers_exceed_caches(void **state)
{
	static const struct {
		uint64_t memory_bytes, cache_bytes, size_bytes;
	} sizes[] = {
		{64 * GIB, 0, 256 * MIB},    {64 * GIB, 64 * MIB, 256 * MIB}, {64 * GIB, 65 * MIB, 288 * MIB},
		{0, 300 * MIB, 1280 * MIB},     {16 * GIB - 1, 1 * GIB, 2 * GIB},    {2 * GIB, 260 * MIB, 512 * MIB},
		{1 * GIB, 64 * MIB, 128 * MIB}, {16 * MIB, 0, 2 * MIB},       {1 * GIB, 300 * MIB, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct ws_place_facts facts = {.place = {.rank = WS_RANK_NONE, .family = "host"},
					       .memory_bytes = sizes[i].memory_bytes,
					       .cache_bytes = sizes[i].cache_bytes};
		const struct ws_places places = {&facts, 1};

		assert_int_equal(ws_shape_host_size(&places, &facts), sizes[i].size_bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_and_wishes_make_plans),
		cmocka_unit_test(settings_come_along),
		cmocka_unit_test(every_probe_says_whether_it_applies),
		cmocka_unit_test(buffers_exceed_caches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
