/* Sizes, durations, counts and numbers from any text: no overflow, no output on failure, and back to the same value. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define UNTOUCHED 77

static void demand(int holds)
{
	if (!holds)
		abort();
}

static void parse_size(const char *text)
{
	char formatted[WS_UNITS_TEXT];
	uint64_t size_bytes = UNTOUCHED;
	uint64_t again_bytes = UNTOUCHED;

	if (ws_size_parse(text, &size_bytes)) {
		demand(size_bytes == UNTOUCHED);
		return;
	}
	demand(text[0] >= '0' && text[0] <= '9');
	ws_size_format(size_bytes, formatted, sizeof(formatted));
	demand(ws_size_parse(formatted, &again_bytes) == WS_OK && again_bytes == size_bytes);
}

static void parse_duration(const char *text)
{
	char formatted[WS_UNITS_TEXT];
	int64_t time_ns = UNTOUCHED;
	int64_t again_ns = UNTOUCHED;

	if (ws_duration_parse(text, &time_ns)) {
		demand(time_ns == UNTOUCHED);
		return;
	}
	demand(time_ns >= 0);
	ws_duration_format(time_ns, formatted, sizeof(formatted));
	demand(ws_duration_parse(formatted, &again_ns) == WS_OK && again_ns == time_ns);
}

static void parse_number(const char *text)
{
	char formatted[WS_UNITS_TEXT];
	double number = UNTOUCHED;
	double again = UNTOUCHED;

	if (ws_number_parse(text, &number)) {
		demand(memcmp(&number, &(double){UNTOUCHED}, sizeof(number)) == 0);
		return;
	}
	demand(number - number == 0);
	ws_number_format(number, formatted, sizeof(formatted));
	demand(ws_number_parse(formatted, &again) == WS_OK && memcmp(&again, &number, sizeof(number)) == 0);
	ws_figure_format(number, formatted, sizeof(formatted));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"host_memory_read", "host_latency", "host_to_host_memcpy_cpu"};
	char *text = malloc(size + 1);
	uint64_t count = UNTOUCHED;

	demand(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	parse_size(text);
	parse_duration(text);
	parse_number(text);
	if (ws_count_parse(text, 3, 1000, &count))
		demand(count == UNTOUCHED);
	else
		demand(count >= 3 && count <= 1000);
	ws_nearest(text, names, sizeof(names) / sizeof(names[0]));
	free(text);
	return 0;
}
