/* PCI addresses as text: drivers, /sys and users write them differently. */
#ifndef WS_BASE_PCI_ADDRESS_H
#define WS_BASE_PCI_ADDRESS_H

#include "base/error.h"

struct ws_pci_address {
	unsigned domain, bus, device, function;
};

/* Room for the text of an address with a 32-bit domain. */
#define WS_PCI_ADDRESS_TEXT 20

/* Reads "0000:3b:00.0", "3b:00.0" (domain 0), "3b:00" (function 0) or CUDA's "00000000:3B:00.0"; else WS_EINVAL. */
int ws_pci_address_parse(const char *text, struct ws_pci_address *address, struct ws_error *error);

/* Writes it as /sys does: "0000:3b:00.0". */
void ws_pci_address_format(const struct ws_pci_address *address, char text[WS_PCI_ADDRESS_TEXT]);

/* Negative, 0 or positive as a is before, at or after b in PCI order. */
int ws_pci_address_compare(const struct ws_pci_address *a, const struct ws_pci_address *b);

#endif
