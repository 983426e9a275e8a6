/* PCI Express facts of a device and of every link between it and the root complex; what such links can carry. */
#ifndef WS_MACHINE_PCI_H
#define WS_MACHINE_PCI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/pci_address.h"

/* A number that the system may not tell. value means nothing unless known: an unknown fact is never 0. */
struct ws_pci_fact {
	bool known;
	uint32_t value;
};

/* Rate of one lane in megatransfers per second (8000 = 8 GT/s) and number of lanes; each may be unknown alone. */
struct ws_pci_rate {
	struct ws_pci_fact speed_mtps;
	struct ws_pci_fact width;
};

/* What stands in the PCI Express capability of a function's configuration space (health facts: pci_regs.h of Linux). */
struct ws_pci_config {
	struct ws_pci_fact port_type;	       /* 0 endpoint, 4 root port, 5 upstream, 6 downstream, ... */
	struct ws_pci_rate now, most;	       /* link status, link capabilities */
	struct ws_pci_fact payload_bytes;      /* largest data packet it sends (MPS), as set */
	struct ws_pci_fact read_request_bytes; /* largest read it asks for (MRRS), as set */
	struct ws_pci_fact relaxed_ordering;   /* 1 = may be used */
	struct ws_pci_fact extended_tags;      /* 1 = 256 reads may be outstanding instead of 32 */
	struct ws_pci_fact bandwidth_changed;  /* 1 = the link changed speed or width since software last looked */
	const char *reason;		       /* why these are unknown; NULL if the capability was read */
};

struct ws_pci_function {
	struct ws_pci_address address;
	struct ws_pci_fact vendor, device, class_code;
	struct ws_pci_fact node; /* NUMA node; unknown where firmware does not say */
	struct ws_pci_fact iommu_group;
	char iommu_type[16]; /* "identity", "DMA", "DMA-FQ", ...; "" = unknown or none */
	struct ws_pci_rate now, most;
	struct ws_pci_config config;
};

/* One physical link: the port nearer to the root and the function at its far end. */
struct ws_pci_link {
	size_t far, near;		  /* indices into functions; near = WS_PCI_NO_PORT if the port is not visible */
	struct ws_pci_rate now;		  /* as trained at this moment: idle devices lower it */
	struct ws_pci_rate most;	  /* the lesser of what both ends can */
	struct ws_pci_fact payload_bytes; /* the lesser of what both ends are set to */
};

#define WS_PCI_NO_PORT ((size_t)-1)
#define WS_PCI_DEPTH 16

/* From the device (functions[0], links[0]) to the root port. A device inside the root complex has no link. */
struct ws_pci_path {
	struct ws_pci_function functions[WS_PCI_DEPTH];
	size_t function_count;
	struct ws_pci_link links[WS_PCI_DEPTH];
	size_t link_count;
};

/*
 * Parses configuration space. All facts are unknown, with a reason, if length is 64 (all that is shown without
 * privileges), if the device does not answer (all ones), or if it is not PCI Express. Never reads beyond length.
 */
void ws_pci_config_parse(const uint8_t *bytes, size_t length, struct ws_pci_config *config);

/* Reads a device and all ports above it. WS_EABSENT if there is no such device under root (as in sysfs.h). */
int ws_pci_path_read(const char *root, const struct ws_pci_address *address, struct ws_pci_path *path,
		     struct ws_error *error);

/* Which way data goes. A device that copies to host writes; one that copies from host reads, and gets completions. */
enum ws_pci_traffic { WS_PCI_WRITES, WS_PCI_READS };

/*
 * Bytes per second in one direction after line coding: speed x width / 8 x coding, where coding is 8/10 to 5 GT/s,
 * 128/130 to 32 GT/s, and from 64 GT/s the 242 of 256 bytes of a flit that carry packets. 0 is not an answer:
 * WS_EUNSUPPORTED for a speed or width that does not exist.
 */
int ws_pci_raw_bytes_per_s(uint32_t speed_mtps, uint32_t width, double *bytes_per_s, struct ws_error *error);

/*
 * The part of it that packets of payload_bytes leave for data: P / (P + 24) for writes, with framing 4, header 16 and
 * checksum 4 bytes; P / (P + 20) for completions, whose header has 12. Acknowledgements and flow control are not in
 * it (up to 9 % at worst), nor hosts that answer reads in pieces of 64 bytes.
 */
int ws_pci_payload_bytes_per_s(uint32_t speed_mtps, uint32_t width, uint32_t payload_bytes, enum ws_pci_traffic traffic,
			       double *bytes_per_s, struct ws_error *error);

enum ws_pci_state { WS_PCI_NOW, WS_PCI_AT_MOST };

/* The least of a path's links. */
struct ws_pci_limit {
	double raw_bytes_per_s;
	double payload_bytes_per_s; /* 0 unless payload_known: the payload size needs privileges to read */
	bool payload_known;
	size_t link; /* the one that is narrowest */
};

/*
 * The limit of one device that has the path to itself, as its links are now or could be at most. WS_EABSENT, with the
 * link named, if the rate of any link is unknown or the path has no link.
 */
int ws_pci_path_limit(const struct ws_pci_path *path, enum ws_pci_state state, enum ws_pci_traffic traffic,
		      struct ws_pci_limit *limit, struct ws_error *error);

/*
 * The path of a device as JSON, for results: "address", "node" where known, and "links", from the device's own one
 * towards the root, each with "port" (address of the far end), "speed_mtps", "width", "speed_mtps_max", "width_max" and
 * "max_payload_bytes", as far as they are known. What a hypervisor shows above a device is its own invention: links
 * beyond the first are there only where no hypervisor is. A device that the system does not know has an address only.
 * WS_EINVAL: no PCI address.
 */
struct json_t;
int ws_pci_json(const char *root, const char *address, struct json_t **out, struct ws_error *error);

#endif
