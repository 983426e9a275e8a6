/*
 * The machine that the fakes of libcuda and NVML pretend to be: two GPUs that reach each other by NVLink, unless
 * FAKE_CUDA_MACHINE names a file that says otherwise. README.md has the file's format. These change what it says:
 *
 *	FAKE_CUDA_GPUS=n	how many GPUs
 *	FAKE_CUDA_PEER=0	no GPU reaches another one's memory
 *	FAKE_CUDA_WAIT=0	streams cannot wait for a word
 *	FAKE_CUDA_MODE=n	compute mode of GPU 0
 *	FAKE_CUDA_INIT=code	cuInit answers code
 *	FAKE_CUDA_PTX=code	modules are refused
 *	FAKE_CUDA_HANG=n	the n-th copy or kernel and those that follow never end
 *	FAKE_CUDA_CORRUPT=n	the n-th copy or kernel changes the last byte of what it wrote
 *	FAKE_CUDA_ORDER=reverse	ordinals against PCI order
 *	FAKE_NVML_INIT=code	nvmlInit answers code
 *	FAKE_NVML_CC=1		confidential computing is on
 *	FAKE_NVML_MIG=1		GPUs are split into instances
 *	FAKE_NVML_BARE=1	NVML supports nothing beyond what must be
 */
#ifndef WS_FAKE_MACHINE_H
#define WS_FAKE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#define FAKE_GPUS_MAX 16
#define FAKE_NODES_MAX 16
#define FAKE_FAULTS_MAX 16

/* Ends of a path that are not a GPU. */
enum { FAKE_HOST = -1, FAKE_ANY = -2 };

/* Rates are bytes per nanosecond (GB/s) of payload in one direction, times nanoseconds. */
struct fake_gpu {
	char name[96], uuid[48], pci[24];
	uint64_t memory_bytes, used_bytes, cache_bytes;
	int processors, major, minor, mode, pageable, host_tables;
	int numa; /* as the driver says; -1 = it does not */

	int pcie_gen, pcie_gen_max, pcie_width, pcie_width_max;
	int root, node; /* whose links and memory it shares with others; root -1 = none */
	double down, up, both, sm_down, sm_up, pageable_down, pageable_up;

	int links, links_active, nvlink_version, link_mb;
	double link_rate, link_both, link_sm_read, link_sm_write;

	double memory_rate, local_copy, local_copy_sm;
	double latency_local, latency_peer, latency_host, one_way_local, one_way_peer, one_way_host;
	int cost_push, cost_pull, cost_kernel;
	int make_ms; /* of the host's clock: what a context takes */

	int sm_clock, sm_clock_max, memory_clock, memory_clock_max, bus_bits, power, power_default;
	int clock_reasons, ecc, mig, persistence, processes;
};

/* From and to are GPUs, FAKE_HOST or FAKE_ANY. */
struct fake_slow {
	int from, to;
	double factor;
};

enum fake_fault_kind { FAKE_FAULT_CORRUPT, FAKE_FAULT_CUT, FAKE_FAULT_HANG, FAKE_FAULT_LOST };

struct fake_fault {
	enum fake_fault_kind kind;
	int from, to;
	int64_t copy;  /* number of the copy on this path, from 1 on; 0 = each; of hang and lost: that and all after */
	int64_t byte;  /* that is wrong, from the end if negative; of cut: how many do not arrive */
	int64_t code;  /* what calls answer once a GPU is lost */
	uint64_t seen; /* copies on this path */
};

struct fake_machine {
	int gpus, cuda_version, confidential, bare, peer, wait, nvswitch, init, nvml_init, ptx;
	char driver[32], nvml[32];
	int link_counters;	     /* 1 = they count, 0 = they stand still, -1 = they run backwards, -2 = there are none */
	double host_rate, root_rate; /* of a node's memory, and of what GPUs of one root share, each way; 0 = any */
	struct fake_gpu gpu[FAKE_GPUS_MAX];
	int direct[FAKE_GPUS_MAX][FAKE_GPUS_MAX]; /* NVLinks straight from one to another */
	struct fake_slow slow[FAKE_FAULTS_MAX];
	struct fake_fault faults[FAKE_FAULTS_MAX];
	int slow_count, fault_count;
	int64_t noise_seed;
	double noise_percent, outlier_percent, outlier_factor;
	bool reverse;
	int64_t hang_at, corrupt_at;
};

/* False after a line on stderr that says what is wrong with the machine's file. */
bool fake_machine_read(struct fake_machine *machine);

/* The number that a variable holds. */
long fake_number(const char *name, long otherwise);

/* The GPU at the other end of a link, FAKE_ANY = a switch; links count up over the others in order. */
int fake_link_end(const struct fake_machine *machine, int gpu, int link);

/* NVLinks from a to b, or from a into the switch that both are at; 0 = none. */
int fake_links_between(const struct fake_machine *machine, int a, int b);

#endif
