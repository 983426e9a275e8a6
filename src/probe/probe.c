/* The table of probes: looking them up and selecting them. */
#include "probe/probe.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "plan/plan_text.h"
#include "probe/rows.h"

static const struct ws_probe *const tables[] = {
	ws_memory_probes,	ws_copy_probes,		  ws_latency_probes,
	ws_device_host_probes,	ws_device_copy_probes,	  ws_fan_probes,
	ws_device_local_probes, ws_device_latency_probes, ws_device_call_probes,
	ws_device_series_probes,
};
#define TABLES (sizeof(tables) / sizeof(tables[0]))

const struct ws_probe *ws_probe_row(size_t index)
{
	for (size_t i = 0; i < TABLES; i++)
		for (const struct ws_probe *row = tables[i]; row->name; row++)
			if (index-- == 0)
				return row;
	return NULL;
}

const struct ws_probe *ws_probe_find(const char *name)
{
	const struct ws_probe *row;

	for (size_t i = 0; (row = ws_probe_row(i)) != NULL; i++)
		if (strcmp(row->name, name) == 0)
			return row;
	return strcmp(name, WS_PLAN_CUSTOM) == 0 ? &ws_probe_custom : NULL;
}

bool ws_probe_honours(const struct ws_probe *probe, const char *option)
{
	return ws_word_in(probe->honours, option, strlen(option));
}

static int unknown(const char *name, struct ws_error *error)
{
	const char *names[2 * WS_SELECTION_MAX], *nearest;
	const struct ws_probe *row;
	size_t count = 0;

	for (size_t i = 0; (row = ws_probe_row(i)) != NULL; i++)
		names[count++] = row->name;
	for (size_t i = 0; (row = ws_probe_row(i)) != NULL; i++)
		names[count++] = row->family;
	nearest = ws_nearest(name, names, count);
	return ws_fail(error, WS_EINVAL, "unknown probe \"%.60s\"%s%s%s (\"wirespeed list\" shows them)", name,
		       nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

/* Marks what a name, family or pattern means. */
static int mark(const char *name, bool *chosen, bool *named, struct ws_error *error)
{
	const bool is_pattern = strpbrk(name, "*?[") != NULL;
	const struct ws_probe *row;
	bool found = false;

	for (size_t i = 0; (row = ws_probe_row(i)) != NULL; i++) {
		const bool is_name = strcmp(row->name, name) == 0;

		if (!is_name && strcmp(row->family, name) != 0 && !(is_pattern && fnmatch(name, row->name, 0) == 0))
			continue;
		chosen[i] = true;
		named[i] = named[i] || is_name;
		found = true;
	}
	if (!found && is_pattern)
		return ws_fail(error, WS_EINVAL, "no probe matches \"%.60s\" (\"wirespeed list\" shows them)", name);
	return found ? WS_OK : unknown(name, error);
}

int ws_probe_select(const char *const *names, size_t count, struct ws_selection *out, struct ws_error *error)
{
	bool chosen[WS_SELECTION_MAX] = {false}, named[WS_SELECTION_MAX] = {false};
	struct ws_selection selection = {.count = 0};
	const struct ws_probe *row;
	int rc = WS_OK;

	for (size_t i = 0; i < count && rc == WS_OK; i++)
		rc = mark(names[i], chosen, named, error);
	if (rc != WS_OK)
		return rc;
	for (size_t i = 0; (row = ws_probe_row(i)) != NULL; i++) {
		if (!(count ? chosen[i] : row->quick))
			continue;
		selection.probes[selection.count] = row;
		selection.named[selection.count++] = named[i];
	}
	*out = selection;
	return WS_OK;
}

static int not_honoured(const char *option, struct ws_error *error)
{
	const struct ws_probe *row;
	char would[240] = "";
	size_t used = 0;
	bool cut = false;

	for (size_t i = 0; (row = ws_probe_row(i)) != NULL && !cut; i++) {
		if (!ws_probe_honours(row, option))
			continue;
		cut = used + strlen(row->name) + strlen(", , ...") >= sizeof(would);
		used += (size_t)snprintf(would + used, sizeof(would) - used, "%s%s", used ? ", " : "",
					 cut ? "..." : row->name);
	}
	return ws_fail(error, WS_EINVAL, "--%s: none of the selected probes honours it; %s%s", option,
		       used ? "these would: " : "no probe of this build does", would);
}

int ws_probe_check_options(const struct ws_selection *selection, const char *const *options, size_t count,
			   struct ws_error *error)
{
	for (size_t i = 0; i < count; i++) {
		bool honoured = false;

		for (size_t k = 0; k < selection->count && !honoured; k++)
			honoured = ws_probe_honours(selection->probes[k], options[i]);
		if (!honoured)
			return not_honoured(options[i], error);
	}
	return WS_OK;
}
