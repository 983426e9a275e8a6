/* A place: where bytes live, or whose engine moves them. */
#ifndef WS_SEAM_PLACE_H
#define WS_SEAM_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#define WS_RANK_NONE (-1)

/*
 * Text form: [r<N>/ | peer/] family index [:memory] [:pages], as in "host0", "host0:pinned:thp", "r3/cuda1", "peer/host0".
 * The text is a key in JSON, history and baselines. base/place.h parses and formats it.
 */
struct ws_place {
	int rank;        /* WS_RANK_NONE: no prefix, the only rank there is */
	bool peer;       /* "peer/": the far end of a remote transfer */
	char family[12]; /* "host", "cuda", "ocl"; "" = no place at all */
	int index;       /* of host: the operating system's number of the NUMA node */
	char memory[10]; /* memory kind; "" = the family's default */
	char pages[6];   /* page size; "" = the default */
};

/* What a back end knows of a place. Text that is not known is "", a number that is not known is the value named. */
struct ws_place_facts {
	struct ws_place place;
	char name[96];         /* of the device or node, for people */
	char pci[16];          /* PCI address, 0000:65:00.0 */
	char uuid[48];
	char engines[32];      /* names of the engines it has, by spaces: "cpu", "ce sm"; "" = memory only */
	char same_as[32];      /* the same device under another back end: "cuda0" */
	uint64_t memory_bytes; /* 0 = not known */
	uint64_t buffer_bytes; /* of the largest buffer, 0 = as many as the memory has */
	uint64_t cache_bytes;  /* last-level cache in front of it, 0 = not known: buffers must be larger */
	int numa_node;         /* nearest node, -1 = not known */
	int ordinal;           /* of devices: the number that the driver itself gives it in this process */
	int cpu_count;         /* CPUs this process may use there; 0 for devices */
	bool on_cpu;           /* its engines are the host's own processors: who waits for them must sleep */
	bool simulated;        /* a fake driver: every report says SIMULATED */
	uint64_t peers;        /* bit n: its engines reach the memory of place n of its family and rank; n below 64 */
	uint64_t linked_peers; /* bit n: by links faster than PCI Express, such as NVLink */
	bool linked_host;      /* the same of the host's memory, such as NVLink-C2C */
	char absent[160];      /* not "": the place is there but cannot be used, and this is why */
};

struct ws_places {
	struct ws_place_facts *at; /* owned */
	int count;
};

#endif
