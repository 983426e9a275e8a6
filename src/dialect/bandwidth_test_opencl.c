/* The dialect "oclBandwidthTest": the program of NVIDIA's OpenCL SDK 4.2, with its log files and its way to end. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dialect/bandwidth_test.h"
#include "dialect/tools.h"

#define LOG_FILE "oclBandwidthTest.txt"
#define TABLE_FILE "SdkMasterLog.csv"
#define TABLE_BYTES_MAX 50000
#define WAIT_SECONDS 3
#define LOOK_MS 100

static void title(const struct bwt *test, enum bwt_kind kind)
{
	bwt_print(test, "%s Bandwidth, %d Device(s)", bwt_kinds[kind].title, test->last - test->first + 1);
	if (kind != BWT_DTOD)
		bwt_print(test, ", %s memory, %s access", test->pageable ? "Paged" : "Pinned",
			  test->mapped ? "mapped" : "direct");
	bwt_print(test, "\n");
}

static void csv_kind(const struct bwt *test, enum bwt_kind kind, char *text, size_t size)
{
	if (kind == BWT_DTOD)
		snprintf(text, size, "%s", bwt_kinds[kind].code);
	else
		snprintf(text, size, "%s-%s-%s", bwt_kinds[kind].code, test->pageable ? "Paged" : "Pinned",
			 test->mapped ? "Mapped" : "Direct");
}

static const struct bwt_tool tool = {
	.name = "oclBandwidthTest",
	.family = "ocl",
	.shout = "!!!",
	.all = "\n!!!Cumulative Bandwidth to be computed from all the devices !!!\n\n",
	.unit = "MB/s",
	.unit_bytes = 1 << 20,
	.kilo = 1024,
	.copies = 100,
	.pageable = true,
	.indent = "",
	.gap = "\n",
	.bytes = "Bytes",
	.title = title,
	.csv_kind = csv_kind,
};

static void print_help(const struct bwt *test)
{
	bwt_print(test, "Usage:  oclBandwidthTest [OPTION]...\n"
			"How fast OpenCL moves data between the host's memory and a device, and inside a device\n\n"
			"Options:\n"
			"--help\tThis text\n"
			"--csv\tA line of keys and values for each size\n"
			"--device=[device_number]\tWhich device\n"
			"  all - all of them at the same time, bandwidths added up\n"
			"  0,1,2,...,n - that one; 0 if none is named\n"
			"--access=[ACCESSMODE]\tHow the device's memory is reached\n"
			"  direct   - by copies of the runtime; the default\n"
			"  mapped   - by a map, a copy by the CPU and an unmap each time\n"
			"--memory=[MEMMODE]\tWhich memory of the host\n"
			"  pageable  - as the system gives it; the default\n"
			"  pinned    - the runtime's own\n"
			"--mode=[MODE]\tWhich sizes\n"
			"  quick - one; the default\n"
			"  range - from a first to a last one, in equal steps\n"
			"  shmoo - 81 in growing steps\n"
			"--htod\tFrom the host to a device\n"
			"--dtoh\tFrom a device to the host\n"
			"--dtod\tInside a device; all three if none is named\n"
			"--noprompt\tEnd at once, not after 3 seconds\n"
			"--prompt\tEnd when Enter is pressed\n"
			"Sizes of mode range\n"
			"--start=[SIZE]\tThe first one, in bytes\n"
			"--end=[SIZE]\tThe last one at most\n"
			"--increment=[SIZE]\tFrom one to the next\n");
}

/* The name of a device, and that of its platform behind it in parentheses; returns the length of the former. */
static int name_length(const struct ws_place_facts *device, const char **platform)
{
	const char *at = device->name, *found = NULL;

	for (; (at = strstr(at, " (")) != NULL; at++)
		found = at;
	*platform = found ? found + 2 : "";
	return found ? (int)(found - device->name) : (int)strlen(device->name);
}

/* NVIDIA's platform, else the first one; its processors only if it has nothing else. */
static void choose_platform(struct bwt *test)
{
	const struct ws_place_facts *chosen = NULL;
	const char *wanted, *platform;
	bool processors = true;
	int count = 0;

	for (int i = 0; i < test->device_count && !chosen; i++) {
		name_length(test->devices[i], &platform);
		chosen = strstr(platform, "NVIDIA") ? test->devices[i] : NULL;
	}
	if (!chosen) {
		bwt_print(test, "WARNING: NVIDIA OpenCL platform not found - defaulting to first platform!\n\n");
		chosen = test->devices[0];
	}
	name_length(chosen, &wanted);
	for (int i = 0; i < test->device_count; i++) {
		name_length(test->devices[i], &platform);
		processors = processors && (strcmp(platform, wanted) != 0 || test->devices[i]->on_cpu);
	}
	for (int i = 0; i < test->device_count; i++) {
		name_length(test->devices[i], &platform);
		if (strcmp(platform, wanted) == 0 && test->devices[i]->on_cpu == processors)
			test->devices[count++] = test->devices[i];
	}
	test->device_count = count;
	if (processors)
		ws_stage_note("a processor is measured: host memory by OpenCL; %s knows only GPUs", tool.name);
}

static bool open_driver(struct bwt *test, const struct ws_dialect_call *call)
{
	const struct ws_session_backend *opencl;

	if (!bwt_open(test, call))
		return false;
	opencl = ws_stage_backend(&test->stage, "ocl");
	if (!opencl->open) {
		bwt_print(test, " Error -1001 in clGetPlatformIDs Call !!!\n\n");
		bwt_complain("OpenCL error: %s", opencl->why.text);
		return false;
	}
	choose_platform(test);
	return true;
}

static bool print_devices(const struct bwt *test)
{
	bwt_print(test, "Running on...\n\n");
	for (int i = test->first; i <= test->last; i++) {
		const struct ws_place_facts *device = test->devices[i];
		const char *platform;

		bwt_print(test, "%.*s\n", name_length(device, &platform), device->name);
		if (device->absent[0]) {
			bwt_complain("OpenCL error: device %d: %s", i, device->absent);
			return false;
		}
	}
	bwt_print(test, "\n");
	return true;
}

static bool read_access(struct bwt *test)
{
	const char *access_mode = ws_words_value(&test->words, "access");

	test->mapped = access_mode && strcmp(access_mode, "mapped") == 0;
	if (!access_mode || test->mapped || strcmp(access_mode, "direct") == 0)
		return true;
	bwt_print(test, "Invalid access mode - valid modes are direct or mapped\nSee --help for more information\n");
	return false;
}

/* What cannot be written is said, and the figures are printed all the same. */
static FILE *open_file(const char *name, const char *mode)
{
	FILE *file = fopen(name, mode);

	if (!file)
		bwt_complain("cannot write %s: %s", name, strerror(errno));
	return file;
}

static void close_file(FILE *file, const char *name)
{
	if (file && (ferror(file) | fclose(file)) != 0)
		bwt_complain("cannot write %s: %s", name, strerror(errno));
}

/* Rows are added to those of earlier runs, until there are too many. */
static void open_table(struct bwt *test)
{
	test->table = open_file(TABLE_FILE, "a");
	if (test->table && fseek(test->table, 0, SEEK_END) == 0 && ftell(test->table) > TABLE_BYTES_MAX) {
		fclose(test->table);
		test->table = open_file(TABLE_FILE, "w");
	}
	/* Runs that share the file append whole rows. */
	if (test->table)
		setvbuf(test->table, NULL, _IOLBF, 0);
}

static enum bwt_outcome run_test(struct bwt *test, const struct ws_dialect_call *call)
{
	if (!bwt_read_memory(test) || !read_access(test) || !open_driver(test, call) || !bwt_read_devices(test) ||
	    !print_devices(test) || !bwt_read_mode(test) || !bwt_read_range(test))
		return BWT_FAILED;
	if (test->mapped)
		ws_stage_note("every copy is mapped and unmapped; %s maps once for all of them", tool.name);
	if (test->csv)
		open_table(test);
	return bwt_run(test);
}

/* A line of the SDK's harness: with --qatest "&&&& STATE name words", else what `plain` says. */
static void print_state(const struct bwt *test, const char *name, const char *state, const char *plain)
{
	if (ws_words_last(&test->words, "qatest") < 0) {
		printf("[%s] %s\n\n", name, plain);
		return;
	}
	printf("&&&& %s %s", state, name);
	for (int i = 0; i < test->words.total; i++)
		printf(" %s", test->words.at[i]);
	printf("\n\n");
}

/* Until there is something to read, or a signal asks to stop. */
static void wait_for_enter(const volatile sig_atomic_t *interrupted)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	int ready;

	do
		ready = poll(&input, 1, LOOK_MS);
	while (!*interrupted && (ready == 0 || (ready < 0 && errno == EINTR)));
	if (!*interrupted)
		getchar();
}

/* Gives the user time to read, in a window that closes with the program. Of words that contradict the last counts. */
static void wait_before_end(const struct bwt *test, const volatile sig_atomic_t *interrupted)
{
	const int prompt = ws_words_last(&test->words, "prompt");
	const int noprompt = ws_words_last(&test->words, "noprompt"), help = ws_words_last(&test->words, "help");

	if (prompt > noprompt && prompt > help) {
		printf("\nPress <Enter> to exit...\n");
		fflush(stdout);
		wait_for_enter(interrupted);
		return;
	}
	if (prompt >= 0 || noprompt >= 0 || help >= 0)
		return;
	printf("> exiting in %d seconds: ", WAIT_SECONDS);
	for (int i = WAIT_SECONDS; i > 0 && !*interrupted; i--) {
		printf("%d...", i);
		fflush(stdout);
		sleep(1);
	}
	printf("done!\n\n");
}

int ws_dialect_ocl_bandwidth_test(const struct ws_dialect_call *call)
{
	const char *slash = strrchr(call->argv[0], '/'), *name = slash ? slash + 1 : call->argv[0];
	struct bwt test = {.tool = &tool};
	enum bwt_outcome outcome = BWT_OK;

	ws_words_init(&test.words, WS_WORDS_SDK, call->argc, call->argv);
	print_state(&test, name, "RUNNING", "starting...");
	test.log = open_file(LOG_FILE, "w");
	bwt_print(&test, "%s Starting...\n\n", call->argv[0]);
	if (test.words.cut)
		bwt_complain("Error when parsing command line argument string.");
	if (ws_words_flag(&test.words, "help") && !test.words.cut)
		print_help(&test);
	else
		outcome = run_test(&test, call);
	close_file(test.log, LOG_FILE);
	close_file(test.table, TABLE_FILE);
	print_state(&test, name, outcome == BWT_OK ? "PASSED" : "FAILED",
		    outcome == BWT_OK ? "test results...\nPASSED" : "test results...\nFAILED");
	if (!*call->interrupted)
		wait_before_end(&test, call->interrupted);
	return bwt_close(&test, outcome);
}
