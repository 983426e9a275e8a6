/* What a run has open: the machine's topology, back ends, and the buffers that steps share. */
#ifndef WS_ACTIVITY_SESSION_H
#define WS_ACTIVITY_SESSION_H

#include "base/error.h"
#include "base/topology.h"
#include "seam/activity.h"
#include "seam/backend.h"

struct ws_session;

struct ws_session_options {
	const char *machine;			      /* source for ws_topology_open: NULL = this machine */
	int64_t timeout_ns;			      /* deadline of waits inside a back end's call */
	int rank;				      /* prefix of all places; WS_RANK_NONE = the only rank there is */
	const struct ws_backend_ops *const *backends; /* NULL = those of this build; outlives the session */
	size_t backend_count;
};

/* Reads the topology and opens no back end yet. The session is used by one thread. */
int ws_session_open(const struct ws_session_options *options, struct ws_session **out, struct ws_error *error);

/*
 * NULL-safe. Not called if something was lost (the program then leaves by _exit). True: something was lost now, and the
 * program must leave by _exit, too.
 */
bool ws_session_close(struct ws_session *session);

const struct ws_topology *ws_session_topology(const struct ws_session *session);

/*
 * Opens the back ends of these families ("host ocl"; NULL = all) and adds their places to the session's. One that is
 * absent is no failure: ws_session_backend_at tells why. Steps open what they need by themselves.
 */
int ws_session_need(struct ws_session *session, const char *families, struct ws_error *error);

/* The places of all back ends opened so far, in the order of the build's back ends. */
const struct ws_places *ws_session_places(const struct ws_session *session);

/* A back end as the session knows it. */
struct ws_session_backend {
	const struct ws_backend_ops *ops;
	bool tried, open;
	struct ws_backend backend; /* if open */
	struct ws_error why;	   /* if tried and not open */
};
/* By index, NULL from the end on. */
const struct ws_session_backend *ws_session_backend_at(const struct ws_session *session, size_t index);

/* The open back end of a family. Opens it if need be; WS_EABSENT with the back end's own words. */
int ws_session_backend(struct ws_session *session, const char *family, struct ws_backend **out, struct ws_error *error);

/* Lends a buffer until ws_session_give. Memory of one place is shared by all steps, but never by two at a time. */
int ws_session_take(struct ws_session *session, struct ws_backend *backend, const struct ws_place *place,
		    const struct ws_place *near, uint64_t size_bytes, struct ws_buffer **out, struct ws_error *error);
/* Lends a buffer of that memory that a step has used and given back; NULL if there is none (any more). */
struct ws_buffer *ws_session_take_used(struct ws_session *session, struct ws_backend *backend,
				       const struct ws_place *place, uint64_t size_bytes);
void ws_session_give(struct ws_session *session, struct ws_buffer *buffer);

/* Remembers an activity of a lost place, once, so that what must never be freed stays reachable. */
void ws_session_keep(struct ws_session *session, struct ws_activity *lost);

int ws_session_rank(const struct ws_session *session);

/*
 * Makes steps' activities for ws_run_plan; valid as long as the session. Before the first step of a plan, back ends make
 * ready those devices of its rank that the plan uses, and no others.
 */
struct ws_activity_source ws_session_source(struct ws_session *session);

#endif
