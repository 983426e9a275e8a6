/* Other ranks as activities of rank 0. */
#include "activity/proxy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "activity/part.h"
#include "activity/proxy_talk.h"
#include "activity/wire_record.h"
#include "base/clock.h"

#define CANCEL_NS 5000000000 /* at most; less where the plan's timeout is shorter */

struct proxy {
	struct ws_activity activity; /* first */
	struct ws_proxies *proxies;
	int rank, item_count;
	bool *mine, *done;		/* by item of the step */
	int64_t step;			/* handle */
	int64_t posted[WS_ORDER_COUNT]; /* id of an order that was sent ahead, 0 = none */
	int64_t shot;			/* id of the order that released */
	int64_t timeout_ns;
	bool all_done;
	struct ws_error failed; /* of release and stop, which cannot say so */
};

static struct proxy *proxy_of(struct ws_activity *activity)
{
	return (struct proxy *)activity;
}

static int64_t now(void)
{
	return ws_clock_now_ns(ws_clock_monotonic());
}

/* Sends an order and takes over its data, which is NULL where there is no memory for it. */
static int send_data(struct proxy *proxy, enum ws_order_kind kind, json_t *data, int64_t deadline_ns,
		     struct ws_error *error)
{
	int rc = WS_OK;

	if (!data)
		return ws_fail(error, WS_ENOMEM, "no memory for an order to rank %d", proxy->rank);
	rc = ws_talk_send(proxy->proxies, proxy->rank, kind, proxy->step, data, deadline_ns, &proxy->posted[kind],
			  error);
	json_decref(data);
	return rc;
}

static int send_order(struct proxy *proxy, enum ws_order_kind kind, int64_t deadline_ns, struct ws_error *error)
{
	return ws_talk_send(proxy->proxies, proxy->rank, kind, proxy->step, NULL, deadline_ns, &proxy->posted[kind],
			    error);
}

/* Waits for the answer to an order that was sent; *data may be NULL: the answer's is not wanted. */
static int finish(struct proxy *proxy, enum ws_order_kind kind, int64_t deadline_ns, json_t **data,
		  struct ws_error *error)
{
	const int64_t id = proxy->posted[kind];

	proxy->posted[kind] = 0;
	return ws_talk_answer(proxy->proxies, proxy->rank, kind, id, deadline_ns, data, error);
}

static int send_offers(struct proxy *proxy, const json_t *offers, int64_t deadline_ns, struct ws_error *error)
{
	return send_data(proxy, WS_ORDER_PREPARE, json_pack("{s:O}", "offers", offers), deadline_ns, error);
}

static int send_seed(struct proxy *proxy, uint64_t seed, int64_t deadline_ns, struct ws_error *error)
{
	return send_data(proxy, WS_ORDER_REFILL, json_pack("{s:o}", "seed", ws_wire_number(seed)), deadline_ns, error);
}

static int send_shot(struct proxy *proxy, const struct ws_shot *shot, int64_t deadline_ns, struct ws_error *error)
{
	return send_data(proxy, WS_ORDER_ARM, json_pack("{s:o}", "shot", ws_wire_shot(shot, proxy->item_count)),
			 deadline_ns, error);
}

static int proxy_post(struct ws_activity *activity, enum ws_phase phase, const void *argument, int64_t deadline_ns,
		      struct ws_error *error)
{
	struct proxy *proxy = proxy_of(activity);

	switch (phase) {
	case WS_PHASE_OFFER:
		return send_order(proxy, WS_ORDER_OFFER, deadline_ns, error);
	case WS_PHASE_PREPARE:
		return send_offers(proxy, argument, deadline_ns, error);
	case WS_PHASE_REFILL:
		return send_seed(proxy, *(const uint64_t *)argument, deadline_ns, error);
	case WS_PHASE_ARM:
		return send_shot(proxy, argument, deadline_ns, error);
	case WS_PHASE_READ:
		return send_order(proxy, WS_ORDER_READ, deadline_ns, error);
	case WS_PHASE_VERIFY:
	default:
		return send_order(proxy, WS_ORDER_VERIFY, deadline_ns, error);
	}
}

static int proxy_offer(struct ws_activity *activity, int64_t deadline_ns, json_t *into, struct ws_error *error)
{
	struct proxy *proxy = proxy_of(activity);
	json_t *data = NULL, *offers;
	const char *key;
	json_t *value;
	int rc = finish(proxy, WS_ORDER_OFFER, deadline_ns, &data, error);

	if (rc != WS_OK)
		return rc;
	offers = json_object_get(data, "offers");
	json_object_foreach(offers, key, value)
	{
		if (json_object_get(into, key))
			rc = ws_fail(error, WS_EINVAL, "rank %d offers \"%.40s\", which another has offered already",
				     proxy->rank, key);
		else if (json_object_set(into, key, value) < 0)
			rc = ws_fail(error, WS_ENOMEM, "no memory for the offers of rank %d", proxy->rank);
		if (rc != WS_OK)
			break;
	}
	json_decref(data);
	return rc;
}

static int proxy_prepare(struct ws_activity *activity, const json_t *offers, int64_t deadline_ns,
			 struct ws_error *error)
{
	struct proxy *proxy = proxy_of(activity);
	int rc = proxy->posted[WS_ORDER_PREPARE] ? WS_OK : send_offers(proxy, offers, deadline_ns, error);

	return rc == WS_OK ? finish(proxy, WS_ORDER_PREPARE, deadline_ns, NULL, error) : rc;
}

static int proxy_refill(struct ws_activity *activity, uint64_t seed, int64_t deadline_ns, struct ws_error *error)
{
	struct proxy *proxy = proxy_of(activity);
	int rc = proxy->posted[WS_ORDER_REFILL] ? WS_OK : send_seed(proxy, seed, deadline_ns, error);

	return rc == WS_OK ? finish(proxy, WS_ORDER_REFILL, deadline_ns, NULL, error) : rc;
}

static int proxy_arm(struct ws_activity *activity, const struct ws_shot *shot, int64_t deadline_ns,
		     struct ws_error *error)
{
	struct proxy *proxy = proxy_of(activity);
	int rc = proxy->posted[WS_ORDER_ARM] ? WS_OK : send_shot(proxy, shot, deadline_ns, error);

	memset(proxy->done, 0, (size_t)proxy->item_count * sizeof(*proxy->done));
	proxy->all_done = false;
	proxy->failed = (struct ws_error){0};
	return rc == WS_OK ? finish(proxy, WS_ORDER_ARM, deadline_ns, NULL, error) : rc;
}

static void proxy_release(struct ws_activity *activity)
{
	struct proxy *proxy = proxy_of(activity);

	send_order(proxy, WS_ORDER_RELEASE, now() + proxy->timeout_ns, &proxy->failed);
	proxy->shot = proxy->posted[WS_ORDER_RELEASE];
	proxy->posted[WS_ORDER_RELEASE] = 0;
}

static bool is_all_done(const struct proxy *proxy)
{
	for (int i = 0; i < proxy->item_count; i++)
		if (proxy->mine[i] && !proxy->done[i])
			return false;
	return true;
}

static int proxy_poll(struct ws_activity *activity, int64_t wait_until_ns, bool *item_done, struct ws_error *error)
{
	struct proxy *proxy = proxy_of(activity);
	struct ws_error cause = {0};
	int rc = WS_OK;

	if (proxy->failed.code != WS_OK)
		return ws_fail(error, proxy->failed.code, "%s", proxy->failed.text);
	/* Ends come in answers of their own. One is waited for; what came with it is taken as well. */
	for (int64_t until_ns = wait_until_ns; !proxy->all_done; until_ns = 0) {
		json_t *data = NULL;

		rc = ws_talk_listen(proxy->proxies, proxy->rank, proxy->shot, until_ns, &data, error);
		if (rc != WS_OK || !data)
			break;
		rc = ws_wire_read_items(json_object_get(data, "ended"), proxy->item_count, proxy->mine, proxy->done,
					&cause);
		json_decref(data);
		if (rc != WS_OK)
			return ws_fail(error, rc, "rank %d %s", proxy->rank, cause.text);
		proxy->all_done = is_all_done(proxy);
	}
	for (int i = 0; i < proxy->item_count; i++)
		if (proxy->done[i])
			item_done[i] = true;
	return rc;
}

static void proxy_stop(struct ws_activity *activity)
{
	struct proxy *proxy = proxy_of(activity);

	if (proxy->all_done || proxy->failed.code != WS_OK)
		return;
	send_order(proxy, WS_ORDER_STOP, now() + proxy->timeout_ns, &proxy->failed);
	proxy->posted[WS_ORDER_STOP] = 0;
}

/* Orders what was not posted, and waits for the answer's data, which the caller gives back. */
static int ask(struct proxy *proxy, enum ws_order_kind kind, int64_t deadline_ns, json_t **data, struct ws_error *error)
{
	int rc = proxy->posted[kind] ? WS_OK : send_order(proxy, kind, deadline_ns, error);

	return rc == WS_OK ? finish(proxy, kind, deadline_ns, data, error) : rc;
}

static int proxy_read(struct ws_activity *activity, int64_t deadline_ns, struct ws_sample *sample,
		      struct ws_error *error)
{
	struct proxy *proxy = proxy_of(activity);
	struct ws_error cause = {0};
	json_t *data = NULL;
	int rc = ask(proxy, WS_ORDER_READ, deadline_ns, &data, error);

	if (rc != WS_OK)
		return rc;
	rc = ws_wire_read_sample(json_object_get(data, "sample"), proxy->item_count, proxy->mine, sample, &cause);
	json_decref(data);
	return rc == WS_OK ? rc : ws_fail(error, rc, "rank %d %s", proxy->rank, cause.text);
}

static int proxy_verify(struct ws_activity *activity, int64_t deadline_ns, struct ws_check *check,
			struct ws_error *error)
{
	struct proxy *proxy = proxy_of(activity);
	struct ws_error cause = {0};
	json_t *data = NULL;
	int rc = ask(proxy, WS_ORDER_VERIFY, deadline_ns, &data, error);

	if (rc != WS_OK)
		return rc;
	rc = ws_wire_read_check(json_object_get(data, "check"), proxy->item_count, proxy->rank, check, &cause);
	json_decref(data);
	return rc == WS_OK ? rc : ws_fail(error, rc, "rank %d %s", proxy->rank, cause.text);
}

static void release_proxy(struct proxy *proxy)
{
	free(proxy->mine);
	free(proxy->done);
	free(proxy);
}

void ws_proxy_discard(struct ws_activity *activity)
{
	release_proxy(proxy_of(activity));
}

static int proxy_cancel(struct ws_activity *activity)
{
	struct proxy *proxy = proxy_of(activity);
	const int64_t until_ns = now() + (proxy->timeout_ns < CANCEL_NS ? proxy->timeout_ns : CANCEL_NS);
	int rc;

	/* What is still to be answered is answered before this. */
	memset(proxy->posted, 0, sizeof(proxy->posted));
	rc = send_order(proxy, WS_ORDER_CANCEL, until_ns, NULL);
	if (rc == WS_OK)
		rc = finish(proxy, WS_ORDER_CANCEL, until_ns, NULL, NULL);
	if (rc == WS_OK)
		return rc;
	/* Its owner lets go of it now. */
	ws_talk_keep(proxy->proxies, activity);
	return WS_ELOST;
}

static int proxy_path(struct ws_activity *activity, json_t *into, struct ws_error *error)
{
	struct proxy *proxy = proxy_of(activity);
	const int64_t until_ns = now() + proxy->timeout_ns;
	json_t *data = NULL, *path;
	int rc = send_order(proxy, WS_ORDER_PATH, until_ns, error);

	if (rc == WS_OK)
		rc = finish(proxy, WS_ORDER_PATH, until_ns, &data, error);
	if (rc != WS_OK)
		return rc;
	path = json_object_get(data, "path");
	if (json_is_object(path) && json_object_update(into, path) < 0)
		rc = ws_fail(error, WS_ENOMEM, "no memory for facts of a path");
	json_decref(data);
	return rc;
}

static void proxy_free(struct ws_activity *activity)
{
	struct proxy *proxy = proxy_of(activity);
	const int64_t until_ns = now() + proxy->timeout_ns;

	/* Waits: the next step must not be disturbed by memory that is being given back. */
	if (send_order(proxy, WS_ORDER_FREE, until_ns, NULL) == WS_OK)
		finish(proxy, WS_ORDER_FREE, until_ns, NULL, NULL);
	release_proxy(proxy);
}

static const struct ws_activity_ops proxy_ops = {
	.post = proxy_post,
	.offer = proxy_offer,
	.prepare = proxy_prepare,
	.refill = proxy_refill,
	.arm = proxy_arm,
	.release = proxy_release,
	.poll = proxy_poll,
	.stop = proxy_stop,
	.read = proxy_read,
	.verify = proxy_verify,
	.cancel = proxy_cancel,
	.path = proxy_path,
	.free = proxy_free,
};

int ws_proxy_start(struct ws_proxies *proxies, int rank, const struct ws_step *step, const char *plan_text,
		   int64_t timeout_ns, struct ws_activity **out, struct ws_error *error)
{
	const size_t count = (size_t)step->item_count;
	struct proxy *proxy = calloc(1, sizeof(*proxy));
	int rc = WS_OK;

	if (proxy) {
		proxy->mine = calloc(count, sizeof(*proxy->mine));
		proxy->done = calloc(count, sizeof(*proxy->done));
	}
	if (!proxy || !proxy->mine || !proxy->done) {
		rc = ws_fail(error, WS_ENOMEM, "no memory for a step of %zu items", count);
		goto out;
	}
	proxy->activity.ops = &proxy_ops;
	proxy->proxies = proxies;
	proxy->rank = rank;
	proxy->item_count = step->item_count;
	proxy->timeout_ns = timeout_ns;
	for (int i = 0; i < step->item_count; i++)
		proxy->mine[i] = ws_part_takes(&step->items[i], rank);
	rc = send_data(proxy, WS_ORDER_OPEN, json_pack("{s:o}", "plan", ws_wire_text(plan_text)), now() + timeout_ns,
		       error);
	proxy->step = proxy->posted[WS_ORDER_OPEN];
out:
	if (rc != WS_OK && proxy)
		release_proxy(proxy);
	else
		*out = &proxy->activity;
	return rc;
}

int ws_proxy_finish(struct ws_activity *activity, struct ws_error *error)
{
	struct proxy *proxy = proxy_of(activity);
	json_int_t loops_max = 0;
	json_t *data = NULL;
	int sleeps = 0;
	int rc = finish(proxy, WS_ORDER_OPEN, now() + proxy->timeout_ns, &data, error);

	if (rc != WS_OK)
		return rc;
	if (json_unpack(data, "{s:b,s:I}", "sleeps", &sleeps, "loops_max", &loops_max) < 0 || loops_max < 0 ||
	    loops_max > UINT32_MAX)
		rc = ws_fail(error, WS_ECORRUPT, "rank %d sends no description of a step", proxy->rank);
	proxy->activity.sleeps = sleeps;
	proxy->activity.loops_max = (uint32_t)loops_max;
	json_decref(data);
	return rc;
}
