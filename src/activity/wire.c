/* Orders and answers of ranks as JSON. */
#include "activity/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "activity/wire_record.h"
#include "seam/ranks.h"

#define STATUS_LEAST WS_EINTERRUPTED

static const char *const order_names[WS_ORDER_COUNT] = {
	[WS_ORDER_PLACES] = "places", [WS_ORDER_BEGIN] = "begin",     [WS_ORDER_OPEN] = "open",
	[WS_ORDER_OFFER] = "offer",   [WS_ORDER_PREPARE] = "prepare", [WS_ORDER_REFILL] = "refill",
	[WS_ORDER_ARM] = "arm",	      [WS_ORDER_RELEASE] = "release", [WS_ORDER_STOP] = "stop",
	[WS_ORDER_READ] = "read",     [WS_ORDER_VERIFY] = "verify",   [WS_ORDER_CANCEL] = "cancel",
	[WS_ORDER_PATH] = "path",     [WS_ORDER_FREE] = "free",
};

const char *ws_order_name(enum ws_order_kind kind)
{
	return order_names[kind];
}

static int print(json_t *object, const char *what, char **text, size_t *size, struct ws_error *error)
{
	char *dump = object ? json_dumps(object, JSON_COMPACT) : NULL;

	json_decref(object);
	if (!dump)
		return ws_fail(error, WS_ENOMEM, "no memory for the message \"%s\"", what);
	if (strlen(dump) > WS_MESSAGE_MAX) {
		ws_fail(error, WS_EINVAL, "\"%s\" would take %zu bytes, and a message has at most %u", what,
			strlen(dump), WS_MESSAGE_MAX);
		free(dump);
		return WS_EINVAL;
	}
	*size = strlen(dump);
	*text = dump;
	return WS_OK;
}

int ws_order_print(const struct ws_order *order, char **text, size_t *size, struct ws_error *error)
{
	json_t *object = json_pack("{s:I,s:s,s:I,s:I,s:O*}", "id", (json_int_t)order->id, "order",
				   order_names[order->kind], "step", (json_int_t)order->step, "within_ns",
				   (json_int_t)order->within_ns, "data", order->data);

	return print(object, order_names[order->kind], text, size, error);
}

int ws_answer_print(const struct ws_answer *answer, char **text, size_t *size, struct ws_error *error)
{
	json_t *object = json_pack("{s:I,s:s,s:O*}", "id", (json_int_t)answer->id, "status",
				   ws_status_name(answer->status), "data", answer->data);

	if (object && answer->status != WS_OK && json_object_set_new(object, "error", ws_wire_text(answer->text)) < 0) {
		json_decref(object);
		object = NULL;
	}
	return print(object, "answer", text, size, error);
}

/* The object in a message; no duplicate keys, nothing behind it. */
static json_t *load(const char *text, size_t size, struct ws_error *error)
{
	json_error_t why;
	json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);

	if (!object)
		ws_fail(error, WS_ECORRUPT, "sends what is no JSON: %.100s", why.text);
	return object;
}

int ws_order_parse(const char *text, size_t size, struct ws_order *out, struct ws_error *error)
{
	json_int_t id = 0, step = 0, within_ns = 0;
	json_t *object = load(text, size, error), *data = NULL;
	const char *name = NULL;
	int kind = 0, rc = WS_OK;
	json_error_t why;

	if (!object)
		return WS_ECORRUPT;
	if (json_unpack_ex(object, &why, JSON_STRICT, "{s:I,s:s,s:I,s:I,s?o}", "id", &id, "order", &name, "step", &step,
			   "within_ns", &within_ns, "data", &data) < 0) {
		rc = ws_fail(error, WS_ECORRUPT, "sends what is no order: %.100s", why.text);
		goto out;
	}
	while (kind < WS_ORDER_COUNT && strcmp(order_names[kind], name) != 0)
		kind++;
	if (kind == WS_ORDER_COUNT || id < 1 || step < 0 || within_ns < 0 || (data && !json_is_object(data))) {
		rc = ws_fail(error, WS_ECORRUPT,
			     "sends what is no order: \"%.20s\" with id %lld, step %lld, within %lld ns", name,
			     (long long)id, (long long)step, (long long)within_ns);
		goto out;
	}
	*out = (struct ws_order){id, (enum ws_order_kind)kind, step, within_ns, json_incref(data)};
out:
	json_decref(object);
	return rc;
}

int ws_answer_parse(const char *text, size_t size, struct ws_answer *out, struct ws_error *error)
{
	json_t *object = load(text, size, error), *data = NULL;
	const char *status = NULL, *why_not = NULL;
	struct ws_answer answer = {.status = WS_OK};
	json_error_t why;
	json_int_t id = 0;
	int rc = WS_OK;

	if (!object)
		return WS_ECORRUPT;
	if (json_unpack_ex(object, &why, JSON_STRICT, "{s:I,s:s,s?s,s?o}", "id", &id, "status", &status, "error",
			   &why_not, "data", &data) < 0) {
		rc = ws_fail(error, WS_ECORRUPT, "sends what is no answer: %.100s", why.text);
		goto out;
	}
	while (answer.status >= STATUS_LEAST && strcmp(ws_status_name(answer.status), status) != 0)
		answer.status--;
	if (id < 1 || answer.status < STATUS_LEAST || (answer.status == WS_OK) == (why_not != NULL) ||
	    (data && !json_is_object(data))) {
		rc = ws_fail(error, WS_ECORRUPT, "sends what is no answer: \"%.20s\" with id %lld", status,
			     (long long)id);
		goto out;
	}
	answer.id = id;
	if (why_not)
		ws_wire_copy(answer.text, sizeof(answer.text), why_not);
	answer.data = json_incref(data);
	*out = answer;
out:
	json_decref(object);
	return rc;
}

void ws_order_release(struct ws_order *order)
{
	json_decref(order->data);
	*order = (struct ws_order){0};
}

void ws_answer_release(struct ws_answer *answer)
{
	json_decref(answer->data);
	*answer = (struct ws_answer){0};
}
