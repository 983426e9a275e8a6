/* Plan text: what the design lists parses, prints and parses again to the same plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/item.h"
#include "base/place.h"
#include "plan/plan_text.h"
#include "plan_probes.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct ws_plan parse(const char *text)
{
	struct ws_plan plan = {0};
	struct ws_error error = {0};

	if (ws_plan_parse(text, strlen(text), find_plan_probe, &plan, &error) != WS_OK)
		fail_msg("%s: %s", text, error.text);
	return plan;
}

/* The printed form of a plan's steps, which must parse and print to itself. */
static char *print_again(const char *text)
{
	struct ws_plan plan = parse(text), again;
	char *once, *twice;

	assert_int_equal(ws_plan_print(&plan, &once, NULL), WS_OK);
	again = parse(once);
	assert_int_equal(again.step_count, plan.step_count);
	assert_int_equal(ws_plan_print(&again, &twice, NULL), WS_OK);
	assert_string_equal(once, twice);
	for (int i = 0; i < plan.step_count; i++) {
		assert_true(ws_coords_equal(&plan.steps[i].coords, &again.steps[i].coords));
		assert_ptr_equal(plan.steps[i].probe, again.steps[i].probe);
		assert_string_equal(plan.steps[i].text, again.steps[i].text);
	}
	ws_plan_release(&plan);
	ws_plan_release(&again);
	free(twice);
	return once;
}

/* Lines in canonical form: what is printed is what was read. */
static const char *const canonical[] = {
	/* The design's example. */
	"both: cuda0 -> cuda1 by cuda0.ce 64M/256M + cuda1 -> cuda0 by cuda1.ce 64M/256M",
	/* nvbandwidth: only the first item counts, the other one interferes with twice the size. */
	"device_to_device_memcpy_ce[row=cuda0 column=cuda1]: cuda0 -> cuda1 by cuda0.ce 512M x16 peer=on + "
	"cuda1 -> cuda0 by cuda1.ce 1G x16 peer=on interfering",
	/* Each item fills its own cell. */
	"host_memory_read[column=host0]: [row=host0] read host0:thp by host0.cpu 1G + "
	"[row=host1] read host0:thp by host1.cpu 1G",
	/* Total and sum. */
	"device_to_device_memcpy_ce[row=all column=cuda0]: cuda1 -> cuda0 by cuda1.ce 512M + cuda2 -> cuda0 by cuda2.ce 512M + "
	"cuda3 -> cuda0 by cuda3.ce 512M",
	/* Two lanes, slope. */
	"device_to_device_memcpy_ce[row=cuda0 column=cuda1 direction=both]: cuda0 <-> cuda1 by cuda0.ce 64M/256M",
	/* Four pairs of one round. */
	"device_to_device_memcpy_ce: [row=cuda0 column=cuda1] cuda0 -> cuda1 by cuda0.ce 64M + "
	"[row=cuda2 column=cuda3] cuda2 -> cuda3 by cuda2.ce 64M + "
	"[row=cuda4 column=cuda5] cuda4 -> cuda5 by cuda4.ce 64M + "
	"[row=cuda6 column=cuda7] cuda6 -> cuda7 by cuda6.ce 64M",
	/* A group. */
	"device_to_device_memcpy_ce[row=cuda0 column=cuda1 peer=off]: cuda0 -> cuda1 by cuda0.ce 64M/256M peer=off group=1",
	"device_to_device_memcpy_ce[row=cuda0 column=cuda1 peer=on]: cuda0 -> cuda1 by cuda0.ce 64M/256M peer=on group=1",
	/* Collectives over ranks, in place and out of place. */
	"all_reduce[size=16M series=in-place]: collective all_reduce over r0/cuda0,r1/cuda0,r2/cuda0,r3/cuda0 16M x20 "
	"type=float redop=sum in-place",
	"all_reduce[size=16M series=out-of-place]: collective all_reduce over r0/cuda0,r1/cuda0,r2/cuda0,r3/cuda0 16M x20 "
	"type=bfloat16 redop=avg agg=4 registered",
	"b: collective broadcast 1M root=3 graph=2 blocking",
	"c: collective barrier 0",
	/* Remote transfers. */
	"p: put host0:pinned -> peer/host0 64K vec=8 len=8K window=16 via=ucx",
	"q: get cuda0:plain -> peer/cuda0 by cuda0.nic 1M registered",
	"s: store host0 -> peer/host0 by host0.cpu 4K threads=2 blocking",
	"l: load host0 -> peer/host0 by host0.cpu 4K",
	/* Load at rising delays beside a chase. */
	"loaded: chase host0:thp by host0.cpu 512M threads=1 + read host0:thp by host0.cpu 1G threads=7 delay=500 interfering",
	/* Gated and not, in one step. */
	"mixed: host0 -> host0 by host0.cpu 64M nt + host0:pageable -> ocl0 by ocl0.ce 64M ungated",
	/* Every verb. */
	"v: write host0:4k by host0.cpu 64M nt",
	"w: triad host0 by host0.cpu 64M nt threads=4",
	"x: mix cuda0:vmm by cuda0.sm 64M",
	"y: pingpong host0 host1 by host0.cpu",
	"z: noop host0 by host0.cpu x1000",
	"m: map ocl0:mapped by ocl0.ce 64M",
	"u: unmap ocl0:svm by ocl0.ce 64M",
	"h: chase cuda0 by cuda0.sm 64M marks",
	"t: r1/cuda0:fabric -> r0/cuda15:fd by r1/cuda0.tma 1000001 threads=32",
	/* Nothing to run. */
	"host_memory_read[row=host0 column=host1]: none \"node 1 has 12 \\\"free\\\" bytes \\\\ less\"",
	/* Values that need quotes, and a label that is no word. */
	"host_memory_read[row=\"two words\" column=\"a]b#c=d\"]: read host0 by host0.cpu 1M",
	"custom[step=\"two words\"]: read host0 by host0.cpu 1M",
	"named[lane=1 way=back]: read host0 by host0.cpu 1M",
};

static void canonical_lines_print_as_they_are(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(canonical); i++) {
		struct ws_plan plan = parse(canonical[i]);
		char *text = print_again(canonical[i]), *expected = strchr(text, '\n');

		assert_non_null(expected);
		expected[strlen(expected) - 1] = '\0';
		assert_string_equal(plan.steps[0].text, canonical[i]);
		assert_string_equal(expected + 1, canonical[i]);
		free(text);
		ws_plan_release(&plan);
	}
}

static void other_spellings_become_canonical(void **state)
{
	static const struct {
		const char *text, *line;
	} cases[] = {
		{"host0 -> host1 by host0.cpu 65536K", "1: host0 -> host1 by host0.cpu 64M"},
		{"  host0\t->  host1 by host0.cpu threads=2 x3 nt 1MB # why\r\n",
		 "1: host0 -> host1 by host0.cpu 1000000 x3 nt threads=2"},
		{"read host0:thp by host0.cpu 1G", "1: read host0:thp by host0.cpu 1G"},
		{"custom: read host0 by host0.cpu 1G", "1: read host0 by host0.cpu 1G"},
		{"custom[step=a]: read host0 by host0.cpu 1G", "a: read host0 by host0.cpu 1G"},
		{"custom[lane=1]: read host0 by host0.cpu 1G", "1[lane=1]: read host0 by host0.cpu 1G"},
		{"x [ a=\"b\" ] : [c=\"d e\"]read host0 by host0.cpu 1", "x[a=b]: [c=\"d e\"] read host0 by host0.cpu 1"},
		{"collective all_gather over cuda0 cuda1,cuda2 cuda3 1M type=\"half\"",
		 "1: collective all_gather over cuda0,cuda1,cuda2,cuda3 1M type=half"},
		{"none \"plain\"", "1: none \"plain\""},
		{"custom[step=with]: none \"x\" group=007", "custom[step=with]: none \"x\" group=7"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ws_plan plan = parse(cases[i].text);

		assert_string_equal(plan.steps[0].text, cases[i].line);
		free(print_again(cases[i].text));
		ws_plan_release(&plan);
	}
}

static void a_line_becomes_its_parts(void **state)
{
	struct ws_plan plan = parse("# comment\n\ndevice_to_device_memcpy_ce[row=cuda0 column=cuda1]: cuda0 -> cuda1:vmm by "
				    "cuda0.ce 64M/256M x5 peer=off + [row=cuda1 column=cuda0] cuda1 <-> cuda0 by cuda1.sm 7 "
				    "group=3\n# end");
	const struct ws_step *step = &plan.steps[0];
	struct ws_coords cell;

	(void)state;
	assert_int_equal(plan.step_count, 1);
	assert_string_equal(step->probe->name, "device_to_device_memcpy_ce");
	assert_int_equal(step->group, 3);
	assert_int_equal(step->item_count, 2);
	assert_int_equal(step->items[0].verb, WS_COPY);
	assert_int_equal(step->items[0].size_count, 2);
	assert_int_equal(step->items[0].size_bytes[0], 64 << 20);
	assert_int_equal(step->items[0].size_bytes[1], 256 << 20);
	assert_int_equal(step->items[0].loops, 5);
	assert_string_equal(step->items[0].destination.memory, "vmm");
	assert_string_equal(step->items[0].engine.name, "ce");
	assert_string_equal(ws_item_word(&step->items[0], "peer", ""), "off");
	assert_int_equal(step->items[1].verb, WS_COPY2);
	assert_int_equal(step->items[1].engine.place.index, 1);
	cell = ws_item_cell(step, &step->items[1]);
	assert_string_equal(ws_coords_get(&cell, "row"), "cuda1");
	ws_plan_release(&plan);
}

static void collectives_have_members(void **state)
{
	struct ws_plan plan = parse("collective all_reduce over r0/cuda0,r1/cuda0,r2/cuda0 8M");

	(void)state;
	assert_string_equal(plan.steps[0].items[0].collective, "all_reduce");
	assert_int_equal(plan.steps[0].items[0].member_count, 3);
	assert_int_equal(plan.steps[0].items[0].members[2].rank, 2);
	ws_plan_release(&plan);
}

static void settings_are_read_and_printed(void **state)
{
	struct ws_plan plan = parse("with samples=3 lead=4 loops=16 verify=each statistic=max\n"
				    "with precision=1e-3 time-limit=1.5s timeout=\"2m\" seed=18446744073709551615 ungated pattern=0\n"
				    "noop host0 by host0.cpu");
	const struct ws_settings *settings = &plan.settings;
	char *text;

	(void)state;
	assert_int_equal(settings->samples, 3);
	assert_int_equal(settings->lead_loops, 4);
	assert_int_equal(settings->loops, 16);
	assert_int_equal(settings->verify, WS_VERIFY_EACH);
	assert_string_equal(settings->statistic, "max");
	assert_true(settings->precision == 1e-3);
	assert_int_equal(settings->time_limit_ns, 1500000000);
	assert_int_equal(settings->timeout_ns, 120000000000);
	assert_true(settings->seed == UINT64_MAX);
	assert_true(settings->ungated);
	assert_int_equal(settings->pattern, 1);
	assert_int_equal(ws_plan_print(&plan, &text, NULL), WS_OK);
	assert_string_equal(text, "with samples=3 lead=4 loops=16 verify=each statistic=max precision=0.001 time-limit=1.5s "
				  "timeout=120s seed=18446744073709551615 pattern=0 ungated\n1: noop host0 by host0.cpu\n");
	free(text);
	ws_plan_release(&plan);
}

static void defaults_survive(void **state)
{
	for (int quick = 0; quick < 2; quick++) {
		struct ws_plan plan = parse("noop host0 by host0.cpu"), again;
		char *text;

		(void)state;
		plan.settings = ws_settings_default(quick);
		assert_int_equal(ws_plan_print(&plan, &text, NULL), WS_OK);
		again = parse(text);
		assert_true(again.settings.precision == plan.settings.precision);
		assert_int_equal(again.settings.time_limit_ns, plan.settings.time_limit_ns);
		assert_int_equal(again.settings.timeout_ns, plan.settings.timeout_ns);
		assert_int_equal(again.settings.samples, plan.settings.samples);
		free(text);
		ws_plan_release(&plan);
		ws_plan_release(&again);
	}
}

static void every_option_survives(void **state)
{
	const struct ws_item_option_row *rows;
	size_t count;

	(void)state;
	rows = ws_item_option_rows(&count);
	for (size_t i = 0; i < count; i++)
		for (int verb = 0; verb < WS_VERB_COUNT; verb++) {
			/* What interferes needs something to be beside. */
			struct ws_item items[] = {{.verb = (enum ws_verb)verb}, {.verb = (enum ws_verb)verb}};
			const struct ws_verb_row *row = ws_verb_row(items[0].verb);
			struct ws_step step = {.probe = &plan_probes[0], .items = items, .item_count = 2};
			const char *value = rows[i].kind == WS_OPTION_FLAG ? NULL : "1";
			char word[16] = "", *text, *again;

			if (!(rows[i].verbs & 1u << verb))
				continue;
			if (rows[i].kind == WS_OPTION_WORD)
				sscanf(rows[i].words, "%15s", word);
			if (row->source)
				ws_place_parse("host3", &items[0].source, NULL);
			if (row->destination)
				ws_place_parse("cuda2", &items[0].destination, NULL);
			strcpy(items[0].collective, verb == WS_COLLECTIVE ? "all_reduce" : "");
			if (verb != WS_COLLECTIVE) {
				ws_place_parse("host1", &items[0].engine.place, NULL);
				strcpy(items[0].engine.name, "cpu");
			}
			items[0].size_count = row->moves_bytes ? 1 : 0;
			items[0].size_bytes[0] = row->moves_bytes ? 123 : 0;
			items[1] = items[0];
			assert_int_equal(ws_item_option_set(&items[1], rows[i].name, word[0] ? word : value, NULL), WS_OK);
			ws_coords_set(&step.coords, "step", "1");
			assert_int_equal(ws_step_print(&step, &text, NULL), WS_OK);
			assert_non_null(strstr(text, rows[i].name));
			again = print_again(text);
			assert_non_null(strstr(again, text));
			free(text);
			free(again);
		}
}

static void what_is_not_built_is_named(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"read host0 by host0.cpu 1M + triad host1 by host0.cpu 1M", "triad is not available in this build: step 1, 1: "},
		{"read host0 by host0.cpu 1M\nfar: put host0 -> peer/host0 4K", "put is not available in this build: step 2, far: "},
		{"host0 -> host1 by host0.cpu 1M blocking", "blocking is not available"},
		{"host0 -> peer/host1 by host0.cpu 1M", "a peer/ place outside of put"},
	};
	struct ws_plan plan = parse("read host0 by host0.cpu 1M threads=2\nhost0 -> host0 by host0.cpu 1M nt\nnone \"x\"");

	(void)state;
	assert_int_equal(ws_plan_check_built(&plan, NULL), WS_OK);
	ws_plan_release(&plan);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ws_error error = {0};

		plan = parse(cases[i].text);
		assert_int_equal(ws_plan_check_built(&plan, &error), WS_EUNSUPPORTED);
		assert_non_null(strstr(error.text, cases[i].message));
		ws_plan_release(&plan);
	}
}

static void the_locale_changes_nothing(void **state)
{
	char *text;

	(void)state;
	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "C.UTF-8"))
		skip();
	text = print_again("with precision=0.25 time-limit=0.5s\nnoop host0 by host0.cpu");
	setlocale(LC_ALL, "C");
	assert_non_null(strstr(text, "precision=0.25 time-limit=500ms"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(canonical_lines_print_as_they_are),
		cmocka_unit_test(other_spellings_become_canonical),
		cmocka_unit_test(a_line_becomes_its_parts),
		cmocka_unit_test(collectives_have_members),
		cmocka_unit_test(settings_are_read_and_printed),
		cmocka_unit_test(defaults_survive),
		cmocka_unit_test(every_option_survives),
		cmocka_unit_test(what_is_not_built_is_named),
		cmocka_unit_test(the_locale_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
