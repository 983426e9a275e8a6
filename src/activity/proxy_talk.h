/* Rank 0's conversation with the others: orders are numbered, answers are matched, a rank that is lost stays lost. */
#ifndef WS_ACTIVITY_PROXY_TALK_H
#define WS_ACTIVITY_PROXY_TALK_H

#include "activity/proxy.h"
#include "activity/wire.h"

/* Sends an order, whose number is put in *id; data may be NULL and stays the caller's. */
int ws_talk_send(struct ws_proxies *proxies, int rank, enum ws_order_kind kind, int64_t step, const struct json_t *data,
		 int64_t deadline_ns, int64_t *id, struct ws_error *error);

/*
 * Waits for the answer to an order, for which the rank has until the deadline, and half a second more so that it can
 * say itself what kept it. Earlier orders' answers are dropped. data may be NULL.
 */
int ws_talk_answer(struct ws_proxies *proxies, int rank, enum ws_order_kind kind, int64_t id, int64_t deadline_ns,
		   struct json_t **data, struct ws_error *error);

/* The next answer to an order that has several; *data = NULL if none comes until then (0: does not wait). */
int ws_talk_listen(struct ws_proxies *proxies, int rank, int64_t id, int64_t wait_until_ns, struct json_t **data,
		   struct ws_error *error);

/* Starts opening a step on a rank, and waits for it. What was started is freed by its own hook. */
int ws_proxy_start(struct ws_proxies *proxies, int rank, const struct ws_step *step, const char *plan_text,
		   int64_t timeout_ns, struct ws_activity **out, struct ws_error *error);
int ws_proxy_finish(struct ws_activity *activity, struct ws_error *error);

/* A proxy that is lost, whose memory is given back with all the rest, by ws_proxy_discard: without a word to the rank.
 */
void ws_talk_keep(struct ws_proxies *proxies, struct ws_activity *proxy);
void ws_proxy_discard(struct ws_activity *proxy);

#endif
