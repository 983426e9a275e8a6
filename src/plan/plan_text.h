/*
 * Plans as text, one step a line; the grammar is in the design's "Plan text":
 *
 *	with samples=3 lead=4 verify=each
 *	# matrices of copies
 *	host_memory_read[row=host0 column=host1]: read host1:thp by host0.cpu 1G threads=4
 *	both: cuda0 -> cuda1 by cuda0.ce 64M/256M + [lane=back] cuda1 -> cuda0 by cuda1.ce 64M/256M group=1
 *	host_latency[row=host0 column=host2]: none "no memory there"
 *
 * A label that names no probe, or none at all, means the probe "custom" with the coordinate step=<label or number>.
 * Values with spaces stand between quotes, where \" and \\ are a quote and a backslash. "#" begins a comment.
 */
#ifndef WS_PLAN_PLAN_TEXT_H
#define WS_PLAN_PLAN_TEXT_H

#include <stddef.h>

#include "base/error.h"
#include "seam/item.h"
#include "seam/probe.h"

/* What a plan may have at most. */
#define WS_PLAN_TEXT_MAX ((size_t)32 << 20)
#define WS_PLAN_STEPS_MAX 100000
#define WS_PLAN_ITEMS_MAX 200000
#define WS_PLAN_MEMBERS_MAX 4096

/* The probe of steps whose label names none, and its axis. */
#define WS_PLAN_CUSTOM "custom"
#define WS_PLAN_CUSTOM_AXIS "step"

/* A probe by name, NULL if there is none; must know "custom". */
typedef const struct ws_probe *ws_probe_lookup(const char *name);

/*
 * Reads a plan. Settings that it does not name are ws_settings_default(false)'s; every step has its text. What this
 * build cannot run is read as well: ws_plan_check_built says so. WS_EINVAL: line and column, what was found, what is
 * allowed. WS_ENOMEM.
 */
int ws_plan_parse(const char *text, size_t size, ws_probe_lookup *find, struct ws_plan *out, struct ws_error *error);

/* The canonical text, which parses to the same plan; the caller frees it. WS_ENOMEM. */
int ws_plan_print(const struct ws_plan *plan, char **text, struct ws_error *error);

/* One step's line, without a newline; the caller frees it. WS_ENOMEM. */
int ws_step_print(const struct ws_step *step, char **text, struct ws_error *error);

/* Sets every step's text. WS_ENOMEM. */
int ws_plan_finish(struct ws_plan *plan, struct ws_error *error);

/*
 * WS_EINVAL if two steps fill the same cell, or if steps of a group do not follow each other. ws_plan_parse asks this.
 */
int ws_plan_check_steps(const struct ws_plan *plan, struct ws_error *error);

/* WS_EUNSUPPORTED with the first step that needs a verb or an option that no engine of this build offers. */
int ws_plan_check_built(const struct ws_plan *plan, struct ws_error *error);

#endif
