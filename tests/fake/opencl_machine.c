/* The fake libOpenCL's description, faults to order and log. */
#include "fake/opencl_machine.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_MISUSE = 97, EXIT_DESCRIPTION = 98 };

static struct opencl_machine machine;

static const struct opencl_model usual = {.write_gb_s = 10,
					  .read_gb_s = 10,
					  .local_gb_s = 100,
					  .memory_bytes = UINT64_C(1) << 34,
					  .available = true,
					  .compiler = true,
					  .wrong_at = 1};

static _Noreturn void refuse(const char *word)
{
	fprintf(stderr, "opencl_fake: FAKE_OPENCL: \"%s\" means nothing\n", word);
	_exit(EXIT_DESCRIPTION);
}

static uint64_t number_of(const char *word, const char *text)
{
	char *end;
	const uint64_t number = strtoull(text, &end, 10);

	if (end == text || *end)
		refuse(word);
	return number;
}

static double rate_of(const char *word, const char *text)
{
	char *end;
	const double rate = strtod(text, &end);

	if (end == text || *end || !(rate > 0))
		refuse(word);
	return rate;
}

static enum opencl_wrong wrong_of(const char *word, const char *text)
{
	static const char *const names[] = {"", "byte", "last", "nothing", "offset"};

	for (int i = 1; i < 5; i++)
		if (strcmp(text, names[i]) == 0)
			return (enum opencl_wrong)i;
	refuse(word);
}

/* A word of one device's row; false if it is none. */
static bool set_model(struct opencl_model *model, const char *word, const char *key, const char *value)
{
	static const struct {
		const char *key;
		size_t offset;
	} numbers[] = {
		{"fixed_ns", offsetof(struct opencl_model, fixed_ns)},
		{"memory", offsetof(struct opencl_model, memory_bytes)},
		{"most", offsetof(struct opencl_model, most_bytes)},
		{"wrong_at", offsetof(struct opencl_model, wrong_at)},
		{"hang", offsetof(struct opencl_model, hang)},
		{"hang_other", offsetof(struct opencl_model, hang_other)},
		{"hang_map", offsetof(struct opencl_model, hang_map)},
		{"hang_kernel", offsetof(struct opencl_model, hang_kernel)},
		{"break", offsetof(struct opencl_model, break_at)},
		{"platform", offsetof(struct opencl_model, platform)},
		{"bus", offsetof(struct opencl_model, bus)},
		{"nv_bus", offsetof(struct opencl_model, nv_bus)},
		{"uuid", offsetof(struct opencl_model, uuid)},
	};
	static const struct {
		const char *key;
		size_t offset;
	} flags[] = {
		{"processor", offsetof(struct opencl_model, processor)},
		{"available", offsetof(struct opencl_model, available)},
		{"zero_copy", offsetof(struct opencl_model, zero_copy)},
		{"copies_host", offsetof(struct opencl_model, copies_host)},
		{"svm", offsetof(struct opencl_model, svm)},
		{"compiler", offsetof(struct opencl_model, compiler)},
		{"no_build", offsetof(struct opencl_model, no_build)},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(key, numbers[i].key) == 0) {
			*(uint64_t *)(void *)((char *)model + numbers[i].offset) = number_of(word, value);
			return true;
		}
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (strcmp(key, flags[i].key) == 0) {
			*(bool *)(void *)((char *)model + flags[i].offset) = number_of(word, value) != 0;
			return true;
		}
	}
	if (strcmp(key, "write_gb_s") == 0)
		model->write_gb_s = rate_of(word, value);
	else if (strcmp(key, "read_gb_s") == 0)
		model->read_gb_s = rate_of(word, value);
	else if (strcmp(key, "local_gb_s") == 0)
		model->local_gb_s = rate_of(word, value);
	else if (strcmp(key, "wrong") == 0)
		model->wrong = wrong_of(word, value);
	else
		return false;
	return true;
}

static void set_fail(const char *word, const char *value)
{
	const char *colon = strrchr(value, ':');

	if (colon)
		snprintf(machine.fail_name, sizeof(machine.fail_name), "%.*s", (int)(colon - value), value);
	machine.fail_at = number_of(word, colon ? colon + 1 : value);
}

static void set_word(const char *word)
{
	const char *colon = strchr(word, ':'), *equals = strchr(word, '=');
	char key[24];

	if (!equals || equals - word >= (int)sizeof(key))
		refuse(word);
	if (colon && colon < equals) {
		char index[12];

		snprintf(index, sizeof(index), "%.*s", (int)(colon - word), word);
		snprintf(key, sizeof(key), "%.*s", (int)(equals - colon) - 1, colon + 1);
		if (number_of(word, index) >= OPENCL_DEVICES_MAX ||
		    !set_model(&machine.models[number_of(word, index)], word, key, equals + 1))
			refuse(word);
		return;
	}
	snprintf(key, sizeof(key), "%.*s", (int)(equals - word), word);
	if (strcmp(key, "devices") == 0)
		machine.devices = number_of(word, equals + 1);
	else if (strcmp(key, "platforms") == 0)
		machine.platforms = number_of(word, equals + 1);
	else if (strcmp(key, "nvidia") == 0)
		machine.nvidia = number_of(word, equals + 1);
	else if (strcmp(key, "fail") == 0)
		set_fail(word, equals + 1);
	else if (strcmp(key, "dead") == 0) {
		machine.fail_at = number_of(word, equals + 1);
		machine.dead = true;
	} else if (strcmp(key, "code") == 0)
		machine.fail_code = atoi(equals + 1);
	else
		for (int i = 0; i < OPENCL_DEVICES_MAX; i++)
			if (!set_model(&machine.models[i], word, key, equals + 1))
				refuse(word);
	if (machine.devices > OPENCL_DEVICES_MAX || machine.platforms > OPENCL_PLATFORMS_MAX)
		refuse(word);
}

struct opencl_machine *opencl_machine(void)
{
	const char *text = getenv("FAKE_OPENCL");
	char *copy, *at = NULL;

	if (machine.fail_code)
		return &machine;
	machine.devices = machine.platforms = 1;
	machine.fail_code = -5;
	for (int i = 0; i < OPENCL_DEVICES_MAX; i++)
		machine.models[i] = usual;
	copy = strdup(text ? text : "");
	for (char *word = copy ? strtok_r(copy, " ", &at) : NULL; word; word = strtok_r(NULL, " ", &at))
		set_word(word);
	free(copy);
	return &machine;
}

int opencl_call(const char *name, int device, uint64_t size_bytes)
{
	struct opencl_machine *at = opencl_machine();
	const bool counts = !at->fail_name[0] || strcmp(name, at->fail_name) == 0;
	const uint64_t number = counts ? ++at->calls : 0;
	const bool fails = number && (number == at->fail_at || (at->dead && at->fail_at && number > at->fail_at));

	/* How often a command is asked for its state depends on the real clock. */
	if (fails || strcmp(name, "clGetEventInfo") != 0)
		opencl_log("%s ocl%d %llu%s", name, device, (unsigned long long)size_bytes, fails ? " FAILS" : "");
	return fails ? at->fail_code : 0;
}

void opencl_log(const char *format, ...)
{
	const char *path = getenv("FAKE_OPENCL_LOG");
	char line[200];
	va_list arguments;
	int fd, length;

	if (!path)
		return;
	va_start(arguments, format);
	length = vsnprintf(line, sizeof(line) - 1, format, arguments);
	va_end(arguments);
	length = length < (int)sizeof(line) - 1 ? length : (int)sizeof(line) - 2;
	line[length++] = '\n';
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || write(fd, line, (size_t)length) != length) {
		fprintf(stderr, "opencl_fake: cannot write %s\n", path);
		_exit(EXIT_DESCRIPTION);
	}
	close(fd);
}

void opencl_misuse(const char *format, ...)
{
	va_list arguments;

	fflush(NULL);
	fputs("opencl_fake: MISUSE: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	_exit(EXIT_MISUSE);
}
