/* The JSON reader on any bytes: what it takes can be written, and reading that gives the same bytes again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "report/json.h"
#include "report/report.h"
#include "report_sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const formats[] = {"json", "text", "csv"};

static char *print(const struct ws_result *result, const char *format, size_t *size)
{
	const struct ws_report_options options = {.color = false};
	const struct ws_report *report;
	char *text;

	if (ws_report_find(format, &report, NULL) != WS_OK ||
	    ws_report_print(report, result, &options, &text, size, NULL) != WS_OK)
		abort();
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ws_result result = {0}, again = {0};
	char *texts[2];
	size_t sizes[2];

	if (ws_json_read((const char *)data, size, sample_probe, &result, NULL) != WS_OK)
		return 0;
	for (size_t i = 1; i < sizeof(formats) / sizeof(formats[0]); i++)
		free(print(&result, formats[i], &sizes[0]));
	texts[0] = print(&result, "json", &sizes[0]);
	ws_result_release(&result);
	if (ws_json_read(texts[0], sizes[0], sample_probe, &again, NULL) != WS_OK)
		abort();
	texts[1] = print(&again, "json", &sizes[1]);
	ws_result_release(&again);
	if (sizes[0] != sizes[1] || memcmp(texts[0], texts[1], sizes[0]) != 0)
		abort();
	free(texts[0]);
	free(texts[1]);
	return 0;
}
