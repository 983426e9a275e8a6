/* A few probe rows for tests and fuzzers of plan text, so that they do not depend on the program's table. */
#ifndef WS_TESTS_PLAN_PROBES_H
#define WS_TESTS_PLAN_PROBES_H

#include <string.h>

#include "seam/probe.h"

static const struct ws_probe plan_probes[] = {
	{.name = "custom", .axes = {"step"}},
	{.name = "host_memory_read", .axes = {"row", "column"}},
	{.name = "device_to_device_memcpy_ce", .axes = {"row", "column", "peer", "direction"}},
	{.name = "all_reduce", .axes = {"size", "series", "placement"}},
};

static const struct ws_probe *find_plan_probe(const char *name)
{
	for (size_t i = 0; i < sizeof(plan_probes) / sizeof(plan_probes[0]); i++)
		if (strcmp(plan_probes[i].name, name) == 0)
			return &plan_probes[i];
	return NULL;
}

#endif
