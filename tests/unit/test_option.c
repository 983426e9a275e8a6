/* The option table holds together, and each row parses into its own destination. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/help.h"
#include "probe/probe.h"

static const struct ws_cli_option *rows;
static size_t count;

static int setup(void **state)
{
	(void)state;
	rows = ws_cli_options(&count);
	return 0;
}

static void names_and_letters_are_unique(void **state)
{
	(void)state;
	for (size_t i = 0; i < count; i++) {
		for (size_t j = i + 1; j < count; j++) {
			assert_string_not_equal(rows[i].name, rows[j].name);
			assert_true(!rows[i].letter || rows[i].letter != rows[j].letter);
		}
		assert_ptr_equal(ws_cli_option_find(rows[i].name, strlen(rows[i].name)), &rows[i]);
	}
}

/* Two rows with one destination would overwrite each other; a row without one would be parsed and ignored. */
static void destinations_are_unique(void **state)
{
	(void)state;
	for (size_t i = 0; i < count; i++) {
		assert_true(rows[i].planned == (rows[i].offset == 0));
		for (size_t j = i + 1; j < count; j++)
			assert_true(rows[i].planned || rows[i].offset != rows[j].offset);
	}
}

static void contradictions_name_options_of_one_command(void **state)
{
	(void)state;
	for (size_t i = 0; i < count; i++) {
		for (const char *at = rows[i].contradicts; at && *at; at += strspn(at, " ")) {
			const size_t length = strcspn(at, " ");
			const struct ws_cli_option *other = ws_cli_option_find(at, length);

			assert_non_null(other);
			assert_false(other->planned);
			assert_true(rows[i].commands & other->commands);
			at += length;
		}
	}
}

static void every_row_is_taken_by_a_command(void **state)
{
	const struct ws_command *commands;
	size_t command_count;
	unsigned bits = 0;

	(void)state;
	commands = ws_commands(&command_count);
	for (size_t i = 0; i < command_count; i++)
		bits |= commands[i].bit;
	for (size_t i = 0; i < count; i++) {
		assert_true(rows[i].commands & bits);
		assert_true(strlen(rows[i].help) > 5);
		assert_true(rows[i].help[strlen(rows[i].help) - 1] != '.');
	}
}

/* An option for probes that no probe honours would always be refused, and a wish without an option never be made. */
static void probes_and_options_agree(void **state)
{
	const struct ws_probe *probe;

	(void)state;
	for (size_t i = 0; i < count; i++) {
		bool honoured = !rows[i].probe;

		for (size_t k = 0; !honoured && (probe = ws_probe_row(k)) != NULL; k++)
			honoured = ws_probe_honours(probe, rows[i].name);
		if (!honoured)
			fail_msg("no probe honours --%s", rows[i].name);
	}
	for (size_t k = 0; (probe = ws_probe_row(k)) != NULL; k++) {
		for (const char *at = probe->honours; *at; at += strspn(at, " ")) {
			const size_t length = strcspn(at, " ");
			const struct ws_cli_option *option = ws_cli_option_find(at, length);

			if (!option || !option->probe || option->planned)
				fail_msg("%s honours \"%.*s\", which is no option for probes", probe->name, (int)length, at);
			at += length;
		}
	}
}

/* Help names what is built, all of it and nothing else, in lines that fit a terminal. */
static void help_is_complete(void **state)
{
	char *text = NULL, wanted[64];
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)state;
	assert_non_null(to);
	ws_help_command(ws_command_find("run"), to);
	fclose(to);
	for (size_t i = 0; i < count; i++) {
		const bool expected = (rows[i].commands & WS_RUN) && !rows[i].planned && !rows[i].hidden;
		const char *found;

		snprintf(wanted, sizeof(wanted), "\n  %c%c%c --%s%s%s", rows[i].letter ? '-' : ' ',
			 rows[i].letter ? rows[i].letter : ' ', rows[i].letter ? ',' : ' ', rows[i].name,
			 rows[i].argument ? " " : "", rows[i].argument ? rows[i].argument : "");
		found = strstr(text, wanted);
		assert_true(expected == (found && strchr(" \n", found[strlen(wanted)])));
	}
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= 80);
	free(text);
}

static void parses(int argc, const char **words, struct ws_arguments *out)
{
	struct ws_error error = {0};
	char *argv[17];

	for (int i = 0; i <= argc; i++)
		argv[i] = (char *)(uintptr_t)words[i];
	if (ws_arguments_parse(argc, argv, out, &error) < 0)
		fail_msg("%s", error.text);
}

static void values_arrive(void **state)
{
	const char *words[] = {"wirespeed",    "help",	"--version", "--size", "64M/1G", "--threads=3", "--timeout",
			       "1.5s",	       "-o",	"-",	     "list",   "--seed", "18446744073709551615",
			       "--memory=huge", "--sizes=1K..1M", NULL};
	struct ws_arguments arguments;

	(void)state;
	parses(15, words, &arguments);
	assert_string_equal(arguments.command->name, "help");
	assert_true(arguments.command_named);
	assert_int_equal(arguments.operand_count, 1);
	assert_string_equal(arguments.operands[0], "list");
	assert_int_equal(arguments.size.count, 2);
	assert_int_equal(arguments.size.bytes[0], 64 << 20);
	assert_int_equal(arguments.size.bytes[1], 1 << 30);
	assert_int_equal(arguments.sizes.bytes[0], 1 << 10);
	assert_int_equal(arguments.sizes.bytes[1], 1 << 20);
	assert_int_equal(arguments.threads, 3);
	assert_int_equal(arguments.timeout_ns, 1500000000);
	assert_string_equal(arguments.output, "-");
	assert_true(arguments.seed == UINT64_MAX);
	assert_string_equal(arguments.memory, "pinned:thp");
	assert_true(ws_arguments_given(&arguments, "seed"));
	assert_false(ws_arguments_given(&arguments, "samples"));
	ws_arguments_release(&arguments);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_letters_are_unique), cmocka_unit_test(destinations_are_unique),
		cmocka_unit_test(contradictions_name_options_of_one_command),	cmocka_unit_test(every_row_is_taken_by_a_command),
		cmocka_unit_test(probes_and_options_agree),	cmocka_unit_test(help_is_complete),
		cmocka_unit_test(values_arrive),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
