/* PCI Express facts from /sys. */
#include "machine/pci.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"

/* Offsets and bits of configuration space, as in Linux's pci_regs.h. */
enum {
	HEADER_BYTES = 64,
	/* Where capabilities lie. More is not read: in a virtual machine every 4 bytes are a trip to the hypervisor. */
	CONFIG_BYTES = 256,
	STATUS = 0x06,
	STATUS_HAS_CAPABILITIES = 0x10,
	FIRST_CAPABILITY = 0x34,
	CAPABILITY_EXPRESS = 0x10,
	EXPRESS_FLAGS = 0x02,
	EXPRESS_DEVICE_CONTROL = 0x08,
	EXPRESS_LINK_CAPABILITIES = 0x0c,
	EXPRESS_LINK_STATUS = 0x12,
	EXPRESS_BYTES = 0x14
};

static struct ws_pci_fact fact(uint32_t value)
{
	return (struct ws_pci_fact){true, value};
}

static uint32_t word(const uint8_t *bytes, size_t at)
{
	return bytes[at] | (uint32_t)bytes[at + 1] << 8;
}

/* Decodes the speed (bits 3:0) and width (bits 9:4) that link capabilities and link status share. */
static struct ws_pci_rate decode_rate(uint32_t value)
{
	static const uint32_t speeds_mtps[] = {0, 2500, 5000, 8000, 16000, 32000, 64000, 128000};
	const uint32_t speed = value & 0xf, width = value >> 4 & 0x3f;
	struct ws_pci_rate rate = {0};

	if (speed > 0 && speed < sizeof(speeds_mtps) / sizeof(speeds_mtps[0]))
		rate.speed_mtps = fact(speeds_mtps[speed]);
	if (width > 0 && width <= 32)
		rate.width = fact(width);
	return rate;
}

/* Payload and read request sizes are coded as powers of two from 128 bytes; 6 and 7 are reserved. */
static struct ws_pci_fact decode_size(uint32_t code)
{
	return code <= 5 ? fact(128u << code) : (struct ws_pci_fact){0};
}

static void parse_express(const uint8_t *express, struct ws_pci_config *config)
{
	const uint32_t control = word(express, EXPRESS_DEVICE_CONTROL), status = word(express, EXPRESS_LINK_STATUS);
	const uint32_t type = word(express, EXPRESS_FLAGS) >> 4 & 0xf;

	config->port_type = fact(type);
	config->payload_bytes = decode_size(control >> 5 & 7);
	config->read_request_bytes = decode_size(control >> 12 & 7);
	config->relaxed_ordering = fact(control >> 4 & 1);
	config->extended_tags = fact(control >> 8 & 1);
	/* Endpoints and event collectors inside the root complex (9, 10) have no link. */
	if (type == 9 || type == 10)
		return;
	config->most = decode_rate(word(express, EXPRESS_LINK_CAPABILITIES));
	config->now = decode_rate(status);
	config->bandwidth_changed = fact((status & 0xc000) != 0);
}

void ws_pci_config_parse(const uint8_t *bytes, size_t length, struct ws_pci_config *config)
{
	size_t at;
	int steps;

	*config = (struct ws_pci_config){0};
	if (length < HEADER_BYTES)
		config->reason = "configuration space cannot be read";
	else if (word(bytes, 0) == 0xffff)
		config->reason = "the device does not answer";
	else if (!(word(bytes, STATUS) & STATUS_HAS_CAPABILITIES))
		config->reason = "not a PCI Express device";
	else if (length == HEADER_BYTES)
		config->reason = "configuration space beyond 64 bytes needs privileges";
	if (config->reason)
		return;
	/* A capability takes at least 4 of the first 256 bytes, so a longer chain is a loop. */
	at = bytes[FIRST_CAPABILITY] & 0xfcu;
	for (steps = 0; at >= HEADER_BYTES && at + EXPRESS_BYTES <= length && steps < 48; steps++) {
		if (bytes[at] == CAPABILITY_EXPRESS) {
			parse_express(bytes + at, config);
			return;
		}
		at = bytes[at + 1] & 0xfcu;
	}
	config->reason = "no PCI Express capability";
}

/* Reads one of a function's files as an integer; unknown if it is not there or negative. folder is absolute. */
static struct ws_pci_fact read_fact(const char *folder, const char *file)
{
	char path[PATH_MAX];
	int64_t value = 0;

	if (snprintf(path, sizeof(path), "%s/%s", folder, file) >= (int)sizeof(path) ||
	    ws_sysfs_read_integer("", path, &value, NULL) || value < 0 || value > UINT32_MAX)
		return (struct ws_pci_fact){0};
	return fact((uint32_t)value);
}

/* Reads "8.0 GT/s PCIe", "2.5 GT/s" and the like; "Unknown" is unknown. */
static struct ws_pci_fact read_speed(const char *folder, const char *file)
{
	char path[PATH_MAX], text[64];
	unsigned whole, tenths = 0;

	if (snprintf(path, sizeof(path), "%s/%s", folder, file) >= (int)sizeof(path) ||
	    ws_sysfs_read_text("", path, text, sizeof(text), NULL) || !strstr(text, "GT/s") ||
	    sscanf(text, "%3u.%1u", &whole, &tenths) < 1 || !whole)
		return (struct ws_pci_fact){0};
	return fact(whole * 1000 + tenths * 100);
}

static struct ws_pci_rate read_rate(const char *folder, const char *speed, const char *width)
{
	struct ws_pci_rate rate = {read_speed(folder, speed), read_fact(folder, width)};

	/* 0 is a link that is down, 255 one that could not be read. */
	if (rate.width.value == 0 || rate.width.value > 32)
		rate.width.known = false;
	return rate;
}

static struct ws_pci_fact known_of(struct ws_pci_fact a, struct ws_pci_fact b)
{
	return a.known ? a : b;
}

static void read_iommu(const char *root, const char *folder, struct ws_pci_function *function)
{
	char path[PATH_MAX], target[PATH_MAX], *end;
	unsigned long number;
	const char *name;

	if (snprintf(path, sizeof(path), "%s/iommu_group", folder) >= (int)sizeof(path) || !realpath(path, target))
		return;
	name = strrchr(target, '/') + 1;
	number = strtoul(name, &end, 10);
	if (end == name || *end || number > UINT32_MAX)
		return;
	function->iommu_group = fact((uint32_t)number);
	snprintf(path, sizeof(path), "/sys/kernel/iommu_groups/%lu/type", number);
	if (ws_sysfs_read_text(root, path, function->iommu_type, sizeof(function->iommu_type), NULL))
		function->iommu_type[0] = '\0';
}

static void read_function(const char *root, const char *folder, struct ws_pci_function *function)
{
	uint8_t bytes[CONFIG_BYTES];
	char path[PATH_MAX];
	size_t length = 0;

	function->vendor = read_fact(folder, "vendor");
	function->device = read_fact(folder, "device");
	function->class_code = read_fact(folder, "class");
	function->node = read_fact(folder, "numa_node");
	read_iommu(root, folder, function);
	if (snprintf(path, sizeof(path), "%s/config", folder) >= (int)sizeof(path) ||
	    ws_sysfs_read_bytes("", path, bytes, sizeof(bytes), &length, NULL))
		length = 0;
	ws_pci_config_parse(bytes, length, &function->config);
	function->now = read_rate(folder, "current_link_speed", "current_link_width");
	function->most = read_rate(folder, "max_link_speed", "max_link_width");
	function->now.speed_mtps = known_of(function->now.speed_mtps, function->config.now.speed_mtps);
	function->now.width = known_of(function->now.width, function->config.now.width);
	function->most.speed_mtps = known_of(function->most.speed_mtps, function->config.most.speed_mtps);
	function->most.width = known_of(function->most.width, function->config.most.width);
}

/* The lesser of two facts; unknown if either is. */
static struct ws_pci_fact lesser(struct ws_pci_fact a, struct ws_pci_fact b)
{
	return (struct ws_pci_fact){a.known && b.known, a.value < b.value ? a.value : b.value};
}

static bool has_rate(const struct ws_pci_function *function)
{
	return function->most.speed_mtps.known || function->most.width.known || function->now.speed_mtps.known ||
	       function->now.width.known;
}

/*
 * Pairs functions into links. From the device upwards every second gap is a link: device and port above it, then the
 * switch's upstream port and the port above that; between a switch's own ports there is no wire.
 */
static void pair_links(struct ws_pci_path *path)
{
	const struct ws_pci_function *far, *near;
	struct ws_pci_link *link;
	size_t i;

	for (i = 0; i < path->function_count; i += 2) {
		far = &path->functions[i];
		near = i + 1 < path->function_count ? &path->functions[i + 1] : NULL;
		if (!near && !has_rate(far))
			continue;
		link = &path->links[path->link_count++];
		link->far = i;
		link->near = near ? i + 1 : WS_PCI_NO_PORT;
		link->now.speed_mtps = near ? known_of(far->now.speed_mtps, near->now.speed_mtps) : far->now.speed_mtps;
		link->now.width = near ? known_of(far->now.width, near->now.width) : far->now.width;
		/* Where a hypervisor hides the port, what the device alone can is all that is known. */
		link->most.speed_mtps =
			near ? lesser(far->most.speed_mtps, near->most.speed_mtps) : far->most.speed_mtps;
		link->most.width = near ? lesser(far->most.width, near->most.width) : far->most.width;
		link->payload_bytes = near ? lesser(far->config.payload_bytes, near->config.payload_bytes)
					   : far->config.payload_bytes;
	}
}

/* Splits the real path of a device, ".../pci0000:00/0000:00:01.0/0000:01:00.0", and reads each function from the end.
 */
static void walk_up(const char *root, char *folder, struct ws_pci_path *path)
{
	struct ws_pci_address address;
	char *slash;

	while (path->function_count < WS_PCI_DEPTH && (slash = strrchr(folder, '/')) &&
	       ws_pci_address_parse(slash + 1, &address, NULL) == WS_OK) {
		path->functions[path->function_count].address = address;
		read_function(root, folder, &path->functions[path->function_count++]);
		*slash = '\0';
	}
}

int ws_pci_path_read(const char *root, const struct ws_pci_address *address, struct ws_pci_path *path,
		     struct ws_error *error)
{
	char name[PATH_MAX], target[PATH_MAX], text[WS_PCI_ADDRESS_TEXT];
	struct ws_pci_path found = {0};

	ws_pci_address_format(address, text);
	if (snprintf(name, sizeof(name), "%s/sys/bus/pci/devices/%s", root, text) >= (int)sizeof(name))
		return ws_fail(error, WS_EINVAL, "%.80s...: path is too long", root);
	if (!realpath(name, target))
		return ws_fail(error, errno == ENOENT || errno == ENOTDIR ? WS_EABSENT : WS_ESYSTEM, "%s: %s", name,
			       strerror(errno));
	walk_up(root, target, &found);
	pair_links(&found);
	*path = found;
	return WS_OK;
}
