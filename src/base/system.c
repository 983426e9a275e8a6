/* Facts of the running system, from /sys and /proc. */
#include "base/system.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sysfs.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Many CPUs make /proc/stat and cpuinfo long; what is asked for stands near their start. */
#define WS_PROC_HEAD_BYTES 32768

static int copy_text(char *text, size_t size, const char *from, size_t length, struct ws_error *error)
{
	if (length >= size)
		return ws_fail(error, WS_ESYSTEM, "\"%.40s...\" is longer than %zu bytes", from, size - 1);
	memcpy(text, from, length);
	text[length] = '\0';
	return WS_OK;
}

/* Reads the first size - 1 bytes of a file as text. */
static int read_head(const char *root, const char *path, char *text, size_t size, struct ws_error *error)
{
	size_t length = 0;
	const int status = ws_sysfs_read_bytes(root, path, text, size - 1, &length, error);

	if (!status)
		text[length] = '\0';
	return status;
}

const char *ws_thp_name(enum ws_thp mode)
{
	static const char *const names[] = {"never", "madvise", "always"};

	return names[mode];
}

int ws_system_thp(const char *root, enum ws_thp *mode, struct ws_error *error)
{
	static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
	char text[64], wanted[16];
	int status = ws_sysfs_read_text(root, path, text, sizeof(text), error);
	int each;

	if (status)
		return status;
	for (each = WS_THP_NEVER; each <= WS_THP_ALWAYS; each++) {
		snprintf(wanted, sizeof(wanted), "[%s]", ws_thp_name((enum ws_thp)each));
		if (strstr(text, wanted)) {
			*mode = (enum ws_thp)each;
			return WS_OK;
		}
	}
	return ws_fail(error, WS_ESYSTEM, "%s%s: no mode in \"%s\"", root, path, text);
}

static int compare_pools(const void *a, const void *b)
{
	const struct ws_huge_pool *left = a, *right = b;

	return left->page_bytes < right->page_bytes ? -1 : left->page_bytes > right->page_bytes;
}

/* Reads one of a pool's counters. */
static int pool_counter(const char *root, const char *folder, const char *pool, const char *counter, uint64_t *pages,
			struct ws_error *error)
{
	char path[PATH_MAX];
	int64_t value = 0;
	int status;

	snprintf(path, sizeof(path), "%s/%s/%s", folder, pool, counter);
	status = ws_sysfs_read_integer(root, path, &value, error);
	if (!status)
		*pages = value > 0 ? (uint64_t)value : 0;
	return status;
}

int ws_system_huge_pools(const char *root, int node, struct ws_huge_pool pools[WS_HUGE_POOLS], size_t *count,
			 struct ws_error *error)
{
	char folder[80] = "/sys/kernel/mm/hugepages", name[PATH_MAX];
	struct dirent *entry;
	uint64_t size_kib;
	size_t found = 0;
	int status = WS_OK;
	DIR *open;

	if (node >= 0)
		snprintf(folder, sizeof(folder), "/sys/devices/system/node/node%d/hugepages", node);
	snprintf(name, sizeof(name), "%s%s", root, folder);
	open = opendir(name);
	while (open && !status && found < WS_HUGE_POOLS && (entry = readdir(open))) {
		if (sscanf(entry->d_name, "hugepages-%" SCNu64 "kB", &size_kib) != 1)
			continue;
		pools[found].page_bytes = size_kib << 10;
		status = pool_counter(root, folder, entry->d_name, "nr_hugepages", &pools[found].pages, error);
		if (!status)
			status = pool_counter(root, folder, entry->d_name, "free_hugepages", &pools[found].pages_free,
					      error);
		found++;
	}
	if (open)
		closedir(open);
	if (status)
		return status;
	if (!found)
		return ws_fail(error, WS_EABSENT, "%s: no huge page pool", name);
	qsort(pools, found, sizeof(pools[0]), compare_pools);
	*count = found;
	return WS_OK;
}

int ws_system_steal_ns(const char *root, uint64_t *time_ns, struct ws_error *error)
{
	const long ticks = sysconf(_SC_CLK_TCK);
	char text[256];
	uint64_t steal;
	int status = read_head(root, "/proc/stat", text, sizeof(text), error);

	if (status)
		return status;
	/* user nice system idle iowait irq softirq steal */
	if (ticks <= 0 || sscanf(text, "cpu %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &steal) != 1)
		return ws_fail(error, WS_EABSENT, "%s/proc/stat: no steal time", root);
	*time_ns = steal * (UINT64_C(1000000000) / (uint64_t)ticks);
	return WS_OK;
}

int ws_system_kernel(const char *root, char *text, size_t size, struct ws_error *error)
{
	static const char lead[] = "Linux version ";
	char version[1024];
	int status;

	if (ws_sysfs_read_text(root, "/proc/sys/kernel/osrelease", text, size, NULL) == WS_OK)
		return WS_OK;
	status = read_head(root, "/proc/version", version, sizeof(version), error);
	if (status)
		return status;
	if (strncmp(version, lead, strlen(lead)) != 0)
		return ws_fail(error, WS_ESYSTEM, "%s/proc/version: no Linux release in it", root);
	return copy_text(text, size, version + strlen(lead), strcspn(version + strlen(lead), " \n"), error);
}

/* Finds the value of "key : value" in text; NULL if it is not there. */
static const char *find_key(const char *text, const char *key)
{
	const size_t length = strlen(key);
	const char *line, *at;

	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) != 0)
			continue;
		at = line + length + strspn(line + length, " \t");
		if (*at == ':')
			return at + 1 + strspn(at + 1, " \t");
	}
	return NULL;
}

int ws_system_cpuinfo(const char *root, const char *key, char *text, size_t size, struct ws_error *error)
{
	char info[WS_PROC_HEAD_BYTES];
	const char *value;
	int status = read_head(root, "/proc/cpuinfo", info, sizeof(info), error);

	if (status)
		return status;
	value = find_key(info, key);
	if (!value || *value == '\n' || !*value)
		return ws_fail(error, WS_EABSENT, "%s/proc/cpuinfo: no \"%s\"", root, key);
	return copy_text(text, size, value, strcspn(value, "\n"), error);
}

/* What the hypervisor calls itself to the CPU's identification instruction, such as "KVMKVMKVM". */
static bool processor_names_hypervisor(char name[13])
{
#if defined(__x86_64__)
	unsigned registers[4];
	size_t i;

	__cpuid(0x40000000, registers[0], registers[1], registers[2], registers[3]);
	memcpy(name, &registers[1], 12);
	name[12] = '\0';
	for (i = 0; name[i]; i++)
		if (!isprint((unsigned char)name[i]))
			return false;
	return i > 0;
#else
	(void)name;
	return false;
#endif
}

int ws_system_hypervisor(const char *root, char *text, size_t size, struct ws_error *error)
{
	static const char *const files[] = {"/sys/hypervisor/type", "/sys/class/dmi/id/sys_vendor",
					    "/sys/devices/virtual/dmi/id/sys_vendor"};
	char flags[8192], name[13];
	size_t i;

	if (ws_sysfs_read_text(root, files[0], text, size, NULL) == WS_OK && *text)
		return WS_OK;
	/* Only x86 has the flag; elsewhere its absence says nothing. */
	if (ws_system_cpuinfo(root, "flags", flags, sizeof(flags), NULL))
		return ws_fail(error, WS_EABSENT, "this kind of processor does not tell whether a hypervisor is below");
	if (!strstr(flags, " hypervisor"))
		return copy_text(text, size, "none", strlen("none"), error);
	if (!*root && processor_names_hypervisor(name))
		return copy_text(text, size, name, strlen(name), error);
	for (i = 1; i < sizeof(files) / sizeof(files[0]); i++)
		if (ws_sysfs_read_text(root, files[i], text, size, NULL) == WS_OK && *text)
			return WS_OK;
	return copy_text(text, size, "unnamed", strlen("unnamed"), error);
}

int ws_system_governor(const char *root, char *text, size_t size, struct ws_error *error)
{
	unsigned cpus[4096];
	char path[96], one[32], all[256] = "", *at;
	size_t count = 0, length = 0, i;
	int status = ws_sysfs_read_list(root, "/sys/devices/system/cpu/online", cpus, 4096, &count, error);

	if (status)
		return status;
	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", cpus[i]);
		if (ws_sysfs_read_text(root, path, one, sizeof(one), NULL) || !*one)
			continue;
		at = strstr(all, one);
		if (at && (at[strlen(one)] == ',' || !at[strlen(one)]) && (at == all || at[-1] == ','))
			continue;
		if (length + strlen(one) + 2 > sizeof(all))
			break;
		length += (size_t)snprintf(all + length, sizeof(all) - length, "%s%s", length ? "," : "", one);
	}
	if (!length)
		return ws_fail(error, WS_EABSENT,
			       "the system does not control its CPUs' frequency, or does not say so");
	return copy_text(text, size, all, length, error);
}

/* Reads "key: N kB" from text into bytes; false if it is not there. */
static bool kib_value(const char *text, const char *key, uint64_t *bytes)
{
	const char *at = strstr(text, key);
	char *end;
	unsigned long long kib;

	if (!at)
		return false;
	at += strlen(key);
	kib = strtoull(at, &end, 10);
	if (end == at)
		return false;
	*bytes = (uint64_t)kib << 10;
	return true;
}

int ws_system_memory_total(const char *root, uint64_t *bytes, struct ws_error *error)
{
	char text[8192];
	int status = read_head(root, "/proc/meminfo", text, sizeof(text), error);

	if (status)
		return status;
	if (!kib_value(text, "MemTotal:", bytes))
		return ws_fail(error, WS_EABSENT, "%s/proc/meminfo: no MemTotal", root);
	return WS_OK;
}

static int machine_available(const char *root, uint64_t *bytes, struct ws_error *error)
{
	char text[8192];
	int status = read_head(root, "/proc/meminfo", text, sizeof(text), error);

	if (status)
		return status;
	if (kib_value(text, "MemAvailable:", bytes) || kib_value(text, "MemFree:", bytes))
		return WS_OK;
	return ws_fail(error, WS_EABSENT, "%s/proc/meminfo: neither MemAvailable nor MemFree", root);
}

/* With a single node the machine's own estimate is the node's; the node's counters lag behind added memory. */
static bool only_node(const char *root)
{
	unsigned node;
	size_t count = 0;

	return ws_sysfs_read_list(root, "/sys/devices/system/node/online", &node, 1, &count, NULL) == WS_OK &&
	       count == 1;
}

int ws_system_memory_available(const char *root, int node, uint64_t *bytes, struct ws_error *error)
{
	static const char *const halves[] = {" Active(file):", " Inactive(file):", " SReclaimable:"};
	char path[80], text[8192];
	uint64_t total, part, machine = 0;
	size_t i;
	int status;

	if (node < 0 || only_node(root))
		return machine_available(root, bytes, error);
	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/meminfo", node);
	status = read_head(root, path, text, sizeof(text), error);
	if (status)
		return status;
	if (!kib_value(text, " MemFree:", &total))
		return ws_fail(error, WS_EABSENT, "%s%s: no MemFree", root, path);
	for (i = 0; i < sizeof(halves) / sizeof(halves[0]); i++)
		if (kib_value(text, halves[i], &part))
			total += part / 2;
	if (machine_available(root, &machine, NULL) == WS_OK && machine < total)
		total = machine;
	*bytes = total;
	return WS_OK;
}

int ws_system_memory_node(unsigned *node, struct ws_error *error)
{
	enum { NODES_MAX = 1024, LONG_BITS = CHAR_BIT * sizeof(unsigned long) };
	unsigned long mask[NODES_MAX / LONG_BITS] = {0};
	int mode = MPOL_DEFAULT;

	if (syscall(SYS_get_mempolicy, &mode, mask, (unsigned long)NODES_MAX, NULL, 0ul) != 0)
		return ws_fail(error, WS_EABSENT, "get_mempolicy: %s", strerror(errno));
	mode &= ~MPOL_MODE_FLAGS;
	for (unsigned i = 0; i < NODES_MAX && (mode == MPOL_BIND || mode == MPOL_PREFERRED); i++) {
		if (mask[i / LONG_BITS] & 1ul << i % LONG_BITS) {
			*node = i;
			return WS_OK;
		}
	}
	return ws_fail(error, WS_EABSENT, "the process's memory is bound to no node");
}
