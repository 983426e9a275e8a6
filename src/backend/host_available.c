/* How much memory can still be had here before the kernel would kill for it. */
#include "backend/host_available.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"

enum { TEXT_SIZE = 16384, PATH_SIZE = 1024 };

/* Where a version of cgroups keeps its figures. */
struct cgroup_files {
	const char *mount, *limit, *usage;
	const char *cached; /* key in memory.stat */
};

static const struct cgroup_files version_1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
					      "total_inactive_file"};
static const struct cgroup_files version_2 = {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

static void lower(struct ws_host_available *available, uint64_t bytes, const char *by)
{
	if (bytes < available->bytes) {
		available->bytes = bytes;
		snprintf(available->by, sizeof(available->by), "%s", by);
	}
}

/* The number behind a key that begins a line, or after "Node N " does; 0 if there is none. */
static uint64_t value_of(const char *text, const char *key)
{
	const size_t length = strlen(key);

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		unsigned node;
		int skip = 0;

		line += *line == '\n';
		if (sscanf(line, "Node %u %n", &node, &skip) == 1)
			line += skip;
		if (strncmp(line, key, length) == 0 && (line[length] == ':' || line[length] == ' '))
			return strtoull(line + length + 1, NULL, 10);
	}
	return 0;
}

static void ask_system(const char *root, int node, struct ws_host_available *available)
{
	char text[TEXT_SIZE], path[64], by[64];

	if (ws_sysfs_read_text(root, "/proc/meminfo", text, sizeof(text), NULL) == 0 && strstr(text, "MemAvailable:"))
		lower(available, value_of(text, "MemAvailable") << 10, "MemAvailable");
	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/meminfo", node);
	if (node >= 0 && ws_sysfs_read_text(root, path, text, sizeof(text), NULL) == 0 && strstr(text, "MemFree:")) {
		/* Pages of tmpfs are among the cached ones but cannot be dropped. */
		uint64_t cached = value_of(text, "Active(file)") + value_of(text, "Inactive(file)");

		snprintf(by, sizeof(by), "free memory of node %d", node);
		lower(available, (value_of(text, "MemFree") + cached + value_of(text, "SReclaimable")) << 10, by);
	}
}

/* False if the file does not hold a number: "max", or no such file. */
static bool read_number(const char *root, const char *folder, const char *file, uint64_t *value)
{
	char path[PATH_SIZE + 64], text[64], *end;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	if (ws_sysfs_read_text(root, path, text, sizeof(text), NULL) != 0)
		return false;
	*value = strtoull(text, &end, 10);
	return end != text;
}

static void ask_cgroup(const char *root, const struct cgroup_files *files, const char *group,
		       struct ws_host_available *available)
{
	char folder[PATH_SIZE], path[PATH_SIZE + 64], text[TEXT_SIZE], by[160];
	uint64_t limit, usage, cached = 0;

	snprintf(folder, sizeof(folder), "%s%s", files->mount, group);
	if (!read_number(root, folder, files->limit, &limit) || !read_number(root, folder, files->usage, &usage))
		return;
	snprintf(path, sizeof(path), "%s/memory.stat", folder);
	if (ws_sysfs_read_text(root, path, text, sizeof(text), NULL) == 0)
		cached = value_of(text, files->cached);
	usage = usage > cached ? usage - cached : 0;
	snprintf(by, sizeof(by), "the limit of cgroup %.120s", *group ? group : "/");
	lower(available, limit > usage ? limit - usage : 0, by);
}

/*
 * A group and all above it. In a container the path may be one of the machine outside, whose folders are not here; the
 * top folder then is the container's own group.
 */
static void ask_cgroups(const char *root, const struct cgroup_files *files, const char *path,
			struct ws_host_available *available)
{
	char group[PATH_SIZE / 2], *cut;

	snprintf(group, sizeof(group), "%s", path);
	if (strcmp(group, "/") == 0)
		group[0] = '\0';
	ask_cgroup(root, files, group, available);
	while ((cut = strrchr(group, '/'))) {
		*cut = '\0';
		ask_cgroup(root, files, group, available);
	}
}

/* Lines of /proc/self/cgroup: number, controllers by commas (none in version 2), path. */
static void ask_own_cgroups(const char *root, struct ws_host_available *available)
{
	char text[TEXT_SIZE], *rest = NULL;

	if (ws_sysfs_read_text(root, "/proc/self/cgroup", text, sizeof(text), NULL) != 0)
		return;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		controllers++;
		*path++ = '\0';
		if (*controllers == '\0')
			ask_cgroups(root, &version_2, path, available);
		else if (strcmp(controllers, "memory") == 0 || strstr(controllers, "memory,") ||
			 strstr(controllers, ",memory"))
			ask_cgroups(root, &version_1, path, available);
	}
}

struct ws_host_available ws_host_available(const char *root, int node)
{
	struct ws_host_available available = {.bytes = UINT64_MAX};

	ask_system(root, node, &available);
	ask_own_cgroups(root, &available);
	return available;
}
