/* One sample of one step: arm, release, poll, read, verify. */
#include "measure/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/item.h"
#include "base/place.h"
#include "base/record.h"

/* How long a poll of a CPU's work may sleep; its time stamps are the workers' own, so this costs no precision. */
#define POLL_SLEEP_NS 5000000
#define LATE_NS 1000000000 /* for the others once one has failed to prepare */
#define LOOPS_MAX (1u << 20)

/* An end that may lie this part of the measured time before another counts as equal. */
#define GAP_SHARE 100

static int64_t deadline(const struct ws_shooter *shooter)
{
	return ws_clock_now_ns(shooter->clock) + shooter->timeout_ns;
}

/* Tells every activity that a phase begins, before any of them has to wait for another in it. */
static int post(struct ws_shooter *shooter, enum ws_phase phase, const void *argument, int64_t deadline_ns,
		struct ws_error *error)
{
	int rc = WS_OK;

	for (int i = 0; i < shooter->activity_count && rc == WS_OK; i++) {
		struct ws_activity *activity = shooter->activities[i];

		if (activity->ops->post)
			rc = activity->ops->post(activity, phase, argument, deadline_ns, error);
	}
	return rc;
}

/* Ends what is armed. What does not answer any more is taken off the list and never touched again. */
static void cancel(struct ws_shooter *shooter)
{
	for (int i = 0; i < shooter->activity_count; i++) {
		struct ws_activity *activity = shooter->activities[i];

		if (activity && activity->ops->cancel(activity) == WS_ELOST) {
			shooter->lost = true;
			shooter->activities[i] = NULL;
		}
	}
}

/* How much a status tells: a timeout is often the consequence of another's failure, and what is lost matters most. */
static int severity(int rc)
{
	return rc == WS_OK ? 0 : rc == WS_ETIMEOUT ? 1 : rc == WS_ELOST ? 3 : 2;
}

/*
 * All agree on one status, which is that of the worst. Once one has failed, those who began with the others are heard
 * for a short time, and those who have not begun need not.
 */
static int prepare_all(struct ws_shooter *shooter, const json_t *offers, struct ws_error *error)
{
	int64_t until_ns = deadline(shooter);
	int worst = post(shooter, WS_PHASE_PREPARE, offers, until_ns, error);
	struct ws_error cause = {0};

	if (worst != WS_OK)
		return worst;
	for (int i = 0; i < shooter->activity_count; i++) {
		struct ws_activity *activity = shooter->activities[i];
		struct ws_error why = {0};
		int rc;

		if (worst != WS_OK && !activity->ops->post)
			continue;
		rc = activity->ops->prepare(activity, offers, until_ns, &why);
		if (worst == WS_OK && rc != WS_OK) {
			const int64_t soon_ns = ws_clock_now_ns(shooter->clock) + LATE_NS;

			until_ns = soon_ns < until_ns ? soon_ns : until_ns;
		}
		if (severity(rc) > severity(worst)) {
			worst = rc;
			cause = why;
		}
	}
	return worst == WS_OK ? worst : ws_fail(error, worst, "%s", cause.text);
}

static int prepare(struct ws_shooter *shooter, struct ws_error *error)
{
	json_t *offers = json_object();
	const int64_t until_ns = deadline(shooter);
	int rc = offers ? WS_OK : ws_fail(error, WS_ENOMEM, "no memory to prepare a step");

	if (rc == WS_OK)
		rc = post(shooter, WS_PHASE_OFFER, NULL, until_ns, error);
	for (int i = 0; i < shooter->activity_count && rc == WS_OK; i++) {
		struct ws_activity *activity = shooter->activities[i];

		if (activity->ops->offer)
			rc = activity->ops->offer(activity, until_ns, offers, error);
	}
	if (rc == WS_OK)
		rc = prepare_all(shooter, offers, error);
	json_decref(offers);
	if (rc != WS_OK)
		cancel(shooter);
	return rc;
}

int ws_shooter_init(struct ws_shooter *shooter, const struct ws_step *step, const struct ws_settings *settings,
		    const struct ws_clock *clock, const struct ws_activity_source *source, struct ws_error *error)
{
	const size_t items = (size_t)step->item_count;
	int rc = WS_OK;

	*shooter = (struct ws_shooter){.clock = clock, .step = step, .timeout_ns = settings->timeout_ns};
	shooter->loops = calloc(items, sizeof(*shooter->loops));
	shooter->trail_loops = calloc(items, sizeof(*shooter->trail_loops));
	shooter->done = calloc(items, sizeof(*shooter->done));
	shooter->done_before = calloc(items, sizeof(*shooter->done_before));
	shooter->end_ns = calloc(items, sizeof(*shooter->end_ns));
	shooter->gap_ns = calloc(items, sizeof(*shooter->gap_ns));
	if (!shooter->loops || !shooter->trail_loops || !shooter->done || !shooter->done_before || !shooter->end_ns ||
	    !shooter->gap_ns)
		rc = ws_fail(error, WS_ENOMEM, "no memory for a step of %d items", step->item_count);
	if (rc == WS_OK)
		rc = source->open(source->context, step, settings, &shooter->activities, &shooter->activity_count, error);
	if (rc == WS_OK)
		rc = prepare(shooter, error);
	if (rc != WS_OK) {
		const bool lost = shooter->lost;

		ws_shooter_release(shooter);
		shooter->lost = lost;
	}
	return rc;
}

void ws_shooter_release(struct ws_shooter *shooter)
{
	for (int i = 0; i < shooter->activity_count; i++)
		if (shooter->activities[i])
			shooter->activities[i]->ops->free(shooter->activities[i]);
	free(shooter->activities);
	free(shooter->loops);
	free(shooter->trail_loops);
	free(shooter->done);
	free(shooter->done_before);
	free(shooter->end_ns);
	free(shooter->gap_ns);
	*shooter = (struct ws_shooter){0};
}

uint32_t ws_shooter_loops_max(const struct ws_shooter *shooter)
{
	uint32_t limit = LOOPS_MAX;

	for (int i = 0; i < shooter->activity_count; i++) {
		const uint32_t most = shooter->activities[i]->loops_max;

		limit = most && most < limit ? most : limit;
	}
	return limit;
}

uint32_t ws_shooter_item_loops_max(const struct ws_shooter *shooter, int item)
{
	return strcmp(shooter->step->items[item].engine.name, "cpu") == 0 ? LOOPS_MAX : ws_shooter_loops_max(shooter);
}

int ws_shooter_refill(struct ws_shooter *shooter, uint64_t seed, struct ws_error *error)
{
	const int64_t until_ns = deadline(shooter);
	int rc = post(shooter, WS_PHASE_REFILL, &seed, until_ns, error);

	for (int i = 0; i < shooter->activity_count && rc == WS_OK; i++)
		rc = shooter->activities[i]->ops->refill(shooter->activities[i], seed, until_ns, error);
	if (rc != WS_OK)
		cancel(shooter);
	return rc;
}

static int arm(struct ws_shooter *shooter, const struct ws_shot *shot, struct ws_error *error)
{
	const int64_t until_ns = deadline(shooter);
	int rc = post(shooter, WS_PHASE_ARM, shot, until_ns, error);

	for (int i = 0; i < shooter->activity_count && rc == WS_OK; i++)
		rc = shooter->activities[i]->ops->arm(shooter->activities[i], shot, until_ns, error);
	return rc;
}

static bool interferes(const struct ws_shooter *shooter, int item)
{
	return ws_item_flag(&shooter->step->items[item], "interfering");
}

/* All measured items have ended, or all items. */
static bool all_done(const struct ws_shooter *shooter, bool interfering_too)
{
	for (int i = 0; i < shooter->step->item_count; i++)
		if (!shooter->done[i] && (interfering_too || !interferes(shooter, i)))
			return false;
	return true;
}

static void note_ends(struct ws_shooter *shooter, int64_t now_ns, int64_t before_ns)
{
	for (int i = 0; i < shooter->step->item_count; i++) {
		if (shooter->done[i] && shooter->end_ns[i] == 0) {
			shooter->end_ns[i] = now_ns;
			shooter->gap_ns[i] = now_ns - before_ns;
		}
	}
}

/* Polls until the measured items, or all of them, have ended. */
static int wait_done(struct ws_shooter *shooter, bool interfering_too, int64_t until_ns, struct ws_error *error)
{
	int64_t before_ns = ws_clock_now_ns(shooter->clock), now_ns = before_ns;
	int rc = WS_OK;

	while (!all_done(shooter, interfering_too)) {
		if (now_ns >= until_ns)
			return WS_ETIMEOUT;
		for (int i = 0; i < shooter->activity_count && rc == WS_OK; i++) {
			struct ws_activity *activity = shooter->activities[i];
			const int64_t wake_ns = now_ns + POLL_SLEEP_NS < until_ns ? now_ns + POLL_SLEEP_NS : until_ns;

			rc = activity->ops->poll(activity, activity->sleeps ? wake_ns : 0, shooter->done, error);
		}
		if (rc != WS_OK)
			return rc;
		now_ns = ws_clock_now_ns(shooter->clock);
		note_ends(shooter, now_ns, before_ns);
		before_ns = now_ns;
	}
	return WS_OK;
}

/* Says what did not end. */
static int timed_out(const struct ws_shooter *shooter, struct ws_error *error)
{
	char place[WS_PLACE_TEXT] = "";
	int pending = 0, first = 0;

	for (int i = shooter->step->item_count - 1; i >= 0; i--) {
		if (!shooter->done[i]) {
			pending++;
			first = i;
		}
	}
	return ws_fail(error, WS_ETIMEOUT, "%d of %d items did not end within %g s; the first of them is item %d, by %s.%s",
		       pending, shooter->step->item_count, (double)shooter->timeout_ns / 1e9, first + 1,
		       ws_place_format(&shooter->step->items[first].engine.place, place, sizeof(place)),
		       shooter->step->items[first].engine.name);
}

static void stop_interference(struct ws_shooter *shooter)
{
	for (int i = 0; i < shooter->activity_count; i++)
		if (shooter->activities[i]->ops->stop)
			shooter->activities[i]->ops->stop(shooter->activities[i]);
}

/* From release to the last item's end. */
static int fire(struct ws_shooter *shooter, struct ws_sample *sample, struct ws_error *error)
{
	const size_t items = (size_t)shooter->step->item_count;
	int64_t until_ns, last_release_ns;
	int rc;

	memset(shooter->done, 0, items * sizeof(*shooter->done));
	memset(shooter->end_ns, 0, items * sizeof(*shooter->end_ns));
	until_ns = deadline(shooter);
	sample->host_start_ns = ws_clock_now_ns(shooter->clock);
	last_release_ns = sample->host_start_ns;
	for (int i = 0; i < shooter->activity_count; i++) {
		if (i > 0)
			last_release_ns = ws_clock_now_ns(shooter->clock);
		shooter->activities[i]->ops->release(shooter->activities[i]);
	}
	sample->release_skew_ns = last_release_ns - sample->host_start_ns;
	rc = wait_done(shooter, false, until_ns, error);
	if (rc == WS_OK) {
		memcpy(shooter->done_before, shooter->done, items * sizeof(*shooter->done));
		stop_interference(shooter);
		rc = wait_done(shooter, true, until_ns, error);
	}
	return rc == WS_ETIMEOUT ? timed_out(shooter, error) : rc;
}

static int read_back(struct ws_shooter *shooter, struct ws_sample *sample, struct ws_error *error)
{
	const int64_t until_ns = deadline(shooter);
	int rc = post(shooter, WS_PHASE_READ, NULL, until_ns, error);

	for (int i = 0; i < shooter->activity_count && rc == WS_OK; i++)
		rc = shooter->activities[i]->ops->read(shooter->activities[i], until_ns, sample, error);
	return rc;
}

/* The lanes' times on the host clock, and the span of all of them where one device clock saw them all. */
static void finish_lanes(const struct ws_shooter *shooter, struct ws_sample *sample)
{
	int64_t start_ns = INT64_MAX, end_ns = INT64_MIN, host_start_ns = INT64_MAX;
	bool one_clock = sample->lane_count > 0;

	for (int i = 0; i < sample->lane_count; i++) {
		struct ws_lane *lane = &sample->lanes[i];

		if (lane->host_end_ns == 0) {
			lane->host_start_ns = sample->host_start_ns;
			lane->host_end_ns = shooter->end_ns[lane->item];
			lane->poll_gap_ns = shooter->gap_ns[lane->item];
		}
		if (interferes(shooter, lane->item))
			continue;
		host_start_ns = lane->host_start_ns < host_start_ns ? lane->host_start_ns : host_start_ns;
		if (lane->host_end_ns > sample->host_end_ns)
			sample->host_end_ns = lane->host_end_ns;
		one_clock = one_clock && lane->has_device && strcmp(lane->clock, sample->lanes[0].clock) == 0;
		start_ns = lane->start_ns < start_ns ? lane->start_ns : start_ns;
		end_ns = lane->end_ns > end_ns ? lane->end_ns : end_ns;
	}
	/* Lanes whose times are their own may have begun later than the release. */
	if (host_start_ns != INT64_MAX)
		sample->host_start_ns = host_start_ns;
	sample->has_span = one_clock && end_ns > start_ns;
	sample->span_ns = sample->has_span ? end_ns - start_ns : 0;
}

/* The time of a lane with so many loops beside the timed ones. */
static double time_with(const struct ws_lane *lane, double loops_beside)
{
	const double loops = lane->loops ? lane->loops : 1;

	return (double)ws_lane_time_ns(lane) * (loops + loops_beside) / loops;
}

static double whole_ns(const struct ws_lane *lane)
{
	return time_with(lane, (double)lane->lead_loops + lane->trail_loops);
}

/* The longest time of what is measured. */
static double measured_ns(const struct ws_shooter *shooter, const struct ws_sample *sample)
{
	double longest = 0;

	for (int i = 0; i < sample->lane_count; i++)
		if (!interferes(shooter, sample->lanes[i].item))
			longest = fmax(longest, whole_ns(&sample->lanes[i]));
	return longest;
}

/* The shortest time of an interfering item's lanes. */
static double beside_ns(const struct ws_sample *sample, int item)
{
	double shortest = 0;

	for (int i = 0; i < sample->lane_count; i++) {
		const double time_ns = (double)ws_lane_time_ns(&sample->lanes[i]);

		if (sample->lanes[i].item == item && (shortest <= 0 || time_ns < shortest))
			shortest = time_ns;
	}
	return shortest;
}

/*
 * Where one poll saw the ends of an interfering and of the last measured item: whether the former came last. It started
 * first, so it did if it also took longer; or it ended within so little time before that it does not matter.
 */
static bool outlasted(const struct ws_shooter *shooter, const struct ws_sample *sample, int item)
{
	const double longest_ns = measured_ns(shooter, sample);

	return beside_ns(sample, item) >= longest_ns || (double)shooter->gap_ns[item] <= longest_ns / GAP_SHARE;
}

static bool ended_early(const struct ws_shooter *shooter, const struct ws_sample *sample, int item)
{
	int64_t last_ns = 0;

	for (int i = 0; i < shooter->step->item_count; i++)
		if (!interferes(shooter, i) && shooter->end_ns[i] > last_ns)
			last_ns = shooter->end_ns[i];
	return shooter->done_before[item] &&
	       (shooter->end_ns[item] < last_ns || !outlasted(shooter, sample, item));
}

/* As many as would have lasted a quarter longer than what was measured; more than there were. */
static uint32_t loops_needed(const struct ws_shooter *shooter, const struct ws_sample *sample, int item)
{
	const double most = ws_shooter_item_loops_max(shooter, item), loops = shooter->loops[item];
	const double own_ns = beside_ns(sample, item);
	const double needed = own_ns > 0 ? ceil(1.25 * loops * measured_ns(shooter, sample) / own_ns) : 2 * loops;

	return (uint32_t)fmin(fmax(needed, loops + 1), most);
}

/* Interference that ended before the measured items did leaves them alone at the end: that sample does not count. */
static void judge_interference(struct ws_shooter *shooter, struct ws_sample *sample)
{
	for (int i = 0; i < shooter->step->item_count; i++) {
		if (!interferes(shooter, i) || shooter->loops[i] == WS_LOOPS_UNTIL_STOPPED ||
		    !ended_early(shooter, sample, i))
			continue;
		sample->discarded = true;
		strcpy(sample->discard_reason, "interference ended before the measured items");
		shooter->loops[i] = loops_needed(shooter, sample, i);
	}
}

/*
 * Items that are measured together all start at once, and each has to go on until the timed loops of the others are over.
 * Their clocks differ, so that only their lengths can be told.
 */
static void judge_together(struct ws_shooter *shooter, struct ws_sample *sample)
{
	double timed_ns = 0;

	for (int i = 0; i < sample->lane_count; i++)
		if (!interferes(shooter, sample->lanes[i].item))
			timed_ns = fmax(timed_ns, time_with(&sample->lanes[i], sample->lanes[i].lead_loops));
	for (int i = 0; i < sample->lane_count; i++) {
		const struct ws_lane *lane = &sample->lanes[i];
		const double others = (double)lane->lead_loops + lane->loops;
		const double most = fmax(ws_shooter_item_loops_max(shooter, lane->item) - others, lane->trail_loops);
		uint32_t *trail_loops = &shooter->trail_loops[lane->item];
		double needed;

		if (lane->trail_loops == 0 || whole_ns(lane) >= timed_ns)
			continue;
		sample->discarded = true;
		strcpy(sample->discard_reason, "a flow ended before the others were measured");
		needed = ceil(1.1 * timed_ns * lane->loops / (double)ws_lane_time_ns(lane)) - others;
		*trail_loops = (uint32_t)fmin(fmax(needed, *trail_loops + 1.0), most);
	}
}

int ws_shooter_sample(struct ws_shooter *shooter, const struct ws_shot *shot, struct ws_sample *out,
		      struct ws_error *error)
{
	struct ws_sample sample = {.size_index = shot->size_index, .check = {.rank = WS_RANK_NONE}};
	int rc = arm(shooter, shot, error);

	if (rc == WS_OK)
		rc = fire(shooter, &sample, error);
	if (rc == WS_OK)
		rc = read_back(shooter, &sample, error);
	if (rc != WS_OK) {
		cancel(shooter);
		ws_sample_release(&sample);
		return rc;
	}
	finish_lanes(shooter, &sample);
	judge_interference(shooter, &sample);
	judge_together(shooter, &sample);
	shooter->last_end_ns = ws_clock_now_ns(shooter->clock);
	*out = sample;
	return WS_OK;
}

int ws_shooter_verify(struct ws_shooter *shooter, struct ws_check *check, struct ws_error *error)
{
	const int64_t until_ns = deadline(shooter);
	int rc = post(shooter, WS_PHASE_VERIFY, NULL, until_ns, error);

	for (int i = 0; i < shooter->activity_count && rc == WS_OK; i++)
		rc = shooter->activities[i]->ops->verify(shooter->activities[i], until_ns, check, error);
	if (rc == WS_OK)
		check->done = true;
	else
		cancel(shooter);
	return rc;
}

int ws_shooter_path(struct ws_shooter *shooter, struct json_t *into, struct ws_error *error)
{
	int rc = WS_OK;

	for (int i = 0; i < shooter->activity_count && rc == WS_OK; i++)
		if (shooter->activities[i]->ops->path)
			rc = shooter->activities[i]->ops->path(shooter->activities[i], into, error);
	return rc;
}
