/* What a rank other than 0 does. */
#include "plan/follow.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "activity/part.h"
#include "activity/wire.h"
#include "activity/wire_record.h"
#include "base/clock.h"
#include "base/item.h"
#include "base/record.h"

#define POLL_SLEEP_NS 5000000 /* as rank 0 polls its own */
#define SEND_NS 30000000000   /* rank 0 is busy or gone */

/* A step that rank 0 has opened; those of one group are open together. */
struct open_step {
	int64_t handle;
	struct ws_activity *activity;
	int item_count;  /* of the whole step */
	bool *mine;      /* these and the next by item of the whole step */
	uint32_t *loops; /* of the shot, and those that trail */
	bool *done, *told, *fresh; /* ended; rank 0 knows; not yet */
	struct ws_shot shot; /* as armed */
	struct open_step *next;
};

struct follower {
	struct ws_ranks *ranks;
	const struct ws_follow_options *options;
	const struct ws_activity_source *source; /* NULL until opened */
	struct open_step *steps;
	bool lost;
};

static int64_t now(void)
{
	return ws_clock_now_ns(ws_clock_monotonic());
}

static int64_t deadline(const struct ws_order *order)
{
	const int64_t start_ns = now();

	return order->within_ns < INT64_MAX - start_ns ? start_ns + order->within_ns : INT64_MAX;
}

static struct open_step *find_step(const struct follower *follower, int64_t handle)
{
	struct open_step *step = follower->steps;

	while (step && step->handle != handle)
		step = step->next;
	return step;
}

/* A value for an answer, under its key; takes over the value, NULL if there was no memory for it. */
static int give(json_t *into, const char *key, json_t *value, struct ws_error *error)
{
	if (json_object_set_new(into, key, value) == 0)
		return WS_OK;
	return ws_fail(error, WS_ENOMEM, "no memory for an answer, or a number in it is not finite");
}

static int answer(struct follower *follower, int64_t id, int status, const struct ws_error *why, json_t *data,
		  struct ws_error *error)
{
	struct ws_answer message = {.id = id, .status = status, .data = status == WS_OK ? data : NULL};
	struct ws_error too_long = {0};
	char *text = NULL;
	size_t size = 0;
	int rc;

	ws_wire_copy(message.text, sizeof(message.text), why->text[0] ? why->text : ws_status_name(status));
	rc = ws_answer_print(&message, &text, &size, &too_long);
	if (rc != WS_OK) {
		message.status = rc;
		message.data = NULL;
		ws_wire_copy(message.text, sizeof(message.text), too_long.text);
		rc = ws_answer_print(&message, &text, &size, error);
	}
	if (rc == WS_OK)
		rc = follower->ranks->ops->send(follower->ranks, 0, text, size, now() + SEND_NS, error);
	free(text);
	return rc;
}

static void free_step(struct follower *follower, struct open_step *step)
{
	struct open_step **at = &follower->steps;

	while (*at && *at != step)
		at = &(*at)->next;
	if (*at)
		*at = step->next;
	if (step->activity)
		step->activity->ops->free(step->activity);
	free(step->mine);
	free(step->loops);
	free(step->done);
	free(step->told);
	free(step->fresh);
	free(step);
}

static int do_places(struct follower *follower, const struct ws_order *order, json_t *into, struct ws_error *error)
{
	const char *families = json_string_value(json_object_get(order->data, "families"));
	const struct ws_activity_source *source = NULL;
	const struct ws_places *places = NULL;
	int rc = follower->options->open(follower->options->context, families, &places, &source, error);

	if (rc != WS_OK)
		return rc;
	follower->source = source;
	return give(into, "places", ws_wire_places(places), error);
}

/* Makes this rank's places ready that the plan will use. */
static int do_begin(const struct follower *follower, const struct ws_order *order, struct ws_error *error)
{
	const struct ws_activity_source *source = follower->source;
	struct ws_place *places = NULL;
	int count = 0, rc;

	if (!source)
		return ws_fail(error, WS_EINVAL, "a plan was to begin before the places");
	rc = ws_wire_read_place_names(json_object_get(order->data, "places"), &places, &count, error);
	if (rc == WS_OK && source->begin)
		rc = source->begin(source->context, places, count, order->within_ns, error);
	free(places);
	return rc;
}

/* Opens this rank's items of the step of a plan with one step. */
static int open_part(struct follower *follower, const struct ws_plan *plan, struct open_step *open,
		     struct ws_error *error)
{
	const struct ws_step *step = &plan->steps[0];
	const size_t count = (size_t)step->item_count + 1;
	const int rank = follower->ranks->rank;
	bool some = false;
	int rc;

	open->item_count = step->item_count;
	open->mine = calloc(count, sizeof(*open->mine));
	open->loops = calloc(2 * count, sizeof(*open->loops));
	open->done = calloc(count, sizeof(*open->done));
	open->told = calloc(count, sizeof(*open->told));
	open->fresh = calloc(count, sizeof(*open->fresh));
	if (!open->mine || !open->loops || !open->done || !open->told || !open->fresh)
		return ws_fail(error, WS_ENOMEM, "no memory for a step of %d items", step->item_count);
	rc = ws_part_check(step, follower->ranks->size, error);
	if (rc != WS_OK)
		return rc;
	for (int i = 0; i < step->item_count; i++) {
		open->mine[i] = ws_part_takes(&step->items[i], rank);
		some = some || open->mine[i];
	}
	if (!some)
		return ws_fail(error, WS_EINVAL, "no item of the step is this rank's");
	return ws_part_open(follower->source, step, &plan->settings, rank, &open->activity, error);
}

static int do_open(struct follower *follower, const struct ws_order *order, json_t *into, struct ws_error *error)
{
	const json_t *text = json_object_get(order->data, "plan");
	struct open_step *open;
	struct ws_plan plan = {0};
	int rc;

	if (!json_is_string(text) || !follower->source)
		return ws_fail(error, WS_EINVAL, "a step was to be opened without a plan, or before the places");
	rc = ws_plan_parse(json_string_value(text), json_string_length(text), follower->options->find, &plan, error);
	if (rc != WS_OK)
		return rc;
	open = calloc(1, sizeof(*open));
	if (!open)
		rc = ws_fail(error, WS_ENOMEM, "no memory for a step");
	else if (plan.step_count != 1)
		rc = ws_fail(error, WS_EINVAL, "a plan of %d steps was sent where one is opened", plan.step_count);
	else
		rc = open_part(follower, &plan, open, error);
	ws_plan_release(&plan);
	if (rc == WS_OK)
		rc = give(into, "sleeps", json_boolean(open->activity->sleeps), error);
	if (rc == WS_OK)
		rc = give(into, "loops_max", json_integer(open->activity->loops_max), error);
	if (rc != WS_OK) {
		if (open)
			free_step(follower, open);
		return rc;
	}
	open->handle = order->id;
	open->next = follower->steps;
	follower->steps = open;
	return WS_OK;
}

static int post(struct open_step *step, enum ws_phase phase, const void *argument, int64_t until_ns,
		struct ws_error *error)
{
	const struct ws_activity_ops *ops = step->activity->ops;

	return ops->post ? ops->post(step->activity, phase, argument, until_ns, error) : WS_OK;
}

static int do_offer(struct open_step *step, int64_t until_ns, json_t *into, struct ws_error *error)
{
	json_t *offers = json_object();
	int rc = offers ? post(step, WS_PHASE_OFFER, NULL, until_ns, error)
			: ws_fail(error, WS_ENOMEM, "no memory for offers");

	if (rc == WS_OK && step->activity->ops->offer)
		rc = step->activity->ops->offer(step->activity, until_ns, offers, error);
	if (rc == WS_OK)
		return give(into, "offers", offers, error);
	json_decref(offers);
	return rc;
}

static int do_prepare(struct open_step *step, const struct ws_order *order, int64_t until_ns, struct ws_error *error)
{
	const json_t *offers = json_object_get(order->data, "offers");
	int rc;

	if (!json_is_object(offers))
		return ws_fail(error, WS_EINVAL, "a step was to be prepared without offers");
	rc = post(step, WS_PHASE_PREPARE, offers, until_ns, error);
	return rc == WS_OK ? step->activity->ops->prepare(step->activity, offers, until_ns, error) : rc;
}

static int do_refill(struct open_step *step, const struct ws_order *order, int64_t until_ns, struct ws_error *error)
{
	uint64_t seed = 0;
	int rc = ws_wire_read_number(json_object_get(order->data, "seed"), "seed", &seed, error);

	if (rc == WS_OK)
		rc = post(step, WS_PHASE_REFILL, &seed, until_ns, error);
	return rc == WS_OK ? step->activity->ops->refill(step->activity, seed, until_ns, error) : rc;
}

static int do_arm(struct open_step *step, const struct ws_order *order, int64_t until_ns, struct ws_error *error)
{
	const json_t *shot = json_object_get(order->data, "shot");
	int rc = ws_wire_read_shot(shot, step->item_count, step->loops, &step->shot, error);

	if (rc == WS_OK)
		rc = post(step, WS_PHASE_ARM, &step->shot, until_ns, error);
	return rc == WS_OK ? step->activity->ops->arm(step->activity, &step->shot, until_ns, error) : rc;
}

static int do_read(struct open_step *step, int64_t until_ns, json_t *into, struct ws_error *error)
{
	struct ws_sample sample = {0};
	int rc = post(step, WS_PHASE_READ, NULL, until_ns, error);

	if (rc == WS_OK)
		rc = step->activity->ops->read(step->activity, until_ns, &sample, error);
	if (rc == WS_OK)
		rc = give(into, "sample", ws_wire_sample(&sample), error);
	ws_sample_release(&sample);
	return rc;
}

static int do_verify(struct open_step *step, int64_t until_ns, json_t *into, struct ws_error *error)
{
	struct ws_check check = {.rank = WS_RANK_NONE};
	int rc = post(step, WS_PHASE_VERIFY, NULL, until_ns, error);

	if (rc == WS_OK)
		rc = step->activity->ops->verify(step->activity, until_ns, &check, error);
	return rc == WS_OK ? give(into, "check", ws_wire_check(&check), error) : rc;
}

static int do_path(struct open_step *step, json_t *into, struct ws_error *error)
{
	json_t *path = json_object();
	int rc = path ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory for facts of a path");

	if (rc == WS_OK && step->activity->ops->path)
		rc = step->activity->ops->path(step->activity, path, error);
	if (rc == WS_OK)
		return give(into, "path", path, error);
	json_decref(path);
	return rc;
}

static int do_cancel(struct follower *follower, struct open_step *step, struct ws_error *error)
{
	if (step->activity->ops->cancel(step->activity) != WS_ELOST)
		return WS_OK;
	/* Never touched again, not even to free it. */
	step->activity = NULL;
	follower->lost = true;
	return ws_fail(error, WS_ELOST, "something it measures with does not answer any more");
}

/* Sends the items that have ended since the last time; *left counts those that have not. */
static int tell_ended(struct follower *follower, const struct open_step *step, int64_t id, int *left,
		      struct ws_error *error)
{
	struct ws_error why = {0};
	json_t *data;
	bool some = false;
	int rc;

	*left = 0;
	for (int i = 0; i < step->item_count; i++) {
		step->fresh[i] = step->mine[i] && step->done[i] && !step->told[i];
		step->told[i] = step->told[i] || step->fresh[i];
		some = some || step->fresh[i];
		*left += step->mine[i] && !step->done[i];
	}
	if (!some)
		return WS_OK;
	data = json_object();
	rc = give(data, "ended", ws_wire_items(step->fresh, step->item_count), &why);
	rc = answer(follower, id, rc, &why, data, error);
	json_decref(data);
	return rc;
}

/* The next order; *got = false if there is none. deadline 0: does not wait. */
static int hear(struct follower *follower, int64_t deadline_ns, struct ws_order *order, bool *got,
		struct ws_error *error)
{
	char *text = NULL;
	size_t size = 0;
	int rc = follower->ranks->ops->receive(follower->ranks, 0, deadline_ns, &text, &size, error);

	*got = false;
	if (rc != WS_OK || !text)
		return rc;
	rc = ws_order_parse(text, size, order, error);
	free(text);
	*got = rc == WS_OK;
	return rc;
}

/* What rank 0 may say while a sample runs: stop, or cancel, after which the sample is over. */
static int hear_during_sample(struct follower *follower, struct open_step *step, bool *over, struct ws_error *error)
{
	struct ws_error why = {0};
	struct ws_order order;
	bool got = false;
	int rc = hear(follower, 0, &order, &got, error);

	if (rc != WS_OK || !got)
		return rc;
	if (order.kind == WS_ORDER_STOP && order.step == step->handle) {
		if (step->activity->ops->stop)
			step->activity->ops->stop(step->activity);
	} else if (order.kind == WS_ORDER_CANCEL && order.step == step->handle) {
		*over = true;
		rc = do_cancel(follower, step, &why);
		rc = answer(follower, order.id, rc, &why, NULL, error);
	} else {
		rc = ws_fail(error, WS_ECORRUPT, "rank 0 orders to %s while a sample runs", ws_order_name(order.kind));
	}
	ws_order_release(&order);
	return rc;
}

/* From the gate's opening to the end of the last item, of which rank 0 is told as they end. */
static int do_release(struct follower *follower, struct open_step *step, int64_t id, struct ws_error *error)
{
	const bool sleeps = step->activity->sleeps;
	struct ws_error why = {0};
	bool over = false;
	int left, rc;

	memset(step->done, 0, (size_t)step->item_count * sizeof(*step->done));
	memset(step->told, 0, (size_t)step->item_count * sizeof(*step->told));
	step->activity->ops->release(step->activity);
	while (!over) {
		rc = step->activity->ops->poll(step->activity, sleeps ? now() + POLL_SLEEP_NS : 0, step->done, &why);
		if (rc != WS_OK)
			return answer(follower, id, rc, &why, NULL, error);
		rc = tell_ended(follower, step, id, &left, error);
		if (rc != WS_OK || left == 0)
			return rc;
		rc = hear_during_sample(follower, step, &over, error);
		if (rc != WS_OK)
			return rc;
	}
	return WS_OK;
}

static int do_step(struct follower *follower, struct open_step *step, const struct ws_order *order, json_t *into,
		   struct ws_error *error)
{
	const int64_t until_ns = deadline(order);

	switch (order->kind) {
	case WS_ORDER_OFFER:
		return do_offer(step, until_ns, into, error);
	case WS_ORDER_PREPARE:
		return do_prepare(step, order, until_ns, error);
	case WS_ORDER_REFILL:
		return do_refill(step, order, until_ns, error);
	case WS_ORDER_ARM:
		return do_arm(step, order, until_ns, error);
	case WS_ORDER_READ:
		return do_read(step, until_ns, into, error);
	case WS_ORDER_VERIFY:
		return do_verify(step, until_ns, into, error);
	case WS_ORDER_CANCEL:
		return do_cancel(follower, step, error);
	case WS_ORDER_PATH:
		return do_path(step, into, error);
	default:
		return ws_fail(error, WS_EINVAL, "\"%s\" is no order for a step", ws_order_name(order->kind));
	}
}

static int carry_out(struct follower *follower, struct open_step *step, const struct ws_order *order, json_t *into,
		     struct ws_error *error)
{
	if (order->kind == WS_ORDER_PLACES)
		return do_places(follower, order, into, error);
	if (order->kind == WS_ORDER_BEGIN)
		return do_begin(follower, order, error);
	if (order->kind == WS_ORDER_OPEN)
		return do_open(follower, order, into, error);
	if (order->kind == WS_ORDER_FREE) {
		if (step)
			free_step(follower, step);
		return WS_OK;
	}
	if (!step)
		return ws_fail(error, WS_EINVAL, "no such step is open");
	if (!step->activity)
		return ws_fail(error, WS_ELOST, "what the step measures with does not answer any more");
	return do_step(follower, step, order, into, error);
}

/* Does what an order says, and answers. Fails only where the conversation cannot go on. */
static int obey(struct follower *follower, const struct ws_order *order, struct ws_error *error)
{
	struct open_step *step = find_step(follower, order->step);
	struct ws_error why = {0};
	json_t *data;
	int rc;

	/* A stop that came after the end it asked for wants nothing and no answer. */
	if (order->kind == WS_ORDER_STOP)
		return WS_OK;
	if (order->kind == WS_ORDER_RELEASE && step && step->activity)
		return do_release(follower, step, order->id, error);
	data = json_object();
	rc = carry_out(follower, step, order, data, &why);
	rc = answer(follower, order->id, rc, &why, data, error);
	json_decref(data);
	return rc;
}

/* Rank 0 is gone: whatever runs is ended first. */
static void free_all(struct follower *follower)
{
	while (follower->steps) {
		struct open_step *step = follower->steps;

		if (step->activity && step->activity->ops->cancel(step->activity) == WS_ELOST) {
			step->activity = NULL;
			follower->lost = true;
		}
		free_step(follower, step);
	}
}

int ws_follow(struct ws_ranks *ranks, const struct ws_follow_options *options, bool *lost, struct ws_error *error)
{
	struct follower follower = {.ranks = ranks, .options = options};
	struct ws_error why = {0};
	struct ws_order order;
	bool got = false;
	int rc = WS_OK;

	while (rc == WS_OK) {
		rc = hear(&follower, INT64_MAX, &order, &got, &why);
		if (rc != WS_OK)
			break;
		rc = obey(&follower, &order, &why);
		ws_order_release(&order);
	}
	free_all(&follower);
	*lost = follower.lost;
	return rc == WS_ELOST ? WS_OK : ws_fail(error, rc, "%s", why.text);
}
