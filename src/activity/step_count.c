/* Counters of the engines' places around one sample of a step. */
#include "activity/step_count.h"

#include <stdlib.h>
#include <string.h>

#include "base/item.h"
#include "base/place.h"
#include "base/record.h"

#define COUNTERS_MAX 64

struct counted {
	struct ws_backend *backend;
	const struct ws_place *place;
	struct ws_counter before[COUNTERS_MAX];
	int count;
};

static int read_counters(struct counted *counted, struct ws_counter *now, int *count, struct ws_error *error)
{
	return counted->backend->ops->counters(counted->backend, counted->place, now, COUNTERS_MAX, count, error);
}

static bool is_counted(const struct step_counters *counters, const struct step_lane *lane)
{
	for (int i = 0; i < counters->count; i++)
		if (counters->at[i].backend == lane->backend &&
		    ws_place_equal(counters->at[i].place, &lane->item.engine.place))
			return true;
	return false;
}

/* Its bytes go by links between the engine's device and another. */
static bool is_linked(const struct step_lane *lane)
{
	const struct ws_item *item = &lane->item;
	struct ws_place engine = ws_place_device(&item->engine.place);
	const struct ws_place *far = ws_place_same_device(&item->source, &engine) ? &item->destination : &item->source;
	const struct ws_place_facts *facts;

	if (item->verb == WS_WRITE)
		far = &item->destination;
	else if (item->verb != WS_COPY && item->verb != WS_COPY2 && item->verb != WS_READ)
		return false;
	engine.rank = ws_session_rank(lane->session);
	facts = ws_places_find(ws_session_places(lane->session), &engine);
	return facts && strcmp(far->family, engine.family) == 0 && far->index != engine.index &&
	       ws_place_in(facts->linked_peers, far) && strcmp(ws_item_word(item, "peer", "on"), "off") != 0;
}

/* No measured item of the step before belongs to the same cell. */
static bool is_first(const struct ws_step *step, const struct step_lane *lane)
{
	const struct ws_coords cell = ws_item_cell(step, &lane->item);

	for (int i = 0; i < lane->item_index; i++) {
		const struct ws_coords other = ws_item_cell(step, &step->items[i]);

		if (!ws_item_flag(&step->items[i], "interfering") && ws_coords_equal(&other, &cell))
			return false;
	}
	return !lane->interfering;
}

static bool is_wanted(const struct step_counters *counters, const struct step_lane *lane)
{
	return lane->backend->ops->counters && !is_counted(counters, lane) &&
	       (!counters->step || (is_linked(lane) && is_first(counters->step, lane)));
}

static int choose_places(struct step_counters *counters, const struct step_lane *lanes, int lane_count,
			 struct ws_error *error)
{
	counters->at = calloc((size_t)lane_count, sizeof(*counters->at));
	if (!counters->at)
		return ws_fail(error, WS_ENOMEM, "no memory for counters");
	for (int i = 0; i < lane_count; i++)
		if (is_wanted(counters, &lanes[i]))
			counters->at[counters->count++] =
				(struct counted){.backend = lanes[i].backend, .place = &lanes[i].item.engine.place};
	return WS_OK;
}

int step_count_before(struct step_counters *counters, const struct step_lane *lanes, int lane_count,
		      struct ws_error *error)
{
	int rc = counters->at ? WS_OK : choose_places(counters, lanes, lane_count, error);

	for (int i = 0; i < counters->count && rc == WS_OK; i++) {
		rc = read_counters(&counters->at[i], counters->at[i].before, &counters->at[i].count, error);
		if (rc != WS_OK && counters->step) {
			counters->at[i].count = 0;
			rc = WS_OK;
		}
	}
	return rc;
}

/* Counters are found by their names. */
static int add_risen(const struct counted *counted, struct ws_counter *now, int count, struct ws_sample *sample,
		     struct ws_error *error)
{
	for (int k = 0; k < count; k++) {
		int before = 0;

		while (before < counted->count && strcmp(counted->before[before].name, now[k].name) != 0)
			before++;
		if (before == counted->count)
			continue;
		now[k].delta -= counted->before[before].delta;
		if (ws_sample_add_counter(sample, &now[k]) != WS_OK)
			return ws_fail(error, WS_ENOMEM, "no memory for counters");
	}
	return WS_OK;
}

int step_count_after(struct step_counters *counters, struct ws_sample *sample, struct ws_error *error)
{
	int rc = WS_OK;

	for (int i = 0; i < counters->count && rc == WS_OK; i++) {
		struct ws_counter now[COUNTERS_MAX];
		int count = 0;

		rc = read_counters(&counters->at[i], now, &count, error);
		if (rc != WS_OK && counters->step)
			rc = WS_OK;
		else if (rc == WS_OK)
			rc = add_risen(&counters->at[i], now, count, sample, error);
	}
	return rc;
}

void step_count_release(struct step_counters *counters)
{
	free(counters->at);
	*counters = (struct step_counters){0};
}
