/* Results made by hand, for the tests of reports. */
#ifndef WS_TEST_REPORT_SAMPLE_H
#define WS_TEST_REPORT_SAMPLE_H

#include "seam/probe.h"
#include "seam/result.h"

/* Probes of the samples, by name; NULL for other names. */
const struct ws_probe *sample_probe(const char *name);

/* Each fills an empty result, which the caller releases. */

/* Copies from each to each of count places "<prefix>0", ...; each figure is 10 + row + column / 10 GB/s, by slope. */
void sample_matrix(struct ws_result *result, int count, const char *prefix);
/* Three places: gaps, every flag, a failure with a long reason, wrong data, limits of some cells. */
void sample_gaps(struct ws_result *result);
/* The same pairs with three quantities. */
void sample_both_ways(struct ws_result *result);
/* Sizes with bandwidth and time of each. */
void sample_sizes(struct ws_result *result);
/* Two places and, as a third axis, two kinds of pages. */
void sample_pages(struct ws_result *result);
/* A latency, without a known spread. */
void sample_latency(struct ws_result *result);
/* A step with everything that a record can hold, on two ranks, and a hand-written text with odd characters. */
void sample_records(struct ws_result *result);
/* All of these behind each other in one result, simulated and interrupted. */
void sample_everything(struct ws_result *result);

#endif
