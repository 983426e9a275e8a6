/* The file that describes a fake machine: README.md has its format. */
#include "fake/machine_file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { WHOLE, REAL, BYTES, TEXT };

struct key {
	const char *name;
	enum type type;
	size_t offset, size;
};

#define GPU_KEY(name, type, field)                                                                                     \
	{                                                                                                              \
		name, type, offsetof(struct fake_gpu, field), sizeof(((struct fake_gpu *)0)->field)                    \
	}
static const struct key gpu_keys[] = {
	GPU_KEY("name", TEXT, name),
	GPU_KEY("uuid", TEXT, uuid),
	GPU_KEY("pci", TEXT, pci),
	GPU_KEY("memory", BYTES, memory_bytes),
	GPU_KEY("used", BYTES, used_bytes),
	GPU_KEY("cache", BYTES, cache_bytes),
	GPU_KEY("processors", WHOLE, processors),
	GPU_KEY("major", WHOLE, major),
	GPU_KEY("minor", WHOLE, minor),
	GPU_KEY("mode", WHOLE, mode),
	GPU_KEY("numa", WHOLE, numa),
	GPU_KEY("pageable_access", WHOLE, pageable),
	GPU_KEY("host_page_tables", WHOLE, host_tables),
	GPU_KEY("pcie_gen", WHOLE, pcie_gen),
	GPU_KEY("pcie_gen_max", WHOLE, pcie_gen_max),
	GPU_KEY("pcie_width", WHOLE, pcie_width),
	GPU_KEY("pcie_width_max", WHOLE, pcie_width_max),
	GPU_KEY("root", WHOLE, root),
	GPU_KEY("node", WHOLE, node),
	GPU_KEY("down", REAL, down),
	GPU_KEY("up", REAL, up),
	GPU_KEY("both", REAL, both),
	GPU_KEY("sm_down", REAL, sm_down),
	GPU_KEY("sm_up", REAL, sm_up),
	GPU_KEY("pageable_down", REAL, pageable_down),
	GPU_KEY("pageable_up", REAL, pageable_up),
	GPU_KEY("links", WHOLE, links),
	GPU_KEY("links_active", WHOLE, links_active),
	GPU_KEY("nvlink_version", WHOLE, nvlink_version),
	GPU_KEY("link_mb", WHOLE, link_mb),
	GPU_KEY("link_rate", REAL, link_rate),
	GPU_KEY("link_both", REAL, link_both),
	GPU_KEY("link_sm_read", REAL, link_sm_read),
	GPU_KEY("link_sm_write", REAL, link_sm_write),
	GPU_KEY("memory_rate", REAL, memory_rate),
	GPU_KEY("local_copy", REAL, local_copy),
	GPU_KEY("local_copy_sm", REAL, local_copy_sm),
	GPU_KEY("latency_local", REAL, latency_local),
	GPU_KEY("latency_peer", REAL, latency_peer),
	GPU_KEY("latency_host", REAL, latency_host),
	GPU_KEY("one_way_local", REAL, one_way_local),
	GPU_KEY("one_way_peer", REAL, one_way_peer),
	GPU_KEY("one_way_host", REAL, one_way_host),
	GPU_KEY("cost_push", WHOLE, cost_push),
	GPU_KEY("cost_pull", WHOLE, cost_pull),
	GPU_KEY("cost_kernel", WHOLE, cost_kernel),
	GPU_KEY("make_ms", WHOLE, make_ms),
	GPU_KEY("sm_clock", WHOLE, sm_clock),
	GPU_KEY("sm_clock_max", WHOLE, sm_clock_max),
	GPU_KEY("memory_clock", WHOLE, memory_clock),
	GPU_KEY("memory_clock_max", WHOLE, memory_clock_max),
	GPU_KEY("bus_bits", WHOLE, bus_bits),
	GPU_KEY("power", WHOLE, power),
	GPU_KEY("power_default", WHOLE, power_default),
	GPU_KEY("clock_reasons", WHOLE, clock_reasons),
	GPU_KEY("ecc", WHOLE, ecc),
	GPU_KEY("mig", WHOLE, mig),
	GPU_KEY("persistence", WHOLE, persistence),
	GPU_KEY("processes", WHOLE, processes),
	{NULL, WHOLE, 0, 0},
};

#define MACHINE_KEY(name, type, field)                                                                                 \
	{                                                                                                              \
		name, type, offsetof(struct fake_machine, field), sizeof(((struct fake_machine *)0)->field)            \
	}
static const struct key machine_keys[] = {
	MACHINE_KEY("gpus", WHOLE, gpus),
	MACHINE_KEY("cuda", WHOLE, cuda_version),
	MACHINE_KEY("driver", TEXT, driver),
	MACHINE_KEY("nvml", TEXT, nvml),
	MACHINE_KEY("confidential", WHOLE, confidential),
	MACHINE_KEY("bare", WHOLE, bare),
	MACHINE_KEY("peer", WHOLE, peer),
	MACHINE_KEY("wait", WHOLE, wait),
	MACHINE_KEY("nvswitch", WHOLE, nvswitch),
	MACHINE_KEY("link_counters", WHOLE, link_counters),
	MACHINE_KEY("ptx", WHOLE, ptx),
	MACHINE_KEY("host_rate", REAL, host_rate),
	MACHINE_KEY("root_rate", REAL, root_rate),
	{NULL, WHOLE, 0, 0},
};

static const struct key *find_key(const struct key *keys, const char *name)
{
	for (; keys->name; keys++)
		if (strcmp(keys->name, name) == 0)
			return keys;
	return NULL;
}

/* A number with K, M, G or T behind it; false if that is not all. */
static bool read_number(const char *text, double *number)
{
	static const char suffixes[] = "KMGT";
	const char *suffix;
	char *end;

	*number = strncmp(text, "0x", 2) == 0 ? (double)strtol(text, &end, 16) : strtod(text, &end);
	if (end == text)
		return false;
	suffix = *end ? strchr(suffixes, *end) : NULL;
	for (const char *at = suffixes; suffix && at <= suffix; at++)
		*number *= 1024;
	return end[suffix ? 1 : 0] == '\0';
}

static bool set_value(char *object, const struct key *key, const char *text)
{
	double number = 0;

	if (key->type == TEXT) {
		snprintf(object + key->offset, key->size, "%s", text);
		return true;
	}
	if (!read_number(text, &number))
		return false;
	if (key->type == WHOLE)
		memcpy(object + key->offset, &(int){(int)number}, sizeof(int));
	else if (key->type == REAL)
		memcpy(object + key->offset, &number, sizeof(number));
	else
		memcpy(object + key->offset, &(uint64_t){(uint64_t)number}, sizeof(uint64_t));
	return true;
}

/* "3", "0..3" or "*". */
static bool read_range(const char *text, int *first, int *last)
{
	*first = 0;
	*last = FAKE_GPUS_MAX - 1;
	if (strcmp(text, "*") == 0)
		return true;
	if (sscanf(text, "%d..%d", first, last) == 1)
		*last = *first;
	return *first >= 0 && *last >= *first && *last < FAKE_GPUS_MAX;
}

static bool read_end(const char *text, int *end)
{
	*end = strcmp(text, "host") == 0 ? FAKE_HOST : strcmp(text, "*") == 0 ? FAKE_ANY : atoi(text);
	return *end < 0 || (*end < FAKE_GPUS_MAX && text[0] >= '0' && text[0] <= '9');
}

/* "0->1", "host->0", "*->0". */
static bool read_path(char *text, int *from, int *to)
{
	char *arrow = text ? strstr(text, "->") : NULL;

	if (!arrow)
		return false;
	*arrow = '\0';
	return read_end(text, from) && read_end(arrow + 2, to);
}

/* link A B N: links straight between two GPUs. */
static bool read_link(struct fake_machine *machine, char *rest)
{
	int a, b, links;

	if (sscanf(rest, "%d %d %d", &a, &b, &links) != 3 || a < 0 || b < 0 || a == b || a >= FAKE_GPUS_MAX ||
	    b >= FAKE_GPUS_MAX)
		return false;
	machine->direct[a][b] = machine->direct[b][a] = links;
	return true;
}

/* slow A->B FACTOR. */
static bool read_slow(struct fake_machine *machine, char *rest)
{
	struct fake_slow slow = {0};
	char *next = NULL, *path = strtok_r(rest, " \t", &next);

	if (machine->slow_count == FAKE_FAULTS_MAX || !read_path(path, &slow.from, &slow.to) ||
	    !read_number(next, &slow.factor) || slow.factor <= 0)
		return false;
	machine->slow[machine->slow_count++] = slow;
	return true;
}

/* name=value, one of the names, into its number. */
static bool read_option(const char *word, const char *const *names, double *const *numbers)
{
	for (; *names; names++, numbers++) {
		const size_t length = strlen(*names);

		if (strncmp(word, *names, length) == 0 && word[length] == '=')
			return read_number(word + length + 1, *numbers);
	}
	return false;
}

/* fault KIND A->B { option=number }. */
static bool read_fault(struct fake_machine *machine, char *rest)
{
	static const char *const kinds[] = {"corrupt", "cut", "hang", "lost"};
	static const char *const names[] = {"copy", "byte", "bytes", "code", NULL};
	double copy = 0, byte = -1, bytes = -1, code = 719;
	double *const numbers[] = {&copy, &byte, &bytes, &code};
	struct fake_fault fault = {0};
	char *next = NULL, *word = strtok_r(rest, " \t", &next);
	size_t kind = 0;

	while (kind < 4 && (!word || strcmp(word, kinds[kind]) != 0))
		kind++;
	if (kind == 4 || machine->fault_count == FAKE_FAULTS_MAX ||
	    !read_path(strtok_r(NULL, " \t", &next), &fault.from, &fault.to))
		return false;
	while ((word = strtok_r(NULL, " \t", &next)))
		if (!read_option(word, names, numbers))
			return false;
	fault.kind = (enum fake_fault_kind)kind;
	fault.copy = (int64_t)copy;
	fault.byte = (int64_t)(kind == FAKE_FAULT_CUT ? bytes : byte);
	fault.code = (int64_t)code;
	machine->faults[machine->fault_count++] = fault;
	return true;
}

/* noise { seed=n percent=x outliers=percent factor=x }. */
static bool read_noise(struct fake_machine *machine, char *rest)
{
	static const char *const names[] = {"seed", "percent", "outliers", "factor", NULL};
	double seed = 1;
	double *const numbers[] = {&seed, &machine->noise_percent, &machine->outlier_percent, &machine->outlier_factor};
	char *next = NULL;

	machine->outlier_factor = 1.5;
	for (char *word = strtok_r(rest, " \t", &next); word; word = strtok_r(NULL, " \t", &next))
		if (!read_option(word, names, numbers))
			return false;
	machine->noise_seed = (int64_t)seed;
	return true;
}

static bool set_gpus(struct fake_machine *machine, const char *range, const char *name, const char *value)
{
	const struct key *key = find_key(gpu_keys, name);
	int first, last;

	if (!key || !value || !read_range(range, &first, &last))
		return false;
	for (int i = first; i <= last; i++)
		if (!set_value((char *)&machine->gpu[i], key, value))
			return false;
	return true;
}

static bool read_line(struct fake_machine *machine, char *line)
{
	static const struct {
		const char *name;
		bool (*read)(struct fake_machine *machine, char *rest);
	} rows[] = {{"link", read_link}, {"slow", read_slow}, {"fault", read_fault}, {"noise", read_noise}};
	const struct key *key;
	char *rest = NULL, *word = strtok_r(line, " \t", &rest);

	if (!word)
		return true;
	rest += strspn(rest, " \t");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(word, rows[i].name) == 0)
			return rows[i].read(machine, rest);
	if (strcmp(word, "gpu") == 0) {
		const char *range = strtok_r(NULL, " \t", &rest), *name = strtok_r(NULL, " \t", &rest);

		rest += rest ? strspn(rest, " \t") : 0;
		return range && name && set_gpus(machine, range, name, rest);
	}
	key = find_key(machine_keys, word);
	return key ? set_value((char *)machine, key, rest) : set_gpus(machine, "*", word, rest);
}

/* Cuts a line's end and its comment off: a # at its start, or with blanks around it. */
static void trim(char *line)
{
	size_t end = strcspn(line, "\n");

	for (size_t i = 0; i < end; i++)
		if (line[i] == '#' && (i == 0 || (line[i - 1] == ' ' && line[i + 1] == ' ')))
			end = i;
	while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t'))
		end--;
	line[end] = '\0';
}

/* include NAME: another file of the same folder. */
static bool include(struct fake_machine *machine, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	char other[512];

	if (strchr(name, '/') || strlen(path) + strlen(name) >= sizeof(other))
		return false;
	snprintf(other, sizeof(other), "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
	return fake_machine_load(machine, other);
}

bool fake_machine_load(struct fake_machine *machine, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[256], copy[256];
	bool good = file != NULL;

	if (!file)
		fprintf(stderr, "fake: machine file %s cannot be read\n", path);
	for (int number = 1; good && fgets(line, sizeof(line), file); number++) {
		trim(line);
		memcpy(copy, line, sizeof(copy));
		good = strncmp(line, "include ", 8) == 0 ? include(machine, path, line + 8) : read_line(machine, line);
		if (!good)
			fprintf(stderr, "fake: %s:%d: \"%s\" says nothing about a machine\n", path, number, copy);
	}
	if (file)
		fclose(file);
	return good;
}
