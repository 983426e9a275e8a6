/* What ranks say to each other: rank 0's orders and the others' answers, one JSON object a message. */
#ifndef WS_ACTIVITY_WIRE_H
#define WS_ACTIVITY_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct json_t;

enum ws_order_kind {
	WS_ORDER_PLACES,  /* families, all if there are none -> places */
	WS_ORDER_BEGIN,   /* names of the rank's places that a plan uses, before its first step */
	WS_ORDER_OPEN,    /* plan text of one step -> sleeps, loops_max; the order's id is the step's handle from then on */
	WS_ORDER_OFFER,   /* -> offers */
	WS_ORDER_PREPARE, /* offers of all */
	WS_ORDER_REFILL,  /* seed */
	WS_ORDER_ARM,	  /* shot */
	WS_ORDER_RELEASE, /* -> items that have ended, in as many answers as it takes */
	WS_ORDER_STOP,	  /* has no answer of its own */
	WS_ORDER_READ,	  /* -> lanes and counters */
	WS_ORDER_VERIFY,  /* -> check */
	WS_ORDER_CANCEL,
	WS_ORDER_PATH, /* -> path */
	WS_ORDER_FREE,
	WS_ORDER_COUNT
};

/* {"id":7,"order":"arm","step":3,"within_ns":30000000000,"data":{...}}; data may be missing. */
struct ws_order {
	int64_t id; /* counts up; its answers carry it */
	enum ws_order_kind kind;
	int64_t step;	     /* handle; 0 for an order without a step */
	int64_t within_ns;   /* a time left and not a time of day: no two ranks share a clock */
	struct json_t *data; /* owned, NULL = none */
};

/* {"id":7,"status":"ok","data":{...}} or {"id":7,"status":"driver","error":"..."} */
struct ws_answer {
	int64_t id;
	int status;	     /* enum ws_status */
	char text[400];	     /* of a status that is not WS_OK */
	struct json_t *data; /* owned, NULL = none */
};

/* The name of an order, as in messages. */
const char *ws_order_name(enum ws_order_kind kind);

/* The caller frees the text. WS_EINVAL: it would be longer than a message may be; WS_ENOMEM. */
int ws_order_print(const struct ws_order *order, char **text, size_t *size, struct ws_error *error);
int ws_answer_print(const struct ws_answer *answer, char **text, size_t *size, struct ws_error *error);

/* WS_ECORRUPT: no such message, with what is wrong. */
int ws_order_parse(const char *text, size_t size, struct ws_order *out, struct ws_error *error);
int ws_answer_parse(const char *text, size_t size, struct ws_answer *out, struct ws_error *error);

void ws_order_release(struct ws_order *order);
void ws_answer_release(struct ws_answer *answer);

#endif
