/* Plan text that is wrong: line, column, what was found and what is allowed; and text that is too much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/item.h"
#include "plan/plan_text.h"
#include "plan_probes.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *text, *message;
} cases[] = {
	/* Nothing, and nothing but comments. */
	{"", "the plan has no steps"},
	{"# nothing\n\n", "the plan has no steps"},
	{"with samples=3\n", "the plan has no steps"},
	/* Settings. */
	{"with sampels=3", "line 1, column 6: unknown setting \"sampels\"; did you mean \"samples\"?"},
	{"with samples", "line 1, column 6: setting samples: allowed is a whole number up to 1000000"},
	{"with samples=-1", "line 1, column 6: setting samples=-1: allowed is"},
	{"with samples=1000001", "setting samples=1000001: allowed is"},
	{"with lead=2 verify=sometimes", "line 1, column 13: setting verify=sometimes: allowed is ends, each or none"},
	{"with statistic=mode", "allowed is median, mean, min or max"},
	{"with precision=nan", "allowed is a number from 0 to 1"},
	{"with precision=1.5", "allowed is a number from 0 to 1"},
	{"with time-limit=3 fortnights", "line 1, column 19: unknown setting \"fortnights\""},
	{"with timeout=25h", "allowed is a duration up to 24h"},
	{"with seed=18446744073709551616", "allowed is a whole number below 2^64"},
	{"with pattern=4294967296", "setting pattern=4294967296: allowed is a whole number below 2^32"},
	{"with pattern=-1", "allowed is a whole number below 2^32"},
	{"with ungated=yes", "allowed is no value"},
	{"with seed=1\nwith seed=2", "line 2, column 6: setting seed is given twice"},
	{"with [a=b]", "line 1, column 6: \"[\" where a setting key=value must stand"},
	{"noop host0 by host0.cpu\n  with seed=1", "line 2, column 3: \"with\" lines stand before the first step"},
	/* Labels and coordinates. */
	{"host0:pinned: noop host0 by host0.cpu", "line 1, column 1: \"host0:pinned:\" is no label"},
	{"host_memory_read[row=host0", "line 1, column 27: the end of the line where axis=value or ] must stand"},
	{"host_memory_read[row]: x", "line 1, column 18: \"row\" where axis=value or ] must stand"},
	{"host_memory_read[row=a row=b]: x", "line 1, column 24: axis row is given twice"},
	{"host_memory_read[colum=a]: x", "line 1, column 18: host_memory_read has no axis \"colum\"; did you mean \"column\"?; "
					 "it has row, column"},
	{"host_memory_read[row=]: x", "axis row: a value has 1 to 39 characters"},
	{"x[a=0123456789012345678901234567890123456789]: x", "axis a: a value has 1 to 39 characters"},
	{"x[A=b]: x", "line 1, column 3: \"A\" is no axis"},
	{"x[a=1 b=1 c=1 d=1 e=1 f=1]: x", "line 1, column 23: a cell has at most 6 axes"},
	{"x[a=1 b=1 c=1 d=1 e=1]: [f=1] noop host0 by host0.cpu", "line 1, column 25: a cell has at most 6 axes"},
	{"x[a=b] noop host0 by host0.cpu", "line 1, column 8: \"noop\" where the : of a label must stand"},
	{"custom[step=host_memory_read]: none \"x\"", "line 1, column 1: \"host_memory_read\" is a probe's name"},
	{"custom[a=1 b=1 c=1 d=1 e=1 f=1]: none \"x\"", "a custom step has at most 5 axes"},
	{"x[a\"=\"b]: none", "line 1, column 3: a quote inside a word"},
	{"x[\"a\"=b]: none", "line 1, column 3: \"\"a\"=b\" where axis=value or ] must stand"},
	{"x[a=\"b]: none", "line 1, column 5: a quote that is not closed on its line"},
	{"x[a=\"b\"c]: none", "line 1, column 3: text goes on behind its closing quote"},
	{"x[a=\"\\n\"]: none", "line 1, column 6: between quotes \\ stands before"},
	/* Steps that do not go together. */
	{"a: noop host0 by host0.cpu\na: noop host0 by host0.cpu", "steps 1 and 2 fill the same cell: custom[step=a]"},
	{"2: noop host0 by host0.cpu\nnoop host0 by host0.cpu", "steps 1 and 2 fill the same cell: custom[step=2]"},
	{"a[x=1 y=2]: none \"b\"\nb: none \"b\"\na: [y=3] noop host0 by host0.cpu + [y=2 x=1] noop host0 by host0.cpu",
	 "steps 1 and 3 fill the same cell: custom[step=a x=1 y=2]"},
	{"noop host0 by host0.cpu group=1\nnoop host0 by host0.cpu\nnoop host0 by host0.cpu group=1",
	 "steps 1 and 3 are both of group 1, but others stand between them"},
	{"a: noop host0 by host0.cpu\nb: noop host0 by host0.cpu interfering",
	 "step 2: all items of custom[step=b] interfere, and none is measured"},
	{"a: noop host0 by host0.cpu + [x=1] noop host0 by host0.cpu interfering",
	 "step 1: all items of custom[step=a x=1] interfere, and none is measured"},
	/* Steps. */
	{"x:", "line 1, column 3: the end of the line where a place or a verb must stand"},
	{"x: + noop host0 by host0.cpu", "line 1, column 4: \"+\" is neither a place nor a verb"},
	{"noop host0 by host0.cpu +", "line 1, column 26: the end of the line where a place or a verb must stand"},
	{"noop host0 by host0.cpu group=0", "line 1, column 25: \"group=0\": groups are numbers from 1 to 1000000"},
	{"noop host0 by host0.cpu group=2 x3", "line 1, column 33: \"x3\" where the end of the step must be"},
	{"none", "line 1, column 5: the end of the line where the reason must stand, between quotes"},
	{"none because", "line 1, column 6: \"because\" where the reason must stand"},
	{"none \"\"", "a reason has 1 to 159 characters"},
	{"none \"x\" + noop host0 by host0.cpu", "line 1, column 10: \"+\" where the end of the step must be"},
	{"\n\nraed host0 by host0.cpu 1M", "line 3, column 1: \"raed\" is neither a place nor a verb (read, write, triad, mix, "
					   "chase, pingpong, noop, map, unmap, collective, put, get, store, load); did you mean "
					   "\"read\"?"},
	/* Places, arrows, engines. */
	{"hosd0 -> host1 by host0.cpu 1M", "line 1, column 1: \"hosd0\" is no place"},
	{"host0->host1 by host0.cpu 1M", "line 1, column 1: \"host0->host1\" is no place"},
	{"host0 by host0.cpu 1M", "line 1, column 7: \"by\" where -> or <-> between spaces must stand"},
	{"host0 -> host1:hugepages by host0.cpu 1M", "line 1, column 10: \"host1:hugepages\" is no place"},
	{"put host0 peer/host0 1M", "line 1, column 11: \"peer/host0\" where -> between spaces must stand"},
	{"read host0 1M", "line 1, column 12: \"1M\" where \"by\" and an engine, such as by host0.cpu, must stand"},
	{"read by host0.cpu 1M", "line 1, column 6: \"by\" is no place"},
	{"read host0 by host0 1M", "line 1, column 15: \"host0\" is no engine"},
	{"read host0 by host0.cpi 1M", "line 1, column 15: engine \"cpi\": there are ce, sm, tma, cpu and nic; did you mean "
				       "\"cpu\"?"},
	{"read host0 by host0:thp.cpu 1M", "line 1, column 15: an engine is a device's"},
	{"read host0 by", "line 1, column 14: the end of the line where an engine, such as host0.cpu, must stand"},
	/* Sizes, loops, options. */
	{"read host0 by host0.cpu", "line 1, column 1: the item that begins with \"read\" has no size"},
	{"read host0 by host0.cpu 0", "line 1, column 25: size \"0\": allowed are 1 to 4194304T"},
	{"read host0 by host0.cpu 64Q", "line 1, column 25: \"64Q\" is no size"},
	{"read host0 by host0.cpu 64M/", "line 1, column 25: \"64M/\" is no size"},
	{"read host0 by host0.cpu 64M/64M", "the second size of a slope must be the larger one"},
	{"read host0 by host0.cpu 1M/2M/3M", "is no size"},
	{"read host0 by host0.cpu 99999999T", "is no size"},
	{"read host0 by host0.cpu 8000000T", "allowed are 1 to 4194304T"},
	{"read host0 by host0.cpu 1M 2M", "line 1, column 28: a second size, \"2M\"; a slope's two are written 64M/256M"},
	{"noop host0 by host0.cpu 1M", "line 1, column 25: noop moves no bytes and takes no size"},
	{"read host0 by host0.cpu 1M x0", "line 1, column 28: \"x0\": loops are x1 to x1000000000"},
	{"read host0 by host0.cpu 1M x2 x2", "line 1, column 31: the loops are given twice"},
	{"read host0 by host0.cpu 1M thread=2", "line 1, column 28: unknown item option \"thread\"; did you mean \"threads\"?"},
	{"read host0 by host0.cpu 1M nt", "line 1, column 28: item option nt does not go with read"},
	{"read host0 by host0.cpu 1M threads=2 threads=2", "line 1, column 38: item option threads is given twice"},
	{"read host0 by host0.cpu 1M threads=0", "whole numbers from 1 to 4096"},
	{"read host0 by host0.cpu 1M [a=b]", "line 1, column 28: \"[\" where an item's option, \"+\", \"group=\" or the end"},
	{"read host0 by host0.cpu 1M th\"r\"", "unknown item option"},
	/* Collectives. */
	{"collective", "line 1, column 11: the end of the line where a collective operation"},
	{"collective all_redcue 1M", "line 1, column 12: \"all_redcue\" is no collective operation: there are all_reduce"},
	{"collective all_redcue 1M", "did you mean \"all_reduce\"?"},
	{"collective all_reduce over 1M", "line 1, column 28: \"1M\" is no place"},
	{"collective all_reduce over cuda0,cuda 1M", "line 1, column 34: \"cuda\" is no place"},
	{"collective all_reduce over cuda0, 1M", "line 1, column 34: \"\" is no place"},
	{"collective all_reduce over", "line 1, column 27: the end of the line where places"},
	{"collective all_reduce", "line 1, column 1: the item that begins with \"collective\" has no size"},
	/* What is no text. */
	{"noop host0 by host0.cpu\n\tnoop host0 by h\001st0.cpu", "line 2, column 17: byte 0x01: a plan is printable ASCII text"},
	{"noop h\303\266st0 by host0.cpu", "line 1, column 7: byte 0xc3"},
	{"none \"\303\266\"", "line 1, column 6: a quote that is not closed on its line"},
	{"\177ELF", "line 1, column 1: byte 0x7f"},
};

static int parse_bytes(const char *text, size_t size, struct ws_error *error)
{
	struct ws_plan plan = {0};
	int rc = ws_plan_parse(text, size, find_plan_probe, &plan, error);

	if (rc == WS_OK)
		ws_plan_release(&plan);
	else
		assert_null(plan.steps);
	return rc;
}

static void mistakes_are_named_with_their_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ws_error error = {0};

		if (parse_bytes(cases[i].text, strlen(cases[i].text), &error) != WS_EINVAL || error.code != WS_EINVAL ||
		    !strstr(error.text, cases[i].message))
			fail_msg("%s: \"%s\" instead of \"%s\"", cases[i].text, error.text, cases[i].message);
		assert_null(strchr(error.text, '\n'));
	}
}

/* Every beginning of a good plan ends in a plan or in a message, and what lies behind it is not looked at. */
static void cut_off_anywhere(void **state)
{
	static const char text[] = "with samples=3 ungated # c\nx[a=\"b \\\" c\"]: [e=f] host0 -> host1 by host0.cpu 1M/2M x3 nt + "
				   "collective all_reduce over cuda0,cuda1 1M group=3\nnone \"a\"\n";

	(void)state;
	for (size_t size = 0; size < sizeof(text); size++) {
		struct ws_error error = {0};
		char *copy = malloc(size ? size : 1);

		memcpy(copy, text, size);
		if (parse_bytes(copy, size, &error) != WS_OK)
			assert_true(error.text[0] != '\0');
		free(copy);
	}
}

static void zero_bytes_are_refused(void **state)
{
	struct ws_error error = {0};

	(void)state;
	assert_int_equal(parse_bytes("noop host0\0 by host0.cpu", 24, &error), WS_EINVAL);
	assert_string_equal(error.text, "line 1, column 11: byte 0x00: a plan is printable ASCII text");
}

/* A text of so many bytes, made of one unit again and again behind a beginning. */
static char *repeat(const char *begin, const char *unit, size_t size)
{
	const size_t begin_length = strlen(begin), unit_length = strlen(unit);
	char *text = malloc(size);

	assert_non_null(text);
	for (size_t i = 0; i < size; i++)
		text[i] = i < begin_length ? begin[i] : unit[(i - begin_length) % unit_length];
	return text;
}

static void too_much_is_refused(void **state)
{
	static const struct {
		const char *begin, *unit;
		size_t size;
		const char *message;
	} much[] = {
		{"", "noop host0 by host0.cpu\n", 100000000, "a plan has at most 32 MiB of text, and this has 95"},
		{"", "noop host0 by host0.cpu\n", 24u << 17, "line 100001, column 1: a plan has at most 100000 steps"},
		{"noop host0 by host0.cpu", " + noop host0 by host0.cpu", 8000000, "a plan has at most 200000 items"},
		{"", "a", 32u << 20, "line 1, column 1: \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\" has 33554432 characters"},
		{"x[", " a=b", 32u << 20, "axis a is given twice"},
		{"collective all_reduce over host0", ",host0", 32u << 20, "a collective has at most 4096 members"},
		{"none \"", "a", 32u << 20, "a quote that is not closed on its line"},
		{"", "#\n", 32u << 20, "the plan has no steps"},
		{"", " ", 32u << 20, "the plan has no steps"},
		{"", "[", 32u << 20, "line 1, column 2: \"[\" where axis=value or ] must stand"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(much); i++) {
		char *text = repeat(much[i].begin, much[i].unit, much[i].size);
		struct ws_error error = {0};

		if (parse_bytes(text, much[i].size, &error) != WS_EINVAL || !strstr(error.text, much[i].message))
			fail_msg("\"%s\" instead of \"%s\"", error.text, much[i].message);
		free(text);
	}
}

static void thousands_of_steps_are_fine(void **state)
{
	static const char line[] = "host_memory_read[row=%04x column=host1]: read host1:thp by host0.cpu 1G threads=4\n";
	const unsigned count = 20000;
	const size_t line_size = sizeof(line) - 1, size = count * line_size;
	char *text = malloc(size + 1), *printed, *steps;
	struct ws_plan plan = {0};
	struct ws_error error = {0};

	(void)state;
	assert_non_null(text);
	for (unsigned i = 0; i < count; i++)
		snprintf(text + i * line_size, line_size + 1, line, i & 0xffff);
	assert_int_equal(ws_plan_parse(text, size, find_plan_probe, &plan, &error), WS_OK);
	assert_int_equal(plan.step_count, count);
	assert_int_equal(ws_plan_print(&plan, &printed, NULL), WS_OK);
	steps = strchr(printed, '\n') + 1;
	assert_int_equal(strlen(steps), size);
	assert_memory_equal(steps, text, size);
	free(printed);
	free(text);
	ws_plan_release(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_named_with_their_place),
		cmocka_unit_test(cut_off_anywhere),
		cmocka_unit_test(zero_bytes_are_refused),
		cmocka_unit_test(too_much_is_refused),
		cmocka_unit_test(thousands_of_steps_are_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
