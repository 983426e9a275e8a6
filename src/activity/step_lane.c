/* One lane of a back-end item: an op on a queue of its own, from its buffers to its record. */
#include "activity/step_lane.h"

#include <assert.h>
#include <string.h>

#include "activity/pool.h"
#include "base/clock.h"
#include "base/item.h"
#include "base/place.h"
#include "base/record.h"
#include "kernel/host_pattern.h"

/* What an issuing thread gets to come back from a driver's call when its sample is cancelled, or before a stop. */
#define ISSUER_NS 5000000000

static int64_t after_ns(int64_t time_ns)
{
	return ws_clock_now_ns(ws_clock_monotonic()) + time_ns;
}

/* The place as back ends know it, if its memory or engine is of this rank. */
static int own_place(const struct ws_session *session, struct ws_place *place, struct ws_error *error)
{
	char text[WS_PLACE_TEXT];

	if (place->peer || place->rank != ws_session_rank(session))
		return ws_fail(error, WS_EUNSUPPORTED,
			       "%s is not of this process; only transfers between ranks reach it",
			       ws_place_format(place, text, sizeof(text)));
	place->rank = WS_RANK_NONE;
	return WS_OK;
}

static void turn_round(struct ws_item *item)
{
	const struct ws_place source = item->source;

	item->source = item->destination;
	item->destination = source;
}

static bool is_among(const char *words, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = words; at && *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (strcspn(at, " ") == length && strncmp(at, word, length) == 0)
			return true;
	return false;
}

/* No option is passed over: the engine honours it, or measuring does for all engines. */
static int check_options(const struct step_lane *lane, struct ws_error *error)
{
	char place[WS_PLACE_TEXT];

	for (int i = 0; i < lane->item.option_count; i++) {
		const char *name = lane->item.options[i].row->name;

		if (is_among("ungated interfering together marks", name) || is_among(lane->backend->ops->options, name))
			continue;
		return ws_fail(error, WS_EUNSUPPORTED, "item option %s means nothing to %s.%s", name,
			       ws_place_format(&lane->item.engine.place, place, sizeof(place)), lane->item.engine.name);
	}
	return WS_OK;
}

int step_lane_init(struct step_lane *lane, struct ws_session *session, const struct ws_item *item, int item_index,
		   int lane_index, struct ws_error *error)
{
	const struct ws_verb_row *row = ws_verb_row(item->verb);
	int rc;

	*lane = (struct step_lane){
		.session = session, .item_index = item_index, .lane_index = lane_index, .item = *item};
	lane->interfering = ws_item_flag(item, "interfering");
	if (lane_index == 1)
		turn_round(&lane->item);
	rc = own_place(session, &lane->item.engine.place, error);
	if (rc == WS_OK && row->source)
		rc = own_place(session, &lane->item.source, error);
	if (rc == WS_OK && row->destination)
		rc = own_place(session, &lane->item.destination, error);
	if (rc == WS_OK)
		rc = ws_session_backend(session, lane->item.engine.place.family, &lane->backend, error);
	if (rc == WS_OK)
		rc = check_options(lane, error);
	if (rc == WS_OK && row->source && row->moves_bytes)
		rc = ws_session_backend(session, lane->item.source.family, &lane->source_backend, error);
	if (rc == WS_OK && row->destination && row->moves_bytes)
		rc = ws_session_backend(session, lane->item.destination.family, &lane->destination_backend, error);
	return rc;
}

/* Host memory of a kind that the engine's driver may have its own of. */
static bool may_be_drivers(const struct step_lane *lane, const struct ws_place *place)
{
	return ws_place_is_host(place) && strcmp(lane->backend->ops->family, "host") != 0 && place->memory[0] &&
	       strcmp(place->memory, "pageable") != 0;
}

/* Memory that the host itself has not: if the driver has none, its reason is the one to tell. */
static bool only_drivers(const struct ws_place *place)
{
	return strcmp(place->memory, "wc") == 0 || strcmp(place->memory, "svm") == 0;
}

/* Takes a buffer: of the engine's back end if only that can give it, else of the place's own. Sets *memory to it. */
static int take(struct step_lane *lane, struct ws_backend **memory, const struct ws_place *place,
		struct ws_buffer **buffer, struct ws_error *error)
{
	const uint64_t size_bytes = ws_item_largest_size(&lane->item);
	struct ws_error first = {0};
	int rc;

	if (may_be_drivers(lane, place)) {
		rc = ws_session_take(lane->session, lane->backend, place, &lane->item.engine.place, size_bytes, buffer,
				     &first);
		if (rc == WS_OK)
			*memory = lane->backend;
		if (rc != WS_EUNSUPPORTED || only_drivers(place))
			return rc == WS_OK ? rc : ws_fail(error, first.code, "%s", first.text);
	}
	return ws_session_take(lane->session, *memory, place, NULL, size_bytes, buffer, error);
}

/* Takes a buffer and makes it reachable for the engine. */
static int take_and_attach(struct step_lane *lane, struct ws_backend **memory, const struct ws_place *place,
			   struct ws_buffer **buffer, struct ws_error *error)
{
	const struct ws_backend_ops *ops = lane->backend->ops;
	int rc;

	if (!*memory)
		return WS_OK;
	rc = take(lane, memory, place, buffer, error);
	if (rc != WS_OK || *memory == lane->backend)
		return rc;
	if (!ops->attach)
		return ws_fail(error, WS_EUNSUPPORTED, "engines of back end %s cannot use memory of back end %s",
			       ops->name, (*memory)->ops->name);
	return ws_pool_attach(*buffer, lane->backend, &lane->item.engine.place, error);
}

static const struct ws_place_facts *engine_facts(const struct step_lane *lane)
{
	struct ws_place place = lane->item.engine.place;

	place.rank = ws_session_rank(lane->session);
	return ws_places_find(ws_session_places(lane->session), &place);
}

bool step_lane_on_cpu(const struct step_lane *lane)
{
	const struct ws_place_facts *facts = engine_facts(lane);

	return strcmp(lane->item.engine.name, "cpu") == 0 || (facts && facts->on_cpu);
}

/* A CPU near the engine, another one for each lane. */
static unsigned issuing_cpu(const struct step_lane *lane)
{
	const struct ws_topology *topology = ws_session_topology(lane->session);
	const struct ws_place_facts *facts = engine_facts(lane);
	const struct ws_topology_node *node;
	const struct ws_topology_cpu *cpus;
	const unsigned turn = (unsigned)lane->item_index * 2 + (unsigned)lane->lane_index;
	size_t count;

	node = facts && facts->numa_node >= 0 ? ws_topology_find_node(topology, (unsigned)facts->numa_node) : NULL;
	if (node && node->cpu_count > 0)
		return node->cpus[turn % node->cpu_count];
	cpus = ws_topology_cpus(topology, &count);
	return count ? cpus[turn % count].os_index : 0;
}

static int start_issuer(struct step_lane *lane, struct ws_error *error)
{
	const unsigned cpu = issuing_cpu(lane);

	return lane->issuer ? WS_OK : ws_team_new(&cpu, 1, &lane->issuer, error);
}

int step_lane_prepare(struct step_lane *lane, bool ungated, int64_t deadline_ns, struct ws_error *error)
{
	const struct ws_backend_ops *ops = lane->backend->ops;
	int rc = take_and_attach(lane, &lane->source_backend, &lane->item.source, &lane->op.source, error);

	if (rc == WS_OK)
		rc = take_and_attach(lane, &lane->destination_backend, &lane->item.destination, &lane->op.destination,
				     error);
	lane->op.item = &lane->item;
	if (rc == WS_OK)
		rc = ops->queue(lane->backend, &lane->item, &lane->queue, error);
	if (rc == WS_OK)
		rc = ops->prepare(lane->queue, &lane->op, deadline_ns, error);
	if (rc == WS_OK && (ungated || !ops->gate || ws_item_flag(&lane->item, "ungated")))
		rc = start_issuer(lane, error);
	return rc;
}

static int fill(struct step_lane *lane, struct ws_backend *memory, struct ws_buffer *buffer, uint64_t seed,
		struct ws_error *error)
{
	if (!buffer)
		return WS_OK;
	if (!memory->ops->fill)
		return ws_fail(error, WS_EUNSUPPORTED, "back end %s cannot fill its memory", memory->ops->name);
	return memory->ops->fill(memory, buffer, ws_item_largest_size(&lane->item), seed, error);
}

int step_lane_refill(struct step_lane *lane, uint64_t seed, struct ws_error *error)
{
	const struct ws_backend_ops *ops = lane->backend->ops;
	/* Lanes of a step differ in the upper half of the seed, steps in the lower one. */
	const uint64_t own = seed ^ (uint64_t)(2 * lane->item_index + lane->lane_index + 1) << 32;
	const bool again = lane->filled && lane->op.seed == own;
	int rc = WS_OK;

	lane->filled = false;
	lane->op.seed = own;
	if (!again)
		rc = fill(lane, lane->source_backend, lane->op.source, own, error);
	if (rc == WS_OK)
		rc = fill(lane, lane->destination_backend, lane->op.destination, own ^ WS_PATTERN_INVERSE, error);
	if (rc == WS_OK && ops->refilled && (!again || lane->op.destination))
		rc = ops->refilled(lane->queue, &lane->op, error);
	lane->filled = rc == WS_OK;
	return rc;
}

/* The timed loops between their marks. */
static int queue_timed(struct step_lane *lane, struct ws_error *error)
{
	const struct ws_backend_ops *ops = lane->backend->ops;
	int rc = ops->mark(lane->queue, 0, error);

	if (!lane->mark_every_loop) {
		const int64_t issue_start_ns = after_ns(0);

		if (rc == WS_OK)
			rc = ops->submit(lane->queue, &lane->op, lane->size_index, lane->loops, error);
		if (lane->loops != WS_LOOPS_UNTIL_STOPPED)
			lane->issue_ns = after_ns(0) - issue_start_ns;
		return rc == WS_OK ? ops->mark(lane->queue, 1, error) : rc;
	}
	for (uint32_t loop = 1; loop <= lane->loops && rc == WS_OK; loop++) {
		rc = ops->submit(lane->queue, &lane->op, lane->size_index, 1, error);
		if (rc == WS_OK)
			rc = ops->mark(lane->queue, loop < lane->loops ? (int)loop + 1 : 1, error);
	}
	return rc;
}

static int queue_all(struct step_lane *lane, struct step_lane *const *joined, int joined_count, struct ws_error *error)
{
	const struct ws_backend_ops *ops = lane->backend->ops;
	int rc = lane->gated ? ops->gate(lane->queue, error) : WS_OK;

	for (int i = 0; i < joined_count && rc == WS_OK; i++)
		if (lane->gated && joined[i]->gated && joined[i]->backend == lane->backend && ops->join)
			rc = ops->join(lane->queue, joined[i]->queue, 0, error);
	if (rc == WS_OK && lane->lead_loops > 0)
		rc = ops->submit(lane->queue, &lane->op, lane->size_index, lane->lead_loops, error);
	if (rc == WS_OK)
		rc = queue_timed(lane, error);
	if (rc == WS_OK && lane->trail_loops > 0)
		rc = ops->submit(lane->queue, &lane->op, lane->size_index, lane->trail_loops, error);
	return rc == WS_OK && ops->flush ? ops->flush(lane->queue, error) : rc;
}

static void issue(void *argument, const struct ws_team_member *member)
{
	struct step_lane *lane = argument;

	(void)member;
	lane->issue_status = queue_all(lane, NULL, 0, &lane->issue_error);
}

int step_lane_arm(struct step_lane *lane, const struct ws_shot *shot, struct step_lane *const *joined, int joined_count,
		  const _Atomic uint32_t *release, int64_t deadline_ns, struct ws_error *error)
{
	const struct ws_backend_ops *ops = lane->backend->ops;
	int rc;

	lane->size_index = shot->size_index < lane->item.size_count ? shot->size_index : 0;
	lane->loops = shot->loops[lane->item_index];
	lane->lead_loops = lane->interfering ? 0 : shot->lead_loops;
	lane->trail_loops = shot->trail_loops ? shot->trail_loops[lane->item_index] : 0;
	lane->gated = shot->gated && ops->gate && !ws_item_flag(&lane->item, "ungated");
	lane->mark_every_loop = shot->mark_every_loop && lane->loops != WS_LOOPS_UNTIL_STOPPED;
	lane->armed = true;
	lane->ended = false;
	lane->issue_ns = 0;
	if (lane->loops == WS_LOOPS_UNTIL_STOPPED && !ops->stop)
		return ws_fail(error, WS_EUNSUPPORTED, "engines of back end %s cannot run until stopped", ops->name);
	if (lane->gated)
		return queue_all(lane, joined, joined_count, error);
	lane->issue_status = WS_OK;
	lane->issue_error = (struct ws_error){0};
	rc = start_issuer(lane, error);
	if (rc == WS_OK)
		rc = ws_team_gate(lane->issuer, release, error);
	if (rc == WS_OK)
		rc = ws_team_loops(lane->issuer, issue, lane, 1, error);
	return rc == WS_OK ? ws_team_start(lane->issuer, deadline_ns, error) : rc;
}

int step_lane_poll(struct step_lane *lane, int64_t wait_until_ns, struct ws_error *error)
{
	if (lane->ended)
		return WS_OK;
	if (!lane->gated) {
		if (!ws_team_wait(lane->issuer, wait_until_ns))
			return WS_OK;
		if (lane->issue_status != WS_OK)
			return ws_fail(error, lane->issue_status, "%s", lane->issue_error.text);
	}
	return lane->backend->ops->poll(lane->queue, wait_until_ns, &lane->ended, error);
}

void step_lane_stop(struct step_lane *lane)
{
	if (lane->loops != WS_LOOPS_UNTIL_STOPPED || lane->ended)
		return;
	/* Loops that are not issued yet could not be stopped; issuing endless loops does not wait for them. */
	if (lane->gated || ws_team_wait(lane->issuer, after_ns(ISSUER_NS)))
		lane->backend->ops->stop(lane->queue);
}

int step_lane_read(struct step_lane *lane, struct ws_sample *sample, struct ws_error *error)
{
	struct ws_lane *record = ws_sample_add_lane(sample, lane->item_index, lane->lane_index);

	if (!record)
		return ws_fail(error, WS_ENOMEM, "no memory for a record");
	lane->armed = false;
	record->gated = lane->gated;
	record->lead_loops = lane->lead_loops;
	record->trail_loops = lane->trail_loops;
	record->issue_ns = lane->issue_ns;
	if (lane->loops != WS_LOOPS_UNTIL_STOPPED) {
		record->loops = lane->loops;
		if (ws_verb_row(lane->item.verb)->moves_bytes)
			record->bytes = lane->item.size_bytes[lane->size_index] * lane->loops;
	}
	return lane->backend->ops->read(lane->queue, &lane->op, record, error);
}

/* Copies leave the source's pattern in the destination; what else an item leaves only its engine can tell. */
static int compare(struct step_lane *lane, struct ws_check *check, struct ws_error *error)
{
	const struct ws_backend_ops *ops = lane->backend->ops;
	struct ws_backend *memory = lane->destination_backend;

	if (!ws_verb_row(lane->item.verb)->moves_bytes)
		return WS_OK;
	if (lane->source_backend && memory) {
		if (!memory->ops->check)
			return ws_fail(error, WS_EUNSUPPORTED, "back end %s cannot check its memory",
				       memory->ops->name);
		return memory->ops->check(memory, lane->op.destination, lane->item.size_bytes[lane->size_index],
					  lane->op.seed, check, error);
	}
	if (!ops->verify)
		return ws_fail(error, WS_EUNSUPPORTED, "back end %s cannot check the result of \"%s\"", ops->name,
			       ws_verb_row(lane->item.verb)->name);
	return ops->verify(lane->queue, &lane->op, check, error);
}

int step_lane_verify(struct step_lane *lane, struct ws_check *check, struct ws_error *error)
{
	struct ws_check own = {.rank = WS_RANK_NONE};
	int rc = compare(lane, &own, error);

	if (rc == WS_OK)
		ws_check_add(check, own.wrong_count, own.first_offset, own.expected, own.found, lane->item_index,
			     ws_session_rank(lane->session));
	return rc;
}

int step_lane_cancel(struct step_lane *lane)
{
	if (lane->issuer && ws_team_cancel(lane->issuer, after_ns(ISSUER_NS)) == WS_ELOST)
		return WS_ELOST;
	if (!lane->armed)
		return WS_OK;
	lane->armed = false;
	return lane->backend->ops->cancel(lane->queue);
}

void step_lane_release(struct step_lane *lane)
{
	const struct ws_backend_ops *ops = lane->backend ? lane->backend->ops : NULL;

	ws_team_free(lane->issuer);
	if (lane->queue)
		ops->queue_free(lane->backend, lane->queue);
	ws_session_give(lane->session, lane->op.source);
	ws_session_give(lane->session, lane->op.destination);
	*lane = (struct step_lane){0};
}
