/* Samples and records as data: building and freeing. */
#ifndef WS_BASE_RECORD_H
#define WS_BASE_RECORD_H

#include <stddef.h>

#include "base/error.h"
#include "seam/record.h"
#include "seam/result.h"

/* Appends a lane, all zero but for item and lane; NULL when out of memory. Valid until the next one. */
struct ws_lane *ws_sample_add_lane(struct ws_sample *sample, int item, int lane);
int ws_sample_add_counter(struct ws_sample *sample, const struct ws_counter *counter);
void ws_sample_release(struct ws_sample *sample);

/* Takes over the sample (and its memory) on success. */
int ws_records_add(struct ws_records *records, const struct ws_sample *sample, struct ws_error *error);
void ws_records_release(struct ws_records *records);

/* Room for so many values of a lane, in ns, that are still to be added; WS_ENOMEM says of what they are ("loops"). */
int ws_lane_hold_times(struct ws_lane *lane, size_t most, const char *what, struct ws_error *error);
/* Adds a value, for which there is room. */
void ws_lane_add_time(struct ws_lane *lane, double time_ns);

/* The timed loops' share of a time on the host clock, which sees lead loops as well: all loops take equally long. */
int64_t ws_lane_timed_ns(const struct ws_lane *lane, int64_t host_ns);

/*
 * The time of the lane's timed loops by its device clock, where there is one, else by the host clock's bounds. In ns,
 * never below 1.
 */
int64_t ws_lane_time_ns(const struct ws_lane *lane);

/* Adds a finding: counts add up, the first mismatch stays, another item's is remembered as one. count may be 0. */
void ws_check_add(struct ws_check *check, uint64_t wrong_count, uint64_t first_offset, uint64_t expected, uint64_t found,
		  int item, int rank);

/* Adds what another check found. */
void ws_check_merge(struct ws_check *into, const struct ws_check *from);

/* The table of a probe, added if there is none; NULL when out of memory. Valid until the next one. */
struct ws_table *ws_result_table(struct ws_result *result, const struct ws_probe *probe);
/* The cell of coordinates, added if there is none; NULL when out of memory. Valid until the next one. */
struct ws_cell *ws_table_cell(struct ws_table *table, const struct ws_coords *coords);
/* Appends a step's records, all zero; NULL when out of memory. Valid until the next one. */
struct ws_step_result *ws_result_add_step(struct ws_result *result);
void ws_result_release(struct ws_result *result);

#endif
