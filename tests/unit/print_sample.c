/* Prints the JSON report of a result made by hand, for the schema's test: print_sample NAME */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "report/report.h"
#include "report_sample.h"

static void matrix(struct ws_result *result)
{
	sample_matrix(result, 2, "r1/host");
}

static void empty(struct ws_result *result)
{
	(void)result;
}

static const struct {
	const char *name;
	void (*fill)(struct ws_result *result);
} samples[] = {
	{"empty", empty},
	{"matrix", matrix},
	{"gaps", sample_gaps},
	{"both_ways", sample_both_ways},
	{"sizes", sample_sizes},
	{"pages", sample_pages},
	{"latency", sample_latency},
	{"records", sample_records},
	{"everything", sample_everything},
};

int main(int argc, char **argv)
{
	const struct ws_report_options options = {.color = false};
	struct ws_result result = {0};
	const struct ws_report *report;
	char *text;
	size_t size;

	if (argc != 2)
		return EXIT_FAILURE;
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		if (strcmp(argv[1], samples[i].name) != 0)
			continue;
		samples[i].fill(&result);
		if (ws_report_find("json", &report, NULL) != WS_OK ||
		    ws_report_print(report, &result, &options, &text, &size, NULL) != WS_OK)
			return EXIT_FAILURE;
		ws_result_release(&result);
		if (fwrite(text, 1, size, stdout) != size)
			return EXIT_FAILURE;
		free(text);
		return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
	}
	fprintf(stderr, "print_sample: no sample '%s'\n", argv[1]);
	return EXIT_FAILURE;
}
