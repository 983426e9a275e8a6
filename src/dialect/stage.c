/* What every dialect does between its command line and its text. */
#include "dialect/stage.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "activity/session.h"
#include "base/clock.h"
#include "measure/run.h"
#include "probe/fold.h"
#include "probe/probe.h"

/* A healthy machine has no fake drivers, so this line is in nobody's way. */
static void say_simulated(const struct ws_session *session)
{
	const struct ws_session_backend *entry;

	for (size_t i = 0; (entry = ws_session_backend_at(session, i)) != NULL; i++) {
		if (entry->open && entry->backend.simulated)
			fprintf(stderr, "SIMULATED: %s is a fake, no figure of it is real\n", entry->ops->name);
	}
}

int ws_stage_open(const struct ws_dialect_call *call, const char *families, int64_t timeout_ns, struct ws_stage *out,
		  struct ws_error *error)
{
	struct ws_stage stage = {.arguments = {.timeout_ns = timeout_ns}, .interrupted = call->interrupted};
	int status = ws_cli_open(&stage.arguments, &stage.session, error);

	if (status == WS_OK)
		status = ws_cli_need(&stage.arguments, stage.session, families, error);
	if (status != WS_OK) {
		ws_session_close(stage.session);
		return status;
	}
	say_simulated(stage.session);
	*out = stage;
	return WS_OK;
}

const struct ws_session_backend *ws_stage_backend(const struct ws_stage *stage, const char *family)
{
	const struct ws_session_backend *entry;
	size_t i = 0;

	while ((entry = ws_session_backend_at(stage->session, i)) != NULL && strcmp(entry->ops->family, family) != 0)
		i++;
	assert(entry);
	return entry;
}

static int compare_ordinals(const void *a, const void *b)
{
	const struct ws_place_facts *const *left = a, *const *right = b;

	return ((*left)->ordinal > (*right)->ordinal) - ((*left)->ordinal < (*right)->ordinal);
}

const struct ws_place_facts **ws_stage_devices(const struct ws_stage *stage, const char *family, int *count)
{
	const struct ws_places *places = ws_session_places(stage->session);
	const struct ws_place_facts **list = malloc(((size_t)places->count + 1) * sizeof(*list));

	*count = 0;
	if (!list)
		return NULL;
	for (int i = 0; i < places->count; i++)
		if (strcmp(places->at[i].place.family, family) == 0)
			list[(*count)++] = &places->at[i];
	qsort(list, (size_t)*count, sizeof(*list), compare_ordinals);
	return list;
}

bool ws_stage_is_over(const struct ws_stage *stage)
{
	return stage->lost || *stage->interrupted ||
	       (stage->deadline_ns && ws_clock_now_ns(ws_clock_monotonic()) >= stage->deadline_ns);
}

void ws_stage_wish(const struct ws_stage *stage, struct ws_cli_wishes *out)
{
	ws_cli_wish(&stage->arguments, stage->session, out);
}

int ws_stage_expand(const char *probe, const struct ws_expand *expand, const struct ws_settings *settings,
		    struct ws_plan *out, struct ws_error *error)
{
	struct ws_selection selection;
	int status = ws_probe_select(&probe, 1, &selection, error);

	return status == WS_OK ? ws_probe_expand_all(&selection, expand, settings, out, error) : status;
}

/* Ends a run between samples: the user asked to, or the tool's own time is up. */
struct watch {
	const struct ws_stage *stage;
	volatile sig_atomic_t stop;
};

static void look(void *context, const struct ws_progress *progress)
{
	struct watch *watch = context;

	(void)progress;
	if (ws_stage_is_over(watch->stage))
		watch->stop = 1;
}

/* Figures that cannot be printed are as good as a wish to stop. */
static const volatile sig_atomic_t *stop_flag(struct ws_stage *stage)
{
	static const volatile sig_atomic_t unprintable = 1;

	if (ferror(stdout))
		stage->interrupted = &unprintable;
	return stage->interrupted;
}

int ws_stage_measure(struct ws_stage *stage, const struct ws_plan *plan, struct ws_result *out, struct ws_error *error)
{
	const struct ws_activity_source source = ws_session_source(stage->session);
	const volatile sig_atomic_t *const interrupted = stop_flag(stage);
	struct watch watch = {.stage = stage};
	const struct ws_run_options options = {
		.clock = ws_clock_monotonic(),
		.source = &source,
		.interrupted = stage->deadline_ns ? &watch.stop : interrupted,
		.progress = stage->deadline_ns ? look : NULL,
		.context = &watch,
	};
	int status;

	*out = (struct ws_result){.steps = NULL};
	if (stage->lost)
		return ws_fail(error, WS_ELOST, "a device hangs; nothing more is measured");
	if (stage->deadline_ns)
		look(&watch, NULL);
	status = ws_run_plan(plan, &options, out, error);
	stage->lost = out->lost;
	return status == WS_OK ? ws_result_fold(out, error) : status;
}

int ws_stage_close(struct ws_stage *stage, int code)
{
	const bool lost = stage->lost || ws_session_close(stage->session);

	stage->session = NULL;
	if (!lost)
		return code;
	fflush(stdout);
	_exit(code);
}

void ws_stage_note(const char *format, ...)
{
	const char *wanted = getenv("WIRESPEED_NOTES");
	va_list arguments;

	if (!wanted || strcmp(wanted, "1") != 0)
		return;
	va_start(arguments, format);
	fputs("wirespeed: note: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}
