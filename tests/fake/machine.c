/* The machine that the fakes of libcuda and NVML pretend to be: what it is unless a file says otherwise. */
#include "fake/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/machine_file.h"

long fake_number(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtol(text, NULL, 0) : otherwise;
}

/* Roughly an H200, but for its few processors and its little memory. */
static const struct fake_gpu usual = {
	.name = "Fake GPU #",
	.memory_bytes = UINT64_C(1) << 30,
	.cache_bytes = 1 << 20,
	.processors = 4,
	.major = 9,
	.numa = -1,
	.pcie_gen = 5,
	.pcie_gen_max = 5,
	.pcie_width = 16,
	.pcie_width_max = 16,
	.root = -1,
	.pageable_down = 8,
	.pageable_up = 15.5,
	.links = 18,
	.links_active = -1,
	.nvlink_version = 7,
	.link_mb = 26562,
	.link_rate = 397.0 / 18,
	.link_sm_read = 375.0 / 18,
	.link_sm_write = 375.0 / 18,
	.memory_rate = 4200,
	.local_copy = 2100,
	.local_copy_sm = 2100,
	.latency_local = 150,
	.latency_peer = 800,
	.latency_host = 1200,
	.one_way_local = 777,
	.one_way_peer = 777,
	.one_way_host = 1200,
	.cost_push = 2300,
	.cost_pull = 2300,
	.cost_kernel = 1400,
	.sm_clock = 1980,
	.sm_clock_max = 1980,
	.memory_clock = 3201,
	.memory_clock_max = 3201,
	.bus_bits = 6016,
	.power = 700,
	.power_default = 700,
	.ecc = 1,
	.persistence = 1,
};

/* What a copy engine and processors get of a PCIe link: Gen5 x16 gives 55.5 and 52. */
static void derive_pcie(struct fake_gpu *gpu)
{
	static const double lane[] = {0, 0.25, 0.5, 0.985, 1.969, 3.938, 7.563};
	const int rows = (int)(sizeof(lane) / sizeof(lane[0]));
	const double raw = gpu->pcie_gen > 0 && gpu->pcie_gen < rows ? lane[gpu->pcie_gen] * gpu->pcie_width : 0;
	const double rate = raw * 55.5 / (16 * 3.938), sm_rate = raw * 52 / (16 * 3.938);

	gpu->down = gpu->down > 0 ? gpu->down : rate;
	gpu->up = gpu->up > 0 ? gpu->up : rate;
	gpu->sm_down = gpu->sm_down > 0 ? gpu->sm_down : sm_rate;
	gpu->sm_up = gpu->sm_up > 0 ? gpu->sm_up : sm_rate;
}

/* A # in a name is the GPU's number. */
static void derive_names(struct fake_gpu *gpu, int index)
{
	char name[sizeof(gpu->name)];
	char *mark = strchr(gpu->name, '#');

	if (mark) {
		*mark = '\0';
		snprintf(name, sizeof(name), "%.40s%d%.40s", gpu->name, index, mark + 1);
		snprintf(gpu->name, sizeof(gpu->name), "%s", name);
	}
	if (!gpu->uuid[0])
		snprintf(gpu->uuid, sizeof(gpu->uuid), "GPU-00000000-0000-0000-0000-0000000000%02x", index + 1);
	if (!gpu->pci[0])
		snprintf(gpu->pci, sizeof(gpu->pci), "0000:%02X:00.0", 0x10 + index);
}

static void read_variables(struct fake_machine *machine)
{
	const char *order = getenv("FAKE_CUDA_ORDER");
	const struct {
		const char *name;
		int *value;
	} rows[] = {
		{"FAKE_CUDA_GPUS", &machine->gpus},	  {"FAKE_CUDA_PEER", &machine->peer},
		{"FAKE_CUDA_WAIT", &machine->wait},	  {"FAKE_CUDA_INIT", &machine->init},
		{"FAKE_CUDA_PTX", &machine->ptx},	  {"FAKE_CUDA_MODE", &machine->gpu[0].mode},
		{"FAKE_NVML_INIT", &machine->nvml_init},  {"FAKE_NVML_BARE", &machine->bare},
		{"FAKE_NVML_CC", &machine->confidential},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		*rows[i].value = (int)fake_number(rows[i].name, *rows[i].value);
	if (machine->gpus < 0 || machine->gpus > FAKE_GPUS_MAX)
		machine->gpus = FAKE_GPUS_MAX;
	for (int i = 0; i < machine->gpus; i++)
		machine->gpu[i].mig = (int)fake_number("FAKE_NVML_MIG", machine->gpu[i].mig);
	machine->hang_at = fake_number("FAKE_CUDA_HANG", 0);
	machine->corrupt_at = fake_number("FAKE_CUDA_CORRUPT", 0);
	machine->reverse = order && strcmp(order, "reverse") == 0;
}

bool fake_machine_read(struct fake_machine *machine)
{
	const char *path = getenv("FAKE_CUDA_MACHINE");

	*machine = (struct fake_machine){.gpus = 2,
					 .cuda_version = 13000,
					 .driver = "580.0.0",
					 .nvml = "13.580.0",
					 .peer = 1,
					 .wait = 1,
					 .nvswitch = 1,
					 .link_counters = 1};
	for (int i = 0; i < FAKE_GPUS_MAX; i++)
		machine->gpu[i] = usual;
	if (path && *path && !fake_machine_load(machine, path))
		return false;
	read_variables(machine);
	for (int i = 0; i < machine->gpus; i++) {
		struct fake_gpu *gpu = &machine->gpu[i];

		derive_pcie(gpu);
		derive_names(gpu, i);
		gpu->links_active = gpu->links_active < 0 ? gpu->links : gpu->links_active;
	}
	return true;
}

int fake_link_end(const struct fake_machine *machine, int gpu, int link)
{
	if (machine->nvswitch)
		return FAKE_ANY;
	for (int other = 0; other < machine->gpus; other++) {
		link -= machine->direct[gpu][other];
		if (link < 0)
			return other;
	}
	return FAKE_ANY;
}

int fake_links_between(const struct fake_machine *machine, int a, int b)
{
	const int from = machine->gpu[a].links_active, to = machine->gpu[b].links_active;

	if (a == b)
		return 0;
	return machine->nvswitch ? (from < to ? from : to) : machine->direct[a][b];
}
