/* What folds are made of: values of one sample, and series of them. */
#ifndef WS_PROBE_FOLD_SAMPLE_H
#define WS_PROBE_FOLD_SAMPLE_H

#include <stddef.h>

#include "seam/probe.h"

#define WS_FOLD_NO_VALUE (-1.0)

/* One sample's value of one quantity, or WS_FOLD_NO_VALUE. `which` numbers lanes or units. */
typedef double ws_fold_sample(const struct ws_fold_input *, const struct ws_sample *, int which);

/* The n-th measured lane of the cell, or NULL. */
const struct ws_lane *ws_fold_lane(const struct ws_fold_input *input, const struct ws_sample *sample, int n);

/* From the first start to the last end of the cell's lanes: on one clock of a device, else by the host's bounds. */
int64_t ws_fold_span(const struct ws_fold_input *input, const struct ws_sample *sample);

/* The longest time of one loop, in ns. */
ws_fold_sample ws_fold_loop_time;

/* A value per kept sample of a size (or, below 0, of all); values has room for all records. Returns their number. */
size_t ws_fold_collect(const struct ws_fold_input *input, ws_fold_sample *value, int which, int size_index,
		       double *values);

/* Sets how many samples were kept and discarded. */
void ws_fold_count(const struct ws_records *records, struct ws_folded *out);

/* The figure of quantity q from a series of values in the order of measuring; the first one also gives the flags. */
void ws_fold_values(const struct ws_fold_input *input, const double *values, size_t count, int q,
		    struct ws_folded *out);

/* The same from all kept samples' values of one lane or unit. */
void ws_fold_series(const struct ws_fold_input *input, ws_fold_sample *value, int which, int q, struct ws_folded *out);

/* The number of a probe's quantities. */
int ws_fold_quantities(const struct ws_probe *probe);

#endif
