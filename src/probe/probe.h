/* The table of probes: looking them up, selecting them, and expanding them into a plan. */
#ifndef WS_PROBE_PROBE_H
#define WS_PROBE_PROBE_H

#include <stddef.h>

#include "base/error.h"
#include "seam/probe.h"

/* The probes that can be named, by index in the order in which they are listed and measured; NULL behind the last. */
const struct ws_probe *ws_probe_row(size_t index);

/* A probe by its exact name, also "custom", which is not listed; NULL if there is none. */
const struct ws_probe *ws_probe_find(const char *name);

/* Whether a probe obeys an option of that name. */
bool ws_probe_honours(const struct ws_probe *probe, const char *option);

#define WS_SELECTION_MAX 128
struct ws_selection {
	const struct ws_probe *probes[WS_SELECTION_MAX]; /* in the table's order, each once */
	bool named[WS_SELECTION_MAX];			 /* by its own name: the user wants a figure or the reason */
	size_t count;
};

/*
 * Selects by names, families and patterns with * ? [ ]; no name at all = the quick set. WS_EINVAL: something selects no
 * probe; the message has the nearest name.
 */
int ws_probe_select(const char *const *names, size_t count, struct ws_selection *out, struct ws_error *error);

/*
 * options: names, without dashes, of the options for probes that the user gave. WS_EINVAL: one that none of the
 * selected probes honours; the message names the probes that would.
 */
int ws_probe_check_options(const struct ws_selection *selection, const char *const *options, size_t count,
			   struct ws_error *error);

/*
 * Makes the plan of a selection; every step has its text. A probe that does not apply to the machine gives a step with
 * the reason if it was named, or if nothing else applies. Pure: the same facts and wishes give the same plan.
 * WS_EINVAL: a wish that this machine or these probes cannot have. WS_ENOMEM.
 */
int ws_probe_expand_all(const struct ws_selection *selection, const struct ws_expand *expand,
			const struct ws_settings *settings, struct ws_plan *out, struct ws_error *error);

/* Whether a probe applies to the machine: WS_OK, and reason is "" or says why not. */
int ws_probe_applies(const struct ws_probe *probe, const struct ws_expand *expand, char *reason, size_t reason_size,
		     struct ws_error *error);

#endif
