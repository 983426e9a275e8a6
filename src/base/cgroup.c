/* Limits that control groups put on the process: memory and CPU time, versions 1 and 2. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"
#include "base/system.h"

/* Version 1 writes "no limit" as the largest multiple of a page; nothing near it is a limit. */
#define WS_CGROUP_UNLIMITED_BYTES ((uint64_t)1 << 62)

/* One folder of a control group: what it allows and uses. Returns false if it sets no limit. */
struct level {
	double limit;
	double used;
};
typedef bool read_level(const char *root, const char *folder, struct level *level);

/*
 * Copies the process's group of a controller ("" = version 2) out of /proc/self/cgroup, whose lines are
 * "number:controller,controller:/group".
 */
static bool group_of(const char *root, const char *controller, char *group, size_t size)
{
	char text[16384], *line, *next, *names, *path, *name, *rest;

	if (ws_sysfs_read_text(root, "/proc/self/cgroup", text, sizeof(text), NULL))
		return false;
	for (line = text; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		names = strchr(line, ':');
		path = names ? strchr(names + 1, ':') : NULL;
		if (!path || strlen(path + 1) >= size)
			continue;
		*path++ = '\0';
		names++;
		name = *names ? strtok_r(names, ",", &rest) : names;
		while (name && strcmp(name, controller) != 0)
			name = *name ? strtok_r(NULL, ",", &rest) : NULL;
		if (!name)
			continue;
		/* A group above the one that a container calls its root begins with "..": it is not mounted here. */
		snprintf(group, size, "%s", strstr(path, "/..") ? "/" : path);
		return true;
	}
	return false;
}

/* Walks from the process's group up to the mount and keeps the level that leaves least. */
static bool tightest(const char *root, const char *mount, const char *controller, read_level *read, struct level *out)
{
	char group[PATH_MAX / 2], folder[PATH_MAX];
	struct level level;
	bool found = false;
	char *slash;

	if (!group_of(root, controller, group, sizeof(group)))
		return false;
	/* In a container the group may be named as the host sees it; then only the mount itself is here. */
	for (;;) {
		snprintf(folder, sizeof(folder), "%s%s", mount, strcmp(group, "/") == 0 ? "" : group);
		if (read(root, folder, &level) && (!found || level.limit - level.used < out->limit - out->used)) {
			*out = level;
			found = true;
		}
		slash = strrchr(group, '/');
		if (!slash)
			return found;
		*slash = '\0';
	}
}

static bool read_number(const char *root, const char *folder, const char *file, double *value)
{
	char path[PATH_MAX + 64], text[64], *end;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	if (ws_sysfs_read_text(root, path, text, sizeof(text), NULL))
		return false;
	*value = (double)strtoull(text, &end, 10);
	return end != text && *end == '\0';
}

/* What the kernel would drop first when memory gets tight; it counts as used, but need not stay. */
static double droppable(const char *root, const char *folder, const char *key)
{
	char path[PATH_MAX + 64], text[8192];
	const char *at;

	snprintf(path, sizeof(path), "%s/memory.stat", folder);
	if (ws_sysfs_read_text(root, path, text, sizeof(text), NULL))
		return 0;
	at = strstr(text, key);
	return at ? (double)strtoull(at + strlen(key), NULL, 10) : 0;
}

static bool memory_level(const char *root, const char *folder, const char *limit, const char *used, const char *cache,
			 struct level *level)
{
	if (!read_number(root, folder, limit, &level->limit) || level->limit >= (double)WS_CGROUP_UNLIMITED_BYTES)
		return false;
	if (!read_number(root, folder, used, &level->used))
		level->used = 0;
	level->used -= droppable(root, folder, cache);
	if (level->used < 0)
		level->used = 0;
	return true;
}

static bool memory_level_v2(const char *root, const char *folder, struct level *level)
{
	return memory_level(root, folder, "memory.max", "memory.current", "\ninactive_file ", level);
}

static bool memory_level_v1(const char *root, const char *folder, struct level *level)
{
	return memory_level(root, folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "\ntotal_inactive_file ",
			    level);
}

static bool cpu_level_v2(const char *root, const char *folder, struct level *level)
{
	char path[PATH_MAX + 64], text[64];
	uint64_t quota, period;

	snprintf(path, sizeof(path), "%s/cpu.max", folder);
	if (ws_sysfs_read_text(root, path, text, sizeof(text), NULL) ||
	    sscanf(text, "%" SCNu64 " %" SCNu64, &quota, &period) != 2 || !period)
		return false;
	*level = (struct level){(double)quota / (double)period, 0};
	return true;
}

static bool cpu_level_v1(const char *root, const char *folder, struct level *level)
{
	double quota, period;

	/* No quota is written as -1, which reads as a huge number. */
	if (!read_number(root, folder, "cpu.cfs_quota_us", &quota) ||
	    !read_number(root, folder, "cpu.cfs_period_us", &period) || quota >= 1e18 || period <= 0)
		return false;
	*level = (struct level){quota / period, 0};
	return true;
}

int ws_system_memory_limit(const char *root, uint64_t *limit_bytes, uint64_t *used_bytes, struct ws_error *error)
{
	struct level level;

	if (!tightest(root, "/sys/fs/cgroup", "", memory_level_v2, &level) &&
	    !tightest(root, "/sys/fs/cgroup/memory", "memory", memory_level_v1, &level))
		return ws_fail(error, WS_EABSENT, "no control group limits this process's memory");
	*limit_bytes = (uint64_t)level.limit;
	*used_bytes = (uint64_t)level.used;
	return WS_OK;
}

int ws_system_cpu_quota(const char *root, double *cpus, struct ws_error *error)
{
	struct level level;

	if (!tightest(root, "/sys/fs/cgroup", "", cpu_level_v2, &level) &&
	    !tightest(root, "/sys/fs/cgroup/cpu", "cpu", cpu_level_v1, &level) &&
	    !tightest(root, "/sys/fs/cgroup/cpu,cpuacct", "cpu", cpu_level_v1, &level))
		return ws_fail(error, WS_EABSENT, "no control group limits this process's CPU time");
	*cpus = level.limit;
	return WS_OK;
}
