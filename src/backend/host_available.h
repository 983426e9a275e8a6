/* How much memory can still be had here before the kernel would kill for it. */
#ifndef WS_BACKEND_HOST_AVAILABLE_H
#define WS_BACKEND_HOST_AVAILABLE_H

#include <stdint.h>

struct ws_host_available {
	uint64_t bytes; /* UINT64_MAX = nothing says */
	char by[160];	/* what sets this limit, for a message: "MemAvailable", "the limit of cgroup /jobs/7" */
};

/*
 * The least of: MemAvailable of the system; free and cached memory of the node, if node >= 0; what the limits of this
 * process's memory cgroup and of those above it leave (version 1 and 2; cached file pages count as free). root as for
 * ws_sysfs_read_text. What cannot be read sets no limit.
 */
struct ws_host_available ws_host_available(const char *root, int node);

#endif
