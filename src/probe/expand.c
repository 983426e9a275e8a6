/* From a selection of probes to a plan. */
#include "probe/probe.h"

#include <stdio.h>
#include <string.h>

#include "base/item.h"
#include "plan/plan_text.h"
#include "probe/wish.h"

#define REASON_SIZE ((int)sizeof(((struct ws_step *)0)->reason))

/* A step that says why a probe has none. */
static int add_reason(struct ws_plan *plan, const struct ws_probe *probe, const char *reason, struct ws_error *error)
{
	struct ws_step *step = ws_plan_add_step(plan, probe);

	if (!step)
		return ws_fail(error, WS_ENOMEM, "no memory for a step");
	snprintf(step->reason, sizeof(step->reason), "%s", reason);
	return WS_OK;
}

static int expand_one(const struct ws_probe *probe, const struct ws_expand *expand, bool always, struct ws_plan *plan,
		      struct ws_error *error)
{
	const int before = plan->step_count;
	char reason[REASON_SIZE] = "";
	int rc = probe->expand(probe, expand, plan, reason, REASON_SIZE, error);

	if (rc == WS_OK && plan->step_count == before && always)
		rc = add_reason(plan, probe, reason[0] ? reason : "this machine has no places for it", error);
	return rc;
}

static int expand_selection(const struct ws_selection *selection, const struct ws_expand *expand, bool always,
			    struct ws_plan *plan, struct ws_error *error)
{
	int rc = WS_OK;

	for (size_t i = 0; i < selection->count && rc == WS_OK; i++)
		rc = expand_one(selection->probes[i], expand, always || selection->named[i], plan, error);
	return rc;
}

int ws_probe_expand_all(const struct ws_selection *selection, const struct ws_expand *expand,
			const struct ws_settings *settings, struct ws_plan *out, struct ws_error *error)
{
	struct ws_plan plan = {.settings = *settings};
	int rc = ws_wish_check(expand, error);

	if (rc == WS_OK)
		rc = expand_selection(selection, expand, false, &plan, error);
	/* Nothing at all to do needs its reasons too. */
	if (rc == WS_OK && plan.step_count == 0)
		rc = expand_selection(selection, expand, true, &plan, error);
	if (rc == WS_OK)
		rc = ws_plan_finish(&plan, error);
	if (rc != WS_OK) {
		ws_plan_release(&plan);
		return rc;
	}
	*out = plan;
	return WS_OK;
}

int ws_probe_applies(const struct ws_probe *probe, const struct ws_expand *expand, char *reason, size_t reason_size,
		     struct ws_error *error)
{
	struct ws_plan plan = {0};
	bool runs = false;
	int rc = expand_one(probe, expand, true, &plan, error);

	for (int i = 0; i < plan.step_count; i++)
		runs = runs || plan.steps[i].item_count > 0;
	if (rc == WS_OK)
		snprintf(reason, reason_size, "%s", runs || plan.step_count == 0 ? "" : plan.steps[0].reason);
	ws_plan_release(&plan);
	return rc;
}
