/* From places with devices to plans: what every probe over devices runs, on machines made by hand. */
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
#include "probe/wish.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define GIB ((uint64_t)1 << 30)
#define MIB ((uint64_t)1 << 20)
#define ALL 0xffu

struct spot {
	const char *place;
	int node;      /* nearest node; of a host place its CPUs are 8 */
	uint64_t peers, linked;
	const char *engines, *absent, *pci, *uuid;
	bool linked_host;
	uint64_t memory_bytes;
	const char *same_as;
	uint64_t cache_bytes, buffer_bytes;
	bool on_cpu;
};

struct machine {
	struct spot spots[12];
	int ranks;
};

#define HOST(name) {.place = name}
#define GPU(name, near) {.place = name, .node = near, .peers = ALL, .linked = ALL, .engines = "ce sm"}

static const struct machine one = {{HOST("host0"), GPU("cuda0", 0)}, 1};
/* As a virtual machine shows them: no node is near. */
static const struct machine two = {{HOST("host0"), GPU("cuda0", -1), GPU("cuda1", -1)}, 1};
static const struct machine four = {
	{HOST("host0"), HOST("host1"), GPU("cuda0", 0), GPU("cuda1", 0), GPU("cuda2", 1), GPU("cuda3", 1)}, 1};
static const struct machine eight = {{HOST("host0"), HOST("host1"), GPU("cuda0", 0), GPU("cuda1", 0), GPU("cuda2", 0),
				      GPU("cuda3", 0), GPU("cuda4", 1), GPU("cuda5", 1), GPU("cuda6", 1), GPU("cuda7", 1)},
				     1};
/* Two pairs of GPUs: access by PCI Express only inside each pair. */
static const struct machine islands = {{HOST("host0"),
					{.place = "cuda0", .peers = 2, .engines = "ce sm"},
					{.place = "cuda1", .peers = 1, .engines = "ce sm"},
					{.place = "cuda2", .peers = 8, .engines = "ce sm"},
					{.place = "cuda3", .peers = 4, .engines = "ce sm"}},
				       1};
static const struct machine strangers = {
	{HOST("host0"), {.place = "cuda0", .engines = "ce sm"}, {.place = "cuda1", .engines = "ce sm"}}, 1};
/* GPU memory is a node too, and nearer to the GPU than any other; the way to the host is no PCI Express. */
static const struct machine coherent = {{HOST("host0"),
					 {.place = "host1", .node = 1, .pci = "0009:01:00.0"},
					 {.place = "cuda0", .node = 1, .engines = "ce sm tma", .linked_host = true}},
					1};
static const struct machine sick = {{HOST("host0"), GPU("cuda0", 0),
				     {.place = "cuda1", .absent = "cuDevicePrimaryCtxRetain: CUDA_ERROR_ECC_UNCORRECTABLE"},
				     GPU("cuda2", 0)},
				    1};
static const struct machine small = {{{.place = "host0", .memory_bytes = 64 * MIB},
				      {.place = "cuda0", .engines = "ce sm", .memory_bytes = GIB}},
				     1};
/* The same device under two back ends, and one that only OpenCL knows. */
static const struct machine mixed = {{HOST("host0"), GPU("cuda0", 0), {.place = "ocl0", .engines = "ce", .same_as = "cuda0"},
				      {.place = "ocl1", .engines = "ce"}},
				     1};
/* Processors as devices behind a large cache, one of which can have no larger buffer than that. */
static const struct machine processors = {
	{{.place = "host0", .cache_bytes = 300 * MIB},
	 {.place = "ocl0", .engines = "ce sm", .on_cpu = true},
	 {.place = "ocl1", .engines = "ce sm", .on_cpu = true, .memory_bytes = 3 * GIB, .buffer_bytes = 640 * MIB},
	 {.place = "ocl2", .engines = "ce sm", .on_cpu = true, .memory_bytes = 1 * GIB, .buffer_bytes = 256 * MIB}},
	1};
static const struct machine ranks = {{HOST("r0/host0"), GPU("r0/cuda0", 0), GPU("r0/cuda1", 0), HOST("r1/host0"),
				      GPU("r1/cuda0", 0)},
				     2};
static const struct machine named = {
	{HOST("host0"),
	 {.place = "host1", .pci = "0000:65:00.0"},
	 {.place = "cuda0", .engines = "ce", .pci = "0000:65:00.0", .uuid = "GPU-0b1e2f3a-1111-2222-3333-444455556666"},
	 {.place = "cuda1", .engines = "ce", .pci = "0000:ca:00.0", .uuid = "GPU-0b1e2f3b-1111-2222-3333-444455556666"}},
	1};
static const struct machine none = {{HOST("host0")}, 1};

static struct ws_places make_places(const struct machine *machine)
{
	struct ws_places places = {0};

	for (size_t i = 0; i < COUNT(machine->spots) && machine->spots[i].place; i++) {
		const struct spot *spot = &machine->spots[i];
		struct ws_place_facts facts = {.numa_node = spot->node,
					       .peers = spot->peers,
					       .linked_peers = spot->linked,
					       .linked_host = spot->linked_host,
					       .cache_bytes = spot->cache_bytes,
					       .buffer_bytes = spot->buffer_bytes,
					       .on_cpu = spot->on_cpu,
					       .memory_bytes = spot->memory_bytes ? spot->memory_bytes : 128 * GIB};

		assert_int_equal(ws_place_parse(spot->place, &facts.place, NULL), WS_OK);
		if (strcmp(facts.place.family, "host") == 0) {
			facts.numa_node = facts.place.index;
			facts.cpu_count = spot->pci ? 0 : 8;
		}
		snprintf(facts.engines, sizeof(facts.engines), "%s", spot->engines ? spot->engines : "");
		snprintf(facts.absent, sizeof(facts.absent), "%s", spot->absent ? spot->absent : "");
		snprintf(facts.pci, sizeof(facts.pci), "%s", spot->pci ? spot->pci : "");
		snprintf(facts.uuid, sizeof(facts.uuid), "%s", spot->uuid ? spot->uuid : "");
		snprintf(facts.same_as, sizeof(facts.same_as), "%s", spot->same_as ? spot->same_as : "");
		assert_int_equal(ws_places_add(&places, &facts, NULL), WS_OK);
	}
	return places;
}

/* Expands a probe; the plan's steps as text, which has been read again. */
static char *expand(const struct machine *machine, const char *probe, struct ws_expand wishes)
{
	struct ws_places places = make_places(machine);
	const struct ws_settings settings = ws_settings_default(true);
	struct ws_selection selection;
	struct ws_plan plan = {0}, again = {0};
	struct ws_error error = {0};
	char *text = NULL, *twice;

	wishes.places = &places;
	wishes.rank_count = machine->ranks;
	wishes.thp = true;
	assert_int_equal(ws_probe_select(&probe, 1, &selection, NULL), WS_OK);
	if (ws_probe_expand_all(&selection, &wishes, &settings, &plan, &error) != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(ws_plan_check_built(&plan, &error), WS_OK);
	assert_int_equal(ws_plan_print(&plan, &text, NULL), WS_OK);
	if (ws_plan_parse(text, strlen(text), ws_probe_find, &again, &error) != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(ws_plan_print(&again, &twice, NULL), WS_OK);
	assert_string_equal(text, twice);
	free(twice);
	memmove(text, strchr(text, '\n') + 1, strlen(strchr(text, '\n')));
	ws_plan_release(&plan);
	ws_plan_release(&again);
	ws_places_release(&places);
	return text;
}

struct expectation {
	const struct machine *machine;
	const char *probe;
	struct ws_expand wishes;
	const char *plan;
};

static void check(const struct expectation *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *text = expand(cases[i].machine, cases[i].probe, cases[i].wishes);

		assert_string_equal(text, cases[i].plan);
		free(text);
	}
}

static void between_host_and_device(void **state)
{
	static const struct expectation cases[] = {
		{&one, "host_to_device_memcpy_ce", {0},
		 "host_to_device_memcpy_ce[row=host0 column=cuda0]: host0:pinned:thp -> cuda0 by cuda0.ce 8M/32M\n"},
		/* Every GPU's own node. */
		{&four, "device_to_host_memcpy_sm", {.device = "cuda1,cuda2"},
		 "device_to_host_memcpy_sm[row=host0 column=cuda1]: cuda1 -> host0:pinned:thp by cuda1.sm 8M/32M\n"
		 "device_to_host_memcpy_sm[row=host1 column=cuda2]: cuda2 -> host1:pinned:thp by cuda2.sm 8M/32M\n"},
		{&two, "host_to_device_memcpy_ce", {.device = "cuda1", .host_node = "0", .memory = "wc",
						     .sizes_bytes = {512 * MIB, 0}, .size_count = 1},
		 "host_to_device_memcpy_ce[row=host0 column=cuda1]: host0:wc -> cuda1 by cuda1.ce 512M\n"},
		{&four, "host_to_device_memcpy_ce", {.pair_a = "host1", .pair_b = "cuda0"},
		 "host_to_device_memcpy_ce[row=host1 column=cuda0]: host1:pinned:thp -> cuda0 by cuda0.ce 8M/32M\n"},
		{&four, "device_to_host_memcpy_ce", {.pair_a = "cuda3", .pair_b = "host0"},
		 "device_to_host_memcpy_ce[row=host0 column=cuda3]: cuda3 -> host0:pinned:thp by cuda3.ce 8M/32M\n"},
		{&four, "device_to_host_memcpy_ce", {.pair_a = "cuda3", .pair_b = "cuda0"},
		 "device_to_host_memcpy_ce: none \"the pair that was asked for is no host and device\"\n"},
		/* A driver does not queue copies of pageable memory. */
		{&one, "host_to_device_memcpy_ce", {.memory = "pageable:4k"},
		 "host_to_device_memcpy_ce[row=host0 column=cuda0]: host0:pageable:4k -> cuda0 by cuda0.ce 8M/32M ungated\n"},
		/* The other way moves twice as much, and is not counted. */
		{&one, "host_to_device_bidirectional_memcpy_ce", {0},
		 "host_to_device_bidirectional_memcpy_ce[row=host0 column=cuda0]: host0:pinned:thp -> cuda0 by cuda0.ce 8M/32M + "
		 "cuda0 -> host0:pinned:thp by cuda0.ce 16M/64M interfering\n"},
		{&one, "device_to_host_bidirectional_memcpy_ce", {.sizes_bytes = {512 * MIB, 0}, .size_count = 1},
		 "device_to_host_bidirectional_memcpy_ce[row=host0 column=cuda0]: cuda0 -> host0:pinned:thp by cuda0.ce 512M + "
		 "host0:pinned:thp -> cuda0 by cuda0.ce 1G interfering\n"},
		/* Two lanes of one kernel; which is the first says the name. */
		{&one, "host_to_device_bidirectional_memcpy_sm", {0},
		 "host_to_device_bidirectional_memcpy_sm[row=host0 column=cuda0]: host0:pinned:thp <-> cuda0 by cuda0.sm 8M/32M\n"},
		{&one, "device_to_host_bidirectional_memcpy_sm", {0},
		 "device_to_host_bidirectional_memcpy_sm[row=host0 column=cuda0]: cuda0 <-> host0:pinned:thp by cuda0.sm 8M/32M\n"},
		{&one, "host_device_latency_sm", {0},
		 "host_device_latency_sm[row=host0 column=cuda0]: chase host0:pinned:thp by cuda0.sm 2M\n"},
		{&one, "host_device_pingpong_sm", {0},
		 "host_device_pingpong_sm[row=host0 column=cuda0]: pingpong host0 cuda0 by cuda0.sm order=relaxed\n"},
		/* A GPU's memory is not its host's, however near; faster links want more bytes. */
		{&coherent, "host_to_device_memcpy_ce", {0},
		 "host_to_device_memcpy_ce[row=host0 column=cuda0]: host0:pinned:thp -> cuda0 by cuda0.ce 64M/256M\n"},
		{&coherent, "host_to_device_memcpy_ce", {.host_node = "1"},
		 "host_to_device_memcpy_ce[row=host column=cuda0]: none \"host1 is no memory of the host of cuda0\"\n"},
		{&sick, "host_to_device_memcpy_ce", {.device = "cuda0,cuda1"},
		 "host_to_device_memcpy_ce[row=host0 column=cuda0]: host0:pinned:thp -> cuda0 by cuda0.ce 8M/32M\n"
		 "host_to_device_memcpy_ce[row=host0 column=cuda1]: none \"cuda1: cuDevicePrimaryCtxRetain: "
		 "CUDA_ERROR_ECC_UNCORRECTABLE\"\n"},
		/* Half of the memory is enough: 8 MiB + 16 MiB of 32. */
		{&small, "host_to_device_bidirectional_memcpy_ce", {0},
		 "host_to_device_bidirectional_memcpy_ce[row=host0 column=cuda0]: host0:pinned:thp -> cuda0 by cuda0.ce 2M/8M + "
		 "cuda0 -> host0:pinned:thp by cuda0.ce 4M/16M interfering\n"},
		{&mixed, "host_to_device_memcpy_ce", {0},
		 "host_to_device_memcpy_ce[row=host0 column=cuda0]: host0:pinned:thp -> cuda0 by cuda0.ce 8M/32M\n"
		 "host_to_device_memcpy_ce[row=host0 column=ocl1]: host0:pinned -> ocl1 by ocl1.ce 8M/32M\n"},
		/* The same device by two back ends, beside each other. */
		{&mixed, "host_to_device_memcpy_ce", {.device = "cuda0,ocl0"},
		 "host_to_device_memcpy_ce[row=host0 column=cuda0]: host0:pinned:thp -> cuda0 by cuda0.ce 8M/32M\n"
		 "host_to_device_memcpy_ce[row=host0 column=ocl0]: host0:pinned -> ocl0 by ocl0.ce 8M/32M\n"},
		{&none, "host_to_device_memcpy_ce", {0}, "host_to_device_memcpy_ce: none \"there is no cuda or ocl device\"\n"},
		{&one, "host_device_latency_sm", {.sizes_bytes = {MIB, 4 * MIB}, .size_count = 2},
		 "host_device_latency_sm: none \"a latency has no slope: --size with one size measures it\"\n"},
	};

	(void)state;
	check(cases, COUNT(cases));
}

/* A device by what its driver and the system call it; its memory, though a node of that address, is not meant. */
static void names_of_a_device(void **state)
{
	static const char *const first = "device_local_copy[row=cuda0]: cuda0 -> cuda0 by cuda0.ce 256M/1G\n";
	static const char *const both = "device_local_copy[row=cuda0]: cuda0 -> cuda0 by cuda0.ce 256M/1G\n"
					"device_local_copy[row=cuda1]: cuda1 -> cuda1 by cuda1.ce 256M/1G\n";
	const struct expectation cases[] = {
		{&named, "device_local_copy", {.device = "0000:65:00.0"}, first},
		{&named, "device_local_copy", {.device = "00000000:65:00.0"}, first},
		{&named, "device_local_copy", {.device = "65:00"}, first},
		{&named, "device_local_copy", {.device = "gpu-0B1E2F3A"}, first},
		{&named, "device_local_copy", {.device = "GPU-0b1e2f3a-1111-2222-3333-444455556666"}, first},
		{&named, "device_local_copy", {.device = "CA:00.0,GPU-0b1e2f3a"}, both},
		{&named, "device_local_copy", {.device = "GPU-0b1e2f"}, both},
		{&named, "host_to_device_memcpy_ce", {.pair_a = "ca:00.0", .pair_b = "host1"},
		 "host_to_device_memcpy_ce[row=host1 column=cuda1]: host1:pinned:thp -> cuda1 by cuda1.ce 8M/32M\n"},
	};
	struct ws_places places = make_places(&named);
	const struct ws_expand unknown = {.places = &places, .device = "GPU-0b1e2f3a-1111-2222-3333-4444555566667"};
	struct ws_error error = {0};

	(void)state;
	check(cases, COUNT(cases));
	assert_int_equal(ws_wish_check(&unknown, &error), WS_EINVAL);
	assert_non_null(strstr(error.text, "--device: there is no place GPU-0b1e2f3a"));
	ws_places_release(&places);
}

static void between_devices(void **state)
{
	static const struct expectation cases[] = {
		/* The row executes: it pulls from the column, or pushes to it. */
		{&two, "device_to_device_memcpy_read_ce", {0},
		 "device_to_device_memcpy_read_ce[row=cuda0 column=cuda1]: cuda1 -> cuda0 by cuda0.ce 64M/256M\n"
		 "device_to_device_memcpy_read_ce[row=cuda1 column=cuda0]: cuda0 -> cuda1 by cuda1.ce 64M/256M\n"},
		{&two, "device_to_device_memcpy_write_sm", {.sizes_bytes = {512 * MIB, 0}, .size_count = 1},
		 "device_to_device_memcpy_write_sm[row=cuda0 column=cuda1]: cuda0 -> cuda1 by cuda0.sm 512M\n"
		 "device_to_device_memcpy_write_sm[row=cuda1 column=cuda0]: cuda1 -> cuda0 by cuda1.sm 512M\n"},
		{&four, "device_to_device_bidirectional_memcpy_read_ce", {.pair_a = "cuda1", .pair_b = "cuda3"},
		 "device_to_device_bidirectional_memcpy_read_ce[row=cuda1 column=cuda3]: cuda3 -> cuda1 by cuda1.ce 64M/256M + "
		 "cuda1 -> cuda3 by cuda3.ce 64M/256M\n"},
		{&four, "device_to_device_bidirectional_memcpy_write_sm", {.pair_a = "cuda1", .pair_b = "cuda3"},
		 "device_to_device_bidirectional_memcpy_write_sm[row=cuda1 column=cuda3]: cuda3 -> cuda1 by cuda3.sm 64M/256M + "
		 "cuda1 -> cuda3 by cuda1.sm 64M/256M\n"},
		{&two, "device_to_device_latency_sm", {.pair_a = "cuda1", .pair_b = "cuda0"},
		 "device_to_device_latency_sm[row=cuda1 column=cuda0]: chase cuda0 by cuda1.sm 2M\n"},
		{&two, "device_to_device_pingpong_acqrel_sm", {0},
		 "device_to_device_pingpong_acqrel_sm[row=cuda0 column=cuda1]: pingpong cuda0 cuda1 by cuda0.sm order=acqrel\n"
		 "device_to_device_pingpong_acqrel_sm[row=cuda1 column=cuda0]: pingpong cuda1 cuda0 by cuda1.sm order=acqrel\n"},
		{&strangers, "device_to_device_pingpong_sm", {.pair_a = "cuda1", .pair_b = "cuda0"},
		 "device_to_device_pingpong_sm[row=cuda1 column=cuda0]: none \"no peer access cuda1 -> cuda0\"\n"},
		/* Access over PCI Express, and none. */
		{&islands, "device_to_device_memcpy_write_ce", {.device = "cuda0,cuda1,cuda3"},
		 "device_to_device_memcpy_write_ce[row=cuda0 column=cuda1]: cuda0 -> cuda1 by cuda0.ce 8M/32M\n"
		 "device_to_device_memcpy_write_ce[row=cuda0 column=cuda3]: none \"no peer access cuda0 -> cuda3\"\n"
		 "device_to_device_memcpy_write_ce[row=cuda1 column=cuda0]: cuda1 -> cuda0 by cuda1.ce 8M/32M\n"
		 "device_to_device_memcpy_write_ce[row=cuda1 column=cuda3]: none \"no peer access cuda1 -> cuda3\"\n"
		 "device_to_device_memcpy_write_ce[row=cuda3 column=cuda0]: none \"no peer access cuda3 -> cuda0\"\n"
		 "device_to_device_memcpy_write_ce[row=cuda3 column=cuda1]: none \"no peer access cuda3 -> cuda1\"\n"},
		{&sick, "device_to_device_memcpy_read_sm", {.pair_a = "cuda0", .pair_b = "cuda1"},
		 "device_to_device_memcpy_read_sm[row=cuda0 column=cuda1]: none \"cuda1: cuDevicePrimaryCtxRetain: "
		 "CUDA_ERROR_ECC_UNCORRECTABLE\"\n"},
		{&one, "device_to_device_memcpy_read_ce", {0},
		 "device_to_device_memcpy_read_ce: none \"it takes two devices of a kind; there is one, or the options leave "
		 "one\"\n"},
		{&two, "device_to_device_memcpy_read_ce", {.device = "cuda1"},
		 "device_to_device_memcpy_read_ce: none \"it takes two devices of a kind; there is one, or the options leave "
		 "one\"\n"},
		{&two, "device_to_device_memcpy_read_tma", {0}, "device_to_device_memcpy_read_tma: none \"cuda1 has no engine tma\"\n"},
		/* Devices of two ranks are no pair. */
		{&ranks, "device_to_device_memcpy_read_ce", {0},
		 "device_to_device_memcpy_read_ce[row=r0/cuda0 column=cuda1]: r0/cuda1 -> r0/cuda0 by r0/cuda0.ce 64M/256M\n"
		 "device_to_device_memcpy_read_ce[row=r0/cuda1 column=cuda0]: r0/cuda0 -> r0/cuda1 by r0/cuda1.ce 64M/256M\n"},
	};

	(void)state;
	check(cases, COUNT(cases));
}

/* Off against on: the two take turns; sizes are those of either path. Where there is no access, off is all there is. */
static void peer_access_off_and_on(void **state)
{
	static const struct expectation cases[] = {
		{&two, "device_to_device_memcpy_ce", {0},
		 "device_to_device_memcpy_ce[row=cuda0 column=cuda1 peer=off]: cuda0 -> cuda1 by cuda0.ce 8M/32M peer=off ungated "
		 "group=1\n"
		 "device_to_device_memcpy_ce[row=cuda0 column=cuda1 peer=on]: cuda0 -> cuda1 by cuda0.ce 64M/256M peer=on group=1\n"
		 "device_to_device_memcpy_ce[row=cuda1 column=cuda0 peer=off]: cuda1 -> cuda0 by cuda1.ce 8M/32M peer=off ungated "
		 "group=2\n"
		 "device_to_device_memcpy_ce[row=cuda1 column=cuda0 peer=on]: cuda1 -> cuda0 by cuda1.ce 64M/256M peer=on group=2\n"},
		{&four, "device_to_device_bidirectional_memcpy_ce",
		 {.pair_a = "cuda3", .pair_b = "cuda1", .sizes_bytes = {MIB, 0}, .size_count = 1},
		 "device_to_device_bidirectional_memcpy_ce[row=cuda3 column=cuda1 peer=off]: cuda1 -> cuda3 by cuda1.ce 1M peer=off "
		 "ungated + cuda3 -> cuda1 by cuda3.ce 1M peer=off ungated group=1\n"
		 "device_to_device_bidirectional_memcpy_ce[row=cuda3 column=cuda1 peer=on]: cuda1 -> cuda3 by cuda1.ce 1M peer=on + "
		 "cuda3 -> cuda1 by cuda3.ce 1M peer=on group=1\n"},
		{&two, "device_to_device_memcpy_latency_ce", {.pair_a = "cuda0", .pair_b = "cuda1"},
		 "device_to_device_memcpy_latency_ce[row=cuda0 column=cuda1 peer=off]: cuda0 -> cuda1 by cuda0.ce 16 x100 peer=off "
		 "group=1\n"
		 "device_to_device_memcpy_latency_ce[row=cuda0 column=cuda1 peer=on]: cuda0 -> cuda1 by cuda0.ce 16 x100 peer=on "
		 "group=1\n"},
		{&strangers, "device_to_device_memcpy_ce", {.pair_a = "cuda0", .pair_b = "cuda1"},
		 "device_to_device_memcpy_ce[row=cuda0 column=cuda1 peer=off]: cuda0 -> cuda1 by cuda0.ce 8M/32M peer=off ungated\n"
		 "device_to_device_memcpy_ce[row=cuda0 column=cuda1 peer=on]: none \"no peer access cuda0 -> cuda1\"\n"},
		{&sick, "device_to_device_memcpy_latency_ce", {.pair_a = "cuda0", .pair_b = "cuda1"},
		 "device_to_device_memcpy_latency_ce[row=cuda0 column=cuda1 peer=off]: none \"cuda1: cuDevicePrimaryCtxRetain: "
		 "CUDA_ERROR_ECC_UNCORRECTABLE\"\n"
		 "device_to_device_memcpy_latency_ce[row=cuda0 column=cuda1 peer=on]: none \"cuda1: cuDevicePrimaryCtxRetain: "
		 "CUDA_ERROR_ECC_UNCORRECTABLE\"\n"},
		{&one, "device_to_device_memcpy_ce", {0},
		 "device_to_device_memcpy_ce: none \"it takes two devices of a kind; there is one, or the options leave one\"\n"},
	};

	(void)state;
	check(cases, COUNT(cases));
}

static void inside_a_device(void **state)
{
	static const struct expectation cases[] = {
		{&two, "device_local_copy", {0}, "device_local_copy[row=cuda0]: cuda0 -> cuda0 by cuda0.ce 256M/1G\n"
						 "device_local_copy[row=cuda1]: cuda1 -> cuda1 by cuda1.ce 256M/1G\n"},
		{&one, "device_local_copy_sm", {0}, "device_local_copy_sm[row=cuda0]: cuda0 -> cuda0 by cuda0.sm 256M/1G\n"},
		{&one, "device_local_read_sm", {0}, "device_local_read_sm[row=cuda0]: read cuda0 by cuda0.sm 256M/1G\n"},
		{&one, "device_local_write_sm", {0}, "device_local_write_sm[row=cuda0]: write cuda0 by cuda0.sm 256M/1G\n"},
		{&coherent, "device_local_copy_tma", {0}, "device_local_copy_tma[row=cuda0]: cuda0 -> cuda0 by cuda0.tma 256M/1G\n"},
		{&one, "device_local_latency_sm", {0}, "device_local_latency_sm[row=cuda0]: chase cuda0 by cuda0.sm 256M\n"},
		{&processors, "device_local_read_sm", {.device = "ocl0,ocl1,ocl2"},
		 "device_local_read_sm[row=ocl0]: read ocl0 by ocl0.sm 1280M\n"
		 "device_local_read_sm[row=ocl1]: read ocl1 by ocl1.sm 640M\n"
		 "device_local_read_sm[row=ocl2]: none \"its largest buffer would fit into the host's caches; --size measures "
		 "with any size\"\n"},
		{&processors, "device_local_read_sm", {.device = "ocl2", .sizes_bytes = {4 * MIB}, .size_count = 1},
		 "device_local_read_sm[row=ocl2]: read ocl2 by ocl2.sm 4M\n"},
		{&small, "device_local_copy", {0}, "device_local_copy[row=cuda0]: cuda0 -> cuda0 by cuda0.ce 64M/256M\n"},
	};

	(void)state;
	check(cases, COUNT(cases));
}

static void all_devices_and_the_host(void **state)
{
	static const struct expectation cases[] = {
		/* All are measured at once, each in a cell of its own; the other way moves twice as much, and is not counted. */
		{&four, "all_to_host_memcpy_ce", {.device = "cuda0,cuda2"},
		 "all_to_host_memcpy_ce[row=host0 column=cuda0]: cuda0 -> host0:pinned:thp by cuda0.ce 8M/32M together + "
		 "[row=host1 column=cuda2] cuda2 -> host1:pinned:thp by cuda2.ce 8M/32M together\n"},
		{&two, "host_to_all_bidirectional_memcpy_ce", {.sizes_bytes = {512 * MIB, 0}, .size_count = 1},
		 "host_to_all_bidirectional_memcpy_ce[row=host0 column=cuda0]: host0:pinned:thp -> cuda0 by cuda0.ce 512M together + "
		 "cuda0 -> host0:pinned:thp by cuda0.ce 1G interfering + "
		 "[row=host0 column=cuda1] host0:pinned:thp -> cuda1 by cuda1.ce 512M together + "
		 "[row=host0 column=cuda1] cuda1 -> host0:pinned:thp by cuda1.ce 1G interfering\n"},
		{&two, "all_to_host_bidirectional_memcpy_sm", {.device = "cuda0,cuda1"},
		 "all_to_host_bidirectional_memcpy_sm[row=host0 column=cuda0]: cuda0 <-> host0:pinned:thp by cuda0.sm 8M/32M together + "
		 "[row=host0 column=cuda1] cuda1 <-> host0:pinned:thp by cuda1.sm 8M/32M together\n"},
		/* One has nobody beside it; who cannot take part says why; every rank has its own. */
		{&four, "all_to_host_memcpy_ce", {.device = "cuda3"},
		 "all_to_host_memcpy_ce[row=host1 column=cuda3]: cuda3 -> host1:pinned:thp by cuda3.ce 8M/32M\n"},
		{&sick, "all_to_host_memcpy_ce", {0},
		 "all_to_host_memcpy_ce[row=host0 column=cuda0]: cuda0 -> host0:pinned:thp by cuda0.ce 8M/32M together + "
		 "[row=host0 column=cuda2] cuda2 -> host0:pinned:thp by cuda2.ce 8M/32M together\n"
		 "all_to_host_memcpy_ce[row=host0 column=cuda1]: none \"cuda1: cuDevicePrimaryCtxRetain: "
		 "CUDA_ERROR_ECC_UNCORRECTABLE\"\n"},
		{&ranks, "host_to_all_memcpy_sm", {0},
		 "host_to_all_memcpy_sm[row=r0/host0 column=cuda0]: r0/host0:pinned:thp -> r0/cuda0 by r0/cuda0.sm 8M/32M "
		 "together + [row=r0/host0 column=cuda1] r0/host0:pinned:thp -> r0/cuda1 by r0/cuda1.sm 8M/32M together\n"
		 "host_to_all_memcpy_sm[row=r1/host0 column=cuda0]: r1/host0:pinned:thp -> r1/cuda0 by r1/cuda0.sm 8M/32M\n"},
		/* One by one the others interfere, with twice as much. */
		{&four, "all_to_host_memcpy_ce", {.one_by_one = true, .device = "cuda0,cuda2"},
		 "all_to_host_memcpy_ce[row=host0 column=cuda0]: cuda0 -> host0:pinned:thp by cuda0.ce 8M/32M + "
		 "cuda2 -> host1:pinned:thp by cuda2.ce 16M/64M interfering\n"
		 "all_to_host_memcpy_ce[row=host1 column=cuda2]: cuda2 -> host1:pinned:thp by cuda2.ce 8M/32M + "
		 "cuda0 -> host0:pinned:thp by cuda0.ce 16M/64M interfering\n"},
		{&two, "host_to_all_bidirectional_memcpy_ce", {.one_by_one = true, .sizes_bytes = {512 * MIB, 0}, .size_count = 1},
		 "host_to_all_bidirectional_memcpy_ce[row=host0 column=cuda0]: host0:pinned:thp -> cuda0 by cuda0.ce 512M + "
		 "cuda0 -> host0:pinned:thp by cuda0.ce 1G interfering + host0:pinned:thp -> cuda1 by cuda1.ce 1G interfering + "
		 "cuda1 -> host0:pinned:thp by cuda1.ce 1G interfering\n"
		 "host_to_all_bidirectional_memcpy_ce[row=host0 column=cuda1]: host0:pinned:thp -> cuda1 by cuda1.ce 512M + "
		 "cuda1 -> host0:pinned:thp by cuda1.ce 1G interfering + host0:pinned:thp -> cuda0 by cuda0.ce 1G interfering + "
		 "cuda0 -> host0:pinned:thp by cuda0.ce 1G interfering\n"},
		/* By kernels, both ways are one item, and all have the same size. */
		{&two, "all_to_host_bidirectional_memcpy_sm", {.one_by_one = true, .device = "cuda0,cuda1"},
		 "all_to_host_bidirectional_memcpy_sm[row=host0 column=cuda0]: cuda0 <-> host0:pinned:thp by cuda0.sm 8M/32M + "
		 "cuda1 <-> host0:pinned:thp by cuda1.sm 8M/32M interfering\n"
		 "all_to_host_bidirectional_memcpy_sm[row=host0 column=cuda1]: cuda1 <-> host0:pinned:thp by cuda1.sm 8M/32M + "
		 "cuda0 <-> host0:pinned:thp by cuda0.sm 8M/32M interfering\n"},
		/* All counted; a device that cannot take part is left out. */
		{&four, "all_to_host_bidirectional_sum_ce", {.device = "cuda1,cuda2"},
		 "all_to_host_bidirectional_sum_ce[row=all column=host]: host0:pinned:thp -> cuda1 by cuda1.ce 8M/32M + "
		 "cuda1 -> host0:pinned:thp by cuda1.ce 8M/32M + host1:pinned:thp -> cuda2 by cuda2.ce 8M/32M + "
		 "cuda2 -> host1:pinned:thp by cuda2.ce 8M/32M\n"},
		{&sick, "host_to_all_sum_ce", {0},
		 "host_to_all_sum_ce[row=all column=host]: host0:pinned:thp -> cuda0 by cuda0.ce 8M/32M + "
		 "host0:pinned:thp -> cuda2 by cuda2.ce 8M/32M\n"},
		{&ranks, "all_to_host_sum_sm", {0},
		 "all_to_host_sum_sm[row=r0/all column=host]: r0/cuda0 -> r0/host0:pinned:thp by r0/cuda0.sm 8M/32M + "
		 "r0/cuda1 -> r0/host0:pinned:thp by r0/cuda1.sm 8M/32M\n"
		 "all_to_host_sum_sm[row=r1/all column=host]: r1/cuda0 -> r1/host0:pinned:thp by r1/cuda0.sm 8M/32M\n"},
	};

	(void)state;
	check(cases, COUNT(cases));
}

/* However many devices the ranks before it have, every rank measures its own. */
static void all_devices_of_many_ranks(void **state)
{
	enum { RANKS = 20, DEVICES = 8 };
	static const char *const probe = "all_to_host_memcpy_ce";
	struct ws_places places = {0};
	const struct ws_settings settings = ws_settings_default(true);
	const struct ws_expand wishes = {.places = &places, .rank_count = RANKS};
	struct ws_selection selection;
	struct ws_plan plan = {0};

	(void)state;
	for (int i = 0; i < RANKS * (DEVICES + 1); i++) {
		const int device = i % (DEVICES + 1) - 1;
		struct ws_place_facts facts = {.place = {.rank = i / (DEVICES + 1), .index = device < 0 ? 0 : device},
					       .cpu_count = device < 0 ? 8 : 0,
					       .memory_bytes = 128 * GIB};

		strcpy(facts.place.family, device < 0 ? "host" : "cuda");
		strcpy(facts.engines, device < 0 ? "" : "ce sm");
		assert_int_equal(ws_places_add(&places, &facts, NULL), WS_OK);
	}
	assert_int_equal(ws_probe_select(&probe, 1, &selection, NULL), WS_OK);
	assert_int_equal(ws_probe_expand_all(&selection, &wishes, &settings, &plan, NULL), WS_OK);
	assert_int_equal(plan.step_count, RANKS);
	for (int i = 0; i < RANKS; i++) {
		assert_int_equal(plan.steps[i].item_count, DEVICES);
		assert_string_equal(ws_coords_get(&plan.steps[i].items[DEVICES - 1].coords, "column"), "cuda7");
	}
	ws_plan_release(&plan);
	ws_places_release(&places);
}

static void one_device_and_all_others(void **state)
{
	static const struct expectation cases[] = {
		/* Writing, the source executes; reading, the destination. */
		{&two, "all_to_one_write_ce", {0},
		 "all_to_one_write_ce[row=all column=cuda0]: cuda1 -> cuda0 by cuda1.ce 64M/256M\n"
		 "all_to_one_write_ce[row=all column=cuda1]: cuda0 -> cuda1 by cuda0.ce 64M/256M\n"},
		{&two, "all_to_one_read_sm", {0},
		 "all_to_one_read_sm[row=all column=cuda0]: cuda0 -> cuda1 by cuda1.sm 64M/256M\n"
		 "all_to_one_read_sm[row=all column=cuda1]: cuda1 -> cuda0 by cuda0.sm 64M/256M\n"},
		{&two, "one_to_all_write_sm", {0},
		 "one_to_all_write_sm[row=all column=cuda0]: cuda0 -> cuda1 by cuda0.sm 64M/256M\n"
		 "one_to_all_write_sm[row=all column=cuda1]: cuda1 -> cuda0 by cuda1.sm 64M/256M\n"},
		{&two, "one_to_all_read_sm", {0},
		 "one_to_all_read_sm[row=all column=cuda0]: cuda1 -> cuda0 by cuda0.sm 64M/256M\n"
		 "one_to_all_read_sm[row=all column=cuda1]: cuda0 -> cuda1 by cuda1.sm 64M/256M\n"},
		{&four, "one_to_all_read_ce", {.device = "cuda0,cuda1,cuda3", .sizes_bytes = {MIB, 0}, .size_count = 1},
		 "one_to_all_read_ce[row=all column=cuda0]: cuda1 -> cuda0 by cuda0.ce 1M + cuda3 -> cuda0 by cuda0.ce 1M\n"
		 "one_to_all_read_ce[row=all column=cuda1]: cuda0 -> cuda1 by cuda1.ce 1M + cuda3 -> cuda1 by cuda1.ce 1M\n"
		 "one_to_all_read_ce[row=all column=cuda3]: cuda0 -> cuda3 by cuda3.ce 1M + cuda1 -> cuda3 by cuda3.ce 1M\n"},
		/* Only those with access. */
		{&islands, "all_to_one_write_ce", {.device = "cuda0,cuda2,cuda3"},
		 "all_to_one_write_ce[row=all column=cuda0]: none \"no peer access to cuda0\"\n"
		 "all_to_one_write_ce[row=all column=cuda2]: cuda3 -> cuda2 by cuda3.ce 8M/32M\n"
		 "all_to_one_write_ce[row=all column=cuda3]: cuda2 -> cuda3 by cuda2.ce 8M/32M\n"},
		{&strangers, "one_to_all_write_ce", {0},
		 "one_to_all_write_ce[row=all column=cuda0]: none \"no peer access from cuda0\"\n"
		 "one_to_all_write_ce[row=all column=cuda1]: none \"no peer access from cuda1\"\n"},
		{&one, "all_to_one_read_ce", {0},
		 "all_to_one_read_ce: none \"it takes two devices of a kind; there is one, or the options leave one\"\n"},
	};

	(void)state;
	check(cases, COUNT(cases));
}

static void series(void **state)
{
	static const struct expectation cases[] = {
		{&one, "host_to_device_memcpy_ce_sweep", {.series_bytes = {4096, 20000}},
		 "host_to_device_memcpy_ce_sweep[size=4K column=cuda0 row=host0]: host0:pinned:thp -> cuda0 by cuda0.ce 4K\n"
		 "host_to_device_memcpy_ce_sweep[size=8K column=cuda0 row=host0]: host0:pinned:thp -> cuda0 by cuda0.ce 8K\n"
		 "host_to_device_memcpy_ce_sweep[size=16K column=cuda0 row=host0]: host0:pinned:thp -> cuda0 by cuda0.ce 16K\n"},
		{&two, "device_to_device_memcpy_read_ce_sweep", {.pair_a = "cuda0", .pair_b = "cuda1", .series_bytes = {MIB, MIB}},
		 "device_to_device_memcpy_read_ce_sweep[size=1M column=cuda1 row=cuda0]: cuda1 -> cuda0 by cuda0.ce 1M\n"},
		{&one, "device_local_copy_sm_sweep", {.series_bytes = {UINT64_C(1) << 62, UINT64_C(1) << 62}},
		 "device_local_copy_sm_sweep[size=4194304T column=cuda0]: cuda0 -> cuda0 by cuda0.sm 4194304T\n"},
		{&one, "device_to_host_memcpy_ce_kinds", {0},
		 "device_to_host_memcpy_ce_kinds[memory=pageable:4k column=cuda0 row=host0]: cuda0 -> host0:pageable:4k by cuda0.ce "
		 "8M/32M ungated\n"
		 "device_to_host_memcpy_ce_kinds[memory=pageable:thp column=cuda0 row=host0]: cuda0 -> host0:pageable:thp by "
		 "cuda0.ce 8M/32M ungated\n"
		 "device_to_host_memcpy_ce_kinds[memory=pinned:4k column=cuda0 row=host0]: cuda0 -> host0:pinned:4k by cuda0.ce "
		 "8M/32M\n"
		 "device_to_host_memcpy_ce_kinds[memory=pinned:thp column=cuda0 row=host0]: cuda0 -> host0:pinned:thp by cuda0.ce "
		 "8M/32M\n"
		 "device_to_host_memcpy_ce_kinds[memory=pinned:2m column=cuda0 row=host0]: cuda0 -> host0:pinned:2m by cuda0.ce "
		 "8M/32M\n"
		 "device_to_host_memcpy_ce_kinds[memory=pinned:1g column=cuda0 row=host0]: cuda0 -> host0:pinned:1g by cuda0.ce "
		 "8M/32M\n"
		 "device_to_host_memcpy_ce_kinds[memory=wc column=cuda0 row=host0]: cuda0 -> host0:wc by cuda0.ce 8M/32M\n"
		 "device_to_host_memcpy_ce_kinds[memory=mapped column=cuda0 row=host0]: cuda0 -> host0:mapped by cuda0.ce 8M/32M\n"},
	};

	(void)state;
	check(cases, COUNT(cases));
}

static int lines_of(const struct machine *machine, const char *probe)
{
	char *text = expand(machine, probe, (struct ws_expand){0});
	int lines = 0;

	for (const char *at = text; *at; at++)
		lines += *at == '\n';
	free(text);
	return lines;
}

static void eight_devices_make_full_matrices(void **state)
{
	(void)state;
	assert_int_equal(lines_of(&eight, "host_to_device_memcpy_ce"), 8);
	assert_int_equal(lines_of(&eight, "device_to_device_bidirectional_memcpy_write_ce"), 56);
	assert_int_equal(lines_of(&eight, "one_to_all_write_sm"), 8);
	assert_int_equal(lines_of(&eight, "all_to_host_bidirectional_sum_ce"), 1);
	/* 4K to 256M in steps of four. */
	assert_int_equal(lines_of(&eight, "device_to_host_memcpy_sm_sweep"), 8 * 9);
}

/* The peer's names, v0.9 in its order, then what v0.10 has added. */
static void all_of_nvbandwidths_tests_are_there(void **state)
{
	static const char *const names[] = {
		"host_to_device_memcpy_ce", "device_to_host_memcpy_ce", "host_to_device_bidirectional_memcpy_ce",
		"device_to_host_bidirectional_memcpy_ce", "device_to_device_memcpy_read_ce",
		"device_to_device_memcpy_write_ce", "device_to_device_bidirectional_memcpy_read_ce",
		"device_to_device_bidirectional_memcpy_write_ce", "all_to_host_memcpy_ce",
		"all_to_host_bidirectional_memcpy_ce", "host_to_all_memcpy_ce", "host_to_all_bidirectional_memcpy_ce",
		"all_to_one_write_ce", "all_to_one_read_ce", "one_to_all_write_ce", "one_to_all_read_ce",
		"host_to_device_memcpy_sm", "device_to_host_memcpy_sm", "host_to_device_bidirectional_memcpy_sm",
		"device_to_host_bidirectional_memcpy_sm", "device_to_device_memcpy_read_sm",
		"device_to_device_memcpy_write_sm", "device_to_device_bidirectional_memcpy_read_sm",
		"device_to_device_bidirectional_memcpy_write_sm", "all_to_host_memcpy_sm",
		"all_to_host_bidirectional_memcpy_sm", "host_to_all_memcpy_sm", "host_to_all_bidirectional_memcpy_sm",
		"all_to_one_write_sm", "all_to_one_read_sm", "one_to_all_write_sm", "one_to_all_read_sm",
		"host_device_latency_sm", "device_to_device_latency_sm", "device_local_copy",
		"device_to_device_memcpy_read_tma", "device_to_device_memcpy_write_tma",
		"device_to_device_bidirectional_memcpy_read_tma", "device_to_device_bidirectional_memcpy_write_tma",
		"device_local_copy_sm", "device_local_read_sm", "device_local_write_sm", "device_to_device_latency_tma",
		"device_local_copy_tma",
	};

	(void)state;
	assert_int_equal(COUNT(names), 44);
	for (size_t i = 0; i < COUNT(names); i++)
		if (!ws_probe_find(names[i]))
			fail_msg("no probe %s", names[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(between_host_and_device),
		cmocka_unit_test(names_of_a_device),
		cmocka_unit_test(between_devices),
		cmocka_unit_test(peer_access_off_and_on),
		cmocka_unit_test(inside_a_device),
		cmocka_unit_test(all_devices_and_the_host),
		cmocka_unit_test(all_devices_of_many_ranks),
		cmocka_unit_test(one_device_and_all_others),
		cmocka_unit_test(series),
		cmocka_unit_test(eight_devices_make_full_matrices),
		cmocka_unit_test(all_of_nvbandwidths_tests_are_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
