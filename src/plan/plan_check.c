/* Whether this build can run what a plan says. */
#include "plan/plan_text.h"

#include "base/item.h"

static const char *missing(const struct ws_item *item)
{
	const bool remote =
		item->verb == WS_PUT || item->verb == WS_GET || item->verb == WS_STORE || item->verb == WS_LOAD;

	if (!ws_verb_row(item->verb)->built)
		return ws_verb_row(item->verb)->name;
	if (!remote && (item->source.peer || item->destination.peer || item->engine.place.peer))
		return "a peer/ place outside of put, get, store and load";
	for (int i = 0; i < item->option_count; i++)
		if (!item->options[i].row->built)
			return item->options[i].row->name;
	return NULL;
}

int ws_plan_check_built(const struct ws_plan *plan, struct ws_error *error)
{
	for (int i = 0; i < plan->step_count; i++) {
		const struct ws_step *step = &plan->steps[i];

		for (int j = 0; j < step->item_count; j++) {
			const char *what = missing(&step->items[j]);

			if (what)
				return ws_fail(error, WS_EUNSUPPORTED,
					       "%s is not available in this build: step %d, %.240s", what, i + 1,
					       step->text ? step->text : step->probe->name);
		}
	}
	return WS_OK;
}
