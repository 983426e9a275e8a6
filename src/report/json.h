/* The JSON form of a result, a public interface: doc/wirespeed.schema.json describes it. */
#ifndef WS_REPORT_JSON_H
#define WS_REPORT_JSON_H

#include <stddef.h>

#include "base/error.h"
#include "report/json_put.h"
#include "seam/result.h"

#define WS_JSON_SCHEMA "wirespeed-result"
#define WS_JSON_VERSION 1

/* A new reference; NULL when out of memory. */
json_t *ws_json_result(const struct ws_result *result);

/* Parts of it, for json.c. Times of the host clock are given relative to origin_ns. */
json_t *ws_json_coords(struct ws_json_put *put, const struct ws_coords *coords);
json_t *ws_json_step(struct ws_json_put *put, const struct ws_step_result *step, int64_t origin_ns);

/*
 * Reads such a document back, records included, so that it can be folded and judged again. Keys that this version does
 * not know are ignored; everything else must be as the schema says. find gives the row of a probe, or NULL.
 * Returns WS_EINVAL with the place ("tables[0].cells[3].status: ...") or the line of the syntax error,
 * WS_EUNSUPPORTED for a document of another version or of a probe, verb or option that this build lacks, WS_ENOMEM.
 * Times of the host clock start at 0. out is released by ws_result_release.
 */
int ws_json_read(const char *text, size_t size, const struct ws_probe *(*find)(const char *name), struct ws_result *out,
		 struct ws_error *error);
/* The same from a file; "-" is standard input. WS_EABSENT: no such file; WS_ESYSTEM. At most WS_JSON_FILE_MAX bytes. */
int ws_json_read_file(const char *path, const struct ws_probe *(*find)(const char *name), struct ws_result *out,
		      struct ws_error *error);
#define WS_JSON_FILE_MAX ((size_t)256 << 20)

#endif
