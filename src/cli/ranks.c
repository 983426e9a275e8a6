/* A command over several ranks. */
#include "cli/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "activity/part.h"
#include "activity/proxy.h"
#include "base/item.h"
#include "base/place.h"
#include "base/units.h"
#include "cli/open.h"
#include "plan/follow.h"
#include "plan/plan_text.h"
#include "probe/probe.h"
#include "ranks/self.h"

#define FAMILIES_TEXT 200

int ws_cli_ranks_open(const struct ws_arguments *arguments, struct ws_session *session, const char *families,
		      struct ws_cli_ranks *out, struct ws_error *error)
{
	const struct ws_activity_source local = ws_session_source(session);
	const int64_t timeout_ns =
		arguments->timeout_ns ? arguments->timeout_ns : ws_settings_default(false).timeout_ns;
	int status;

	*out = (struct ws_cli_ranks){.alone = ws_ranks_self()};
	out->ranks = arguments->ranks ? arguments->ranks : &out->alone;
	status = ws_proxies_new(out->ranks, &local, &out->proxies, error);
	if (status == WS_OK)
		status = ws_proxies_places(out->proxies, families, ws_session_places(session), timeout_ns, &out->places,
					   error);
	if (status != WS_OK)
		ws_cli_ranks_release(out);
	return status;
}

static void add_family(char *families, size_t size, const struct ws_place *place)
{
	const size_t used = strlen(families);

	if (ws_place_is_set(place) && !ws_word_in(families, place->family, strlen(place->family)))
		snprintf(families + used, size - used, "%s%s", used ? " " : "", place->family);
}

int ws_cli_ranks_open_plan(const struct ws_arguments *arguments, struct ws_session *session, const struct ws_plan *plan,
			   struct ws_cli_ranks *out, struct ws_error *error)
{
	const int size = arguments->ranks ? arguments->ranks->size : 1;
	char families[FAMILIES_TEXT] = "";
	struct ws_error inner = {0};
	int status;

	for (int i = 0; i < plan->step_count; i++) {
		const struct ws_step *step = &plan->steps[i];

		status = ws_part_check(step, size, &inner);
		if (status != WS_OK)
			return ws_fail(error, status, "--plan: step %d: %.300s", i + 1, inner.text);
		/* Alone, steps open what they need by themselves. */
		for (int k = 0; k < step->item_count && size > 1; k++) {
			add_family(families, sizeof(families), &step->items[k].engine.place);
			add_family(families, sizeof(families), &step->items[k].source);
			add_family(families, sizeof(families), &step->items[k].destination);
			for (int m = 0; m < step->items[k].member_count; m++)
				add_family(families, sizeof(families), &step->items[k].members[m]);
		}
	}
	status = ws_cli_need(arguments, session, families, error);
	return status == WS_OK ? ws_cli_ranks_open(arguments, session, families, out, error) : status;
}

const struct ws_places *ws_cli_ranks_places(const struct ws_cli_ranks *ranks, const struct ws_session *session)
{
	return ranks->ranks->size > 1 ? &ranks->places : ws_session_places(session);
}

int ws_cli_ranks_source(struct ws_cli_ranks *ranks, const struct ws_settings *settings,
			struct ws_activity_source *out, struct ws_error *error)
{
	const struct ws_plan with = {.settings = *settings};
	char *text = NULL;
	int status = ws_plan_print(&with, &text, error);

	if (status == WS_OK)
		status = ws_proxies_source(ranks->proxies, text, out, error);
	free(text);
	return status;
}

void ws_cli_ranks_release(struct ws_cli_ranks *ranks)
{
	ws_proxies_free(ranks->proxies);
	ws_places_release(&ranks->places);
	*ranks = (struct ws_cli_ranks){.ranks = NULL};
}

struct follower {
	const struct ws_arguments *arguments;
	struct ws_session *session;
	struct ws_activity_source source;
};

static int open_session(void *context, const char *families, const struct ws_places **places,
			const struct ws_activity_source **source, struct ws_error *error)
{
	struct follower *follower = context;
	int status = follower->session ? WS_OK : ws_cli_open(follower->arguments, &follower->session, error);

	if (status == WS_OK)
		status = ws_cli_need(follower->arguments, follower->session, families, error);
	if (status != WS_OK)
		return status;
	follower->source = ws_session_source(follower->session);
	*places = ws_session_places(follower->session);
	*source = &follower->source;
	return WS_OK;
}

void ws_cli_follow(struct ws_ranks *ranks, void *context)
{
	struct follower follower = {.arguments = context};
	const struct ws_follow_options options = {open_session, &follower, ws_probe_find};
	struct ws_error error = {0};
	bool lost = false;

	if (ws_follow(ranks, &options, &lost, &error) != WS_OK)
		fprintf(stderr, "wirespeed: rank %d: rank 0 %s\n", ranks->rank, error.text);
	if (!lost)
		ws_session_close(follower.session);
}
