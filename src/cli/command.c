/* The commands as a table, and the exit codes they share. */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

#include "cli/help.h"

static const struct ws_command commands[] = {
	{.name = "run", .bit = WS_RUN, .operands = "[PROBE...]", .run = ws_command_run,
	 .summary = "measure probes, given by name, pattern (host_*) or family; the default command"},
	{.name = "list", .bit = WS_LIST, .operands = "", .run = ws_command_list,
	 .summary = "print the table of probes"},
	{.name = "machine", .bit = WS_MACHINE, .operands = "", .run = ws_command_machine,
	 .summary = "print the places of this machine and the versions of what was loaded"},
	{.name = "launch", .bit = WS_LAUNCH, .operands = "-- [run] [PROBE...]", .takes_rest = true,
	 .run = ws_command_launch, .summary = "start ranks on this machine that measure together"},
	{.name = "as", .bit = WS_AS, .operands = "TOOL[@VERSION] [ARGUMENT...]", .foreign = true, .run = ws_command_as,
	 .summary = "speak another tool, its command line in and its text out; a link to this program with its name does, too"},
	{.name = "help", .bit = WS_HELP, .operands = "[COMMAND]", .run = ws_command_help,
	 .summary = "print the help of the program or of a command"},
	{.name = "check", .bit = WS_LATER},
	{.name = "compare", .bit = WS_LATER},
	{.name = "baseline", .bit = WS_LATER},
	{.name = "localise", .bit = WS_LATER},
	{.name = "history", .bit = WS_LATER},
	{.name = "report", .bit = WS_LATER},
	{.name = "serve", .bit = WS_LATER},
};

const struct ws_command *ws_commands(size_t *count)
{
	*count = sizeof(commands) / sizeof(commands[0]);
	return commands;
}

const struct ws_command *ws_command_find(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	}
	return NULL;
}

int ws_exit_code(int status)
{
	switch (status) {
	case WS_OK:
		return WS_EXIT_OK;
	case WS_EINVAL:
	case WS_EUNSUPPORTED:
	case WS_EABSENT:
		return WS_EXIT_USAGE;
	default:
		return WS_EXIT_SYSTEM;
	}
}

int ws_command_help(const struct ws_arguments *arguments, struct ws_error *error)
{
	const char *names[sizeof(commands) / sizeof(commands[0])];
	char quoted[WS_QUOTE_TEXT], near[WS_QUOTE_TEXT];
	const struct ws_command *command;
	const char *word;
	size_t known = 0;

	if (arguments->mdoc) {
		ws_help_mdoc(stdout);
		return WS_EXIT_OK;
	}
	if (arguments->operand_count == 0) {
		ws_help_program(stdout);
		return WS_EXIT_OK;
	}
	word = arguments->operands[0];
	command = ws_command_find(word);
	if (arguments->operand_count > 1)
		return ws_exit_code(ws_fail(error, WS_EINVAL, "\"help\" takes the name of one command"));
	if (command && !command->run)
		return ws_exit_code(ws_fail(error, WS_EUNSUPPORTED, "command \"%s\" is not in this build", word));
	if (command) {
		ws_help_command(command, stdout);
		return WS_EXIT_OK;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (commands[i].run)
			names[known++] = commands[i].name;
	}
	return ws_exit_code(ws_fail(error, WS_EINVAL, "unknown command %s%s", ws_cli_quote(word, strlen(word), quoted),
				    ws_cli_near(word, names, known, near, sizeof(near))));
}
