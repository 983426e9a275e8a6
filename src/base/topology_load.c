/* Has hwloc read a machine: this one, a recorded root or an XML file. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"
#include "base/system.h"
#include "base/topology_private.h"

/* The largest XML topologies published are about 3 MB. */
#define WS_TOPOLOGY_XML_LIMIT_BYTES ((size_t)64 << 20)

/*
 * hwloc takes some of its orders from the environment only. The rows hold what each variable shall be while it reads;
 * NULL = unset. An empty plugin path keeps it from loading the distribution's plugins, which open GPU drivers.
 */
struct variable {
	const char *name;
	const char *value;
	char *saved;
};

#define WS_TOPOLOGY_VARIABLES 9

/* environ belongs to the whole process: ranks that are threads of it open their machines one after another. */
static pthread_mutex_t environment_lock = PTHREAD_MUTEX_INITIALIZER;

static void restore_variables(struct variable *variables, size_t count)
{
	while (count-- > 0) {
		if (variables[count].saved)
			setenv(variables[count].name, variables[count].saved, 1);
		else
			unsetenv(variables[count].name);
		free(variables[count].saved);
	}
}

static int set_variables(struct variable *variables, struct ws_error *error)
{
	const char *old;
	size_t i;

	for (i = 0; i < WS_TOPOLOGY_VARIABLES; i++) {
		old = getenv(variables[i].name);
		variables[i].saved = old ? strdup(old) : NULL;
		if ((!old || variables[i].saved) &&
		    (variables[i].value ? setenv(variables[i].name, variables[i].value, 1)
					: unsetenv(variables[i].name)) == 0)
			continue;
		free(variables[i].saved);
		restore_variables(variables, i);
		return ws_fail(error, WS_ENOMEM, "out of memory for the environment");
	}
	return WS_OK;
}

static int fail_hwloc(struct ws_error *error, const char *source, const char *call)
{
	return ws_fail(error, errno == ENOMEM ? WS_ENOMEM : WS_EINVAL, "%s: not a machine that hwloc %s reads (%s: %s)",
		       *source ? source : "this machine", HWLOC_VERSION, call, strerror(errno));
}

/*
 * hwloc's x86 reader binds the thread to every CPU in turn, which takes long on large machines, and adds nothing to
 * what the kernel's topology files say; without those files it is the better reader. Elsewhere than on x86 hwloc has
 * no such reader and refuses the order, which does not matter.
 */
static void choose_readers(hwloc_topology_t loaded, const char *root)
{
	if (ws_sysfs_exists(root, "/sys/devices/system/cpu/cpu0/cache/index0"))
		hwloc_topology_set_components(loaded, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
}

/* What a machine is loaded from: an XML text, else a synthetic description, else the files below root. */
struct origin {
	const char *source; /* as the user named it, for errors */
	const char *root;
	const char *xml;
	int xml_bytes;
	const char *synthetic;
};

static int set_origin(hwloc_topology_t loaded, const struct origin *from, struct ws_error *error)
{
	if (from->xml) {
		if (hwloc_topology_set_type_filter(loaded, HWLOC_OBJ_PCI_DEVICE, HWLOC_TYPE_FILTER_KEEP_ALL) ||
		    hwloc_topology_set_xmlbuffer(loaded, from->xml, from->xml_bytes))
			return fail_hwloc(error, from->source, "hwloc_topology_set_xmlbuffer");
		return WS_OK;
	}
	if (from->synthetic)
		return hwloc_topology_set_synthetic(loaded, from->synthetic)
			       ? fail_hwloc(error, from->source, "hwloc_topology_set_synthetic")
			       : WS_OK;
	choose_readers(loaded, from->root);
	return WS_OK;
}

/* Loads, with the environment already as it has to be. */
static int load(hwloc_topology_t *out, const struct origin *from, struct ws_error *error)
{
	hwloc_topology_t loaded;
	int status;

	if (hwloc_topology_init(&loaded))
		return fail_hwloc(error, from->source, "hwloc_topology_init");
	if (hwloc_topology_set_flags(loaded, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) ||
	    hwloc_topology_set_all_types_filter(loaded, HWLOC_TYPE_FILTER_KEEP_NONE) ||
	    hwloc_topology_set_type_filter(loaded, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL) ||
	    hwloc_topology_set_type_filter(loaded, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE) ||
	    hwloc_topology_set_type_filter(loaded, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL) ||
	    hwloc_topology_set_cache_types_filter(loaded, HWLOC_TYPE_FILTER_KEEP_ALL) ||
	    hwloc_topology_set_type_filter(loaded, HWLOC_OBJ_L1CACHE, HWLOC_TYPE_FILTER_KEEP_NONE) ||
	    hwloc_topology_set_icache_types_filter(loaded, HWLOC_TYPE_FILTER_KEEP_NONE))
		status = fail_hwloc(error, from->source, "hwloc_topology_set_type_filter");
	else
		status = set_origin(loaded, from, error);
	if (!status && hwloc_topology_load(loaded))
		status = fail_hwloc(error, from->source, "hwloc_topology_load");
	if (status)
		hwloc_topology_destroy(loaded);
	else
		*out = loaded;
	return status;
}

static int load_quietly(hwloc_topology_t *out, const struct origin *from, struct ws_error *error)
{
	const bool here = !*from->source;
	struct variable variables[WS_TOPOLOGY_VARIABLES] = {
		{"HWLOC_HIDE_ERRORS", "2", NULL},
		{"HWLOC_PLUGINS_PATH", "", NULL},
		{"HWLOC_KEEP_NVIDIA_GPU_NUMA_NODES", "1", NULL},
		{"HWLOC_FSROOT", here ? NULL : from->root, NULL},
		{"HWLOC_THISSYSTEM", here ? NULL : "0", NULL},
		{"HWLOC_XMLFILE", NULL, NULL},
		{"HWLOC_XML_VERBOSE", NULL, NULL},
		{"HWLOC_SYNTHETIC", NULL, NULL},
		{"HWLOC_CPUID_PATH", NULL, NULL},
	};
	int status;

	pthread_mutex_lock(&environment_lock);
	status = set_variables(variables, error);
	if (!status) {
		status = load(out, from, error);
		restore_variables(variables, WS_TOPOLOGY_VARIABLES);
	}
	pthread_mutex_unlock(&environment_lock);
	return status;
}

/* Reads a whole file; *text gets a terminating zero and is the caller's to free. */
static int read_file(const char *name, const struct stat *about, char **text, size_t *bytes, struct ws_error *error)
{
	const size_t size = (size_t)about->st_size;
	size_t length;
	int status;
	char *buffer;

	if (!S_ISREG(about->st_mode))
		return ws_fail(error, WS_EINVAL, "%s: neither a file nor a directory", name);
	if (size > WS_TOPOLOGY_XML_LIMIT_BYTES)
		return ws_fail(error, WS_EINVAL, "%s: too large for a machine description (%zu bytes)", name, size);
	buffer = malloc(size + 1);
	if (!buffer)
		return ws_fail(error, WS_ENOMEM, "%s: out of memory", name);
	status = ws_sysfs_read_bytes("", name, buffer, size, &length, error);
	if (status) {
		free(buffer);
		return status;
	}
	buffer[length] = '\0';
	*text = buffer;
	*bytes = length + 1;
	return WS_OK;
}

/* hwloc only says "invalid argument", so the two usual mistakes are found here. */
static int check_xml(const char *name, const char *text, size_t bytes, struct ws_error *error)
{
	const char *const element = strlen(text) + 1 == bytes ? strstr(text, "<topology") : NULL;
	const char *const end = element ? strchr(element, '>') : NULL;
	const char *const version = element ? strstr(element, "version=\"") : NULL;

	if (!end || !strstr(end, "</topology>"))
		return ws_fail(error, WS_EINVAL, "%s: not a complete hwloc XML topology, nor a directory", name);
	if (version && version < end && strtol(version + strlen("version=\""), NULL, 10) > 2)
		return ws_fail(error, WS_EUNSUPPORTED,
			       "%s: written by hwloc 3, which this build (hwloc %s) cannot read; "
			       "export it with: lstopo --export-xml-flags v2 FILE.xml",
			       name, HWLOC_VERSION);
	return WS_OK;
}

int ws_topology_load_xml(const char *source, const struct stat *about, hwloc_topology_t *loaded, struct ws_error *error)
{
	char *text = NULL;
	size_t bytes = 0;
	int status = read_file(source, about, &text, &bytes, error);

	if (status)
		return status;
	status = check_xml(source, text, bytes, error);
	if (!status)
		status = load_quietly(loaded, &(struct origin){.source = source, .xml = text, .xml_bytes = (int)bytes},
				      error);
	free(text);
	return status;
}

/*
 * A recorded machine without /sys (some sandboxes have none): hwloc would count the CPUs of this machine instead, so it
 * gets what /proc says, as a description in its own terms.
 */
static int describe_proc(const char *root, char *text, size_t size, struct ws_error *error)
{
	const size_t limit = (size_t)16 << 20;
	uint64_t memory_bytes = 0;
	size_t length = 0, cpus = 0;
	char *cpuinfo = malloc(limit + 1);
	const char *at;
	int status;

	if (!cpuinfo)
		return ws_fail(error, WS_ENOMEM, "%s: out of memory", root);
	status = ws_sysfs_read_bytes(root, "/proc/cpuinfo", cpuinfo, limit, &length, error);
	if (!status) {
		cpuinfo[length] = '\0';
		for (at = cpuinfo; (at = strstr(at, "processor\t")); at++)
			cpus += at == cpuinfo || at[-1] == '\n';
		if (!cpus)
			status = ws_fail(error, WS_EINVAL, "%s/proc/cpuinfo: no processor in it", root);
	}
	free(cpuinfo);
	if (status)
		return status;
	ws_system_memory_total(root, &memory_bytes, NULL); /* 0 = not recorded */
	snprintf(text, size, "NUMANode:1(memory=%" PRIu64 ") PU:%zu", memory_bytes, cpus);
	return WS_OK;
}

int ws_topology_load_root(const char *source, hwloc_topology_t *loaded, struct ws_error *error)
{
	struct origin from = {.source = source, .root = source};
	const bool sys = ws_sysfs_exists(source, "/sys/devices/system/cpu");
	char description[96];
	int status;

	if (*source && !sys && !ws_sysfs_exists(source, "/proc/cpuinfo"))
		return ws_fail(
			error, WS_EINVAL,
			"%s: not the root of a recorded machine: neither sys/devices/system/cpu nor proc/cpuinfo",
			source);
	if (*source && !sys) {
		status = describe_proc(source, description, sizeof(description), error);
		if (status)
			return status;
		from.synthetic = description;
	}
	return load_quietly(loaded, &from, error);
}
