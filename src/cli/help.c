/* Help on a terminal and the manual page's section on options, both from the tables. */
#include "cli/help.h"

#include <stdbool.h>
#include <string.h>

#include "dialect/dialect.h"

#define HELP_COLUMN 27
#define WIDTH 80
#define LINE 240

static bool shown(const struct ws_cli_option *option, unsigned commands, enum ws_cli_group group)
{
	return !option->planned && !option->hidden && option->group == group && (option->commands & commands);
}

/* Words from `column` on, the following lines indented as far. */
static void print_wrapped(const char *text, size_t column, FILE *to)
{
	size_t at = column;

	while (*text) {
		const size_t length = strcspn(text, " ");

		if (at > column && at + 1 + length > WIDTH) {
			fprintf(to, "\n%*s", (int)column, "");
			at = column;
		}
		at += (size_t)fprintf(to, "%s%.*s", at > column ? " " : "", (int)length, text);
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', to);
}

static void print_option(const struct ws_cli_option *option, FILE *to)
{
	char letter[6] = "    ", allowed[LINE], text[2 * LINE];
	int used;

	if (option->letter)
		snprintf(letter, sizeof(letter), "-%c, ", option->letter);
	used = fprintf(to, "  %s--%s%s%s", letter, option->name, option->argument ? " " : "",
		       option->argument ? option->argument : "");
	if (used + 2 > HELP_COLUMN)
		used = fprintf(to, "\n") - 1;
	fprintf(to, "%*s", HELP_COLUMN - used, "");
	ws_cli_option_allowed(option, allowed, sizeof(allowed));
	snprintf(text, sizeof(text), allowed[0] ? "%s (%s)" : "%s", option->help, allowed);
	print_wrapped(text, HELP_COLUMN, to);
}

/* How the options of a group are written. */
struct style {
	const char *before_title, *behind_title, *end;
	void (*print)(const struct ws_cli_option *option, FILE *to);
};

static void print_groups(unsigned commands, const struct style *style, FILE *to)
{
	const struct ws_cli_option *options;
	size_t count;

	options = ws_cli_options(&count);
	for (enum ws_cli_group group = 0; group < WS_GROUP_COUNT; group++) {
		bool titled = false;

		for (size_t i = 0; i < count; i++) {
			if (!shown(&options[i], commands, group))
				continue;
			if (!titled)
				fprintf(to, "%s%s%s", style->before_title, ws_cli_group_title(group),
					style->behind_title);
			titled = true;
			style->print(&options[i], to);
		}
		if (titled)
			fputs(style->end, to);
	}
}

static void print_options(unsigned commands, FILE *to)
{
	static const struct style style = {"\n", ":\n", "", print_option};

	print_groups(commands, &style, to);
}

static void print_usage(const struct ws_command *command, const char *name, FILE *to)
{
	fprintf(to, "usage: wirespeed %s%s%s%s\n", name, command->foreign ? "" : " [OPTION...]",
		command->operands[0] ? " " : "", command->operands);
}

void ws_help_program(FILE *to)
{
	const struct ws_command *commands;
	size_t count;

	commands = ws_commands(&count);
	print_usage(&commands[0], "[run]", to);
	fputs("       wirespeed COMMAND [OPTION...]\n\n"
	      "How fast is every link of this machine? Without a probe's name, the quick set of\n"
	      "probes is measured.\n\nCommands:\n",
	      to);
	for (size_t i = 0; i < count; i++) {
		if (!commands[i].run)
			continue;
		fprintf(to, "  %-*s", HELP_COLUMN - 2, commands[i].name);
		print_wrapped(commands[i].summary, HELP_COLUMN, to);
	}
	fputs("\nOptions of run (those of another command: wirespeed COMMAND --help)\n", to);
	print_options(WS_RUN, to);
}

static void print_dialects(FILE *to)
{
	const struct ws_dialect *dialects;
	size_t count;

	dialects = ws_dialects(&count);
	fputs("\nTools (the help of one: wirespeed as TOOL --help):\n", to);
	for (size_t i = 0; i < count; i++) {
		char text[LINE];

		snprintf(text, sizeof(text), dialects[i].versions[0] ? "%s (versions %s)" : "%s", dialects[i].summary,
			 dialects[i].versions);
		if (fprintf(to, "  %-*s", HELP_COLUMN - 2, dialects[i].name) > HELP_COLUMN)
			fprintf(to, "\n%*s", HELP_COLUMN, "");
		print_wrapped(text, HELP_COLUMN, to);
	}
}

void ws_help_command(const struct ws_command *command, FILE *to)
{
	print_usage(command, command->name, to);
	fputc('\n', to);
	print_wrapped(command->summary, 0, to);
	if (command->foreign)
		print_dialects(to);
	print_options(command->bit, to);
}

/* A sentence of its own: the first letter large, a full stop at the end. */
static void print_sentence(const char *text, FILE *to)
{
	const char first = text[0] >= 'a' && text[0] <= 'z' ? (char)(text[0] - 'a' + 'A') : text[0];

	fprintf(to, "%c%s.\n", first, text + 1);
}

static void print_option_mdoc(const struct ws_cli_option *option, FILE *to)
{
	const struct ws_command *commands;
	const char *join = "Taken by\n.Cm";
	char allowed[LINE];
	size_t count;

	fputs(".It", to);
	if (option->letter)
		fprintf(to, " Fl %c ,", option->letter);
	fprintf(to, " Fl -%s", option->name);
	if (option->argument)
		fprintf(to, " Ar %s", option->argument);
	fputc('\n', to);
	print_sentence(option->help, to);
	ws_cli_option_allowed(option, allowed, sizeof(allowed));
	if (allowed[0])
		fprintf(to, "Allowed: %s.\n", allowed);
	if (option->commands == WS_RUN || option->commands == WS_ALL)
		return;
	commands = ws_commands(&count);
	for (size_t i = 0; i < count; i++) {
		if (!commands[i].run || !(option->commands & commands[i].bit))
			continue;
		fprintf(to, "%s %s", join, commands[i].name);
		join = " ,";
	}
	fputs(" .\n", to);
}

void ws_help_mdoc(FILE *to)
{
	static const struct style style = {".Ss ", "\n.Bl -tag -width Ds\n", ".El\n", print_option_mdoc};

	print_groups(WS_ALL, &style, to);
}
