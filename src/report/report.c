/* The list of reports. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "report/writers.h"

static const struct ws_report *const reports[] = {
	&ws_report_text,
	&ws_report_json,
	&ws_report_csv,
};
#define REPORT_COUNT (sizeof(reports) / sizeof(reports[0]))

const struct ws_report *const *ws_report_rows(size_t *count)
{
	*count = REPORT_COUNT;
	return reports;
}

int ws_report_find(const char *name, const struct ws_report **out, struct ws_error *error)
{
	const char *names[REPORT_COUNT], *nearest;
	char all[80] = "";

	for (size_t i = 0; i < REPORT_COUNT; i++) {
		if (strcmp(name, reports[i]->name) == 0) {
			*out = reports[i];
			return WS_OK;
		}
		names[i] = reports[i]->name;
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i ? ", " : "", names[i]);
	}
	nearest = ws_nearest(name, names, REPORT_COUNT);
	if (nearest)
		return ws_fail(error, WS_EINVAL, "unknown format '%s'; did you mean '%s'?", name, nearest);
	return ws_fail(error, WS_EINVAL, "unknown format '%s'; there are %s", name, all);
}

int ws_report_print(const struct ws_report *report, const struct ws_result *result,
		    const struct ws_report_options *options, char **text, size_t *size, struct ws_error *error)
{
	char *buffer = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&buffer, &length);
	int status;
	bool written;

	if (!stream)
		return ws_fail(error, WS_ENOMEM, "no memory for the report");
	status = report->write(result, options, stream, error);
	written = !ferror(stream);
	written = fclose(stream) == 0 && written;
	if (status == WS_OK && !written)
		status = ws_fail(error, WS_ENOMEM, "no memory for the report");
	if (status != WS_OK) {
		free(buffer);
		return status;
	}
	*text = buffer;
	*size = length;
	return WS_OK;
}
