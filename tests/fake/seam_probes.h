/* Probes for the seam test, one per fold, and the way from plan text to a folded result. */
#ifndef WS_FAKE_SEAM_PROBES_H
#define WS_FAKE_SEAM_PROBES_H

#include "fake/scripted.h"
#include "seam/probe.h"
#include "seam/result.h"

const struct ws_probe *seam_probe(const char *name);

/*
 * Parses the plan, checks that it prints and parses again to the same text, runs it with the script (NULL: does not
 * run), folds the result, saves it as JSON, reads that and folds it again to the same cells. Fails the test if any of
 * this fails. *result is released by the caller.
 */
void seam_run(const char *plan_text, struct script *script, struct ws_result *result);

/* A cell by probe and coordinates ("row=a column=b"); fails the test if there is none. */
const struct ws_cell *seam_cell(const struct ws_result *result, const char *probe, const char *coords);
/* The value of one of its quantities, which must be known. */
double seam_value(const struct ws_result *result, const char *probe, const char *coords, int quantity);
/* Fails the test unless value is within 1e-9 of what it must be. */
void seam_assert_near(double value, double expected);

#endif
