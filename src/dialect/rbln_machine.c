/* What rblnBandwidthLatencyTest prints of the machine: processor, devices under their bridges, links, distances. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"
#include "base/system.h"
#include "dialect/rbln.h"
#include "machine/pci.h"

/* Of the line behind a device's own. */
#define INDENT 35
#define NAME_SIZE 120

/* A device's path to the root, and whether it is as the machine is built: a hypervisor shows what it likes. */
static bool read_path(const struct ws_place_facts *facts, const char *root, struct ws_pci_path *path, bool *is_built)
{
	struct ws_pci_address address;
	char hypervisor[64];

	if (!root || ws_pci_address_parse(facts->pci, &address, NULL) != WS_OK ||
	    ws_pci_path_read(root, &address, path, NULL) != WS_OK || path->function_count == 0)
		return false;
	*is_built = ws_system_hypervisor(root, hypervisor, sizeof(hypervisor), NULL) == WS_OK &&
		    strcmp(hypervisor, "none") == 0;
	return true;
}

/* Links between two devices, by way of the host if need be, whose root complexes count as one. */
static int distance(const struct ws_pci_path *a, const struct ws_pci_path *b)
{
	for (size_t i = 0; i < a->function_count; i++)
		for (size_t k = 0; k < b->function_count; k++)
			if (ws_pci_address_compare(&a->functions[i].address, &b->functions[k].address) == 0)
				return (int)(i + k);
	return (int)(a->function_count + b->function_count);
}

void rbln_print_distances(const struct rbln_device *devices, int count, const int *rows, int row_count,
			  const struct rbln_layout *layout, const char *root, FILE *to)
{
	struct ws_pci_path *paths = calloc((size_t)count, sizeof(*paths));
	bool is_built = false;

	/* Without functions = not known. */
	for (int i = 0; paths && i < count; i++)
		if (!read_path(devices[i].facts, root, &paths[i], &is_built) || !is_built)
			paths[i].function_count = 0;
	fputs("P2P Connectivity Distance\n", to);
	for (int i = 0; i < row_count; i++) {
		fprintf(to, "%-*s", layout->label_width, devices[rows[i]].label);
		for (int k = 0; k < count; k++) {
			const struct ws_pci_path *a = &paths[rows[i]], *b = &paths[k];

			if (k == rows[i])
				fprintf(to, " %*d", layout->cell_width - 1, 0);
			else if (paths && a->function_count && b->function_count)
				fprintf(to, " %*d", layout->cell_width - 1, distance(a, b));
			else
				fprintf(to, " %*s", layout->cell_width - 1, "-");
		}
		fputc('\n', to);
	}
	free(paths);
}

static FILE *open_names(const char *root)
{
	static const char *const places[] = {"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"};
	FILE *file = NULL;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !file; i++) {
		char path[600];

		if (snprintf(path, sizeof(path), "%s%s", root, places[i]) < (int)sizeof(path))
			file = fopen(path, "re");
	}
	return file;
}

/* "vvvv  Vendor", and below it "<tab>dddd  Device", as in the list of PCI IDs. */
static bool read_names(FILE *file, uint32_t vendor, uint32_t device, char vendor_name[NAME_SIZE],
		       char device_name[NAME_SIZE])
{
	char line[300];
	bool is_inside = false;

	while (fgets(line, sizeof(line), file)) {
		const bool is_device = line[0] == '\t' && line[1] != '\t';
		char *name, *end;
		unsigned long id;

		line[strcspn(line, "\n")] = '\0';
		if (!is_device && !isxdigit((unsigned char)line[0]))
			continue;
		id = strtoul(line + is_device, &end, 16);
		if (end != line + is_device + 4)
			continue;
		name = end + strspn(end, " ");
		if (!is_device && is_inside)
			return false;
		if (!is_device && id == vendor) {
			is_inside = true;
			snprintf(vendor_name, NAME_SIZE, "%s", name);
		} else if (is_device && is_inside && id == device) {
			snprintf(device_name, NAME_SIZE, "%s", name);
			return true;
		}
	}
	return false;
}

/* As lspci names it: by the list of PCI IDs where the system has it, else by numbers. */
static void print_bridge_name(const struct ws_pci_function *bridge, const char *root, FILE *to)
{
	char vendor[NAME_SIZE] = "", device[NAME_SIZE] = "";
	FILE *names = bridge->vendor.known && bridge->device.known ? open_names(root) : NULL;

	if (names) {
		read_names(names, bridge->vendor.value, bridge->device.value, vendor, device);
		fclose(names);
	}
	if (vendor[0] && device[0])
		fprintf(to, "%s %s", vendor, device);
	else if (vendor[0])
		fprintf(to, "%s Device %04x", vendor, bridge->device.value);
	else if (bridge->vendor.known && bridge->device.known)
		fprintf(to, "Device %04x:%04x", bridge->vendor.value, bridge->device.value);
	else
		fputc('-', to);
}

static bool read_revision(const char *root, const struct ws_pci_address *address, unsigned *out)
{
	char text[WS_PCI_ADDRESS_TEXT], path[80];
	int64_t value;

	ws_pci_address_format(address, text);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/revision", text);
	if (ws_sysfs_read_integer(root, path, &value, NULL) != WS_OK || value < 0 || value > 0xff)
		return false;
	*out = (unsigned)value;
	return true;
}

/* Number in a path of the bridge that devices share: a switch's port towards the root, or the root port. 0 = none. */
static size_t shared_bridge(const struct ws_pci_path *path, bool is_built)
{
	return !is_built || path->function_count < 2 ? 0 : path->function_count > 2 ? 2 : 1;
}

/* From the root port down to the shared bridge: "0000:00:01.1/01:00.0 PCI bridge: NAME (rev b0)". */
static void print_bridge(const struct ws_pci_path *path, size_t shared, const char *root, FILE *to)
{
	const struct ws_pci_function *bridge = &path->functions[shared];
	char text[WS_PCI_ADDRESS_TEXT];
	unsigned revision;

	for (size_t i = path->function_count; i-- > shared;) {
		const bool is_first = i + 1 == path->function_count;

		ws_pci_address_format(&path->functions[i].address, text);
		fprintf(to, "%s%s", is_first ? "" : "/", is_first ? text : strchr(text, ':') + 1);
	}
	fputs(" PCI bridge: ", to);
	print_bridge_name(bridge, root, to);
	if (read_revision(root, &bridge->address, &revision))
		fprintf(to, " (rev %02x)", revision);
	fputc('\n', to);
}

static const char *fact(const struct ws_pci_fact *known, const char *form, char text[16])
{
	if (known->known)
		snprintf(text, 16, form, known->value);
	else
		strcpy(text, "-");
	return text;
}

/* The tool's bandwidth is speed times width, line coding not taken off: 64.0 for 32 GT/s on 16 lanes. */
static const char *bandwidth(const struct ws_pci_rate *rate, char text[16])
{
	if (rate->speed_mtps.known && rate->width.known)
		snprintf(text, 16, "%.1f", (double)rate->speed_mtps.value * rate->width.value / 8000);
	else
		strcpy(text, "-");
	return text;
}

static const char *generation(const struct ws_pci_rate *rate, char text[16])
{
	unsigned number = 1;

	for (uint32_t speed = 2500; rate->speed_mtps.known && speed < rate->speed_mtps.value; number++)
		speed = speed == 5000 ? 8000 : 2 * speed;
	snprintf(text, 16, "%u", number);
	return rate->speed_mtps.known ? text : strcpy(text, "-");
}

static void print_link(const struct ws_pci_function *function, FILE *to)
{
	char text[8][16];

	fprintf(to, "%*sPCIe full bandwidth %s GB/s (MAX: %s), PCIe Gen %s (MAX: %s), %s lane (MAX: %s)\n", INDENT, "",
		bandwidth(&function->now, text[0]), bandwidth(&function->most, text[1]),
		generation(&function->now, text[2]), generation(&function->most, text[3]),
		fact(&function->now.width, "%u", text[4]), fact(&function->most.width, "%u", text[5]));
	fprintf(to, "%*sMaxPayload %s bytes, MaxReadReq %s bytes\n", INDENT, "",
		fact(&function->config.payload_bytes, "%u", text[6]),
		fact(&function->config.read_request_bytes, "%u", text[7]));
}

static void print_device(const struct rbln_device *device, const struct ws_pci_function *function, bool is_inside,
			 const char *root, FILE *to)
{
	const struct ws_place_facts *facts = device->facts;
	char revision_text[8] = "-", text[3][16];
	unsigned revision;
	struct ws_pci_fact node = function->node;

	if (!node.known && facts->numa_node >= 0)
		node = (struct ws_pci_fact){true, (uint32_t)facts->numa_node};
	if (root && function->vendor.known && read_revision(root, &function->address, &revision))
		snprintf(revision_text, sizeof(revision_text), "%02x", revision);
	fprintf(to, "%s%s NODE %d, %s, %s(rev-%s), pciDevID: %s, NUMA: %s, IOMMU: %s\n", is_inside ? "    " : "",
		facts->pci[0] ? facts->pci : "-", device->id, device->label, facts->name[0] ? facts->name : "-",
		revision_text, fact(&function->device, "0x%04x", text[0]), fact(&node, "%u", text[1]),
		fact(&function->iommu_group, "%u", text[2]));
}

static void print_processor(const char *root, FILE *to)
{
	char model[120], vendor[60];

	if (!root || ws_system_cpuinfo(root, "model name", model, sizeof(model), NULL) != WS_OK)
		strcpy(model, "-");
	if (!root || (ws_system_cpuinfo(root, "vendor_id", vendor, sizeof(vendor), NULL) != WS_OK &&
		      ws_system_cpuinfo(root, "CPU implementer", vendor, sizeof(vendor), NULL) != WS_OK))
		strcpy(vendor, "-");
	fprintf(to, "CPU : %s, Vendor ID : %s\n", model, vendor);
}

void rbln_print_machine(const struct rbln_device *devices, int count, const char *root, bool details, FILE *to)
{
	struct ws_pci_address above = {0};
	bool has_above = false;

	print_processor(root, to);
	fputs("Device :\n", to);
	for (int i = 0; i < count; i++) {
		const struct ws_pci_function nothing = {.config.reason = "no such device"};
		struct ws_pci_path path;
		bool is_built = false;
		const bool is_known = read_path(devices[i].facts, root, &path, &is_built);
		const struct ws_pci_function *function = is_known ? &path.functions[0] : &nothing;
		const size_t shared = is_known ? shared_bridge(&path, is_built) : 0;

		if (shared && !(has_above && ws_pci_address_compare(&above, &path.functions[shared].address) == 0))
			print_bridge(&path, shared, root, to);
		has_above = shared > 0;
		if (has_above)
			above = path.functions[shared].address;
		print_device(&devices[i], function, shared > 0, root, to);
		if (details)
			print_link(function, to);
	}
}
