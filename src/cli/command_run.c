/* The command "run": select, open, plan, measure, fold, report. */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/item.h"
#include "base/record.h"
#include "cli/facts.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/ranks.h"
#include "cli/signals.h"
#include "cli/text_file.h"
#include "judge/limit.h"
#include "judge/wire.h"
#include "measure/run.h"
#include "plan/plan_text.h"
#include "probe/fold.h"
#include "probe/probe.h"
#include "report/report.h"

#define THOROUGH_TIME 10 /* times the usual limit */
#define FAMILIES_TEXT 200

/* Settings of the command line over those of the plan. */
static void apply_settings(const struct ws_arguments *arguments, struct ws_settings *settings)
{
	if (arguments->thorough)
		settings->time_limit_ns *= THOROUGH_TIME;
	if (arguments->samples)
		settings->samples = (uint32_t)arguments->samples;
	if (arguments->time_limit_ns)
		settings->time_limit_ns = arguments->time_limit_ns;
	if (arguments->timeout_ns)
		settings->timeout_ns = arguments->timeout_ns;
	if (arguments->no_verify)
		settings->verify = WS_VERIFY_NONE;
	if (ws_arguments_given(arguments, "seed"))
		settings->seed = arguments->seed;
}

static int read_plan(const struct ws_arguments *arguments, struct ws_plan *plan, struct ws_error *error)
{
	char name[WS_QUOTE_TEXT], *text = NULL;
	struct ws_error inner = {0};
	size_t size = 0;
	int status = ws_text_file_read("plan", arguments->plan, WS_PLAN_TEXT_MAX, &text, &size, error);

	if (status != WS_OK)
		return status;
	status = ws_plan_parse(text, size, ws_probe_find, plan, &inner);
	free(text);
	if (status == WS_OK) {
		status = ws_plan_check_built(plan, &inner);
		if (status == WS_OK && arguments->time_limit_ns && plan->settings.samples)
			status = ws_fail(&inner, WS_EINVAL, "its samples=%u contradicts --time-limit",
					 plan->settings.samples);
		if (status == WS_OK)
			return WS_OK;
		ws_plan_release(plan);
		*plan = (struct ws_plan){.steps = NULL};
	}
	return ws_fail(error, status, "--plan: %s: %s", ws_text_file_name(arguments->plan, name), inner.text);
}

/* A first word that selects nothing may be a mistyped command. */
static int check_first_word(const struct ws_arguments *arguments, struct ws_error *error)
{
	char quoted[WS_QUOTE_TEXT], near[WS_QUOTE_TEXT];
	struct ws_selection selection;
	const char *names[16], *word;
	const struct ws_command *commands;
	size_t count, known = 0;

	if (arguments->command_named || arguments->operand_count == 0)
		return WS_OK;
	word = arguments->operands[0];
	if (ws_probe_select(&word, 1, &selection, NULL) == WS_OK)
		return WS_OK;
	commands = ws_commands(&count);
	for (size_t i = 0; i < count && known < sizeof(names) / sizeof(names[0]); i++) {
		if (commands[i].run)
			names[known++] = commands[i].name;
	}
	if (!ws_cli_near(word, names, known, near, sizeof(near))[0])
		return WS_OK;
	return ws_fail(error, WS_EINVAL, "unknown command or probe %s%s", ws_cli_quote(word, strlen(word), quoted), near);
}

static int select_probes(const struct ws_arguments *arguments, struct ws_selection *selection, struct ws_error *error)
{
	const struct ws_cli_option *options;
	const char *given[WS_CLI_OPTION_MAX];
	size_t count, given_count = 0;
	int status = check_first_word(arguments, error);

	if (status != WS_OK)
		return status;
	options = ws_cli_options(&count);
	for (size_t i = 0; i < count; i++) {
		if (options[i].probe && arguments->given[i])
			given[given_count++] = options[i].name;
	}
	status = ws_probe_select((const char *const *)arguments->operands, (size_t)arguments->operand_count, selection,
				 error);
	return status == WS_OK ? ws_probe_check_options(selection, given, given_count, error) : status;
}

/* The place families that the selected probes can use, each perhaps several times. */
static void list_families(const struct ws_selection *selection, char families[FAMILIES_TEXT])
{
	size_t used = 0;

	families[0] = '\0';
	for (size_t i = 0; i < selection->count; i++) {
		const char *needs = selection->probes[i]->needs;

		if (!strstr(families, needs) && used + strlen(needs) + 2 < FAMILIES_TEXT)
			used += (size_t)snprintf(families + used, FAMILIES_TEXT - used, "%s%s", used ? " " : "", needs);
	}
}

static int make_plan(const struct ws_arguments *arguments, const struct ws_selection *selection,
		     struct ws_session *session, struct ws_cli_ranks *ranks, struct ws_plan *plan, struct ws_error *error)
{
	struct ws_settings settings = ws_settings_default(arguments->quick);
	struct ws_cli_wishes wishes;
	char families[FAMILIES_TEXT];
	int status;

	list_families(selection, families);
	status = ws_cli_need(arguments, session, families, error);
	if (status == WS_OK)
		status = ws_cli_ranks_open(arguments, session, families, ranks, error);
	if (status != WS_OK)
		return status;
	apply_settings(arguments, &settings);
	ws_cli_wish(arguments, session, &wishes);
	wishes.expand.places = &ranks->places;
	wishes.expand.rank_count = ranks->ranks->size;
	status = ws_probe_expand_all(selection, &wishes.expand, &settings, plan, error);
	if (status == WS_OK && !arguments->time_limit_ns && !arguments->thorough && !arguments->samples)
		ws_plan_share_time(plan);
	return status;
}

static int print_plan(const struct ws_arguments *arguments, const struct ws_plan *plan, struct ws_error *error)
{
	char *text = NULL;
	int code = ws_exit_code(ws_plan_print(plan, &text, error));

	if (code == WS_EXIT_OK && ws_output_write(arguments->output, text, strlen(text), error) != WS_OK)
		code = WS_EXIT_OUTPUT;
	free(text);
	return code;
}

static int measure(const struct ws_plan *plan, struct ws_session *session, struct ws_cli_ranks *ranks,
		   struct ws_result *result, struct ws_error *error)
{
	struct ws_activity_source source;
	const struct ws_session_backend *entry;
	struct ws_environment environment;
	struct ws_cli_progress progress;
	const struct ws_run_options options = {
		.clock = ws_clock_monotonic(),
		.source = &source,
		.interrupted = ws_signals_catch(),
		.progress = ws_cli_progress_show,
		.context = &progress,
	};
	int status;

	status = ws_cli_ranks_source(ranks, &plan->settings, &source, error);
	if (status != WS_OK)
		return status;
	ws_cli_progress_init(&progress);
	status = ws_run_plan(plan, &options, result, error);
	ws_cli_progress_clear(&progress);
	if (status == WS_OK)
		status = ws_result_fold(result, error);
	if (status == WS_OK)
		status = ws_limit_result(result, error);
	if (status == WS_OK)
		status = ws_wire_result(result, error);
	if (status == WS_OK)
		status = ws_facts_machine(session, ws_cli_ranks_places(ranks, session), &result->machine, error);
	if (status == WS_OK)
		status = ws_facts_environment(session, &environment, error);
	if (status != WS_OK)
		return status;
	status = ws_environment_json(&environment, &result->environment, error);
	ws_environment_release(&environment);
	for (size_t i = 0; (entry = ws_session_backend_at(session, i)) != NULL; i++)
		result->simulated = result->simulated || (entry->open && entry->backend.simulated);
	for (int i = 0; i < ranks->places.count; i++)
		result->simulated = result->simulated || ranks->places.at[i].simulated;
	return status;
}

static bool is_named(const struct ws_selection *selection, const struct ws_probe *probe)
{
	for (size_t i = 0; i < selection->count; i++) {
		if (selection->probes[i] == probe)
			return selection->named[i];
	}
	return false;
}

/* Whether a figure was asked for by name, as every step of a plan that has something to do does. */
static bool is_wanted(const struct ws_result *result, const struct ws_selection *selection, const struct ws_table *table,
		      const struct ws_cell *cell)
{
	if (selection->count == 0)
		return result->steps[cell->step].step.item_count > 0;
	return is_named(selection, table->probe);
}

static int cell_code(const struct ws_cell *cell, bool named, bool verify)
{
	switch (cell->status) {
	case WS_CELL_WRONG_DATA:
		return WS_EXIT_WRONG;
	case WS_CELL_NOT_APPLICABLE:
		return named ? WS_EXIT_MISSING : WS_EXIT_OK;
	case WS_CELL_MEASURED:
		return verify && (cell->folded.flags & WS_FLAG_UNVERIFIED) ? WS_EXIT_MISSING : WS_EXIT_OK;
	case WS_CELL_FAILED:
	case WS_CELL_INTERRUPTED:
	default:
		return WS_EXIT_MISSING;
	}
}

/* The worst of all cells: wrong data, then an interruption, then a missing figure; also if there is none at all. */
static int result_code(const struct ws_result *result, const struct ws_selection *selection)
{
	const bool verify = result->settings.verify != WS_VERIFY_NONE;
	int worst = WS_EXIT_OK;
	bool measured = false;

	for (int i = 0; i < result->table_count; i++) {
		const struct ws_table *table = &result->tables[i];

		for (int k = 0; k < table->cell_count; k++) {
			const struct ws_cell *cell = &table->cells[k];
			const int code = cell_code(cell, is_wanted(result, selection, table, cell), verify);

			worst = code > worst ? code : worst;
			measured = measured || cell->status == WS_CELL_MEASURED;
		}
	}
	if (worst != WS_EXIT_WRONG && result->incomplete && ws_signals_exit_code())
		return ws_signals_exit_code();
	return worst == WS_EXIT_OK && !measured ? WS_EXIT_MISSING : worst;
}

static int report(const struct ws_arguments *arguments, const struct ws_result *result, struct ws_error *error)
{
	const struct ws_report_options options = {.color = ws_cli_use_color(arguments->color, arguments->output)};
	const struct ws_report *writer;
	char *text = NULL;
	size_t size = 0, count;
	int status;

	writer = ws_report_rows(&count)[0];
	if (arguments->format && ws_report_find(arguments->format, &writer, error) != WS_OK)
		return WS_EXIT_USAGE;
	status = ws_report_print(writer, result, &options, &text, &size, error);
	if (status != WS_OK)
		return ws_exit_code(status);
	status = ws_output_write(arguments->output, text, size, error);
	free(text);
	return status == WS_OK ? WS_EXIT_OK : WS_EXIT_OUTPUT;
}

/* Something still runs in memory that would be freed on the way out. */
static _Noreturn void leave(int code, const struct ws_error *error)
{
	if (error->code)
		fprintf(stderr, "wirespeed: %s\n", error->text);
	_exit(code);
}

/* Measures, reports, and answers the exit code. */
static int run_plan(const struct ws_arguments *arguments, const struct ws_selection *selection,
		    const struct ws_plan *plan, struct ws_session *session, struct ws_cli_ranks *ranks,
		    struct ws_error *error)
{
	struct ws_result result = {.steps = NULL};
	int code = ws_exit_code(measure(plan, session, ranks, &result, error));

	if (code == WS_EXIT_OK)
		code = report(arguments, &result, error);
	if (code == WS_EXIT_OK)
		code = result_code(&result, selection);
	if (result.lost)
		leave(code, error);
	ws_result_release(&result);
	return code;
}

int ws_command_run(const struct ws_arguments *arguments, struct ws_error *error)
{
	struct ws_selection selection = {.count = 0};
	struct ws_session *session = NULL;
	struct ws_cli_ranks ranks = {.ranks = NULL};
	struct ws_plan plan = {.steps = NULL};
	int code = WS_EXIT_OK, status = WS_OK;

	if (arguments->machine && !arguments->dry_run)
		status = ws_fail(error, WS_EINVAL, "a recorded machine cannot be measured: --machine goes with --dry-run");
	if (status == WS_OK && !arguments->plan)
		status = select_probes(arguments, &selection, error);
	if (status == WS_OK && ws_output_check(arguments->output, error) != WS_OK)
		return WS_EXIT_OUTPUT;
	if (status == WS_OK && arguments->plan)
		status = read_plan(arguments, &plan, error);
	if (status == WS_OK)
		status = ws_cli_open(arguments, &session, error);
	if (status == WS_OK && !arguments->plan)
		status = make_plan(arguments, &selection, session, &ranks, &plan, error);
	else if (status == WS_OK) {
		apply_settings(arguments, &plan.settings);
		status = ws_cli_ranks_open_plan(arguments, session, &plan, &ranks, error);
	}
	if (status != WS_OK)
		code = ws_exit_code(status);
	else if (arguments->dry_run)
		code = print_plan(arguments, &plan, error);
	else
		code = run_plan(arguments, &selection, &plan, session, &ranks, error);
	ws_plan_release(&plan);
	ws_cli_ranks_release(&ranks);
	if (ws_session_close(session))
		leave(code, error);
	return code;
}
