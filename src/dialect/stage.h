/* What every dialect does between its command line and its text: open the machine, measure plans, leave. */
#ifndef WS_DIALECT_STAGE_H
#define WS_DIALECT_STAGE_H

#include <stdbool.h>

#include "cli/arguments.h"
#include "cli/open.h"
#include "dialect/dialect.h"
#include "seam/result.h"

struct ws_stage {
	struct ws_session *session;
	struct ws_arguments arguments; /* of a plain run; the wishes of ws_stage_expand are made of it */
	const volatile sig_atomic_t *interrupted; /* also set once stdout takes no more */
	int64_t deadline_ns; /* of the monotonic clock: no sample begins after it; 0 = none, as set by open */
	bool lost;	     /* something hangs: nothing may be measured any more */
};

/*
 * Opens the back ends of these families, by spaces ("host cuda"). One that is absent is no failure: see
 * ws_session_backend_at. If a driver is a fake, says so on stderr. timeout_ns 0 = as in a plain run.
 */
int ws_stage_open(const struct ws_dialect_call *call, const char *families, int64_t timeout_ns, struct ws_stage *out,
		  struct ws_error *error);

/* The back end of a family of this build: open or not, and why not. */
const struct ws_session_backend *ws_stage_backend(const struct ws_stage *stage, const char *family);

/*
 * The devices of a family in the order of the driver's own numbers, which need not be that on the bus: a list that the
 * caller frees, of what belongs to the stage; NULL when out of memory.
 */
const struct ws_place_facts **ws_stage_devices(const struct ws_stage *stage, const char *family, int *count);

/* Nothing more is measured: something hangs, time is up, or the user asked to stop. */
bool ws_stage_is_over(const struct ws_stage *stage);

/* The wishes of a plain run, with the facts of the machine, for ws_stage_expand to be changed at will. */
void ws_stage_wish(const struct ws_stage *stage, struct ws_cli_wishes *out);

/*
 * One probe's plan as a plain run would make it. What does not apply gives a step with the reason. The caller changes
 * items and settings as its tool has them, then measures.
 */
int ws_stage_expand(const char *probe, const struct ws_expand *expand, const struct ws_settings *settings,
		    struct ws_plan *out, struct ws_error *error);

/*
 * Runs a plan and folds its records; the caller releases the result (ws_result_release) also when it fails. Once
 * something is lost or the user asked to stop, steps are not run, and say so.
 */
int ws_stage_measure(struct ws_stage *stage, const struct ws_plan *plan, struct ws_result *out, struct ws_error *error);

/* Flushes and closes; does not return if something is lost, for then nothing may be freed. Returns code. */
int ws_stage_close(struct ws_stage *stage, int code);

/* A deviation from the tool, as one line on stderr if the user set WIRESPEED_NOTES=1. */
void ws_stage_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
