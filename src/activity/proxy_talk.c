/* Rank 0's conversation with the others, and the source that opens steps over all of them. */
#include "activity/proxy_talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "activity/part.h"
#include "activity/wire_record.h"
#include "base/clock.h"
#include "base/place.h"

#define GRACE_NS 500000000

struct other {
	int64_t busy_until_ns; /* the deadline of what it was last told to do, and hears nothing before; 0 = nothing */
	bool silent;	       /* past a deadline that it was told */
	bool lost;
	char why[400];
};

struct ws_proxies {
	struct ws_ranks *ranks;
	struct ws_activity_source local;
	struct other *others; /* by rank */
	int64_t last_id;
	char *settings_text;
	struct ws_activity **lost; /* proxies that their owners may not free */
	int lost_count;
};

static int64_t now(void)
{
	return ws_clock_now_ns(ws_clock_monotonic());
}

/* A rank that is not asked again, and why. */
static int lose(struct other *other, int rc, const struct ws_error *cause, struct ws_error *error)
{
	if (rc == WS_ELOST || rc == WS_ECORRUPT) {
		other->lost = true;
		snprintf(other->why, sizeof(other->why), "%s", cause->text);
	}
	return ws_fail(error, rc, "%s", cause->text);
}

/* Orders that are no work with a deadline of its own. A sample is ended by the orders to stop and to cancel. */
static bool is_heard_at_once(enum ws_order_kind kind)
{
	return kind == WS_ORDER_RELEASE || kind == WS_ORDER_STOP || kind == WS_ORDER_CANCEL || kind == WS_ORDER_FREE;
}

int ws_talk_send(struct ws_proxies *proxies, int rank, enum ws_order_kind kind, int64_t step, const json_t *data,
		 int64_t deadline_ns, int64_t *id, struct ws_error *error)
{
	struct other *other = &proxies->others[rank];
	const int64_t left_ns = deadline_ns - now();
	const struct ws_order order = {
		.id = proxies->last_id + 1,
		.kind = kind,
		.step = step,
		.within_ns = left_ns > 0 ? left_ns : 0,
		.data = (json_t *)(uintptr_t)data,
	};
	struct ws_error cause = {0};
	char *text = NULL;
	size_t size = 0;
	int rc;

	if (other->lost)
		return ws_fail(error, WS_ELOST, "%s", other->why);
	rc = ws_order_print(&order, &text, &size, error);
	if (rc != WS_OK)
		return rc;
	rc = proxies->ranks->ops->send(proxies->ranks, rank, text, size, deadline_ns, &cause);
	free(text);
	if (rc != WS_OK)
		return lose(other, rc == WS_ETIMEOUT ? WS_ELOST : rc, &cause, error);
	proxies->last_id = order.id;
	*id = order.id;
	if (!is_heard_at_once(kind))
		other->busy_until_ns = deadline_ns;
	return WS_OK;
}

/* The next message. While a sample runs nobody finds out why a rank is silent: that costs time, and most are busy. */
static int next_message(struct ws_proxies *proxies, int rank, int64_t until_ns, bool sampling, char **text,
			size_t *size, struct ws_error *error)
{
	struct ws_ranks *ranks = proxies->ranks;
	int rc = ranks->ops->receive(ranks, rank, until_ns, text, size, sampling ? NULL : error);

	/* A lost one stays lost, and says why when it is asked again. */
	if (sampling && rc != WS_OK && rc != WS_ETIMEOUT)
		rc = ranks->ops->receive(ranks, rank, 0, text, size, error);
	return rc;
}

/* The next answer to an order, *got = false if none has come. Answers to earlier ones are nobody's any more. */
static int next_answer(struct ws_proxies *proxies, int rank, int64_t id, int64_t until_ns, bool sampling,
		       struct ws_answer *answer, bool *got, struct ws_error *error)
{
	char *text = NULL;
	size_t size = 0;
	int rc;

	*got = false;
	for (;;) {
		rc = next_message(proxies, rank, until_ns, sampling, &text, &size, error);
		if (rc != WS_OK || !text)
			return rc;
		rc = ws_answer_parse(text, size, answer, error);
		free(text);
		if (rc == WS_OK && answer->id > id)
			rc = ws_fail(error, WS_ECORRUPT, "answers what it was not asked");
		if (rc != WS_OK) {
			char who[80], what[sizeof(error->text)];

			proxies->ranks->ops->describe(proxies->ranks, rank, who, sizeof(who));
			memcpy(what, error->text, sizeof(what));
			*error = (struct ws_error){0};
			return ws_fail(error, rc, "%s %.300s", who, what);
		}
		if (answer->id == id) {
			*got = true;
			return WS_OK;
		}
		ws_answer_release(answer);
	}
}

/* What an answer says; its data goes to *data, which may be NULL. */
static int take_answer(int rank, struct ws_answer *answer, json_t **data, struct ws_error *error)
{
	const int rc = answer->status;

	if (rc != WS_OK)
		ws_fail(error, rc, "rank %d: %.380s", rank, answer->text);
	else if (data)
		*data = json_incref(answer->data);
	ws_answer_release(answer);
	return rc;
}

int ws_talk_answer(struct ws_proxies *proxies, int rank, enum ws_order_kind kind, int64_t id, int64_t deadline_ns,
		   json_t **data, struct ws_error *error)
{
	struct other *other = &proxies->others[rank];
	const bool last_word = kind == WS_ORDER_CANCEL || kind == WS_ORDER_FREE;
	int64_t until_ns = deadline_ns + GRACE_NS;
	struct ws_error cause = {0};
	struct ws_answer answer;
	bool got = false;
	int rc;

	if (other->lost)
		return ws_fail(error, WS_ELOST, "%s", other->why);
	if (last_word && other->busy_until_ns + GRACE_NS > until_ns)
		until_ns = other->busy_until_ns + GRACE_NS;
	if (other->silent)
		until_ns = now() + GRACE_NS;
	rc = next_answer(proxies, rank, id, until_ns, false, &answer, &got, &cause);
	if (rc == WS_OK) {
		other->silent = false;
		other->busy_until_ns = 0;
		return take_answer(rank, &answer, data, error);
	}
	if (rc == WS_ETIMEOUT) {
		other->silent = now() >= other->busy_until_ns;
		if (!last_word)
			return ws_fail(error, rc, "%.320s (asked to %s)", cause.text, ws_order_name(kind));
		rc = WS_ELOST;
	}
	return lose(other, rc, &cause, error);
}

int ws_talk_listen(struct ws_proxies *proxies, int rank, int64_t id, int64_t wait_until_ns, json_t **data,
		   struct ws_error *error)
{
	struct other *other = &proxies->others[rank];
	struct ws_error cause = {0};
	struct ws_answer answer;
	bool got = false;
	int rc;

	*data = NULL;
	if (other->lost)
		return ws_fail(error, WS_ELOST, "%s", other->why);
	rc = next_answer(proxies, rank, id, wait_until_ns, true, &answer, &got, &cause);
	if (rc == WS_ETIMEOUT)
		return WS_OK;
	if (rc != WS_OK)
		return lose(other, rc, &cause, error);
	return got ? take_answer(rank, &answer, data, error) : WS_OK;
}

int ws_proxies_new(struct ws_ranks *ranks, const struct ws_activity_source *local, struct ws_proxies **out,
		   struct ws_error *error)
{
	struct ws_proxies *proxies = calloc(1, sizeof(*proxies));

	if (proxies)
		proxies->others = calloc((size_t)ranks->size, sizeof(*proxies->others));
	if (!proxies || !proxies->others) {
		free(proxies);
		return ws_fail(error, WS_ENOMEM, "no memory for %d ranks", ranks->size);
	}
	proxies->ranks = ranks;
	proxies->local = *local;
	*out = proxies;
	return WS_OK;
}

void ws_proxies_free(struct ws_proxies *proxies)
{
	if (!proxies)
		return;
	for (int i = 0; i < proxies->lost_count; i++)
		ws_proxy_discard(proxies->lost[i]);
	free(proxies->lost);
	free(proxies->others);
	free(proxies->settings_text);
	free(proxies);
}

void ws_talk_keep(struct ws_proxies *proxies, struct ws_activity *proxy)
{
	const size_t count = (size_t)proxies->lost_count + 1;
	struct ws_activity **lost = realloc(proxies->lost, count * sizeof(struct ws_activity *));

	/* Without memory for that it stays as it is. */
	if (!lost)
		return;
	proxies->lost = lost;
	lost[proxies->lost_count++] = proxy;
}

static int add_places(const json_t *list, int rank, struct ws_places *into, struct ws_error *error)
{
	struct ws_error cause = {0};
	int rc = ws_wire_read_places(list, rank, into, &cause);

	return rc == WS_OK ? rc : ws_fail(error, rc, "rank %d %s", rank, cause.text);
}

/* Rank 0's own places take the same way as those of the others. */
static int own_places(const struct ws_places *local, struct ws_places *into, struct ws_error *error)
{
	json_t *list = ws_wire_places(local);
	int rc =
		list ? add_places(list, 0, into, error) : ws_fail(error, WS_ENOMEM, "no memory for the list of places");

	json_decref(list);
	return rc;
}

int ws_proxies_places(struct ws_proxies *proxies, const char *families, const struct ws_places *local,
		      int64_t timeout_ns, struct ws_places *out, struct ws_error *error)
{
	const int64_t until_ns = now() + timeout_ns;
	const int size = proxies->ranks->size;
	int64_t *ids = calloc((size_t)size, sizeof(*ids));
	struct ws_places places = {0};
	json_t *data = json_pack("{s:s*}", "families", families);
	int rc = ids && data ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory for %d ranks", size);

	for (int i = 0; size == 1 && rc == WS_OK && i < local->count; i++)
		rc = ws_places_add(&places, &local->at[i], error);
	for (int i = 1; i < size && rc == WS_OK; i++)
		rc = ws_talk_send(proxies, i, WS_ORDER_PLACES, 0, data, until_ns, &ids[i], error);
	if (rc == WS_OK && size > 1)
		rc = own_places(local, &places, error);
	for (int i = 1; i < size && rc == WS_OK; i++) {
		json_t *answer = NULL;

		rc = ws_talk_answer(proxies, i, WS_ORDER_PLACES, ids[i], until_ns, &answer, error);
		if (rc == WS_OK)
			rc = add_places(json_object_get(answer, "places"), i, &places, error);
		json_decref(answer);
	}
	json_decref(data);
	free(ids);
	if (rc == WS_OK)
		*out = places;
	else
		ws_places_release(&places);
	return rc;
}

/* What a rank cannot be told it says itself once a step needs it; *id = 0 then. */
static int tell_begin(struct ws_proxies *proxies, int rank, const struct ws_place *own, int count, int64_t until_ns,
		      int64_t *id, struct ws_error *error)
{
	json_t *names = ws_wire_place_names(own, count), *data = json_pack("{s:O}", "places", names);
	int rc = data ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory for an order to rank %d", rank);

	if (rc == WS_OK && ws_talk_send(proxies, rank, WS_ORDER_BEGIN, 0, data, until_ns, id, NULL) != WS_OK)
		*id = 0;
	json_decref(data);
	json_decref(names);
	return rc;
}

/* All ranks make ready what is theirs at the same time. */
static int begin(void *context, const struct ws_place *places, int count, int64_t timeout_ns, struct ws_error *error)
{
	struct ws_proxies *proxies = context;
	const int64_t until_ns = now() + timeout_ns;
	const int size = proxies->ranks->size;
	struct ws_place *own = calloc((size_t)count, sizeof(*own));
	int64_t *ids = calloc((size_t)size, sizeof(*ids));
	int found, rc = own && ids ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory for %d ranks", size);

	for (int i = 1; i < size && rc == WS_OK; i++) {
		found = ws_place_pick(places, count, i, NULL, own);
		if (found > 0)
			rc = tell_begin(proxies, i, own, found, until_ns, &ids[i], error);
	}
	found = rc == WS_OK ? ws_place_pick(places, count, 0, NULL, own) : 0;
	if (found > 0 && proxies->local.begin)
		rc = proxies->local.begin(proxies->local.context, own, found, timeout_ns, error);
	for (int i = 1; i < size && rc == WS_OK; i++)
		if (ids[i])
			ws_talk_answer(proxies, i, WS_ORDER_BEGIN, ids[i], until_ns, NULL, NULL);
	free(own);
	free(ids);
	return rc;
}

static bool takes_part(const struct ws_step *step, int rank)
{
	for (int i = 0; i < step->item_count; i++)
		if (ws_part_takes(&step->items[i], rank))
			return true;
	return false;
}

/* The others begin, then rank 0's own, then all are waited for: opening may be slow. */
static int open_all(struct ws_proxies *proxies, const struct ws_step *step, const struct ws_settings *settings,
		    const char *plan_text, struct ws_activity **list, int *count, struct ws_error *error)
{
	const bool own = takes_part(step, 0);
	int rc = WS_OK;

	*count = own;
	for (int i = 1; i < proxies->ranks->size && rc == WS_OK; i++) {
		if (!takes_part(step, i))
			continue;
		rc = ws_proxy_start(proxies, i, step, plan_text, settings->timeout_ns, &list[*count], error);
		*count += rc == WS_OK;
	}
	if (rc == WS_OK && own)
		rc = ws_part_open(&proxies->local, step, settings, 0, &list[0], error);
	for (int i = own; i < *count && rc == WS_OK; i++)
		rc = ws_proxy_finish(list[i], error);
	return rc;
}

static int open_step(void *context, const struct ws_step *step, const struct ws_settings *settings,
		     struct ws_activity ***out, int *count, struct ws_error *error)
{
	struct ws_proxies *proxies = context;
	struct ws_activity **list = NULL;
	char *plan_text = NULL;
	int found = 0, rc = ws_part_check(step, proxies->ranks->size, error);

	if (rc != WS_OK)
		return rc;
	if (!step->text)
		return ws_fail(error, WS_EINVAL, "a step without its text cannot be sent to other ranks");
	list = calloc((size_t)proxies->ranks->size, sizeof(struct ws_activity *));
	if (!list || asprintf(&plan_text, "%s\n%s\n", proxies->settings_text, step->text) < 0) {
		free(list);
		return ws_fail(error, WS_ENOMEM, "no memory for a step over %d ranks", proxies->ranks->size);
	}
	rc = open_all(proxies, step, settings, plan_text, list, &found, error);
	free(plan_text);
	if (rc == WS_OK) {
		*out = list;
		*count = found;
		return WS_OK;
	}
	for (int i = 0; i < found; i++)
		if (list[i])
			list[i]->ops->free(list[i]);
	free(list);
	return rc;
}

int ws_proxies_source(struct ws_proxies *proxies, const char *settings_text, struct ws_activity_source *out,
		      struct ws_error *error)
{
	char *copy = strdup(settings_text);

	if (!copy)
		return ws_fail(error, WS_ENOMEM, "no memory for a plan's settings");
	free(proxies->settings_text);
	proxies->settings_text = copy;
	if (proxies->ranks->size == 1)
		*out = proxies->local;
	else
		*out = (struct ws_activity_source){.begin = begin, .open = open_step, .context = proxies};
	return WS_OK;
}
