/* What PCI Express links can carry: pure functions. */
#include "machine/pci.h"

int ws_pci_raw_bytes_per_s(uint32_t speed_mtps, uint32_t width, double *bytes_per_s, struct ws_error *error)
{
	/* Per speed the share of the bits on the wire that carries packets. */
	static const struct {
		uint32_t speed_mtps;
		double coding;
	} speeds[] = {
		{2500, 8.0 / 10},     {5000, 8.0 / 10},	    {8000, 128.0 / 130},   {16000, 128.0 / 130},
		{32000, 128.0 / 130}, {64000, 242.0 / 256}, {128000, 242.0 / 256},
	};
	size_t i;

	if (width < 1 || width > 32)
		return ws_fail(error, WS_EUNSUPPORTED, "PCI Express has no links of %u lanes", width);
	for (i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		if (speeds[i].speed_mtps != speed_mtps)
			continue;
		*bytes_per_s = speed_mtps * 1e6 * width / 8 * speeds[i].coding;
		return WS_OK;
	}
	return ws_fail(error, WS_EUNSUPPORTED, "PCI Express has no lanes of %u MT/s", speed_mtps);
}

int ws_pci_payload_bytes_per_s(uint32_t speed_mtps, uint32_t width, uint32_t payload_bytes, enum ws_pci_traffic traffic,
			       double *bytes_per_s, struct ws_error *error)
{
	const double overhead_bytes = traffic == WS_PCI_WRITES ? 24 : 20;
	double raw = 0;
	int status = ws_pci_raw_bytes_per_s(speed_mtps, width, &raw, error);

	if (status)
		return status;
	if (payload_bytes < 64 || payload_bytes > 4096)
		return ws_fail(error, WS_EUNSUPPORTED, "PCI Express has no packets of %u bytes", payload_bytes);
	*bytes_per_s = raw * payload_bytes / (payload_bytes + overhead_bytes);
	return WS_OK;
}

static int fail_link(const struct ws_pci_path *path, const struct ws_pci_link *link, struct ws_error *error)
{
	char text[WS_PCI_ADDRESS_TEXT];

	ws_pci_address_format(&path->functions[link->far].address, text);
	return ws_fail(error, WS_EABSENT, "the link of PCI function %s does not tell its speed and width", text);
}

int ws_pci_path_limit(const struct ws_pci_path *path, enum ws_pci_state state, enum ws_pci_traffic traffic,
		      struct ws_pci_limit *limit, struct ws_error *error)
{
	struct ws_pci_limit least = {.payload_known = true};
	const struct ws_pci_link *link;
	const struct ws_pci_rate *rate;
	double raw = 0, payload;
	size_t i;

	if (!path->link_count)
		return ws_fail(error, WS_EABSENT, "no PCI Express link of the device is visible");
	for (i = 0; i < path->link_count; i++) {
		link = &path->links[i];
		rate = state == WS_PCI_NOW ? &link->now : &link->most;
		if (!rate->speed_mtps.known || !rate->width.known ||
		    ws_pci_raw_bytes_per_s(rate->speed_mtps.value, rate->width.value, &raw, NULL))
			return fail_link(path, link, error);
		if (i == 0 || raw < least.raw_bytes_per_s) {
			least.raw_bytes_per_s = raw;
			least.link = i;
		}
		payload = 0;
		if (!link->payload_bytes.known ||
		    ws_pci_payload_bytes_per_s(rate->speed_mtps.value, rate->width.value, link->payload_bytes.value,
					       traffic, &payload, NULL))
			least.payload_known = false;
		if (i == 0 || payload < least.payload_bytes_per_s)
			least.payload_bytes_per_s = payload;
	}
	if (!least.payload_known)
		least.payload_bytes_per_s = 0;
	*limit = least;
	return WS_OK;
}
