/* Folds: how records become figures. Pure functions, so that a saved result can be folded again. */
#ifndef WS_PROBE_FOLD_H
#define WS_PROBE_FOLD_H

#include "base/error.h"
#include "seam/probe.h"

/*
 * Figures of bandwidth are in GB/s = 1e9 bytes a second, of time in the quantity's own unit. A sample's figure is made
 * from the lanes of the cell's measured items; interfering items are left out. The cell's figure is the settings'
 * statistic over the kept samples, with the 95 % interval of the median. Discarded samples never count.
 */

/* bytes / time of the first measured item alone. */
ws_fold ws_fold_first;
/* The same with every byte counted twice, as read and as written. */
ws_fold ws_fold_first_read_written;
/* Quantity k = bytes / time of the k-th lane (over items in order, then their lanes); the last one is the sum of all. */
ws_fold ws_fold_each;
/* All lanes' bytes / the step's span: on one device clock where one saw all, else on the host clock. */
ws_fold ws_fold_total;
/* The sum of every lane's own bytes / time. */
ws_fold ws_fold_sum;
/*
 * (S2 - S1) / (t2 - t1) of the first item, medians over samples; second quantity: fixed cost t1 - S1 / figure, in us,
 * unknown if that is below 0.
 */
ws_fold ws_fold_slope;
/* The same with every byte counted twice, as read and as written. */
ws_fold ws_fold_slope_read_written;
/* Quantity k = the slope of the k-th lane, the last one = the sum of all; of one size: as ws_fold_each. */
ws_fold ws_fold_slope_each;
/*
 * All lanes' bytes by size against the step's span, as in ws_fold_total; then the least and the greatest of the lanes'
 * own rates, slopes too: quantities total, least, most.
 */
ws_fold ws_fold_slope_total;
/* Values: mean over units (median over samples), then least and greatest unit; quantities mean, min, max. */
ws_fold ws_fold_units;
/* A value per loop over all samples: quantities p50, p99, min, max. */
ws_fold ws_fold_percentiles;
/* Quantities time per loop in us, algbw, busbw of a collective: busbw = algbw x the operation's factor for its ranks. */
ws_fold ws_fold_busbw;
/* First measured item's mean value in ns, and the bandwidth of the interfering items together in GB/s. */
ws_fold ws_fold_loaded;
/* Time per loop of the longest lane, then the host's time to issue a loop of the first; both in us. */
ws_fold ws_fold_small;
/*
 * Hand-written steps: bandwidth of all lanes together (sum; of two sizes the slope of their total), time per loop of
 * the longest lane in us (of two sizes, at the larger one), mean value.
 */
ws_fold ws_fold_custom;

/*
 * Makes the tables and cells of a result from its steps and their records: one table per probe, in order of first
 * appearance, one cell per distinct coordinates. Tables there were are thrown away. Also run on saved results.
 */
int ws_result_fold(struct ws_result *result, struct ws_error *error);

#endif
