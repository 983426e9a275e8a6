/* A run of plan text on the fake back end and this machine's host, in a session of its own. Include after cmocka.h. */
#ifndef WS_TESTS_UNIT_STEP_TRIAL_H
#define WS_TESTS_UNIT_STEP_TRIAL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "activity/session.h"
#include "backend/host.h"
#include "base/item.h"
#include "base/record.h"
#include "fake/backend_fake.h"
#include "measure/run.h"
#include "plan/plan_text.h"
#include "probe/probe.h"

static const struct ws_backend_ops *const gated[] = {&ws_host_backend, &fake_ops};
static const struct ws_backend_ops *const ungated[] = {&ws_host_backend, &fake_ungated_ops};

/* A run of a plan text in a session of its own. */
struct trial {
	struct fake fake;
	const struct ws_backend_ops *const *backends;
	int rank;
	struct ws_result result;
};

static inline void set_up(struct trial *trial)
{
	memset(trial, 0, sizeof(*trial));
	fake_init(&trial->fake, 4);
	trial->backends = gated;
	trial->rank = WS_RANK_NONE;
}

static inline struct ws_session *open_session(const struct trial *trial)
{
	const struct ws_session_options options = {
		.timeout_ns = 20000000000, .rank = trial->rank, .backends = trial->backends, .backend_count = 2};
	struct ws_session *session = NULL;

	assert_int_equal(ws_session_open(&options, &session, NULL), WS_OK);
	return session;
}

static inline void run_in(struct trial *trial, struct ws_session *session, const char *text)
{
	const struct ws_activity_source source = ws_session_source(session);
	const struct ws_run_options options = {.clock = &trial->fake.clock, .source = &source};
	struct ws_error error = {0};
	struct ws_plan plan;

	if (ws_plan_parse(text, strlen(text), ws_probe_find, &plan, &error) != WS_OK)
		fail_msg("%s", error.text);
	assert_int_equal(ws_run_plan(&plan, &options, &trial->result, &error), WS_OK);
	ws_plan_release(&plan);
}

/* What was lost stays open, as in the program, which leaves by _exit then. */
static inline void close_session(struct trial *trial, struct ws_session *session)
{
	if (trial->result.lost)
		return;
	ws_session_close(session);
	assert_int_equal(trial->fake.allocs_live, 0);
	assert_int_equal(trial->fake.attached_live, 0);
	assert_int_equal(trial->fake.queues_live, 0);
	assert_int_equal(trial->fake.opened, 0);
}

static const struct ws_step_result *run(struct trial *trial, const char *text)
{
	struct ws_session *session = open_session(trial);

	run_in(trial, session, text);
	close_session(trial, session);
	return &trial->result.steps[0];
}

static inline void put_away(struct trial *trial)
{
	ws_result_release(&trial->result);
}

#endif
