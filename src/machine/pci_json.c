/* A device's path to the root as JSON. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/system.h"
#include "machine/pci.h"

static int put_fact(json_t *object, const char *key, const struct ws_pci_fact *fact)
{
	return fact->known ? json_object_set_new(object, key, json_integer((json_int_t)fact->value)) : 0;
}

static json_t *link_json(const struct ws_pci_path *path, const struct ws_pci_link *link)
{
	char port[WS_PCI_ADDRESS_TEXT];
	json_t *object = json_object();
	int failed;

	ws_pci_address_format(&path->functions[link->far].address, port);
	failed = json_object_set_new(object, "port", json_string(port));
	failed |= put_fact(object, "speed_mtps", &link->now.speed_mtps);
	failed |= put_fact(object, "width", &link->now.width);
	failed |= put_fact(object, "speed_mtps_max", &link->most.speed_mtps);
	failed |= put_fact(object, "width_max", &link->most.width);
	failed |= put_fact(object, "max_payload_bytes", &link->payload_bytes);
	if (failed) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static bool has_hypervisor(const char *root)
{
	char text[64];

	return ws_system_hypervisor(root, text, sizeof(text), NULL) != WS_OK || strcmp(text, "none") != 0;
}

static int put_links(json_t *object, const char *root, const struct ws_pci_path *path)
{
	const size_t count = path->link_count > 1 && has_hypervisor(root) ? 1 : path->link_count;
	json_t *links = json_array();
	int failed = json_object_set_new(object, "links", links);

	for (size_t i = 0; i < count && !failed; i++)
		failed = json_array_append_new(links, link_json(path, &path->links[i]));
	return failed;
}

int ws_pci_json(const char *root, const char *address, struct json_t **out, struct ws_error *error)
{
	struct ws_pci_address parsed;
	char text[WS_PCI_ADDRESS_TEXT];
	struct ws_pci_path *path;
	json_t *object;
	int failed, rc = ws_pci_address_parse(address, &parsed, error);

	if (rc != WS_OK)
		return rc;
	path = malloc(sizeof(*path));
	object = json_object();
	ws_pci_address_format(&parsed, text);
	failed = !path || json_object_set_new(object, "address", json_string(text));
	if (!failed && ws_pci_path_read(root, &parsed, path, NULL) == WS_OK)
		failed = put_fact(object, "node", &path->functions[0].node) | put_links(object, root, path);
	free(path);
	if (failed) {
		json_decref(object);
		return ws_fail(error, WS_ENOMEM, "no memory for the facts of a PCI path");
	}
	*out = object;
	return WS_OK;
}
