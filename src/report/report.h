/* Reports: writers of a result, one row each. */
#ifndef WS_REPORT_REPORT_H
#define WS_REPORT_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "seam/result.h"

struct ws_report_options {
	bool color; /* escape sequences of a terminal */
};

struct ws_report {
	const char *name;    /* of --format */
	const char *summary; /* one line for the help text */
	/*
	 * Writes the whole result to a stream in memory, whose state the caller checks. WS_ENOMEM if memory for
	 * anything else lacks.
	 */
	int (*write)(const struct ws_result *result, const struct ws_report_options *options, FILE *stream,
		     struct ws_error *error);
};

/* All reports, the default first; the number in *count. */
const struct ws_report *const *ws_report_rows(size_t *count);
/* WS_EINVAL with the nearest name, or all of them. */
int ws_report_find(const char *name, const struct ws_report **out, struct ws_error *error);

/*
 * The whole report as text in memory, so that it is written whole or not at all. The caller frees it; a 0 byte that
 * size does not count follows it. WS_ENOMEM.
 */
int ws_report_print(const struct ws_report *report, const struct ws_result *result,
		    const struct ws_report_options *options, char **text, size_t *size, struct ws_error *error);

#endif
