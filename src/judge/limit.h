/*
 * What a path can carry at most, from what the hardware reports of itself. Pure functions over a result, so that a
 * saved one can be judged again; there is no table of products.
 */
#ifndef WS_JUDGE_LIMIT_H
#define WS_JUDGE_LIMIT_H

#include "base/error.h"
#include "seam/result.h"

/*
 * Sets limit and limit_reason of every cell from the facts of its step's path, step->path: an object for each place
 *that took part, with these keys, all of which may be missing:
 *
 *	pcie_generation, pcie_width, pcie_generation_max, pcie_width_max, pcie_max_payload_bytes
 *				of the device's own link, now and at most
 *	pci			what ws_pci_json of machine/pci.h says: the address, the node, and the links up to the
 *root, whose first one is the device's own, where the keys above are missing nvlink.links, nvlink.link_mb_per_s,
 *nvlink.version	links in use, the raw rate of one, its generation nvlink.peers		object: how many links
 *go to "switch", or to a PCI address
 *	cache_bytes		of the cache before the memory: work inside it on less than twice as much has no limit
 *	memory_clock_mhz, memory_bus_bits	of the device's memory; memory_clock_max_mhz if the former is missing
 *
 * A path's segments are the memories of devices, and links by direction: PCI Express with the packets' headers taken
 *off (machine/pci.h), NVLink with the sixteen of seventeen parts that are not its own framing. A segment is shared by
 *all that goes through it at the same time, interference included, each getting as much as the others unless it is held
 *up elsewhere. The limit is what the first lane gets, or all measured lanes together, as the cell's first quantity
 *counts. A segment whose capacity is not known makes the limit unknown; the reason names it. Where a link does not tell
 * MaxPayload, its raw rate is an upper bound still, and the reason says so.
 *
 * Not in it: the memory of the host on the way to a device (no system tells its speed without privileges), requests and
 * acknowledgements on PCI Express, NVLink's packet headers.
 */
int ws_limit_result(struct ws_result *result, struct ws_error *error);

/* Data that NVLinks carry in one direction, in GB/s: from the fourth generation on 16 of 17 parts of the raw rate. */
double ws_limit_nvlink(unsigned links, double link_mb_per_s, unsigned version);

/* Two transfers a clock over the whole bus, in GB/s. */
double ws_limit_memory(double clock_mhz, unsigned bus_bits);

/* Transfers per second and lane of a PCI Express generation, in millions; 0 for one that does not exist. */
uint32_t ws_limit_pcie_speed(unsigned generation);

#endif
