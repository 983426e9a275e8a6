/* What the two halves of the JSON reader need of each other. */
#ifndef WS_REPORT_JSON_READ_H
#define WS_REPORT_JSON_READ_H

#include "report/json_get.h"
#include "seam/result.h"

/* From the parent's member "coords". */
void ws_json_read_coords(struct ws_json_get *get, const json_t *parent, struct ws_coords *out);
/* From the parent's member "probe". */
const struct ws_probe *ws_json_read_probe(struct ws_json_get *get, const json_t *parent,
					  const struct ws_probe *(*find)(const char *name));
/* Appends a step to the result. */
void ws_json_read_step(struct ws_json_get *get, const json_t *object, const struct ws_probe *(*find)(const char *name),
		       struct ws_result *result);
/* What was wrong with a step's data, or null. */
void ws_json_read_wrong(struct ws_json_get *get, const json_t *value, int item_count, struct ws_check *out);
/* From the step's members "samples" and "lanes". */
void ws_json_read_records(struct ws_json_get *get, const json_t *object, struct ws_step_result *step);

#endif
