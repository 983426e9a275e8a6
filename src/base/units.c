/* Text to numbers and back: sizes, durations, counts, figures. Pure functions, the same under every locale. */
#include "base/units.h"

#include <assert.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

#define FIGURE_DIGITS 4
#define NEAREST_LENGTH 96 /* longer words are not compared */

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit size_units[] = {
	{"", 1},
	{"K", UINT64_C(1) << 10},
	{"M", UINT64_C(1) << 20},
	{"G", UINT64_C(1) << 30},
	{"T", UINT64_C(1) << 40},
	{"KiB", UINT64_C(1) << 10},
	{"MiB", UINT64_C(1) << 20},
	{"GiB", UINT64_C(1) << 30},
	{"TiB", UINT64_C(1) << 40},
	{"KB", UINT64_C(1000)},
	{"MB", UINT64_C(1000000)},
	{"GB", UINT64_C(1000000000)},
	{"TB", UINT64_C(1000000000000)},
};

static const struct unit time_units[] = {
	{"", UINT64_C(1000000000)},	{"ns", 1},
	{"us", UINT64_C(1000)},		{"ms", UINT64_C(1000000)},
	{"s", UINT64_C(1000000000)},	{"m", UINT64_C(60000000000)},
	{"h", UINT64_C(3600000000000)},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ctype.h follows the locale. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static const struct unit *find_unit(const struct unit *units, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		size_t at = 0;

		while (name[at] && lower(name[at]) == lower(units[i].name[at]))
			at++;
		if (!name[at] && !units[i].name[at])
			return &units[i];
	}
	return NULL;
}

/* Reads digits at *text and moves it behind them; false if there is none or they exceed 64 bits. */
static bool read_digits(const char **text, uint64_t *number)
{
	const char *at = *text;
	uint64_t value = 0;

	if (!is_digit(*at))
		return false;
	for (; is_digit(*at); at++) {
		if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
			return false;
	}
	*text = at;
	*number = value;
	return true;
}

int ws_size_parse(const char *text, uint64_t *size_bytes)
{
	const struct unit *unit;
	uint64_t number;

	if (!read_digits(&text, &number))
		return WS_EINVAL;
	unit = find_unit(size_units, COUNT(size_units), text);
	if (!unit || __builtin_mul_overflow(number, unit->factor, &number))
		return WS_EINVAL;
	*size_bytes = number;
	return WS_OK;
}

const char *ws_size_format(uint64_t size_bytes, char *text, size_t text_size)
{
	static const char suffixes[] = "KMGT";
	char suffix[2] = "";
	int written;

	for (size_t i = 0; suffixes[i] && size_bytes && size_bytes % 1024 == 0; i++) {
		size_bytes /= 1024;
		suffix[0] = suffixes[i];
	}
	written = snprintf(text, text_size, "%" PRIu64 "%s", size_bytes, suffix);
	assert(written > 0 && (size_t)written < text_size);
	(void)written;
	return text;
}

int ws_duration_parse(const char *text, int64_t *time_ns)
{
	const char *fraction = NULL;
	const struct unit *unit;
	uint64_t time, place;

	if (!read_digits(&text, &time))
		return WS_EINVAL;
	if (*text == '.') {
		fraction = ++text;
		while (is_digit(*text))
			text++;
		if (text == fraction)
			return WS_EINVAL;
	}
	unit = find_unit(time_units, COUNT(time_units), text);
	if (!unit || __builtin_mul_overflow(time, unit->factor, &time))
		return WS_EINVAL;
	place = unit->factor;
	for (; fraction && is_digit(*fraction); fraction++) {
		/* Once the place value is no whole number of nanoseconds, only zeros are exact. */
		place = place % 10 == 0 ? place / 10 : 0;
		if ((place == 0 && *fraction != '0') ||
		    __builtin_add_overflow(time, place * (uint64_t)(*fraction - '0'), &time))
			return WS_EINVAL;
	}
	if (time > INT64_MAX)
		return WS_EINVAL;
	*time_ns = (int64_t)time;
	return WS_OK;
}

const char *ws_duration_format(int64_t time_ns, char *text, size_t text_size)
{
	static const struct {
		const char *name;
		int64_t factor;
		int decimals;
	} units[] = {{"s", 1000000000, 9}, {"ms", 1000000, 6}, {"us", 1000, 3}, {"ns", 1, 0}};
	char fraction[24] = "";
	size_t unit = 0;
	int64_t rest;
	int written;

	assert(time_ns >= 0);
	while (time_ns && time_ns < units[unit].factor)
		unit++;
	rest = time_ns % units[unit].factor;
	if (rest) {
		int decimals = units[unit].decimals;

		for (; rest % 10 == 0; rest /= 10)
			decimals--;
		snprintf(fraction, sizeof(fraction), ".%0*" PRId64, decimals, rest);
	}
	written =
		snprintf(text, text_size, "%" PRId64 "%s%s", time_ns / units[unit].factor, fraction, units[unit].name);
	assert(written > 0 && (size_t)written < text_size);
	(void)written;
	return text;
}

int ws_count_parse(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *count)
{
	uint64_t number;

	if (!read_digits(&text, &number) || *text || number < minimum || number > maximum)
		return WS_EINVAL;
	*count = number;
	return WS_OK;
}

static bool is_decimal_number(const char *text)
{
	size_t digits = 0;

	text += *text == '-' || *text == '+';
	for (; is_digit(*text); text++)
		digits++;
	if (*text == '.') {
		for (text++; is_digit(*text); text++)
			digits++;
	}
	if (digits == 0)
		return false;
	if (lower(*text) == 'e') {
		text++;
		text += *text == '-' || *text == '+';
		if (!is_digit(*text))
			return false;
		while (is_digit(*text))
			text++;
	}
	return !*text;
}

/* The C library keeps the C locale as a constant: getting it neither allocates nor fails. */
static locale_t c_locale(void)
{
	return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

int ws_number_parse(const char *text, double *number)
{
	double value;

	if (!is_decimal_number(text))
		return WS_EINVAL;
	value = strtod_l(text, NULL, c_locale());
	if (!isfinite(value))
		return WS_EINVAL;
	*number = value;
	return WS_OK;
}

__attribute__((format(printf, 3, 4))) static void print_c(char *text, size_t text_size, const char *format, ...)
{
	const locale_t before = uselocale(c_locale());
	va_list arguments;
	int written;

	va_start(arguments, format);
	written = vsnprintf(text, text_size, format, arguments);
	va_end(arguments);
	uselocale(before);
	assert(written > 0 && (size_t)written < text_size);
	(void)written;
}

const char *ws_number_format(double number, char *text, size_t text_size)
{
	double back = 0;

	assert(isfinite(number));
	for (int digits = 15; digits <= 17; digits++) {
		print_c(text, text_size, "%.*g", digits, number);
		if (ws_number_parse(text, &back) == WS_OK && !(back < number) && !(back > number))
			break;
	}
	return text;
}

const char *ws_figure_format(double figure, char *text, size_t text_size)
{
	char rounded[32];
	long exponent;

	assert(isfinite(figure));
	if (fpclassify(figure) == FP_ZERO) {
		print_c(text, text_size, "0");
		return text;
	}
	/* Rounding may carry into a new digit (9.9999 -> 10.00): the exponent is taken after it. */
	print_c(rounded, sizeof(rounded), "%.*e", FIGURE_DIGITS - 1, figure);
	exponent = strtol(strchr(rounded, 'e') + 1, NULL, 10);
	if (exponent < -4 || exponent >= 15)
		print_c(text, text_size, "%s", rounded);
	else
		print_c(text, text_size, "%.*f", exponent < FIGURE_DIGITS ? (int)(FIGURE_DIGITS - 1 - exponent) : 0,
			figure);
	return text;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment distance; both words are shorter than NEAREST_LENGTH. */
static size_t distance(const char *a, const char *b)
{
	const size_t a_length = strlen(a), b_length = strlen(b);
	size_t rows[3][NEAREST_LENGTH];

	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		const size_t *before = rows[(i - 1) % 3], *two_before = rows[(i + 1) % 3];
		size_t *row = rows[i % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			const bool same = lower(a[i - 1]) == lower(b[j - 1]);

			row[j] = least(least(before[j], row[j - 1]) + 1, before[j - 1] + !same);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
				row[j] = least(row[j], two_before[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

const char *ws_nearest(const char *word, const char *const *names, size_t count)
{
	const size_t length = strlen(word);
	size_t best = length / 3 > 1 ? length / 3 : length > 1;
	const char *nearest = NULL;

	if (length == 0 || length >= NEAREST_LENGTH)
		return NULL;
	best++;
	for (size_t i = 0; i < count; i++) {
		const size_t away = strlen(names[i]) < NEAREST_LENGTH ? distance(word, names[i]) : best;

		if (away < best) {
			best = away;
			nearest = names[i];
		}
	}
	for (size_t i = 0; !nearest && length > 2 && i < count; i++)
		nearest = strncasecmp(word, names[i], length) == 0 ? names[i] : NULL;
	return nearest;
}

bool ws_word_in(const char *words, const char *word, size_t length)
{
	if (length == 0)
		return false;
	for (const char *at = words; at && *at; at += strspn(at, " ")) {
		const size_t here = strcspn(at, " ");

		if (here == length && strncmp(at, word, length) == 0)
			return true;
		at += here;
	}
	return false;
}
