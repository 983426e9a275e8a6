/* JSON: the whole result, records included, as a document that can be read back and folded again. */
#include "report/json.h"

#include "base/item.h"
#include "report/names.h"
#include "report/writers.h"
#include "seam/probe.h"

static json_t *settings_json(struct ws_json_put *put, const struct ws_settings *settings)
{
	json_t *object = json_object();

	/* 0 means "chosen while measuring" here, which is no number. */
	ws_json_set(put, object, "samples", settings->samples ? ws_json_count(settings->samples) : json_null());
	ws_json_set(put, object, "lead_loops", ws_json_count(settings->lead_loops));
	ws_json_set(put, object, "loops", settings->loops ? ws_json_count(settings->loops) : json_null());
	ws_json_set(put, object, "verify", json_string(ws_verify_name(settings->verify)));
	ws_json_set(put, object, "statistic", ws_json_text_or_null(settings->statistic));
	ws_json_set(put, object, "precision", ws_json_real(settings->precision));
	ws_json_set(put, object, "time_limit_ns", json_integer(settings->time_limit_ns));
	ws_json_set(put, object, "timeout_ns", json_integer(settings->timeout_ns));
	ws_json_set(put, object, "seed", ws_json_bits(settings->seed));
	ws_json_set(put, object, "pattern", settings->pattern ? ws_json_count(settings->pattern - 1) : json_null());
	ws_json_set(put, object, "ungated", json_boolean(settings->ungated));
	ws_json_set(put, object, "counters", json_boolean(settings->counters));
	return object;
}

json_t *ws_json_coords(struct ws_json_put *put, const struct ws_coords *coords)
{
	json_t *object = json_object();

	for (int i = 0; i < coords->count; i++)
		ws_json_set(put, object, coords->at[i].axis, ws_json_text(coords->at[i].value));
	return object;
}

static void set_figure(struct ws_json_put *put, json_t *object, const struct ws_figure *figure)
{
	const bool bounded = ws_figure_bounded(figure);

	ws_json_set(put, object, "value", ws_figure_known(figure) ? json_real(figure->value) : json_null());
	ws_json_set(put, object, "low", bounded ? json_real(figure->low) : json_null());
	ws_json_set(put, object, "high", bounded ? json_real(figure->high) : json_null());
}

static json_t *figures_json(struct ws_json_put *put, const struct ws_probe *probe, const struct ws_cell *cell)
{
	json_t *object = json_object();

	for (int i = 0; i < ws_probe_quantity_count(probe); i++) {
		const struct ws_figure *figure = &cell->folded.figures[i];
		json_t *entry = json_object();

		set_figure(put, entry, figure);
		ws_json_set(put, entry, "reason",
			    ws_figure_known(figure) ? json_null() : ws_json_text(ws_cell_missing(cell)));
		ws_json_set(put, object, probe->quantities[i].name, entry);
	}
	return object;
}

static json_t *flags_json(struct ws_json_put *put, unsigned flags)
{
	json_t *array = json_array();
	size_t count;
	const struct ws_flag_row *rows = ws_flag_rows(&count);

	for (size_t i = 0; i < count; i++)
		if (flags & rows[i].flag)
			ws_json_append(put, array, json_string(rows[i].name));
	return array;
}

static json_t *limit_json(struct ws_json_put *put, const struct ws_cell *cell)
{
	json_t *object = json_object();

	set_figure(put, object, &cell->limit);
	ws_json_set(put, object, "reason",
		    ws_figure_known(&cell->limit)
			    ? ws_json_text_or_null(cell->limit_reason)
			    : ws_json_text(cell->limit_reason[0] ? cell->limit_reason : "not known"));
	return object;
}

static json_t *positive(double number)
{
	return number > 0 ? ws_json_real(number) : json_null();
}

/* null where no link counts. */
static json_t *wire_json(struct ws_json_put *put, const struct ws_wire *wire)
{
	json_t *object;
	double share = 0;

	if (!wire->applies)
		return json_null();
	ws_wire_share(wire, &share);
	object = json_object();
	ws_json_set(put, object, "bytes", positive(wire->bytes));
	ws_json_set(put, object, "used_gb_per_s", positive(wire->used));
	ws_json_set(put, object, "raw_gb_per_s", positive(wire->raw));
	ws_json_set(put, object, "share", positive(share));
	ws_json_set(put, object, "reason", ws_json_text_or_null(wire->reason));
	return object;
}

static json_t *cell_json(struct ws_json_put *put, const struct ws_result *result, const struct ws_probe *probe,
			 const struct ws_cell *cell)
{
	const struct ws_step_result *step = ws_cell_step(result, cell);
	const struct ws_folded *folded = &cell->folded;
	const char *method = ws_cell_method(probe, cell);
	json_t *object = json_object(), *items;
	double ratio;

	ws_json_set(put, object, "coords", ws_json_coords(put, &cell->coords));
	ws_json_set(put, object, "status", json_string(ws_cell_status_name(cell->status)));
	ws_json_set(put, object, "reason", ws_json_text_or_null(cell->reason));
	ws_json_set(put, object, "quantities", figures_json(put, probe, cell));
	ws_json_set(put, object, "flags", flags_json(put, folded->flags));
	ws_json_set(put, object, "kept", json_integer(folded->kept));
	ws_json_set(put, object, "discarded", json_integer(folded->discarded));
	ws_json_set(put, object, "precision", folded->has_precision ? ws_json_real(folded->precision) : json_null());
	ws_json_set(put, object, "method", method ? json_string(method) : json_null());
	ws_json_set(put, object, "verified", json_boolean(ws_cell_verified(result, cell)));
	ws_json_set(put, object, "limit", limit_json(put, cell));
	ws_json_set(put, object, "ratio", ws_cell_ratio(cell, &ratio) ? ws_json_real(ratio) : json_null());
	ws_json_set(put, object, "wire", wire_json(put, &cell->wire));
	ws_json_set(put, object, "path", ws_json_share(step ? step->path : NULL));
	ws_json_set(put, object, "plan", ws_json_text_or_null(step ? step->step.text : NULL));
	ws_json_set(put, object, "step", step ? json_integer(cell->step) : json_null());
	items = ws_json_set_array(put, object, "items");
	for (int i = 0; i < cell->item_count; i++)
		ws_json_append(put, items, json_integer(cell->items[i]));
	return object;
}

static json_t *table_json(struct ws_json_put *put, const struct ws_result *result, const struct ws_table *table)
{
	const struct ws_probe *probe = table->probe;
	json_t *object = json_object(), *array;

	ws_json_set(put, object, "probe", ws_json_text(probe->name));
	ws_json_set(put, object, "summary", ws_json_text_or_null(probe->summary));
	array = ws_json_set_array(put, object, "axes");
	for (int i = 0; i < ws_probe_axis_count(probe); i++)
		ws_json_append(put, array, json_string(probe->axes[i]));
	array = ws_json_set_array(put, object, "quantities");
	for (int i = 0; i < ws_probe_quantity_count(probe); i++) {
		const struct ws_quantity *quantity = &probe->quantities[i];
		json_t *entry = json_object();

		ws_json_set(put, entry, "name", json_string(quantity->name));
		ws_json_set(put, entry, "unit", json_string(quantity->unit));
		ws_json_set(put, entry, "better", json_string(ws_better_name(quantity->better)));
		ws_json_set(put, entry, "bytes", ws_json_text_or_null(quantity->bytes));
		ws_json_append(put, array, entry);
	}
	array = ws_json_set_array(put, object, "cells");
	for (int i = 0; i < table->cell_count; i++)
		ws_json_append(put, array, cell_json(put, result, probe, &table->cells[i]));
	return object;
}

/* The earliest time of the host clock, so that no document tells how long its machine has been up. */
static int64_t origin_ns(const struct ws_result *result)
{
	int64_t first_ns = INT64_MAX;

	for (int i = 0; i < result->step_count; i++) {
		const struct ws_records *records = &result->steps[i].records;

		for (int j = 0; j < records->count; j++) {
			const struct ws_sample *sample = &records->samples[j];

			first_ns = sample->host_start_ns < first_ns ? sample->host_start_ns : first_ns;
			for (int k = 0; k < sample->lane_count; k++)
				if (sample->lanes[k].host_start_ns < first_ns)
					first_ns = sample->lanes[k].host_start_ns;
		}
	}
	return first_ns == INT64_MAX ? 0 : first_ns;
}

static json_t *program_json(struct ws_json_put *put, const struct ws_result *result)
{
	json_t *object = json_object();

	ws_json_set(put, object, "name", json_string("wirespeed"));
	ws_json_set(put, object, "version", ws_json_text(result->version[0] ? result->version : WS_VERSION));
	return object;
}

json_t *ws_json_result(const struct ws_result *result)
{
	struct ws_json_put put = {0};
	json_t *object = json_object(), *array;
	const int64_t first_ns = origin_ns(result);

	ws_json_set(&put, object, "schema", json_string(WS_JSON_SCHEMA));
	ws_json_set(&put, object, "version", json_integer(WS_JSON_VERSION));
	ws_json_set(&put, object, "program", program_json(&put, result));
	ws_json_set(&put, object, "simulated", json_boolean(result->simulated));
	ws_json_set(&put, object, "incomplete", json_boolean(result->incomplete));
	ws_json_set(&put, object, "elapsed_s", ws_json_real(result->elapsed_s));
	ws_json_set(&put, object, "settings", settings_json(&put, &result->settings));
	ws_json_set(&put, object, "machine", ws_json_share(result->machine));
	ws_json_set(&put, object, "environment", ws_json_share(result->environment));
	array = ws_json_set_array(&put, object, "tables");
	for (int i = 0; i < result->table_count; i++)
		ws_json_append(&put, array, table_json(&put, result, &result->tables[i]));
	array = ws_json_set_array(&put, object, "steps");
	for (int i = 0; i < result->step_count; i++)
		ws_json_append(&put, array, ws_json_step(&put, &result->steps[i], first_ns));
	if (put.failed) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static int json_write(const struct ws_result *result, const struct ws_report_options *options, FILE *stream,
		      struct ws_error *error)
{
	json_t *document = ws_json_result(result);
	bool printed;

	(void)options;
	if (!document)
		return ws_fail(error, WS_ENOMEM, "no memory for the JSON document");
	printed = ws_json_print(document, stream);
	json_decref(document);
	return printed || ferror(stream) ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory to print the JSON document");
}

const struct ws_report ws_report_json = {
	.name = "json",
	.summary = "everything, records included; doc/wirespeed.schema.json describes it",
	.write = json_write,
};
