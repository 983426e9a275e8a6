/* From a command line to an open session, and what probes may look at. */
#include "cli/open.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/item.h"
#include "base/system.h"
#include "base/units.h"

int ws_cli_open(const struct ws_arguments *arguments, struct ws_session **out, struct ws_error *error)
{
	const struct ws_session_options options = {
		.machine = arguments->machine,
		.timeout_ns = arguments->timeout_ns ? arguments->timeout_ns : ws_settings_default(false).timeout_ns,
		.rank = WS_RANK_NONE,
	};

	struct ws_error inner = {0};
	const int status = ws_session_open(&options, out, &inner);

	if (status == WS_OK)
		return WS_OK;
	return ws_fail(error, status, "%s%s", arguments->machine ? "--machine: " : "", inner.text);
}

/* Whether --backend leaves a back end. */
static bool is_left(const char *wanted, const char *name)
{
	for (const char *at = wanted; at;) {
		const size_t length = strcspn(at, ",");

		if (strlen(name) == length && strncmp(at, name, length) == 0)
			return true;
		at = at[length] ? at + length + 1 : NULL;
	}
	return !wanted;
}

int ws_cli_need(const struct ws_arguments *arguments, struct ws_session *session, const char *families,
		struct ws_error *error)
{
	const struct ws_session_backend *entry;
	int status = WS_OK;

	for (size_t i = 0; status == WS_OK && (entry = ws_session_backend_at(session, i)) != NULL; i++) {
		const char *family = entry->ops->family;

		if (is_left(arguments->backend, entry->ops->name) &&
		    (!families || ws_word_in(families, family, strlen(family))))
			status = ws_session_need(session, family, error);
	}
	return status;
}

/* What is merely absent is no news; what is there and does not open is. */
static void list_broken(const struct ws_session *session, struct ws_expand *expand)
{
	const struct ws_session_backend *entry;

	for (size_t i = 0; (entry = ws_session_backend_at(session, i)) != NULL; i++) {
		if (!entry->tried || entry->open || entry->why.code == WS_EABSENT || expand->broken_count == WS_BROKEN_MAX)
			continue;
		expand->broken[expand->broken_count].family = entry->ops->family;
		expand->broken[expand->broken_count++].why = entry->why.text;
	}
}

void ws_cli_wish(const struct ws_arguments *arguments, const struct ws_session *session, struct ws_cli_wishes *out)
{
	const char *root = ws_topology_root(ws_session_topology(session));
	enum ws_thp thp = WS_THP_NEVER;

	*out = (struct ws_cli_wishes){
		.expand = {
			.places = ws_session_places(session),
			.rank_count = 1,
			.device = arguments->device,
			.memory = arguments->memory,
			.sizes_bytes = {arguments->size.bytes[0], arguments->size.bytes[1]},
			.size_count = arguments->size.count,
			.series_bytes = {arguments->sizes.bytes[0], arguments->sizes.bytes[1]},
			.threads = (uint32_t)arguments->threads,
		},
	};
	list_broken(session, &out->expand);
	out->expand.thp = root && ws_system_thp(root, &thp, NULL) == WS_OK && thp != WS_THP_NEVER;
	if (arguments->pair) {
		const char *comma = strchr(arguments->pair, ',');

		snprintf(out->pair[0], sizeof(out->pair[0]), "%.*s", (int)(comma - arguments->pair), arguments->pair);
		snprintf(out->pair[1], sizeof(out->pair[1]), "%s", comma + 1);
		out->expand.pair_a = out->pair[0];
		out->expand.pair_b = out->pair[1];
	}
	if (ws_arguments_given(arguments, "host-node")) {
		snprintf(out->host_node, sizeof(out->host_node), "%" PRIu64, arguments->host_node);
		out->expand.host_node = out->host_node;
	}
}
