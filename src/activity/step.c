/* A step's back-end items as one activity. */
#include "activity/step.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "activity/step_count.h"
#include "activity/step_lane.h"
#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "base/topology.h"
#include "kernel/host_pattern.h"
#include "machine/pci.h"

/* A sample with a time stamp for every loop keeps this many of them. */
#define MARKED_LOOPS_MAX 16384

struct step_activity {
	struct ws_activity activity;
	struct ws_session *session;
	const struct ws_step *step;
	const struct ws_settings *settings;
	struct step_lane *lanes; /* in the order of items */
	int lane_count;
	struct step_lane **order; /* interfering lanes first, as the others join their start */
	int interfering_count;
	struct ws_backend **backends; /* of the engines, each once: whose gates are opened */
	int backend_count;
	struct step_counters counters, link_counters;
	struct step_counters *counting; /* in this sample, or NULL */
	bool filled, stopped, lost;
	_Alignas(64) _Atomic uint32_t released; /* issuing threads wait for it to change */
};

static struct step_activity *self(struct ws_activity *activity)
{
	return (struct step_activity *)activity;
}

/* Remembers that something is lost, so that nothing of it is freed. */
static int note(struct step_activity *step, int rc)
{
	step->lost = step->lost || rc == WS_ELOST;
	return rc;
}

static int step_prepare(struct ws_activity *activity, const struct json_t *offers, int64_t deadline_ns,
			struct ws_error *error)
{
	struct step_activity *step = self(activity);
	int rc = WS_OK;

	(void)offers;
	for (int i = 0; i < step->backend_count; i++)
		if (step->backends[i]->ops->begin_step)
			step->backends[i]->ops->begin_step(step->backends[i]);
	for (int i = 0; i < step->lane_count && rc == WS_OK; i++)
		rc = step_lane_prepare(&step->lanes[i], step->settings->ungated, deadline_ns, error);
	return note(step, rc);
}

static int step_refill(struct ws_activity *activity, uint64_t seed, int64_t deadline_ns, struct ws_error *error)
{
	struct step_activity *step = self(activity);
	int rc = WS_OK;

	(void)deadline_ns;
	for (int i = 0; i < step->lane_count && rc == WS_OK; i++)
		rc = step_lane_refill(&step->lanes[i], seed, error);
	step->filled = step->filled || rc == WS_OK;
	return note(step, rc);
}

static int step_arm(struct ws_activity *activity, const struct ws_shot *shot, int64_t deadline_ns,
		    struct ws_error *error)
{
	struct step_activity *step = self(activity);
	int rc = WS_OK;

	/* Never zeros or untouched pages, whether the data will be checked or not. */
	if (!step->filled)
		rc = step_refill(activity, ws_pattern_seed(step->settings, 0), deadline_ns, error);
	step->counting = shot->counters ? &step->counters : shot->link_counters ? &step->link_counters : NULL;
	if (rc == WS_OK && step->counting)
		rc = step_count_before(step->counting, step->lanes, step->lane_count, error);
	step->stopped = false;
	for (int i = 0; i < step->lane_count && rc == WS_OK; i++)
		rc = step_lane_arm(step->order[i], shot, step->order,
				   i < step->interfering_count ? 0 : step->interfering_count, &step->released,
				   deadline_ns, error);
	return note(step, rc);
}

static void step_release(struct ws_activity *activity)
{
	struct step_activity *step = self(activity);

	for (int i = 0; i < step->backend_count; i++)
		if (step->backends[i]->ops->release)
			step->backends[i]->ops->release(step->backends[i]);
	atomic_fetch_add_explicit(&step->released, 1, memory_order_release);
	ws_team_wake(&step->released);
}

/* Endless interference is looked at, but not waited for before it was told to stop. */
static int poll_lanes(struct step_activity *step, bool interfering, int64_t wait_until_ns, struct ws_error *error)
{
	int rc = WS_OK;

	for (int i = 0; i < step->lane_count && rc == WS_OK; i++)
		if (step->lanes[i].interfering == interfering)
			rc = step_lane_poll(&step->lanes[i], wait_until_ns, error);
	return rc;
}

static int step_poll(struct ws_activity *activity, int64_t wait_until_ns, bool *item_done, struct ws_error *error)
{
	struct step_activity *step = self(activity);
	int rc = poll_lanes(step, false, wait_until_ns, error);
	bool measured_ended = true;

	for (int i = 0; i < step->lane_count; i++)
		measured_ended = measured_ended && (step->lanes[i].ended || step->lanes[i].interfering);
	if (rc == WS_OK)
		rc = poll_lanes(step, true, measured_ended && step->stopped ? wait_until_ns : 0, error);
	for (int i = 0; i < step->lane_count && rc == WS_OK; i++) {
		const struct step_lane *lane = &step->lanes[i];

		item_done[lane->item_index] = lane->ended && (lane->lane_index == 0 || item_done[lane->item_index]);
	}
	return note(step, rc);
}

static void step_stop(struct ws_activity *activity)
{
	struct step_activity *step = self(activity);

	step->stopped = true;
	for (int i = 0; i < step->lane_count; i++)
		step_lane_stop(&step->lanes[i]);
}

static int step_read(struct ws_activity *activity, int64_t deadline_ns, struct ws_sample *sample,
		     struct ws_error *error)
{
	struct step_activity *step = self(activity);
	int rc = WS_OK;

	(void)deadline_ns;
	for (int i = 0; i < step->lane_count && rc == WS_OK; i++)
		rc = step_lane_read(&step->lanes[i], sample, error);
	if (rc == WS_OK && step->counting)
		rc = step_count_after(step->counting, sample, error);
	return note(step, rc);
}

static int step_verify(struct ws_activity *activity, int64_t deadline_ns, struct ws_check *check,
		       struct ws_error *error)
{
	struct step_activity *step = self(activity);
	int rc = WS_OK;

	(void)deadline_ns;
	for (int i = 0; i < step->lane_count && rc == WS_OK; i++)
		rc = step_lane_verify(&step->lanes[i], check, error);
	return note(step, rc);
}

static int step_cancel(struct ws_activity *activity)
{
	struct step_activity *step = self(activity);

	for (int i = 0; i < step->lane_count; i++)
		note(step, step_lane_cancel(&step->lanes[i]));
	if (!step->lost)
		return WS_OK;
	ws_session_keep(step->session, activity);
	return WS_ELOST;
}

/* The way of a device on PCI Express to the host. */
static int describe_pci(const struct ws_session *session, const struct ws_place *place, struct json_t *into,
			struct ws_error *error)
{
	const struct ws_place_facts *facts = ws_places_find(ws_session_places(session), place);
	const char *root = ws_topology_root(ws_session_topology(session));
	struct ws_pci_address address;
	json_t *pci = NULL;
	int rc;

	if (!facts || !root || ws_place_is_host(place) ||
	    ws_pci_address_parse(facts->pci, &address, NULL) != WS_OK)
		return WS_OK;
	rc = ws_pci_json(root, facts->pci, &pci, error);
	if (rc == WS_OK && json_object_set_new(into, "pci", pci) != 0)
		rc = ws_fail(error, WS_ENOMEM, "no memory for the facts of a path");
	return rc;
}

/* A place's state, with the page size that its buffer got. */
static int describe(const struct step_lane *lane, struct ws_backend *backend, const struct ws_place *own,
		    const char *pages, struct json_t *into, struct ws_error *error)
{
	struct ws_place place = *own;
	char text[WS_PLACE_TEXT];
	json_t *object;
	int rc = WS_OK;

	place.rank = ws_session_rank(lane->session);
	ws_place_format(&place, text, sizeof(text));
	if (json_object_get(into, text))
		return WS_OK;
	object = json_object();
	if (json_object_set_new(into, text, object) != 0)
		return ws_fail(error, WS_ENOMEM, "no memory for the facts of a path");
	if (pages[0] && json_object_set_new(object, "pages", json_string(pages)) != 0)
		return ws_fail(error, WS_ENOMEM, "no memory for the facts of a path");
	if (backend->ops->state)
		rc = backend->ops->state(backend, own, object, error);
	return rc == WS_OK ? describe_pci(lane->session, &place, object, error) : rc;
}

/* Both memories, and the device that reads or writes another's, for its end of the path. */
static int describe_lane(const struct step_lane *lane, struct json_t *into, struct ws_error *error)
{
	const struct ws_buffer *source = lane->op.source, *destination = lane->op.destination;
	const bool by_device = !ws_place_is_host(&lane->item.engine.place);
	int rc = WS_OK;

	if (source)
		rc = describe(lane, lane->source_backend, &source->place, source->pages_obtained, into, error);
	if (rc == WS_OK && destination)
		rc = describe(lane, lane->destination_backend, &destination->place, destination->pages_obtained, into,
			      error);
	if (rc == WS_OK && by_device && (lane->item.verb == WS_READ || lane->item.verb == WS_WRITE))
		rc = describe(lane, lane->backend, &lane->item.engine.place, "", into, error);
	return rc;
}

static int step_path(struct ws_activity *activity, struct json_t *into, struct ws_error *error)
{
	struct step_activity *step = self(activity);
	int rc = WS_OK;

	for (int i = 0; i < step->lane_count && rc == WS_OK; i++)
		rc = describe_lane(&step->lanes[i], into, error);
	return note(step, rc);
}

static void step_free(struct ws_activity *activity)
{
	struct step_activity *step = self(activity);

	for (int i = 0; i < step->lane_count; i++)
		step_lane_release(&step->lanes[i]);
	free(step->lanes);
	free(step->order);
	free(step->backends);
	step_count_release(&step->counters);
	step_count_release(&step->link_counters);
	free(step);
}

static const struct ws_activity_ops step_ops = {
	.prepare = step_prepare,
	.refill = step_refill,
	.arm = step_arm,
	.release = step_release,
	.poll = step_poll,
	.stop = step_stop,
	.read = step_read,
	.verify = step_verify,
	.cancel = step_cancel,
	.path = step_path,
	.free = step_free,
};

/* An item of this process that back ends can carry out; another kind is some other source's to make. */
static int is_own(const struct ws_session *session, const struct ws_item *item, bool *own, struct ws_error *error)
{
	*own = item->engine.place.rank == ws_session_rank(session) && !item->engine.place.peer;
	if (item->verb == WS_COLLECTIVE || item->verb == WS_PUT || item->verb == WS_GET || item->verb == WS_STORE ||
	    item->verb == WS_LOAD)
		return ws_fail(error, WS_EUNSUPPORTED, "%s is not available in this build",
			       ws_verb_row(item->verb)->name);
	if (!ws_place_is_set(&item->engine.place))
		return ws_fail(error, WS_EINVAL, "an item names no engine");
	return WS_OK;
}

static int add_lanes(struct step_activity *step, struct ws_session *session, struct ws_error *error)
{
	for (int i = 0; i < step->step->item_count; i++) {
		const struct ws_item *item = &step->step->items[i];
		bool own = false;
		int rc = is_own(session, item, &own, error);

		for (int lane = 0; own && rc == WS_OK && lane < ws_verb_row(item->verb)->lanes; lane++)
			rc = step_lane_init(&step->lanes[step->lane_count++], session, item, i, lane, error);
		if (rc != WS_OK)
			return rc;
	}
	return WS_OK;
}

/* Loops of a shot are limited by where marks are kept, and by what can be queued before the gate opens. */
static void limit_loops(struct step_activity *step, const struct step_lane *lane)
{
	const uint32_t depth = lane->backend->ops->queue_depth / (uint32_t)step->lane_count;
	uint32_t most = ws_item_flag(&lane->item, "marks") ? MARKED_LOOPS_MAX : 0;

	if (lane->backend->ops->queue_depth && (!most || depth < most))
		most = depth > 0 ? depth : 1;
	if (most && (!step->activity.loops_max || most < step->activity.loops_max))
		step->activity.loops_max = most;
}

static void sort_lanes(struct step_activity *step)
{
	int count = 0;

	for (int interfering = 1; interfering >= 0; interfering--) {
		for (int i = 0; i < step->lane_count; i++)
			if (step->lanes[i].interfering == (interfering == 1))
				step->order[count++] = &step->lanes[i];
		if (interfering)
			step->interfering_count = count;
	}
	for (int i = 0; i < step->lane_count; i++) {
		const struct step_lane *lane = &step->lanes[i];
		int k = 0;

		while (k < step->backend_count && step->backends[k] != lane->backend)
			k++;
		if (k == step->backend_count)
			step->backends[step->backend_count++] = lane->backend;
		if (step_lane_on_cpu(lane) || !lane->backend->ops->gate || step->settings->ungated ||
		    ws_item_flag(&lane->item, "ungated"))
			step->activity.sleeps = true;
		limit_loops(step, lane);
	}
}

int ws_step_activity_new(struct ws_session *session, const struct ws_step *step, const struct ws_settings *settings,
			 struct ws_activity **out, struct ws_error *error)
{
	struct step_activity *activity = aligned_alloc(_Alignof(struct step_activity), sizeof(*activity));
	const size_t most = 2 * (size_t)step->item_count;
	int rc;

	if (!activity)
		return ws_fail(error, WS_ENOMEM, "no memory for a step of %d items", step->item_count);
	memset(activity, 0, sizeof(*activity));
	activity->activity.ops = &step_ops;
	activity->session = session;
	activity->step = step;
	activity->settings = settings;
	activity->link_counters.step = step;
	activity->lanes = calloc(most, sizeof(*activity->lanes));
	activity->order = calloc(most, sizeof(*activity->order));
	activity->backends = calloc(most, sizeof(*activity->backends));
	if (activity->lanes && activity->order && activity->backends)
		rc = add_lanes(activity, session, error);
	else
		rc = ws_fail(error, WS_ENOMEM, "no memory for a step of %d items", step->item_count);
	if (rc == WS_OK)
		sort_lanes(activity);
	if (rc == WS_OK && activity->lane_count > 0) {
		*out = &activity->activity;
		return WS_OK;
	}
	if (rc == WS_OK)
		*out = NULL;
	step_free(&activity->activity);
	return rc;
}
