/* A step's back-end items as one activity. */
#ifndef WS_ACTIVITY_STEP_H
#define WS_ACTIVITY_STEP_H

#include "activity/session.h"

/*
 * The activity for the items of a step whose engine is of the session's rank; *out = NULL if there is none. step and
 * settings outlive it. Opens the back ends needed and refuses what they do not offer; allocates nothing of size yet.
 */
int ws_step_activity_new(struct ws_session *session, const struct ws_step *step, const struct ws_settings *settings,
			 struct ws_activity **out, struct ws_error *error);

#endif
