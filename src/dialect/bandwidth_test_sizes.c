/* The sizes that bandwidthTest and oclBandwidthTest measure in each mode. */
#include "dialect/bandwidth_test_sizes.h"

#include <stddef.h>

#define QUICK_MEGA 32
#define SHMOO_MEGA 64

/* From each limit on the next row's step holds. The ladder ends at the first size beyond SHMOO_MEGA. */
static uint64_t shmoo_step(uint64_t size_bytes, uint64_t kilo)
{
	const struct {
		uint64_t below, step;
	} rows[] = {
		{20 * kilo, kilo},
		{50 * kilo, 2 * kilo},
		{100 * kilo, 10 * kilo},
		{kilo * kilo, 100 * kilo},
		{16 * kilo * kilo, kilo * kilo},
		{32 * kilo * kilo, 2 * kilo * kilo},
		{UINT64_MAX, 4 * kilo * kilo},
	};
	size_t row = 0;

	while (size_bytes >= rows[row].below)
		row++;
	return rows[row].step;
}

bool bwt_sizes_next(const struct bwt_sizes *sizes, uint64_t *size_bytes)
{
	const uint64_t mega = sizes->kilo * sizes->kilo;

	switch (sizes->mode) {
	case BWT_SIZES_QUICK:
		if (*size_bytes)
			return false;
		*size_bytes = QUICK_MEGA * mega;
		return true;
	case BWT_SIZES_RANGE:
		if (*size_bytes && sizes->end - *size_bytes < sizes->increment)
			return false;
		*size_bytes = *size_bytes ? *size_bytes + sizes->increment : sizes->start;
		return true;
	case BWT_SIZES_SHMOO:
		if (*size_bytes > SHMOO_MEGA * mega)
			return false;
		*size_bytes += shmoo_step(*size_bytes, sizes->kilo);
		return true;
	}
	return false;
}
