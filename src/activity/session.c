/* What a run has open: the machine's topology, back ends, and the buffers that steps share. */
#include "activity/session.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "activity/pool.h"
#include "activity/step.h"
#include "backend/backend.h"
#include "base/place.h"
#include "base/units.h"

#define UUID_TEXT 36 /* characters: 32 digits in five groups */

struct ws_session {
	struct ws_topology *topology;
	int64_t timeout_ns;
	int rank;
	struct ws_session_backend *backends;
	size_t backend_count;
	struct ws_places places;
	struct ws_pool pool;
	struct ws_activity **lost;
	size_t lost_count;
};

int ws_session_open(const struct ws_session_options *options, struct ws_session **out, struct ws_error *error)
{
	const struct ws_backend_ops *const *backends = options->backends;
	size_t count = options->backend_count;
	struct ws_session *session;
	int rc;

	if (!backends)
		backends = ws_backends(&count);
	session = calloc(1, sizeof(*session));
	if (session)
		session->backends = calloc(count, sizeof(*session->backends));
	if (!session || !session->backends) {
		free(session);
		return ws_fail(error, WS_ENOMEM, "no memory for a session");
	}
	session->timeout_ns = options->timeout_ns;
	session->rank = options->rank;
	session->backend_count = count;
	for (size_t i = 0; i < count; i++)
		session->backends[i].ops = backends[i];
	rc = ws_topology_open(options->machine, &session->topology, error);
	if (rc != WS_OK) {
		ws_session_close(session);
		return rc;
	}
	*out = session;
	return WS_OK;
}

bool ws_session_close(struct ws_session *session)
{
	bool lost = false;

	if (!session)
		return false;
	ws_pool_release(&session->pool);
	for (size_t i = 0; i < session->backend_count; i++) {
		struct ws_session_backend *entry = &session->backends[i];

		if (entry->open)
			entry->ops->close(&entry->backend);
		lost = lost || entry->backend.lost;
	}
	free(session->backends);
	free(session->lost);
	ws_places_release(&session->places);
	if (session->topology)
		ws_topology_close(session->topology);
	free(session);
	return lost;
}

const struct ws_topology *ws_session_topology(const struct ws_session *session)
{
	return session->topology;
}

const struct ws_places *ws_session_places(const struct ws_session *session)
{
	return &session->places;
}

int ws_session_rank(const struct ws_session *session)
{
	return session->rank;
}

const struct ws_session_backend *ws_session_backend_at(const struct ws_session *session, size_t index)
{
	return index < session->backend_count ? &session->backends[index] : NULL;
}

/* A UUID without what says of whom it is. */
static const char *bare_uuid(const struct ws_place_facts *facts)
{
	const size_t length = strlen(facts->uuid);

	return length > UUID_TEXT ? facts->uuid + length - UUID_TEXT : facts->uuid;
}

/*
 * Whether two places are one device: by UUID, or by PCI address. Of one back end two devices may share an address, as the
 * parts of one card, and differ by UUID.
 */
static bool is_same(const struct ws_place_facts *a, const struct ws_place_facts *b)
{
	const bool uuids = a->uuid[0] && b->uuid[0];

	if (ws_place_is_host(&a->place) || ws_place_is_host(&b->place))
		return false;
	if (uuids && strcasecmp(bare_uuid(a), bare_uuid(b)) == 0)
		return true;
	return a->pci[0] && strcmp(a->pci, b->pci) == 0 && !(uuids && strcmp(a->place.family, b->place.family) == 0);
}

/* A device that is listed before, by an earlier back end or another platform, is known by that place as well. */
static void find_same(struct ws_places *places)
{
	for (int i = 0; i < places->count; i++) {
		struct ws_place_facts *facts = &places->at[i];

		for (int k = 0; k < i && !facts->same_as[0]; k++)
			if (is_same(&places->at[k], facts))
				ws_place_format(&places->at[k].place, facts->same_as, sizeof(facts->same_as));
	}
}

/* Lists anew, so that places stand in the order of the back ends, whichever was opened first. */
static int list_places(struct ws_session *session, struct ws_error *error)
{
	struct ws_places places = {0};
	int rc = WS_OK;

	for (size_t i = 0; i < session->backend_count && rc == WS_OK; i++)
		if (session->backends[i].open)
			rc = session->backends[i].ops->places(&session->backends[i].backend, &places, error);
	if (rc != WS_OK) {
		ws_places_release(&places);
		return rc;
	}
	for (int i = 0; i < places.count; i++)
		places.at[i].place.rank = session->rank;
	find_same(&places);
	ws_places_release(&session->places);
	session->places = places;
	return WS_OK;
}

static int open_backend(struct ws_session *session, struct ws_session_backend *entry, struct ws_error *error)
{
	const struct ws_backend_options options = {.topology = session->topology, .timeout_ns = session->timeout_ns};
	int rc;

	if (!entry->tried) {
		entry->tried = true;
		entry->backend.ops = entry->ops;
		if (entry->ops->library && !ws_topology_is_this_machine(session->topology))
			ws_fail(&entry->why, WS_EABSENT, "a recorded machine: this machine's driver says nothing of it");
		else
			entry->open = entry->ops->open(&entry->backend, &options, &entry->why) == WS_OK;
		rc = entry->open ? list_places(session, error) : WS_OK;
		if (rc != WS_OK)
			return rc;
	}
	return entry->open ? WS_OK : ws_fail(error, entry->why.code, "%s", entry->why.text);
}

int ws_session_need(struct ws_session *session, const char *families, struct ws_error *error)
{
	for (size_t i = 0; i < session->backend_count; i++) {
		struct ws_session_backend *entry = &session->backends[i];
		const char *family = entry->ops->family;
		struct ws_error absent = {0};

		if ((families && !ws_word_in(families, family, strlen(family))) ||
		    open_backend(session, entry, &absent) == WS_OK)
			continue;
		/* The host is there, so that only memory can have failed. */
		if (entry->open || !entry->ops->library)
			return ws_fail(error, absent.code, "%s", absent.text);
	}
	return WS_OK;
}

int ws_session_backend(struct ws_session *session, const char *family, struct ws_backend **out, struct ws_error *error)
{
	for (size_t i = 0; i < session->backend_count; i++) {
		struct ws_session_backend *entry = &session->backends[i];
		int rc;

		if (strcmp(entry->ops->family, family) != 0)
			continue;
		rc = open_backend(session, entry, error);
		if (rc == WS_OK)
			*out = &entry->backend;
		return rc;
	}
	return ws_fail(error, WS_EUNSUPPORTED, "no back end of this build has places of family \"%s\"", family);
}

int ws_session_take(struct ws_session *session, struct ws_backend *backend, const struct ws_place *place,
		    const struct ws_place *near, uint64_t size_bytes, struct ws_buffer **out, struct ws_error *error)
{
	return ws_pool_take(&session->pool, backend, place, near, size_bytes, out, error);
}

struct ws_buffer *ws_session_take_used(struct ws_session *session, struct ws_backend *backend,
				       const struct ws_place *place, uint64_t size_bytes)
{
	return ws_pool_take_idle(&session->pool, backend, place, size_bytes);
}

void ws_session_give(struct ws_session *session, struct ws_buffer *buffer)
{
	ws_pool_give(&session->pool, buffer);
}

void ws_session_keep(struct ws_session *session, struct ws_activity *lost)
{
	struct ws_activity **list;

	for (size_t i = 0; i < session->lost_count; i++)
		if (session->lost[i] == lost)
			return;
	list = realloc(session->lost, (session->lost_count + 1) * sizeof(struct ws_activity *));
	if (!list)
		return;
	session->lost = list;
	list[session->lost_count++] = lost;
}

/* Opens the back ends that have something to make ready; one that is absent says so in the steps. */
static int make_ready(void *context, const struct ws_place *places, int count, int64_t timeout_ns,
		      struct ws_error *error)
{
	struct ws_session *session = context;
	struct ws_place *own = calloc((size_t)count, sizeof(*own));
	int rc = own ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory for the places of a plan");

	session->timeout_ns = timeout_ns;
	for (size_t i = 0; i < session->backend_count && rc == WS_OK; i++) {
		struct ws_session_backend *entry = &session->backends[i];
		const int found = ws_place_pick(places, count, session->rank, entry->ops->family, own);

		if (!entry->ops->ready || found == 0)
			continue;
		rc = ws_session_need(session, entry->ops->family, error);
		if (rc == WS_OK && entry->open)
			entry->ops->ready(&entry->backend, own, found);
	}
	free(own);
	return rc;
}

static int open_step(void *context, const struct ws_step *step, const struct ws_settings *settings,
		     struct ws_activity ***list, int *count, struct ws_error *error)
{
	struct ws_activity *activity = NULL, **activities = calloc(1, sizeof(struct ws_activity *));
	struct ws_session *session = context;
	int rc;

	/* A plan's own timeout holds inside back ends, too, if they are opened only now. */
	session->timeout_ns = settings->timeout_ns;
	rc = activities ? ws_step_activity_new(session, step, settings, &activity, error)
			: ws_fail(error, WS_ENOMEM, "no memory for a step");

	if (rc != WS_OK) {
		free(activities);
		return rc;
	}
	activities[0] = activity;
	*list = activities;
	*count = activity ? 1 : 0;
	return WS_OK;
}

struct ws_activity_source ws_session_source(struct ws_session *session)
{
	return (struct ws_activity_source){.begin = make_ready, .open = open_step, .context = session};
}
