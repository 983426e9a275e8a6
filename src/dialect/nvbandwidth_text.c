/* nvbandwidth's text, and its lines for performance trackers. */
#include <inttypes.h>
#include <string.h>

#include "activity/session.h"
#include "base/item.h"
#include "base/place.h"
#include "dialect/nvbandwidth.h"

#define BUFFERS_MAX 256 /* of the host in a step: two for each of 64 GPUs are less */

static void put_version(struct nvb_output *output)
{
	fprintf(output->to, "nvbandwidth Version: %s\nBuilt from Git version: %s\n\n",
		nvb_version_text(output->options->version), NVB_GIT_VERSION);
}

static void put_warning(struct nvb_output *output, const char *text)
{
	fprintf(output->to, "%s\n", text);
}

static void put_error(struct nvb_output *output, const char *text)
{
	fflush(output->to);
	fprintf(output->errors, "%s\n", text);
}

/* From 0.10 on several GPUs are not listed. */
static void put_machine(struct nvb_output *output, const struct nvb_machine *machine)
{
	const int version = machine->cuda_version;
	char text[160];

	if (output->options->version == NVB_0_9)
		fprintf(output->to, "CUDA Runtime Version: %d\nCUDA Driver Version: %d\n", version, version);
	else
		fprintf(output->to, "CUDA Runtime Version: %d.%d (%d)\nCUDA Driver Version (API): %d.%d (%d)\n",
			version / 1000, version % 1000 / 10, version, version / 1000, version % 1000 / 10, version);
	fprintf(output->to, "Driver Version: %s\n\n", machine->driver_version);
	if (output->options->version != NVB_0_9 && machine->count > 1)
		return;
	fprintf(output->to, "%s\n", machine->hostname);
	for (int i = 0; i < machine->count; i++)
		fprintf(output->to, "Device %d: %s\n", i, nvb_device_text(&machine->devices[i], text, sizeof(text)));
	fputc('\n', output->to);
}

static void put_not_found(struct nvb_output *output, const char *id, const char *message)
{
	(void)id;
	fprintf(output->to, "ERROR: %s\n", message);
	fflush(output->to);
}

/* 0.9 says neither which test nor why. */
static void put_waived(struct nvb_output *output, const struct nvb_test *test, const char *reason)
{
	if (output->options->version == NVB_0_9)
		fputs("Waived: \n", output->to);
	else
		fprintf(output->to, "Waived: %s: %s\n", test->name, reason);
	fflush(output->to);
}

static void put_running(struct nvb_output *output, const struct nvb_test *test)
{
	fprintf(output->to, "Running %s.\n", test->name);
	fflush(output->to);
}

static void put_failed(struct nvb_output *output, const struct nvb_test *test, const char *reason)
{
	(void)test;
	fprintf(output->to, "Error: %s\n", reason);
	fflush(output->to);
}

static void name_place(const struct nvb_setup *setup, const struct ws_place *place, char text[24])
{
	text[0] = '\0';
	if (ws_place_is_host(place))
		strcpy(text, "Host");
	for (int i = 0; i < setup->machine->count; i++) {
		if (ws_place_same_device(&setup->machine->devices[i].facts->place, place))
			snprintf(text, 24, "Device %d", i);
	}
}

static void put_sample(struct nvb_output *output, const struct nvb_setup *setup, const struct nvb_test *test,
		       const struct ws_step *step, const struct ws_sample *sample, int number)
{
	for (int i = 0; i < step->item_count; i++) {
		const struct ws_item *item = &step->items[i];
		const double rate = nvb_item_rate(step, sample, i);
		const bool from_set = ws_place_is_set(&item->source), to_set = ws_place_is_set(&item->destination);
		char from[24], to[24];

		name_place(setup, from_set ? &item->source : &item->destination, from);
		name_place(setup, to_set ? &item->destination : &item->source, to);
		if (rate >= 0)
			fprintf(output->to, "\tSample %d: %s -> %s: %.2f GB/s\n", number, from, to, rate);
	}
	if (test->figure == NVB_TOTAL)
		fprintf(output->to, "\tSample %d: Total Bandwidth : %.2f GB/s\n", number, nvb_total_rate(step, sample));
}

/* Where the host's buffers of huge pages lie that a step has used: one line each. */
static void put_buffers(struct nvb_output *output, const struct nvb_setup *setup, const struct ws_step *step)
{
	struct ws_session *session = setup->stage->session;
	struct ws_buffer *buffers[BUFFERS_MAX];
	struct ws_backend *host;
	int count = 0;

	if (ws_session_backend(session, "host", &host, NULL) != WS_OK)
		return;
	for (int i = 0; i < step->item_count && count < BUFFERS_MAX; i++) {
		const struct ws_item *item = &step->items[i];
		const struct ws_place *place = ws_place_is_host(&item->source) ? &item->source : &item->destination;
		const uint64_t size_bytes = item->size_bytes[0];

		if (!ws_place_is_host(place) || strcmp(place->pages, "thp") != 0)
			continue;
		buffers[count] = ws_session_take_used(session, host, place, size_bytes);
		if (!buffers[count])
			continue;
		fprintf(output->to, "Allocated THP memory [%p, %p) size %" PRIu64 "\n", buffers[count]->host,
			(void *)((char *)buffers[count]->host + size_bytes), size_bytes);
		count++;
	}
	while (count > 0)
		ws_session_give(session, buffers[--count]);
}

static void put_samples(struct nvb_output *output, const struct nvb_setup *setup, const struct nvb_test *test,
			const struct ws_result *records)
{
	for (int s = 0; s < records->step_count && test->figure != NVB_LATENCY; s++) {
		const struct ws_step_result *step = &records->steps[s];
		int number = 0;

		if (step->records.count > 0)
			put_buffers(output, setup, &step->step);
		for (int i = 0; i < step->records.count; i++) {
			if (!step->records.samples[i].discarded)
				put_sample(output, setup, test, &step->step, &step->records.samples[i], number++);
		}
	}
}

static void put_cells(struct nvb_output *output, const struct nvb_matrix *matrix)
{
	fputs("  ", output->to);
	for (int column = 0; column < matrix->columns; column++)
		fprintf(output->to, "%10d", column);
	fputc('\n', output->to);
	for (int row = 0; row < matrix->rows; row++) {
		fprintf(output->to, "%2d", matrix->first_row + row);
		for (int column = 0; column < matrix->columns; column++) {
			const double value = matrix->values[row * matrix->columns + column];

			if (value >= 0)
				fprintf(output->to, "%10.2f", value);
			else
				fprintf(output->to, "%10s", "N/A");
		}
		fputc('\n', output->to);
	}
	fputc('\n', output->to);
}

static void put_matrix(struct nvb_output *output, const struct nvb_test *test, const struct nvb_result *result,
		       int part)
{
	const struct nvb_options *options = output->options;
	const struct nvb_matrix *matrix = &result->parts[part];
	const struct nvb_statistics made =
		nvb_statistics_make(options->version, test, matrix, part == result->part_count - 1);
	char label[NVB_LABEL_TEXT], key[NVB_LABEL_TEXT];

	nvb_part_key(test, part, key);
	fprintf(output->to, "%s\n", nvb_part_label(test, part, label));
	put_cells(output, matrix);
	if (options->format == NVB_PERF)
		fprintf(output->to, "&&&& PERF %s %.2f%s\n", key, made.sum,
			test->figure == NVB_LATENCY ? " -ns" : " +GB/s");
	else
		fprintf(output->to, "SUM %s %.2f\n", key, made.sum);
	if (made.has_variation)
		fprintf(output->to, "COEFFICIENT_OF_VARIATION %s %.2f\n", key, made.variation);
	if (options->verbose) {
		/* 0.9 takes a cell without figure for 0. */
		const double least = options->version == NVB_0_9 && made.missing ? 0 : made.min;

		fprintf(output->to, "MIN %s %.2f\nMAX %s %.2f\n", key, least, key, made.max);
		if (made.count > 0)
			fprintf(output->to, "AVG %s %.2f\n", key, made.sum / made.count);
		else
			fprintf(output->to, "AVG %s nan\n", key);
	}
	fputc('\n', output->to);
}

static void put_result(struct nvb_output *output, const struct nvb_setup *setup, const struct nvb_test *test,
		       const struct nvb_result *result)
{
	if (output->options->verbose)
		put_samples(output, setup, test, &result->records);
	for (int part = 0; part < result->part_count; part++)
		put_matrix(output, test, result, part);
	fflush(output->to);
	for (int i = 0; i < result->failure_count; i++)
		fprintf(output->errors, "ERROR: %s\n", result->failures[i].text);
}

static void put_end(struct nvb_output *output, bool completed)
{
	if (completed)
		fputs("NOTE: The reported results may not reflect the full capabilities of the platform.\n"
		      "Performance can vary with software drivers, hardware clocks, and system topology.\n\n",
		      output->to);
	fflush(output->to);
}

const struct nvb_output_ops nvb_text_ops = {
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
