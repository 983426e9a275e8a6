/* nvbandwidth's JSON, which it prints at the end: keys by name, one element a line, tabs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "dialect/nvbandwidth.h"

/* Numbers as the original's library writes them: 17 digits, and a point or an exponent. */
static void print_real(double value, FILE *to)
{
	char text[40];

	if (!isfinite(value)) {
		fputs("null", to);
		return;
	}
	snprintf(text, sizeof(text), "%.17g", value);
	fprintf(to, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void print_string(const json_t *string, FILE *to)
{
	char *text = json_dumps(string, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);

	fputs(text ? text : "\"\"", to);
	free(text);
}

static void indent(int depth, FILE *to)
{
	for (int i = 0; i < depth; i++)
		fputc('\t', to);
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_value(json_t *value, int depth, FILE *to);

static void print_array(json_t *array, int depth, FILE *to)
{
	const size_t count = json_array_size(array);

	if (count == 0) {
		fputs("[]", to);
		return;
	}
	fputs("[\n", to);
	for (size_t i = 0; i < count; i++) {
		indent(depth + 1, to);
		print_value(json_array_get(array, i), depth + 1, to);
		fputs(i + 1 < count ? ",\n" : "\n", to);
	}
	indent(depth, to);
	fputc(']', to);
}

static bool is_filled(const json_t *value)
{
	return json_array_size(value) > 0 || json_object_size(value) > 0;
}

static void print_object(json_t *object, int depth, FILE *to)
{
	const size_t count = json_object_size(object);
	const char **keys = malloc((count + 1) * sizeof(*keys));
	const char *key;
	json_t *value;
	size_t at = 0;

	if (!keys || count == 0) {
		fputs("{}", to);
		free(keys);
		return;
	}
	json_object_foreach(object, key, value) keys[at++] = key;
	qsort(keys, count, sizeof(*keys), compare_keys);
	fputs("{\n", to);
	for (size_t i = 0; i < count; i++) {
		value = json_object_get(object, keys[i]);
		indent(depth + 1, to);
		fprintf(to, "\"%s\" : ", keys[i]);
		if (is_filled(value)) {
			fputc('\n', to);
			indent(depth + 1, to);
		}
		print_value(value, depth + 1, to);
		fputs(i + 1 < count ? ",\n" : "\n", to);
	}
	indent(depth, to);
	fputc('}', to);
	free(keys);
}

static void print_value(json_t *value, int depth, FILE *to)
{
	if (json_is_object(value))
		print_object(value, depth, to);
	else if (json_is_array(value))
		print_array(value, depth, to);
	else if (json_is_string(value))
		print_string(value, to);
	else if (json_is_integer(value))
		fprintf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		print_real(json_real_value(value), to);
	else
		fputs("null", to);
}

/* What drivers and users say need not be UTF-8; if it is not, each byte beyond ASCII becomes a question mark. */
static json_t *string_of(const char *text)
{
	json_t *string = json_string(text);
	char *plain = string ? NULL : strdup(text);

	for (char *at = plain; at && *at; at++)
		*at = (unsigned char)*at < 0x80 ? *at : '?';
	if (plain)
		string = json_string(plain);
	free(plain);
	return string ? string : json_string("?");
}

static void put_version(struct nvb_output *output)
{
	json_object_set_new(output->root, "version", json_string(nvb_version_text(output->options->version)));
	json_object_set_new(output->root, "git_version", json_string(NVB_GIT_VERSION));
}

static void put_warning(struct nvb_output *output, const char *text)
{
	json_object_set_new(output->root, "warning", string_of(text));
}

static void put_error(struct nvb_output *output, const char *text)
{
	json_object_set_new(output->root, "error", string_of(text));
}

/* 0.9 asks for the devices before it has counted them, so that it lists none. */
static void put_machine(struct nvb_output *output, const struct nvb_machine *machine)
{
	json_t *list = output->options->version == NVB_0_9 ? json_null() : json_array();
	char device[160], text[480];

	json_object_set_new(output->root, "CUDA Runtime Version", json_integer(machine->cuda_version));
	json_object_set_new(output->root, "Driver Version", string_of(machine->driver_version));
	for (int i = 0; json_is_array(list) && i < machine->count; i++) {
		snprintf(text, sizeof(text), "%d: %s: (%s)", i,
			 nvb_device_text(&machine->devices[i], device, sizeof(device)), machine->hostname);
		json_array_append_new(list, string_of(text));
	}
	json_object_set_new(output->root, "GPU Device list", list);
}

static json_t *add_test(struct nvb_output *output, const char *name, const char *status)
{
	json_t *tests = json_object_get(output->root, "testcases"), *test = json_object();

	if (!tests) {
		tests = json_array();
		json_object_set_new(output->root, "testcases", tests);
	}
	json_object_set_new(test, "name", string_of(name));
	json_object_set_new(test, "status", json_string(status));
	json_array_append_new(tests, test);
	return test;
}

static void put_not_found(struct nvb_output *output, const char *id, const char *message)
{
	(void)message;
	add_test(output, id, "ERROR");
}

static void put_waived(struct nvb_output *output, const struct nvb_test *test, const char *reason)
{
	json_t *row = add_test(output, test->name, "Waived");

	if (output->options->version != NVB_0_9)
		json_object_set_new(row, "reason", string_of(reason));
}

/* A test has no entry before it has a status that stays. */
static void put_running(struct nvb_output *output, const struct nvb_test *test)
{
	(void)output;
	(void)test;
}

static void put_failed(struct nvb_output *output, const struct nvb_test *test, const char *reason)
{
	json_object_set_new(add_test(output, test->name, "Error"), "error", string_of(reason));
}

static void append_rows(const struct nvb_matrix *matrix, json_t *rows)
{
	for (int row = 0; row < matrix->rows; row++) {
		json_t *cells = json_array();

		for (int column = 0; column < matrix->columns; column++) {
			const double value = matrix->values[row * matrix->columns + column];
			char text[40] = "N/A";

			if (value > 0)
				snprintf(text, sizeof(text), "%g", value);
			json_array_append_new(cells, json_string(text));
		}
		json_array_append_new(rows, cells);
	}
}

static void put_result(struct nvb_output *output, const struct nvb_setup *setup, const struct nvb_test *test,
		       const struct nvb_result *result)
{
	const int last = result->part_count - 1;
	const struct nvb_statistics made =
		nvb_statistics_make(output->options->version, test, &result->parts[last], true);
	json_t *row = add_test(output, test->name, result->failure_count > 0 ? "Error" : "Passed");
	json_t *matrix = json_array();
	char text[NVB_LABEL_TEXT], error[sizeof(result->failures[0].text) + 40];

	(void)setup;
	for (int part = 0; part <= last; part++)
		append_rows(&result->parts[part], matrix);
	json_object_set_new(row, "bandwidth_matrix", matrix);
	json_object_set_new(row, "bandwidth_description", json_string(nvb_part_label(test, last, text)));
	json_object_set_new(row, "sum", json_real(made.sum));
	if (output->options->verbose) {
		json_object_set_new(row, "min", json_real(made.min));
		json_object_set_new(row, "max", json_real(made.max));
		json_object_set_new(row, "average", json_real(made.count > 0 ? made.sum / made.count : 0));
	}
	if (result->failure_count == 0)
		return;
	snprintf(error, sizeof(error), "%s", result->failures[0].text);
	if (result->failure_count > 1)
		snprintf(error, sizeof(error), "%s (and %d more cells)", result->failures[0].text,
			 result->failure_count - 1);
	json_object_set_new(row, "error", string_of(error));
}

static void put_end(struct nvb_output *output, bool completed)
{
	json_t *whole = json_object();

	(void)completed;
	json_object_set(whole, "nvbandwidth", output->root);
	print_object(whole, 0, output->to);
	fputs("\n\n", output->to);
	fflush(output->to);
	json_decref(whole);
	json_decref(output->root);
	output->root = NULL;
}

const struct nvb_output_ops nvb_json_ops = {
	.version = put_version,
	.warning = put_warning,
	.error = put_error,
	.machine = put_machine,
	.not_found = put_not_found,
	.waived = put_waived,
	.running = put_running,
	.failed = put_failed,
	.result = put_result,
	.end = put_end,
};
