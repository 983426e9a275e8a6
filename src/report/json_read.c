/* JSON back into a result: the document, its settings and tables. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/record.h"
#include "report/json.h"
#include "report/json_read.h"
#include "report/names.h"
#include "seam/probe.h"

static void read_settings(struct ws_json_get *get, const json_t *object, struct ws_settings *out)
{
	ws_json_enter(get, "settings");
	out->samples = (uint32_t)ws_json_get_integer_or_null(get, object, "samples", 1, UINT32_MAX);
	out->lead_loops = (uint32_t)ws_json_get_integer(get, object, "lead_loops", 0, UINT32_MAX);
	out->loops = (uint32_t)ws_json_get_integer_or_null(get, object, "loops", 1, UINT32_MAX);
	out->verify = (enum ws_verify_policy)ws_json_get_word(get, object, "verify", ws_verify_find);
	ws_json_copy_text_or_null(get, object, "statistic", out->statistic, sizeof(out->statistic));
	ws_json_get_real_or_null(get, object, "precision", &out->precision);
	out->time_limit_ns = ws_json_get_integer(get, object, "time_limit_ns", 0, INT64_MAX);
	out->timeout_ns = ws_json_get_integer(get, object, "timeout_ns", 0, INT64_MAX);
	out->seed = ws_json_get_bits(get, object, "seed");
	if (json_object_get(object, "pattern") && !json_is_null(json_object_get(object, "pattern")))
		out->pattern = 1 + (uint64_t)ws_json_get_integer(get, object, "pattern", 0, UINT32_MAX);
	out->ungated = ws_json_get_bool(get, object, "ungated");
	out->counters = ws_json_get_bool(get, object, "counters");
	ws_json_leave(get);
}

void ws_json_read_coords(struct ws_json_get *get, const json_t *parent, struct ws_coords *out)
{
	json_t *object = ws_json_get_object(get, parent, "coords"), *value;
	const char *axis;

	ws_json_enter(get, "coords");
	if (json_object_size(object) > WS_COORDS_MAX)
		ws_json_wrong(get, WS_EINVAL, "has more than %d axes", WS_COORDS_MAX);
	json_object_foreach(object, axis, value)
	{
		char text[sizeof(out->at[0].value)];

		ws_json_enter(get, axis);
		if (strlen(axis) >= sizeof(out->at[0].axis))
			ws_json_wrong(get, WS_EINVAL, "the name is longer than %zu bytes", sizeof(out->at[0].axis) - 1);
		ws_json_copy_text(get, value, text, sizeof(text));
		ws_json_leave(get);
		if (get->status != WS_OK)
			break;
		ws_coords_set(out, axis, text);
	}
	ws_json_leave(get);
}

static void read_figure(struct ws_json_get *get, const json_t *object, struct ws_figure *out)
{
	out->known = ws_json_get_real_or_null(get, object, "value", &out->value);
	out->has_interval = ws_json_get_real_or_null(get, object, "low", &out->low);
	out->has_interval =
		ws_json_get_real_or_null(get, object, "high", &out->high) && out->has_interval && out->known;
}

static int method_find(const char *name)
{
	return strcmp(name, "slope") == 0 ? 1 : strcmp(name, "size/time") == 0 || strcmp(name, "time") == 0 ? 0 : -1;
}

static int flag_find(const char *name)
{
	size_t count;
	const struct ws_flag_row *rows = ws_flag_rows(&count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].name, name) == 0)
			return (int)rows[i].flag;
	return -1;
}

static unsigned read_flags(struct ws_json_get *get, const json_t *cell)
{
	json_t *array = ws_json_get_array(get, cell, "flags", 32), *value;
	unsigned flags = 0;
	size_t i;

	ws_json_enter(get, "flags");
	json_array_foreach(array, i, value)
	{
		const char *name;
		int flag;

		ws_json_enter_index(get, i);
		name = ws_json_to_text(get, value);
		flag = flag_find(name);
		if (flag < 0)
			ws_json_wrong(get, WS_EINVAL, "unknown word '%.40s'", name);
		else
			flags |= (unsigned)flag;
		ws_json_leave(get);
	}
	ws_json_leave(get);
	return flags;
}

static void read_quantities(struct ws_json_get *get, const json_t *cell, const struct ws_probe *probe,
			    struct ws_folded *out)
{
	const json_t *object = ws_json_get_object(get, cell, "quantities");

	ws_json_enter(get, "quantities");
	for (int i = 0; i < ws_probe_quantity_count(probe); i++) {
		const char *name = probe->quantities[i].name;
		const json_t *entry = ws_json_get_object(get, object, name);

		ws_json_enter(get, name);
		read_figure(get, entry, &out->figures[i]);
		ws_json_leave(get);
	}
	ws_json_leave(get);
}

static void read_folded(struct ws_json_get *get, const json_t *object, const struct ws_probe *probe,
			struct ws_folded *out)
{
	read_quantities(get, object, probe, out);
	out->flags = read_flags(get, object);
	out->kept = (int)ws_json_get_integer(get, object, "kept", 0, INT_MAX);
	out->discarded = (int)ws_json_get_integer(get, object, "discarded", 0, INT_MAX);
	out->has_precision = ws_json_get_real_or_null(get, object, "precision", &out->precision);
	if (!json_is_null(json_object_get(object, "method")))
		out->slope = ws_json_get_word(get, object, "method", method_find) == 1;
}

static void read_cell_items(struct ws_json_get *get, const json_t *object, const struct ws_result *result,
			    struct ws_cell *out)
{
	const struct ws_step_result *step = ws_cell_step(result, out);
	const size_t maximum = step ? (size_t)step->step.item_count : 0;
	json_t *array = ws_json_get_array(get, object, "items", maximum), *value;
	size_t i;

	if (json_array_size(array) == 0)
		return;
	out->items = calloc(json_array_size(array), sizeof(*out->items));
	ws_json_enter(get, "items");
	if (!out->items)
		ws_json_wrong(get, WS_ENOMEM, "no memory for it");
	json_array_foreach(array, i, value)
	{
		ws_json_enter_index(get, i);
		if (out->items)
			out->items[out->item_count++] = (int)ws_json_to_integer(get, value, 0, (int64_t)maximum - 1);
		ws_json_leave(get);
	}
	ws_json_leave(get);
}

/* Results of earlier versions have none. The share follows from the rest. */
static void read_wire(struct ws_json_get *get, const json_t *cell, struct ws_wire *out)
{
	const json_t *object = json_object_get(cell, "wire");

	if (!object || json_is_null(object))
		return;
	ws_json_enter(get, "wire");
	out->applies = ws_json_to_object(get, object);
	ws_json_get_real_or_null(get, object, "bytes", &out->bytes);
	ws_json_get_real_or_null(get, object, "used_gb_per_s", &out->used);
	ws_json_get_real_or_null(get, object, "raw_gb_per_s", &out->raw);
	ws_json_copy_text_or_null(get, object, "reason", out->reason, sizeof(out->reason));
	ws_json_leave(get);
}

static void read_cell(struct ws_json_get *get, const json_t *object, struct ws_result *result, struct ws_table *table)
{
	const int before = table->cell_count;
	struct ws_coords coords = {0};
	const json_t *limit;
	struct ws_cell *cell;

	if (!ws_json_to_object(get, object))
		return;
	ws_json_read_coords(get, object, &coords);
	if (get->status != WS_OK)
		return;
	cell = ws_table_cell(table, &coords);
	if (!cell) {
		ws_json_wrong(get, WS_ENOMEM, "no memory for it");
		return;
	}
	if (table->cell_count == before) {
		ws_json_wrong(get, WS_EINVAL, "a cell of the same coordinates came before");
		return;
	}
	cell->status = (enum ws_cell_status)ws_json_get_word(get, object, "status", ws_cell_status_find);
	ws_json_copy_text_or_null(get, object, "reason", cell->reason, sizeof(cell->reason));
	read_folded(get, object, table->probe, &cell->folded);
	limit = ws_json_get_object(get, object, "limit");
	ws_json_enter(get, "limit");
	read_figure(get, limit, &cell->limit);
	ws_json_copy_text_or_null(get, limit, "reason", cell->limit_reason, sizeof(cell->limit_reason));
	ws_json_leave(get);
	read_wire(get, object, &cell->wire);
	cell->step = -1;
	if (!json_is_null(json_object_get(object, "step")))
		cell->step = (int)ws_json_get_integer(get, object, "step", 0, result->step_count - 1);
	read_cell_items(get, object, result, cell);
}

/* Figures can be told apart only if this build's probe has the same axes and quantities in the same units. */
static void compare_probe(struct ws_json_get *get, const json_t *object, const struct ws_probe *probe)
{
	const json_t *axes = ws_json_get_array(get, object, "axes", WS_COORDS_MAX);
	const json_t *quantities = ws_json_get_array(get, object, "quantities", WS_QUANTITY_MAX);
	bool same = json_array_size(axes) == (size_t)ws_probe_axis_count(probe) &&
		    json_array_size(quantities) == (size_t)ws_probe_quantity_count(probe);

	if (get->status != WS_OK)
		return;
	for (size_t i = 0; same && i < json_array_size(axes); i++) {
		const char *axis = json_string_value(json_array_get(axes, i));

		same = axis && strcmp(axis, probe->axes[i]) == 0;
	}
	for (size_t i = 0; same && i < json_array_size(quantities); i++) {
		const json_t *quantity = json_array_get(quantities, i);
		const char *name = json_string_value(json_object_get(quantity, "name"));
		const char *unit = json_string_value(json_object_get(quantity, "unit"));

		same = name && unit && strcmp(name, probe->quantities[i].name) == 0 &&
		       strcmp(unit, probe->quantities[i].unit) == 0;
	}
	if (!same)
		ws_json_wrong(get, WS_EUNSUPPORTED, "probe %s has other axes or quantities in this version",
			      probe->name);
}

const struct ws_probe *ws_json_read_probe(struct ws_json_get *get, const json_t *object,
					  const struct ws_probe *(*find)(const char *name))
{
	const char *name = ws_json_get_text(get, object, "probe");
	const struct ws_probe *probe = get->status == WS_OK ? find(name) : NULL;

	ws_json_enter(get, "probe");
	if (!probe)
		ws_json_wrong(get, WS_EUNSUPPORTED, "this build has no probe '%.60s'", name);
	ws_json_leave(get);
	return probe;
}

static void read_table(struct ws_json_get *get, const json_t *object, const struct ws_probe *(*find)(const char *name),
		       struct ws_result *out)
{
	const int before = out->table_count;
	const struct ws_probe *probe;
	struct ws_table *table;
	json_t *cells;

	if (!ws_json_to_object(get, object))
		return;
	probe = ws_json_read_probe(get, object, find);
	if (!probe)
		return;
	compare_probe(get, object, probe);
	table = ws_result_table(out, probe);
	if (!table)
		ws_json_wrong(get, WS_ENOMEM, "no memory for it");
	else if (out->table_count == before)
		ws_json_wrong(get, WS_EINVAL, "a table of probe %s came before", probe->name);
	cells = ws_json_get_array(get, object, "cells", INT_MAX);
	ws_json_enter(get, "cells");
	for (size_t i = 0; table && i < json_array_size(cells) && get->status == WS_OK; i++) {
		ws_json_enter_index(get, i);
		read_cell(get, json_array_get(cells, i), out, table);
		ws_json_leave(get);
	}
	ws_json_leave(get);
}

typedef void read_entry(struct ws_json_get *get, const json_t *object, const struct ws_probe *(*find)(const char *name),
			struct ws_result *out);

static void read_list(struct ws_json_get *get, const json_t *document, const char *key, read_entry *read,
		      const struct ws_probe *(*find)(const char *name), struct ws_result *out)
{
	const json_t *array = ws_json_get_array(get, document, key, INT_MAX);

	ws_json_enter(get, key);
	for (size_t i = 0; i < json_array_size(array) && get->status == WS_OK; i++) {
		ws_json_enter_index(get, i);
		read(get, json_array_get(array, i), find, out);
		ws_json_leave(get);
	}
	ws_json_leave(get);
}

static void read_document(struct ws_json_get *get, const json_t *document,
			  const struct ws_probe *(*find)(const char *name), struct ws_result *out)
{
	const char *schema;
	const json_t *program;
	int64_t version;

	if (!ws_json_to_object(get, document))
		return;
	schema = ws_json_get_text(get, document, "schema");
	if (strcmp(schema, WS_JSON_SCHEMA) != 0)
		ws_json_wrong(get, WS_EINVAL, "schema is '%.40s', not '" WS_JSON_SCHEMA "'", schema);
	version = ws_json_get_integer(get, document, "version", 1, INT64_MAX);
	if (version != WS_JSON_VERSION)
		ws_json_wrong(get, WS_EUNSUPPORTED, "version %lld; this program reads version %d", (long long)version,
			      WS_JSON_VERSION);
	program = ws_json_get_object(get, document, "program");
	ws_json_enter(get, "program");
	ws_json_copy_text_or_null(get, program, "version", out->version, sizeof(out->version));
	ws_json_leave(get);
	out->simulated = ws_json_get_bool(get, document, "simulated");
	out->incomplete = ws_json_get_bool(get, document, "incomplete");
	ws_json_get_real_or_null(get, document, "elapsed_s", &out->elapsed_s);
	read_settings(get, ws_json_get_object(get, document, "settings"), &out->settings);
	out->machine = ws_json_take_object_or_null(get, document, "machine");
	out->environment = ws_json_take_object_or_null(get, document, "environment");
	read_list(get, document, "steps", ws_json_read_step, find, out);
	read_list(get, document, "tables", read_table, find, out);
}

int ws_json_read(const char *text, size_t size, const struct ws_probe *(*find)(const char *name), struct ws_result *out,
		 struct ws_error *error)
{
	struct ws_json_get get = {.error = error};
	struct ws_result result = {0};
	json_error_t syntax;
	json_t *document;

	if (size > WS_JSON_FILE_MAX)
		return ws_fail(error, WS_EINVAL, "more than %zu MiB", WS_JSON_FILE_MAX >> 20);
	document = json_loadb(text, size, JSON_REJECT_DUPLICATES, &syntax);
	/* With no memory for its buffers, jansson says nothing. */
	if (!document && (!syntax.text[0] || json_error_code(&syntax) == json_error_out_of_memory))
		return ws_fail(error, WS_ENOMEM, "no memory for the JSON document");
	if (!document)
		return ws_fail(error, WS_EINVAL, "line %d, column %d: %s", syntax.line, syntax.column, syntax.text);
	read_document(&get, document, find, &result);
	json_decref(document);
	if (get.status != WS_OK) {
		ws_result_release(&result);
		return get.status;
	}
	*out = result;
	return WS_OK;
}

static int read_stream(FILE *stream, const char *path, char **text, size_t *size, struct ws_error *error)
{
	size_t used = 0, capacity = 0, got;
	char *buffer = NULL;

	do {
		if (used == capacity) {
			char *larger = realloc(buffer, capacity ? 2 * capacity : 1 << 16);

			if (!larger) {
				free(buffer);
				return ws_fail(error, WS_ENOMEM, "%s: no memory for it", path);
			}
			buffer = larger;
			capacity = capacity ? 2 * capacity : 1 << 16;
		}
		got = fread(buffer + used, 1, capacity - used, stream);
		used += got;
	} while (got > 0 && used <= WS_JSON_FILE_MAX);
	if (ferror(stream)) {
		free(buffer);
		return ws_fail(error, WS_ESYSTEM, "cannot read %s: %s", path, strerror(errno));
	}
	*text = buffer;
	*size = used;
	return WS_OK;
}

int ws_json_read_file(const char *path, const struct ws_probe *(*find)(const char *name), struct ws_result *out,
		      struct ws_error *error)
{
	const bool is_standard = strcmp(path, "-") == 0;
	const char *name = is_standard ? "standard input" : path;
	FILE *stream = is_standard ? stdin : fopen(path, "re");
	struct ws_error reason = {0};
	char *text = NULL;
	size_t size = 0;
	int status;

	if (!stream)
		return ws_fail(error, errno == ENOENT ? WS_EABSENT : WS_ESYSTEM, "cannot read %s: %s", path,
			       strerror(errno));
	status = read_stream(stream, name, &text, &size, error);
	if (!is_standard)
		fclose(stream);
	if (status != WS_OK)
		return status;
	status = ws_json_read(text, size, find, out, &reason);
	free(text);
	return status == WS_OK ? WS_OK : ws_fail(error, status, "%.120s: %s", name, reason.text);
}
