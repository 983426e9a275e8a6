/* What every result says of the machine, and what "machine" prints. */
#include "cli/facts.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/place.h"
#include "report/json_put.h"

#define GIB ((double)(1 << 30))

int ws_facts_environment(const struct ws_session *session, struct ws_environment *out, struct ws_error *error)
{
	const struct ws_topology *topology = ws_session_topology(session);
	const char *root = ws_topology_root(topology);

	*out = (struct ws_environment){.rows = NULL};
	/* A topology in XML comes without surroundings. */
	if (!root)
		return WS_OK;
	return ws_environment_init(out, root, ws_topology_is_this_machine(topology) ? environ : NULL, error);
}

static json_t *counts_json(struct ws_json_put *put, const struct ws_topology_counts *counts)
{
	json_t *object = json_object();

	ws_json_set(put, object, "packages", ws_json_count(counts->packages));
	ws_json_set(put, object, "cores", ws_json_count(counts->cores));
	ws_json_set(put, object, "cpus_present", ws_json_count(counts->cpus_present));
	ws_json_set(put, object, "cpus_offline", ws_json_count(counts->cpus_offline));
	ws_json_set(put, object, "cpus_allowed", ws_json_count(counts->cpus_allowed));
	ws_json_set(put, object, "nodes", ws_json_count(counts->nodes));
	ws_json_set(put, object, "nodes_allowed", ws_json_count(counts->nodes_allowed));
	return object;
}

static json_t *place_json(struct ws_json_put *put, const struct ws_place_facts *facts)
{
	json_t *object = json_object();
	char name[WS_PLACE_TEXT];

	ws_json_set(put, object, "place", json_string(ws_place_format(&facts->place, name, sizeof(name))));
	ws_json_set(put, object, "name", ws_json_text_or_null(facts->name));
	ws_json_set(put, object, "engines", ws_json_text_or_null(facts->engines));
	ws_json_set(put, object, "memory_bytes", facts->memory_bytes ? ws_json_count(facts->memory_bytes) : json_null());
	ws_json_set(put, object, "cache_bytes", facts->cache_bytes ? ws_json_count(facts->cache_bytes) : json_null());
	ws_json_set(put, object, "cpu_count", json_integer(facts->cpu_count));
	ws_json_set(put, object, "numa_node", facts->numa_node >= 0 ? json_integer(facts->numa_node) : json_null());
	ws_json_set(put, object, "pci", ws_json_text_or_null(facts->pci));
	ws_json_set(put, object, "uuid", ws_json_text_or_null(facts->uuid));
	ws_json_set(put, object, "same_as", ws_json_text_or_null(facts->same_as));
	ws_json_set(put, object, "simulated", json_boolean(facts->simulated));
	ws_json_set(put, object, "absent", ws_json_text_or_null(facts->absent));
	return object;
}

static json_t *backend_json(struct ws_json_put *put, const struct ws_session_backend *entry)
{
	json_t *object = json_object();

	ws_json_set(put, object, "name", json_string(entry->ops->name));
	ws_json_set(put, object, "open", json_boolean(entry->open));
	ws_json_set(put, object, "library", ws_json_text_or_null(entry->open ? entry->backend.library_path : NULL));
	ws_json_set(put, object, "version", ws_json_text_or_null(entry->open ? entry->backend.version : NULL));
	ws_json_set(put, object, "simulated", json_boolean(entry->open && entry->backend.simulated));
	ws_json_set(put, object, "reason",
		    entry->open    ? json_null()
		    : entry->tried ? ws_json_text(entry->why.text)
				   : json_string("not needed"));
	return object;
}

int ws_facts_machine(const struct ws_session *session, const struct ws_places *places, struct json_t **out,
		     struct ws_error *error)
{
	const struct ws_session_backend *entry;
	struct ws_json_put put = {.failed = false};
	json_t *machine = json_object(), *list;

	ws_json_set(&put, machine, "counts", counts_json(&put, ws_topology_counts(ws_session_topology(session))));
	list = ws_json_set_array(&put, machine, "places");
	for (int i = 0; i < places->count; i++)
		ws_json_append(&put, list, place_json(&put, &places->at[i]));
	list = ws_json_set_array(&put, machine, "backends");
	for (size_t i = 0; (entry = ws_session_backend_at(session, i)) != NULL; i++)
		ws_json_append(&put, list, backend_json(&put, entry));
	if (put.failed) {
		json_decref(machine);
		return ws_fail(error, WS_ENOMEM, "no memory for the machine's facts");
	}
	*out = machine;
	return WS_OK;
}

static void print_place(const struct ws_place_facts *facts, FILE *to)
{
	char name[WS_PLACE_TEXT];

	fprintf(to, "  %-10s  %s", ws_place_format(&facts->place, name, sizeof(name)), facts->name);
	if (facts->memory_bytes)
		fprintf(to, ", %.1f GiB", (double)facts->memory_bytes / GIB);
	if (facts->engines[0])
		fprintf(to, ", engines: %s", facts->engines);
	if (facts->same_as[0])
		fprintf(to, ", same as %s", facts->same_as);
	fprintf(to, "%s\n", facts->simulated ? ", SIMULATED" : "");
	if (facts->absent[0])
		fprintf(to, "  %-10s  cannot be used: %s\n", "", facts->absent);
}

static void print_backend(const struct ws_session_backend *entry, FILE *to)
{
	const struct ws_backend *backend = &entry->backend;

	fprintf(to, "  %-10s  ", entry->ops->name);
	if (!entry->open)
		fprintf(to, "%s\n", entry->tried ? entry->why.text : "not needed");
	else
		fprintf(to, "open%s%s%s%s%s\n", backend->version[0] ? ", version " : "", backend->version,
			backend->library_path[0] ? ", " : "", backend->library_path,
			backend->simulated ? ", SIMULATED" : "");
}

void ws_facts_print(const struct ws_session *session, const struct ws_environment *environment, FILE *to)
{
	const struct ws_places *places = ws_session_places(session);
	const struct ws_session_backend *entry;

	fputs("Places\n", to);
	for (int i = 0; i < places->count; i++)
		print_place(&places->at[i], to);
	fputs("\nBack ends\n", to);
	for (size_t i = 0; (entry = ws_session_backend_at(session, i)) != NULL; i++)
		print_backend(entry, to);
	fputs("\nSurroundings\n", to);
	for (size_t i = 0; i < environment->count; i++) {
		const struct ws_environment_row *row = &environment->rows[i];

		fprintf(to, "  %-24s  %s%s%s\n", row->name, row->value ? row->value : "(", row->value ? "" : row->reason,
			row->value ? "" : ")");
	}
	if (environment->count == 0)
		fputs("  (not recorded)\n", to);
}
