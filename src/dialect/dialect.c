/* The dialects as a table. */
#include "dialect/dialect.h"

#include <string.h>

#include "base/units.h"
#include "cli/arguments.h"
#include "dialect/tools.h"

static const struct ws_dialect dialects[] = {
	{
		.name = "nvbandwidth",
		.versions = "0.10 0.9",
		.summary = "bandwidth between GPUs and host, and latency",
		.run = ws_dialect_nvbandwidth,
	},
	{
		.name = "bandwidthTest",
		.versions = "12.8 7.5",
		.summary = "copies between host and GPU, of the CUDA samples",
		.run = ws_dialect_bandwidth_test,
	},
	{
		.name = "oclBandwidthTest",
		.versions = "",
		.summary = "copies between host and device by OpenCL, of NVIDIA's SDK",
		.run = ws_dialect_ocl_bandwidth_test,
	},
	{
		.name = "p2pBandwidthLatencyTest",
		.versions = "",
		.summary = "CUDA samples: bandwidth and latency of GPU pairs with peer access off and on",
		.run = ws_dialect_p2p,
	},
	{
		.name = "rblnBandwidthLatencyTest",
		.versions = "",
		.summary = "transfers and latency between accelerators and host, and their links",
		.run = ws_dialect_rbln,
	},
	{.name = NULL},
};
#define DIALECT_MAX (sizeof(dialects) / sizeof(dialects[0]))

const struct ws_dialect *ws_dialects(size_t *count)
{
	*count = DIALECT_MAX - 1;
	return dialects;
}

static const struct ws_dialect *find(const char *name, size_t length)
{
	for (const struct ws_dialect *dialect = dialects; dialect->name; dialect++) {
		if (strlen(dialect->name) == length && strncmp(dialect->name, name, length) == 0)
			return dialect;
	}
	return NULL;
}

int ws_dialect_find(const char *name, const struct ws_dialect **out, const char **version, struct ws_error *error)
{
	const size_t length = strcspn(name, "@");
	const char *names[DIALECT_MAX] = {NULL};
	const char *wanted = name[length] ? name + length + 1 : NULL;
	const struct ws_dialect *dialect = find(name, length);
	char quoted[WS_QUOTE_TEXT], near[WS_QUOTE_TEXT];
	size_t known = 0;

	if (!dialect) {
		for (; dialects[known].name; known++)
			names[known] = dialects[known].name;
		return ws_fail(error, WS_EINVAL, "unknown tool %s%s; see: wirespeed as --help",
			       ws_cli_quote(name, length, quoted), ws_cli_near(name, names, known, near, sizeof(near)));
	}
	if (wanted && !ws_word_in(dialect->versions, wanted, strlen(wanted)))
		return ws_fail(error, WS_EINVAL, "%s: version %s is not spoken; allowed: %s", dialect->name,
			       ws_cli_quote(wanted, strlen(wanted), quoted),
			       dialect->versions[0] ? dialect->versions : "none");
	*out = dialect;
	*version = wanted;
	return WS_OK;
}

const struct ws_dialect *ws_dialect_of_program(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return find(name, strlen(name));
}
