/* The options that bandwidthTest and oclBandwidthTest have in common, checked in the order in which both read them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dialect/bandwidth_test.h"

const struct bwt_kind_names bwt_kinds[BWT_KINDS] = {
	[BWT_HTOD] = {"htod", "Host to Device", "H2D", "host to device"},
	[BWT_DTOH] = {"dtoh", "Device to Host", "D2H", "device to host"},
	[BWT_DTOD] = {"dtod", "Device to Device", "D2D", "device to device"},
};

static bool refuse(const struct bwt *test, const char *line)
{
	bwt_print(test, "%s\nSee --help for more information\n", line);
	return false;
}

bool bwt_read_memory(struct bwt *test)
{
	const char *memory = ws_words_value(&test->words, "memory");

	test->csv = ws_words_flag(&test->words, "csv");
	test->pageable = memory ? strcmp(memory, "pageable") == 0 : test->tool->pageable;
	if (memory && !test->pageable && strcmp(memory, "pinned") != 0)
		return refuse(test, "Invalid memory mode - valid modes are pageable or pinned");
	return true;
}

/* Where the tools fall back to device 0, whose figures nobody asked for, this refuses. */
bool bwt_read_devices(struct bwt *test)
{
	const char *device = ws_words_value(&test->words, "device");
	char *end = NULL;
	long number;

	if (!device)
		return true;
	if (strcmp(device, "all") == 0) {
		test->last = test->device_count - 1;
		bwt_print(test, "%s", test->tool->all);
		ws_stage_note("the devices are measured at the same time; %s measures one after another and adds up",
			      test->tool->name);
		return true;
	}
	errno = 0;
	number = strtol(device, &end, 10);
	if (end == device || *end || errno || number < 0 || number >= test->device_count) {
		bwt_print(test, "\n%sInvalid GPU number %.40s given; valid are 0 to %d, or all %s\n", test->tool->shout,
			  device, test->device_count - 1, test->tool->shout);
		return false;
	}
	test->first = test->last = (int)number;
	return true;
}

bool bwt_read_mode(struct bwt *test)
{
	static const struct {
		const char *word, *title;
		enum bwt_sizes_mode mode;
	} modes[] = {
		{"quick", "Quick", BWT_SIZES_QUICK},
		{"shmoo", "Shmoo", BWT_SIZES_SHMOO},
		{"range", "Range", BWT_SIZES_RANGE},
	};
	const char *word = ws_words_value(&test->words, "mode");

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(word ? word : "quick", modes[i].word) != 0)
			continue;
		bwt_print(test, "%s%s Mode\n\n", test->tool->indent, modes[i].title);
		test->sizes.mode = modes[i].mode;
		return true;
	}
	refuse(test, "Invalid mode - valid modes are quick, range, or shmoo");
	bwt_print(test, "%s", test->tool->gap);
	return false;
}

static bool read_size(const struct bwt *test, const char *name, const char *absent, uint64_t *out)
{
	int64_t number = 0;

	switch (ws_words_number(&test->words, name, &number)) {
	case WS_NUMBER_ABSENT:
		return refuse(test, absent);
	case WS_NUMBER_REST:
		bwt_print(test, "Illegal argument - %s must be a number of bytes, without a unit\n", name);
		return false;
	case WS_NUMBER_READ:
		break;
	}
	if (number <= 0) {
		bwt_print(test, "Illegal argument - %s must be greater than zero\n", name);
		return false;
	}
	*out = (uint64_t)number;
	return true;
}

bool bwt_read_range(struct bwt *test)
{
	struct bwt_sizes *sizes = &test->sizes;
	bool any = false;

	for (int kind = 0; kind < BWT_KINDS; kind++)
		any = (test->kinds[kind] = ws_words_flag(&test->words, bwt_kinds[kind].option)) || any;
	for (int kind = 0; kind < BWT_KINDS && !any; kind++)
		test->kinds[kind] = true;
	sizes->kilo = test->tool->kilo;
	if (sizes->mode != BWT_SIZES_RANGE)
		return true;
	if (!read_size(test, "start", "Must specify a starting size in range mode", &sizes->start) ||
	    !read_size(test, "end", "Must specify an end size in range mode.", &sizes->end))
		return false;
	if (sizes->start > sizes->end) {
		bwt_print(test, "Illegal argument - start is greater than end\n");
		return false;
	}
	return read_size(test, "increment", "Must specify an increment in user mode", &sizes->increment);
}
