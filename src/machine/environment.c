/* Collects the facts of the surroundings: one row of a table each. */
#include "machine/environment.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>

#include "base/sysfs.h"
#include "base/system.h"
#include "machine/environment_variable.h"

#define WS_ENVIRONMENT_VALUE_BYTES 512

static int read_architecture(const char *root, char *text, size_t size, struct ws_error *error)
{
	struct utsname name;

	if (*root || uname(&name))
		return ws_fail(error, WS_EABSENT, "not recorded");
	snprintf(text, size, "%s", name.machine);
	return WS_OK;
}

/* x86 names the model, POWER the "cpu", Arm only numbers. */
static int read_cpu_model(const char *root, char *text, size_t size, struct ws_error *error)
{
	char implementer[32], part[32];

	if (ws_system_cpuinfo(root, "model name", text, size, NULL) == WS_OK ||
	    ws_system_cpuinfo(root, "cpu", text, size, NULL) == WS_OK)
		return WS_OK;
	if (ws_system_cpuinfo(root, "CPU implementer", implementer, sizeof(implementer), NULL) ||
	    ws_system_cpuinfo(root, "CPU part", part, sizeof(part), NULL))
		return ws_fail(error, WS_EABSENT, "/proc/cpuinfo names no model");
	snprintf(text, size, "Arm implementer %s part %s", implementer, part);
	return WS_OK;
}

static int read_microcode(const char *root, char *text, size_t size, struct ws_error *error)
{
	return ws_system_cpuinfo(root, "microcode", text, size, NULL)
		       ? ws_fail(error, WS_EABSENT, "/proc/cpuinfo names no microcode")
		       : WS_OK;
}

static int read_thp(const char *root, char *text, size_t size, struct ws_error *error)
{
	enum ws_thp mode = WS_THP_NEVER;
	const int status = ws_system_thp(root, &mode, error);

	if (!status)
		snprintf(text, size, "%s", ws_thp_name(mode));
	return status;
}

static int read_huge_pools(const char *root, char *text, size_t size, struct ws_error *error)
{
	struct ws_huge_pool pools[WS_HUGE_POOLS];
	size_t count = 0, length = 0, i;
	const int status = ws_system_huge_pools(root, -1, pools, &count, error);

	for (i = 0; !status && i < count && length < size; i++)
		length += (size_t)snprintf(text + length, size - length,
					   "%s%" PRIu64 " of %" PRIu64 " KiB (%" PRIu64 " free)", i ? ", " : "",
					   pools[i].pages, pools[i].page_bytes >> 10, pools[i].pages_free);
	return status;
}

static int read_memory_limit(const char *root, char *text, size_t size, struct ws_error *error)
{
	uint64_t limit = 0, used = 0;
	const int status = ws_system_memory_limit(root, &limit, &used, error);

	if (!status)
		snprintf(text, size, "%" PRIu64 " bytes", limit);
	return status;
}

/* In hundredths of a CPU, so that the text has no decimal separator of the locale. */
static int read_cpu_quota(const char *root, char *text, size_t size, struct ws_error *error)
{
	double cpus = 0;
	const int status = ws_system_cpu_quota(root, &cpus, error);

	if (!status)
		snprintf(text, size, "%" PRIu64 " %% of one CPU", (uint64_t)(cpus * 100 + 0.5));
	return status;
}

static int read_lock_limit(const char *root, char *text, size_t size, struct ws_error *error)
{
	struct rlimit limit;

	if (*root || getrlimit(RLIMIT_MEMLOCK, &limit))
		return ws_fail(error, WS_EABSENT, "not recorded");
	if (limit.rlim_cur == RLIM_INFINITY)
		snprintf(text, size, "unlimited");
	else
		snprintf(text, size, "%" PRIu64 " bytes", (uint64_t)limit.rlim_cur);
	return WS_OK;
}

/* Ranks of NCCL and MPI meet in it; containers often have 64 MiB. */
static int read_shared_memory(const char *root, char *text, size_t size, struct ws_error *error)
{
	struct statvfs about;

	if (*root || statvfs("/dev/shm", &about))
		return ws_fail(error, WS_EABSENT, *root ? "not recorded" : "no /dev/shm");
	snprintf(text, size, "%" PRIu64 " bytes", (uint64_t)about.f_blocks * about.f_frsize);
	return WS_OK;
}

/* The words of the kernel's command line that change figures; the rest of it is nobody's business. */
static int read_kernel_options(const char *root, char *text, size_t size, struct ws_error *error)
{
	static const char *const wanted[] = {
		"iommu=",
		"intel_iommu=",
		"amd_iommu=",
		"pci=",
		"pcie_aspm=",
		"transparent_hugepage=",
		"hugepagesz=",
		"hugepages=",
		"numa=",
		"numa_balancing=",
		"default_hugepagesz=",
		"isolcpus=",
		"nohz_full=",
		"idle=",
		"nosmt",
		"mitigations=",
		"processor.max_cstate=",
		"intel_idle.max_cstate=",
		"cpuidle.off=",
	};
	char line[4096], *word, *rest;
	size_t length = 0, i;
	int status = ws_sysfs_read_text(root, "/proc/cmdline", line, sizeof(line), error);

	if (status)
		return status;
	snprintf(text, size, "none");
	for (word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest))
		for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]) && length < size; i++)
			if (strncmp(word, wanted[i], strlen(wanted[i])) == 0)
				length +=
					(size_t)snprintf(text + length, size - length, "%s%s", length ? " " : "", word);
	return WS_OK;
}

/* Reads the first of several one-number files, some of which say it the other way round. */
static int read_switch(const char *root, const char *const files[][2], size_t count, char *text, struct ws_error *error)
{
	int64_t value = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (ws_sysfs_read_integer(root, files[i][0], &value, NULL))
			continue;
		strcpy(text, (value != 0) == (strcmp(files[i][1], "on") == 0) ? "on" : "off");
		return WS_OK;
	}
	return ws_fail(error, WS_EABSENT, "the system does not say");
}

static int read_turbo(const char *root, char *text, size_t size, struct ws_error *error)
{
	static const char *const files[][2] = {{"/sys/devices/system/cpu/intel_pstate/no_turbo", "off"},
					       {"/sys/devices/system/cpu/cpufreq/boost", "on"}};

	(void)size;
	return read_switch(root, files, 2, text, error);
}

static int read_smt(const char *root, char *text, size_t size, struct ws_error *error)
{
	static const char *const files[][2] = {{"/sys/devices/system/cpu/smt/active", "on"}};

	(void)size;
	return read_switch(root, files, 1, text, error);
}

static int read_numa_balancing(const char *root, char *text, size_t size, struct ws_error *error)
{
	static const char *const files[][2] = {{"/proc/sys/kernel/numa_balancing", "on"}};

	(void)size;
	return read_switch(root, files, 1, text, error);
}

static const struct {
	const char *name;
	int (*read)(const char *root, char *text, size_t size, struct ws_error *error);
} facts[] = {
	{"kernel", ws_system_kernel},
	{"kernel_options", read_kernel_options},
	{"architecture", read_architecture},
	{"cpu_model", read_cpu_model},
	{"microcode", read_microcode},
	{"hypervisor", ws_system_hypervisor},
	{"governor", ws_system_governor},
	{"turbo", read_turbo},
	{"smt", read_smt},
	{"transparent_hugepage", read_thp},
	{"huge_pages", read_huge_pools},
	{"numa_balancing", read_numa_balancing},
	{"cgroup_memory_limit", read_memory_limit},
	{"cgroup_cpu_quota", read_cpu_quota},
	{"memory_lock_limit", read_lock_limit},
	{"shared_memory", read_shared_memory},
};

/* Replaces what a terminal or a JSON reader could stumble over. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

static int add_row(struct ws_environment *environment, const char *name, const char *value, const char *reason,
		   bool variable, struct ws_error *error)
{
	struct ws_environment_row *row = &environment->rows[environment->count++];

	row->name = strdup(name);
	row->value = value ? strdup(value) : NULL;
	row->reason = value ? NULL : strdup(reason);
	row->variable = variable;
	if (!row->name || (!row->value && !row->reason))
		return ws_fail(error, WS_ENOMEM, "out of memory for the environment");
	make_printable(row->name);
	make_printable(row->value ? row->value : row->reason);
	return WS_OK;
}

static int compare_rows(const void *a, const void *b)
{
	const struct ws_environment_row *left = a, *right = b;

	return strcmp(left->name, right->name);
}

static int add_facts(struct ws_environment *environment, const char *root, struct ws_error *error)
{
	char text[WS_ENVIRONMENT_VALUE_BYTES];
	size_t i;
	int status = WS_OK;

	for (i = 0; !status && i < sizeof(facts) / sizeof(facts[0]); i++) {
		struct ws_error why = {0};

		if (facts[i].read(root, text, sizeof(text), &why) == WS_OK)
			status = add_row(environment, facts[i].name, text, NULL, false, error);
		else
			status = add_row(environment, facts[i].name, NULL, why.text, false, error);
	}
	return status;
}

static int add_variables(struct ws_environment *environment, char *const *variables, struct ws_error *error)
{
	const size_t first = environment->count;
	char name[WS_ENVIRONMENT_VALUE_BYTES];
	const char *equals, *reason;
	size_t length;
	int status = WS_OK;

	for (; !status && variables && *variables; variables++) {
		equals = strchr(*variables, '=');
		length = equals ? (size_t)(equals - *variables) : sizeof(name);
		if (length >= sizeof(name))
			continue;
		memcpy(name, *variables, length);
		name[length] = '\0';
		if (!ws_variable_matters(name))
			continue;
		reason = ws_variable_hidden(name, equals + 1);
		status = add_row(environment, name, reason ? NULL : equals + 1, reason, true, error);
	}
	qsort(environment->rows + first, environment->count - first, sizeof(environment->rows[0]), compare_rows);
	return status;
}

int ws_environment_init(struct ws_environment *environment, const char *root, char *const *variables,
			struct ws_error *error)
{
	struct ws_environment made = {0};
	size_t room = sizeof(facts) / sizeof(facts[0]), i;
	int status;

	for (i = 0; variables && variables[i]; i++)
		room++;
	made.rows = calloc(room, sizeof(*made.rows));
	if (!made.rows)
		return ws_fail(error, WS_ENOMEM, "out of memory for the environment");
	status = add_facts(&made, root, error);
	if (!status)
		status = add_variables(&made, variables, error);
	if (status)
		ws_environment_release(&made);
	else
		*environment = made;
	return status;
}

void ws_environment_release(struct ws_environment *environment)
{
	size_t i;

	for (i = 0; i < environment->count; i++) {
		free(environment->rows[i].name);
		free(environment->rows[i].value);
		free(environment->rows[i].reason);
	}
	free(environment->rows);
	*environment = (struct ws_environment){0};
}

const struct ws_environment_row *ws_environment_find(const struct ws_environment *environment, const char *name)
{
	size_t i;

	for (i = 0; i < environment->count; i++)
		if (strcmp(environment->rows[i].name, name) == 0)
			return &environment->rows[i];
	return NULL;
}

int ws_environment_json(const struct ws_environment *environment, struct json_t **out, struct ws_error *error)
{
	json_t *const facts_object = json_object(), *const variables = json_object(), *const reasons = json_object();
	json_t *const object =
		json_pack("{s:o, s:o, s:o}", "facts", facts_object, "variables", variables, "reasons", reasons);
	const struct ws_environment_row *row;
	int failed = !object;
	size_t i;

	for (i = 0; !failed && i < environment->count; i++) {
		row = &environment->rows[i];
		failed = json_object_set_new(row->variable ? variables : facts_object, row->name,
					     row->value ? json_string(row->value) : json_null());
		if (!failed && !row->value)
			failed = json_object_set_new(reasons, row->name, json_string(row->reason));
	}
	if (failed) {
		json_decref(object);
		return ws_fail(error, WS_ENOMEM, "out of memory for the environment");
	}
	*out = object;
	return WS_OK;
}
