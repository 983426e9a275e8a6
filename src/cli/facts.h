/* What every result says of the machine, and what "machine" prints. */
#ifndef WS_CLI_FACTS_H
#define WS_CLI_FACTS_H

#include <stdio.h>

#include "activity/session.h"
#include "machine/environment.h"

struct json_t;

/* Reads the surroundings of a session's machine; the caller releases them. */
int ws_facts_environment(const struct ws_session *session, struct ws_environment *out, struct ws_error *error);

/* "counts" and "backends" of what the session has open, and the "places" given, as a new reference. */
int ws_facts_machine(const struct ws_session *session, const struct ws_places *places, struct json_t **out,
		     struct ws_error *error);

/* The same for people. */
void ws_facts_print(const struct ws_session *session, const struct ws_environment *environment, FILE *to);

#endif
