/* What a sweep over sizes says of an operation. */
#include "judge/sweep.h"

#include <math.h>

#define SIZES_MIN 3

/* Sums over all points, each weighted by 1 / time^2. */
struct sums {
	double one, bytes, bytes2, time, bytes_time;
};

static struct sums sum(const double *bytes, const double *times_us, size_t count)
{
	struct sums sums = {0};

	for (size_t i = 0; i < count; i++) {
		const double weight = 1 / (times_us[i] * times_us[i]);

		sums.one += weight;
		sums.bytes += weight * bytes[i];
		sums.bytes2 += weight * bytes[i] * bytes[i];
		sums.time += weight * times_us[i];
		sums.bytes_time += weight * bytes[i] * times_us[i];
	}
	return sums;
}

bool ws_sweep_fit(const double *bytes, const double *times_us, size_t count, struct ws_sweep_fit *fit)
{
	const struct sums sums = sum(bytes, times_us, count);
	const double divisor = sums.one * sums.bytes2 - sums.bytes * sums.bytes;
	double cost_us, us_per_byte, deviation = 0;

	if (count < SIZES_MIN || !(divisor > 1e-12 * sums.one * sums.bytes2))
		return false;
	cost_us = (sums.time * sums.bytes2 - sums.bytes_time * sums.bytes) / divisor;
	us_per_byte = (sums.one * sums.bytes_time - sums.bytes * sums.time) / divisor;
	if (cost_us < 0) {
		cost_us = 0;
		us_per_byte = sums.bytes_time / sums.bytes2;
	}
	if (!(us_per_byte > 0) || !isfinite(1 / us_per_byte))
		return false;
	for (size_t i = 0; i < count; i++) {
		const double fitted = cost_us + bytes[i] * us_per_byte;

		deviation = fmax(deviation, fabs(times_us[i] - fitted) / fitted);
	}
	*fit = (struct ws_sweep_fit){
		.rate = 1 / us_per_byte / 1000,
		.cost_us = cost_us,
		.half_bytes = cost_us / us_per_byte,
		.ninety_bytes = 9 * cost_us / us_per_byte,
		.deviation = deviation,
	};
	return true;
}
