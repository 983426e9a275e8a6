/* Text to numbers and back: sizes, durations, counts, figures. Pure functions, the same under every locale. */
#ifndef WS_BASE_UNITS_H
#define WS_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer of this size holds the result of every ws_*_format function below. */
#define WS_UNITS_TEXT 40

/*
 * The parsers take the whole text: no space, sign or rest is let through, and the output is set only on success.
 * They return WS_OK or WS_EINVAL; the caller knows the name of the argument and writes the message.
 */

/*
 * A size: digits (bytes), or digits and a unit. K M G T and KiB MiB GiB TiB count by 1024, KB MB GB TB by 1000; upper
 * and lower case mean the same. Zero is a size; fractions are not, nor is anything beyond 64 bits.
 */
int ws_size_parse(const char *text, uint64_t *size_bytes);

/* The shortest binary form that parses back to the same number: "64M", "1536K", "1000001". Returns text. */
const char *ws_size_format(uint64_t size_bytes, char *text, size_t text_size);

/*
 * A duration: decimal number and a unit out of ns us ms s m h; without a unit, seconds. Exact: what is not a whole
 * number of nanoseconds, or does not fit, is WS_EINVAL.
 */
int ws_duration_parse(const char *text, int64_t *time_ns);

/* "250ns", "500ms", "1.5s", "120s": exact, parses back to the same number. time_ns >= 0. Returns text. */
const char *ws_duration_format(int64_t time_ns, char *text, size_t text_size);

/* A decimal count within [minimum, maximum]. */
int ws_count_parse(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *count);

/* A finite decimal number with '.', optional sign and exponent; no hexadecimal, "inf" or "nan". */
int ws_number_parse(const char *text, double *number);

/* The shortest form that parses back to the same double, for files. number is finite. Returns text. */
const char *ws_number_format(double number, char *text, size_t text_size);

/*
 * A figure for a table: 4 significant digits, whole part never cut: 0.05123, 7.123, 55.42, 396.2, 4302, 18342. Below
 * 1e-4 and from 1e15 on with an exponent. figure is finite. Returns text.
 */
const char *ws_figure_format(double figure, char *text, size_t text_size);

/* Whether a list of words, separated by spaces, has the word of that length; never for an empty word or a NULL list. */
bool ws_word_in(const char *words, const char *word, size_t length);

/*
 * The name meant by a mistyped word, or NULL if none is near: the least Damerau-Levenshtein distance (insertion,
 * deletion, substitution, swap of neighbours; case ignored) of at most a third of the word, else the first name that
 * begins with the word. The first of several equally near names is returned.
 */
const char *ws_nearest(const char *word, const char *const *names, size_t count);

#endif
