/* The settings of a plan as the key=value pairs of its "with" lines. */
#include "plan/plan_settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

enum kind { COUNT32, COUNT64, FRACTION, DURATION, POLICY, STATISTIC, FLAG, WORD32 };

struct setting_row {
	const char *name;
	enum kind kind;
	size_t offset;
	uint64_t maximum; /* of counts; durations in ns */
	const char *allowed;
};

#define DAY_NS UINT64_C(86400000000000)
#define AT(field) offsetof(struct ws_settings, field)

/* In the order in which they are printed. Those whose 0 means "none" are not printed while they are 0. */
static const struct setting_row rows[] = {
	{"samples", COUNT32, AT(samples), 1000000, "a whole number up to 1000000, 0 = until precise"},
	{"lead", COUNT32, AT(lead_loops), 1000000, "a whole number up to 1000000"},
	{"loops", COUNT32, AT(loops), 1000000000, "a whole number up to 1000000000, 0 = chosen while measuring"},
	{"verify", POLICY, AT(verify), 0, "ends, each or none"},
	{"statistic", STATISTIC, AT(statistic), 0, "median, mean, min or max"},
	{"precision", FRACTION, AT(precision), 0, "a number from 0 to 1"},
	{"time-limit", DURATION, AT(time_limit_ns), DAY_NS, "a duration up to 24h, 0 = the default"},
	{"timeout", DURATION, AT(timeout_ns), DAY_NS, "a duration up to 24h, 0 = the default"},
	{"seed", COUNT64, AT(seed), UINT64_MAX, "a whole number below 2^64"},
	{"pattern", WORD32, AT(pattern), UINT32_MAX, "a whole number below 2^32"},
	{"ungated", FLAG, AT(ungated), 0, "no value"},
	{"counters", FLAG, AT(counters), 0, "no value"},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static const char *const policies[] = {
	[WS_VERIFY_ENDS] = "ends",
	[WS_VERIFY_EACH] = "each",
	[WS_VERIFY_NONE] = "none",
};
static const char *const statistics[] = {"median", "mean", "min", "max"};

static int find(const char *const *names, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

/* Returns WS_EINVAL without text; the caller knows the row. */
static int read_value(const struct setting_row *row, void *field, const char *value)
{
	uint64_t count = 0;
	double fraction = 0;
	int64_t time_ns = 0;
	int word;

	switch (row->kind) {
	case COUNT32:
		if (ws_count_parse(value, 0, row->maximum, &count) != WS_OK)
			return WS_EINVAL;
		*(uint32_t *)field = (uint32_t)count;
		return WS_OK;
	case COUNT64:
		return ws_count_parse(value, 0, row->maximum, (uint64_t *)field);
	case WORD32:
		if (ws_count_parse(value, 0, row->maximum, &count) != WS_OK)
			return WS_EINVAL;
		*(uint64_t *)field = count + 1;
		return WS_OK;
	case FRACTION:
		if (ws_number_parse(value, &fraction) != WS_OK || !(fraction >= 0 && fraction <= 1))
			return WS_EINVAL;
		*(double *)field = fraction + 0.0; /* "-0" becomes 0 */
		return WS_OK;
	case DURATION:
		if (ws_duration_parse(value, &time_ns) != WS_OK || (uint64_t)time_ns > row->maximum)
			return WS_EINVAL;
		*(int64_t *)field = time_ns;
		return WS_OK;
	case POLICY:
		word = find(policies, (int)(sizeof(policies) / sizeof(policies[0])), value);
		if (word < 0)
			return WS_EINVAL;
		*(enum ws_verify_policy *)field = (enum ws_verify_policy)word;
		return WS_OK;
	case STATISTIC:
		word = find(statistics, (int)(sizeof(statistics) / sizeof(statistics[0])), value);
		if (word < 0)
			return WS_EINVAL;
		strcpy((char *)field, statistics[word]);
		return WS_OK;
	case FLAG:
		break;
	}
	return WS_EINVAL;
}

static int unknown(const char *key, struct ws_error *error)
{
	const char *names[ROWS], *nearest;

	for (size_t i = 0; i < ROWS; i++)
		names[i] = rows[i].name;
	nearest = ws_nearest(key, names, ROWS);
	return ws_fail(error, WS_EINVAL,
		       "unknown setting \"%.40s\"%s%s%s; there are samples, lead, loops, verify, statistic, precision, "
		       "time-limit, timeout, seed, pattern, ungated, counters",
		       key, nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

int ws_plan_setting_set(struct ws_settings *settings, const char *key, const char *value, unsigned *seen,
			struct ws_error *error)
{
	const struct setting_row *row = NULL;
	void *field;

	for (size_t i = 0; i < ROWS && !row; i++)
		row = strcmp(rows[i].name, key) == 0 ? &rows[i] : NULL;
	if (!row)
		return unknown(key, error);
	if (*seen & 1u << (row - rows))
		return ws_fail(error, WS_EINVAL, "setting %s is given twice", key);
	*seen |= 1u << (row - rows);
	field = (char *)settings + row->offset;
	if (row->kind == FLAG && !value) {
		*(bool *)field = true;
		return WS_OK;
	}
	if (!value || read_value(row, field, value) != WS_OK)
		return ws_fail(error, WS_EINVAL, "setting %s%s%.40s: allowed is %s", key, value ? "=" : "",
			       value ? value : "", row->allowed);
	return WS_OK;
}

/* False for a setting that is off. */
static bool format_value(const struct setting_row *row, const void *field, char *text, size_t size)
{
	switch (row->kind) {
	case COUNT32:
		snprintf(text, size, "%" PRIu32, *(const uint32_t *)field);
		return *(const uint32_t *)field != 0;
	case COUNT64:
		snprintf(text, size, "%" PRIu64, *(const uint64_t *)field);
		return true;
	case WORD32:
		snprintf(text, size, "%" PRIu64, *(const uint64_t *)field - 1);
		return *(const uint64_t *)field != 0;
	case FRACTION:
		ws_number_format(*(const double *)field, text, size);
		return true;
	case DURATION:
		ws_duration_format(*(const int64_t *)field, text, size);
		return true;
	case POLICY:
		snprintf(text, size, "%s", policies[*(const enum ws_verify_policy *)field]);
		return true;
	case STATISTIC:
		snprintf(text, size, "%s", (const char *)field);
		return text[0] != '\0';
	case FLAG:
		text[0] = '\0';
		return *(const bool *)field;
	}
	return false;
}

const char *ws_plan_settings_format(const struct ws_settings *settings, char text[WS_PLAN_SETTINGS_TEXT])
{
	char value[WS_UNITS_TEXT];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < ROWS; i++) {
		if (!format_value(&rows[i], (const char *)settings + rows[i].offset, value, sizeof(value)))
			continue;
		used += (size_t)snprintf(text + used, WS_PLAN_SETTINGS_TEXT - used, "%s%s%s%s", used ? " " : "",
					 rows[i].name, rows[i].kind == FLAG ? "" : "=", value);
	}
	return text;
}
