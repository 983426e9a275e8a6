/* PCI addresses as text. */
#include "base/pci_address.h"

#include <ctype.h>
#include <stdio.h>

/* Reads 1 to digits hexadecimal digits at *text and moves behind them; -1 if there are none, or more. */
static long long hexadecimal(const char **text, int digits)
{
	long long number = 0;
	int found = 0;

	for (; isxdigit((unsigned char)**text) && found <= digits; (*text)++, found++)
		number = number * 16 + (isdigit((unsigned char)**text) ? **text - '0' : (**text | 0x20) - 'a' + 10);
	return found > 0 && found <= digits ? number : -1;
}

int ws_pci_address_parse(const char *text, struct ws_pci_address *address, struct ws_error *error)
{
	const char *at = text;
	long long part[3], function = 0;
	int count = 1;

	part[0] = hexadecimal(&at, 8);
	while (count < 3 && part[count - 1] >= 0 && *at == ':') {
		at++;
		part[count++] = hexadecimal(&at, 2);
	}
	if (count > 1 && *at == '.') {
		at++;
		function = hexadecimal(&at, 1);
	}
	if (count < 2 || *at || part[0] < 0 || part[count - 2] < 0 ||
	    part[count - 2] > (count == 2 ? 255 : 0xffffffff) || part[count - 1] < 0 || part[count - 1] > 31 ||
	    function < 0 || function > 7)
		return ws_fail(error, WS_EINVAL, "\"%.40s\" is not a PCI address such as 0000:3b:00.0", text);
	address->domain = count == 3 ? (unsigned)part[0] : 0;
	address->bus = (unsigned)part[count - 2];
	address->device = (unsigned)part[count - 1];
	address->function = (unsigned)function;
	return WS_OK;
}

void ws_pci_address_format(const struct ws_pci_address *address, char text[WS_PCI_ADDRESS_TEXT])
{
	snprintf(text, WS_PCI_ADDRESS_TEXT, "%04x:%02x:%02x.%x", address->domain, address->bus & 0xff,
		 address->device & 0x1f, address->function & 7);
}

int ws_pci_address_compare(const struct ws_pci_address *a, const struct ws_pci_address *b)
{
	if (a->domain != b->domain)
		return a->domain < b->domain ? -1 : 1;
	if (a->bus != b->bus)
		return a->bus < b->bus ? -1 : 1;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}
