/* The sizes that bandwidthTest and oclBandwidthTest measure in each mode. */
#ifndef WS_DIALECT_BANDWIDTH_TEST_SIZES_H
#define WS_DIALECT_BANDWIDTH_TEST_SIZES_H

#include <stdbool.h>
#include <stdint.h>

enum bwt_sizes_mode { BWT_SIZES_QUICK, BWT_SIZES_RANGE, BWT_SIZES_SHMOO };

struct bwt_sizes {
	enum bwt_sizes_mode mode;
	uint64_t kilo;			/* 1000 or 1024 */
	uint64_t start, end, increment; /* of a range, in bytes; 0 < start <= end, 0 < increment */
};

/* The size behind *size_bytes, 0 = the first one; false = that was the last. */
bool bwt_sizes_next(const struct bwt_sizes *sizes, uint64_t *size_bytes);

#endif
