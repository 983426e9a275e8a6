/* One rank's part of a step as one activity. */
#include "activity/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/item.h"
#include "base/place.h"
#include "base/record.h"

struct part {
	struct ws_activity activity; /* first */
	int rank;
	struct ws_settings settings;
	struct ws_step step; /* the rank's items alone, without its prefix */
	int *items;	     /* their numbers in the whole step */
	struct ws_shot shot; /* the last one, in the rank's numbers: it stays until the next one is armed */
	uint32_t *loops;     /* its loops, and those that trail */
	bool *done;
	struct ws_activity **list;
	int count;
};

static struct part *part_of(struct ws_activity *activity)
{
	return (struct part *)activity;
}

/* All places of an item that are set: engine, source, destination, members. NULL behind the last. */
static struct ws_place *place_at(struct ws_item *item, int index)
{
	struct ws_place *first[] = {&item->engine.place, &item->source, &item->destination};
	int found = 0;

	for (int i = 0; i < 3 + item->member_count; i++) {
		struct ws_place *place = i < 3 ? first[i] : &item->members[i - 3];

		if (ws_place_is_set(place) && found++ == index)
			return place;
	}
	return NULL;
}

bool ws_part_takes(const struct ws_item *item, int rank)
{
	struct ws_item copy = *item;
	const struct ws_place *place;

	if (ws_place_is_set(&item->engine.place))
		return item->engine.place.rank == rank;
	for (int i = 0; (place = place_at(&copy, i)) != NULL; i++)
		if (place->rank == rank)
			return true;
	return false;
}

static bool reaches_across(enum ws_verb verb)
{
	return verb == WS_COLLECTIVE || verb == WS_PUT || verb == WS_GET || verb == WS_STORE || verb == WS_LOAD;
}

static int check_item(struct ws_item item, int size, struct ws_error *error)
{
	char text[WS_PLACE_TEXT], engine[WS_PLACE_TEXT];
	const struct ws_place *place, *first = place_at(&item, 0);

	for (int i = 0; (place = place_at(&item, i)) != NULL; i++) {
		if (place->peer)
			continue;
		ws_place_format(place, text, sizeof(text));
		if (size == 1 && place->rank != WS_RANK_NONE)
			return ws_fail(error, WS_EINVAL, "%s: one rank alone has no number before its places", text);
		if (size == 1)
			continue;
		if (place->rank == WS_RANK_NONE)
			return ws_fail(error, WS_EINVAL, "%s: of %d ranks, whose? A place is written r0/%s to r%d/%s",
				       text, size, text, size - 1, text);
		if (place->rank >= size)
			return ws_fail(error, WS_EINVAL, "%s: there is no rank %d, only 0 to %d", text, place->rank,
				       size - 1);
		if (!reaches_across(item.verb) && place->rank != first->rank)
			return ws_fail(error, WS_EUNSUPPORTED,
				       "%s and %s belong to two ranks, and \"%s\" does not reach "
				       "from one to the other",
				       ws_place_format(first, engine, sizeof(engine)), text,
				       ws_verb_row(item.verb)->name);
	}
	return WS_OK;
}

int ws_part_check(const struct ws_step *step, int size, struct ws_error *error)
{
	int rc = WS_OK;

	for (int i = 0; i < step->item_count && rc == WS_OK; i++)
		rc = check_item(step->items[i], size, error);
	return rc;
}

/* Moves the rank's items to the front of a copy of the step and drops the rest. */
static int pick_items(struct part *part, const struct ws_step *step, struct ws_error *error)
{
	const size_t count = (size_t)step->item_count;
	int kept = 0, rc = ws_step_copy(step, &part->step, error);

	if (rc != WS_OK)
		return rc;
	part->items = calloc(count, sizeof(*part->items));
	part->loops = calloc(2 * count, sizeof(*part->loops));
	part->done = calloc(count, sizeof(*part->done));
	if (!part->items || !part->loops || !part->done)
		return ws_fail(error, WS_ENOMEM, "no memory for a step of %zu items", count);
	for (int i = 0; i < step->item_count; i++) {
		struct ws_item *item = &part->step.items[i];
		struct ws_place *place;

		if (!ws_part_takes(item, part->rank)) {
			free(item->members);
			continue;
		}
		for (int k = 0; (place = place_at(item, k)) != NULL; k++)
			if (place->rank == part->rank)
				place->rank = WS_RANK_NONE;
		part->items[kept] = i;
		part->step.items[kept++] = *item;
	}
	part->step.item_count = kept;
	return WS_OK;
}

/* Orders in numbers of the whole step become orders to the rank's items. */
static const struct ws_shot *own_shot(struct part *part, const struct ws_shot *shot)
{
	uint32_t *const trail_loops = part->loops + part->step.item_count;

	for (int i = 0; i < part->step.item_count; i++) {
		part->loops[i] = shot->loops[part->items[i]];
		trail_loops[i] = shot->trail_loops ? shot->trail_loops[part->items[i]] : 0;
	}
	part->shot = *shot;
	part->shot.loops = part->loops;
	part->shot.trail_loops = trail_loops;
	return &part->shot;
}

static int part_post(struct ws_activity *activity, enum ws_phase phase, const void *argument, int64_t deadline_ns,
		     struct ws_error *error)
{
	struct part *part = part_of(activity);
	int rc = WS_OK;

	if (phase == WS_PHASE_ARM)
		argument = own_shot(part, argument);
	for (int i = 0; i < part->count && rc == WS_OK; i++)
		if (part->list[i]->ops->post)
			rc = part->list[i]->ops->post(part->list[i], phase, argument, deadline_ns, error);
	return rc;
}

static int part_offer(struct ws_activity *activity, int64_t deadline_ns, json_t *into, struct ws_error *error)
{
	struct part *part = part_of(activity);
	int rc = WS_OK;

	for (int i = 0; i < part->count && rc == WS_OK; i++)
		if (part->list[i]->ops->offer)
			rc = part->list[i]->ops->offer(part->list[i], deadline_ns, into, error);
	return rc;
}

static int part_prepare(struct ws_activity *activity, const json_t *offers, int64_t deadline_ns, struct ws_error *error)
{
	struct part *part = part_of(activity);
	int rc = WS_OK;

	for (int i = 0; i < part->count && rc == WS_OK; i++)
		rc = part->list[i]->ops->prepare(part->list[i], offers, deadline_ns, error);
	return rc;
}

static int part_refill(struct ws_activity *activity, uint64_t seed, int64_t deadline_ns, struct ws_error *error)
{
	struct part *part = part_of(activity);
	int rc = WS_OK;

	for (int i = 0; i < part->count && rc == WS_OK; i++)
		rc = part->list[i]->ops->refill(part->list[i], seed, deadline_ns, error);
	return rc;
}

static int part_arm(struct ws_activity *activity, const struct ws_shot *shot, int64_t deadline_ns,
		    struct ws_error *error)
{
	struct part *part = part_of(activity);
	const struct ws_shot *own = own_shot(part, shot);
	int rc = WS_OK;

	memset(part->done, 0, (size_t)part->step.item_count * sizeof(*part->done));
	for (int i = 0; i < part->count && rc == WS_OK; i++)
		rc = part->list[i]->ops->arm(part->list[i], own, deadline_ns, error);
	return rc;
}

static void part_release(struct ws_activity *activity)
{
	struct part *part = part_of(activity);

	for (int i = 0; i < part->count; i++)
		part->list[i]->ops->release(part->list[i]);
}

static int part_poll(struct ws_activity *activity, int64_t wait_until_ns, bool *item_done, struct ws_error *error)
{
	struct part *part = part_of(activity);
	int rc = WS_OK;

	for (int i = 0; i < part->count && rc == WS_OK; i++)
		rc = part->list[i]->ops->poll(part->list[i], part->list[i]->sleeps ? wait_until_ns : 0, part->done,
					      error);
	for (int i = 0; i < part->step.item_count; i++)
		if (part->done[i])
			item_done[part->items[i]] = true;
	return rc;
}

static void part_stop(struct ws_activity *activity)
{
	struct part *part = part_of(activity);

	for (int i = 0; i < part->count; i++)
		if (part->list[i]->ops->stop)
			part->list[i]->ops->stop(part->list[i]);
}

static int part_read(struct ws_activity *activity, int64_t deadline_ns, struct ws_sample *sample,
		     struct ws_error *error)
{
	struct part *part = part_of(activity);
	int lane = sample->lane_count, counter = sample->counter_count, rc = WS_OK;

	for (int i = 0; i < part->count && rc == WS_OK; i++)
		rc = part->list[i]->ops->read(part->list[i], deadline_ns, sample, error);
	for (; lane < sample->lane_count; lane++) {
		struct ws_lane *at = &sample->lanes[lane];
		char clock[sizeof(at->clock)];

		at->item = part->items[at->item];
		memcpy(clock, at->clock, sizeof(clock));
		if (at->has_device)
			snprintf(at->clock, sizeof(at->clock), "r%d/%.25s", part->rank, clock);
	}
	for (; counter < sample->counter_count; counter++) {
		struct ws_counter *at = &sample->counters[counter];
		char name[sizeof(at->name)];

		memcpy(name, at->name, sizeof(name));
		snprintf(at->name, sizeof(at->name), "r%d/%.33s", part->rank, name);
	}
	return rc;
}

static int part_verify(struct ws_activity *activity, int64_t deadline_ns, struct ws_check *check,
		       struct ws_error *error)
{
	struct part *part = part_of(activity);
	struct ws_check own = {.rank = WS_RANK_NONE};
	int rc = WS_OK;

	for (int i = 0; i < part->count && rc == WS_OK; i++)
		rc = part->list[i]->ops->verify(part->list[i], deadline_ns, &own, error);
	own.item = part->items[own.item];
	own.rank = part->rank;
	ws_check_merge(check, &own);
	return rc;
}

static int part_cancel(struct ws_activity *activity)
{
	struct part *part = part_of(activity);
	int rc = WS_OK;

	for (int i = 0; i < part->count; i++)
		if (part->list[i]->ops->cancel(part->list[i]) == WS_ELOST)
			rc = WS_ELOST;
	return rc;
}

static int part_path(struct ws_activity *activity, json_t *into, struct ws_error *error)
{
	struct part *part = part_of(activity);
	json_t *own = json_object();
	char key[16];
	int rc = own ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory for facts of a path");

	for (int i = 0; i < part->count && rc == WS_OK; i++)
		if (part->list[i]->ops->path)
			rc = part->list[i]->ops->path(part->list[i], own, error);
	snprintf(key, sizeof(key), "r%d", part->rank);
	if (rc == WS_OK && json_object_size(own) > 0 && json_object_set(into, key, own) < 0)
		rc = ws_fail(error, WS_ENOMEM, "no memory for facts of a path");
	json_decref(own);
	return rc;
}

static void part_free(struct ws_activity *activity)
{
	struct part *part = part_of(activity);

	for (int i = 0; i < part->count; i++)
		part->list[i]->ops->free(part->list[i]);
	free(part->list);
	free(part->items);
	free(part->loops);
	free(part->done);
	ws_step_release(&part->step);
	free(part);
}

static const struct ws_activity_ops part_ops = {
	.post = part_post,
	.offer = part_offer,
	.prepare = part_prepare,
	.refill = part_refill,
	.arm = part_arm,
	.release = part_release,
	.poll = part_poll,
	.stop = part_stop,
	.read = part_read,
	.verify = part_verify,
	.cancel = part_cancel,
	.path = part_path,
	.free = part_free,
};

int ws_part_open(const struct ws_activity_source *source, const struct ws_step *step,
		 const struct ws_settings *settings, int rank, struct ws_activity **out, struct ws_error *error)
{
	struct part *part = calloc(1, sizeof(*part));
	int rc;

	if (!part)
		return ws_fail(error, WS_ENOMEM, "no memory for a part of a step");
	part->activity.ops = &part_ops;
	part->rank = rank;
	part->settings = *settings;
	rc = pick_items(part, step, error);
	if (rc == WS_OK)
		rc = source->open(source->context, &part->step, &part->settings, &part->list, &part->count, error);
	if (rc != WS_OK) {
		part_free(&part->activity);
		return rc;
	}
	for (int i = 0; i < part->count; i++) {
		const uint32_t most = part->list[i]->loops_max;

		part->activity.sleeps = part->activity.sleeps || part->list[i]->sleeps;
		if (most && (!part->activity.loops_max || most < part->activity.loops_max))
			part->activity.loops_max = most;
	}
	*out = &part->activity;
	return WS_OK;
}
