/* The JSON form of a result, a public interface: doc/wirespeed.schema.json describes it. */
#ifndef WS_REPORT_JSON_H
#define WS_REPORT_JSON_H

#include "report/json_put.h"
#include "seam/result.h"

#define WS_JSON_SCHEMA "wirespeed-result"
#define WS_JSON_VERSION 1

/* A new reference; NULL when out of memory. */
json_t *ws_json_result(const struct ws_result *result);

/* Parts of it, for json.c. Times of the host clock are given relative to origin_ns. */
json_t *ws_json_coords(struct ws_json_put *put, const struct ws_coords *coords);
json_t *ws_json_step(struct ws_json_put *put, const struct ws_step_result *step, int64_t origin_ns);

#endif
