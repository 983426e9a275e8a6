/* The dialect "bandwidthTest": the CUDA samples' program, as it was in 12.8 and in 7.5. */
#include <stdlib.h>
#include <string.h>

#include "dialect/bandwidth_test.h"
#include "dialect/tools.h"

/* What the CUDA runtime answers where there is no driver, or nothing that it shows. */
#define INSUFFICIENT_DRIVER 35
#define NO_DEVICE 100

static void title(const struct bwt *test, enum bwt_kind kind)
{
	bwt_print(test, " %s Bandwidth, %d Device(s)\n %s Memory Transfers\n", bwt_kinds[kind].title,
		  test->last - test->first + 1, test->pageable ? "PAGEABLE" : "PINNED");
	if (test->write_combined)
		bwt_print(test, " Write-Combined Memory Writes are Enabled");
}

static void csv_kind(const struct bwt *test, enum bwt_kind kind, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s", bwt_kinds[kind].code,
		 kind == BWT_DTOD ? ""
		 : test->pageable ? "-Paged"
				  : "-Pinned",
		 kind != BWT_DTOD && test->write_combined ? "-WriteCombined" : "");
}

/* By version, the newest first. */
#define COMMON                                                                                                         \
	.name = "bandwidthTest", .family = "cuda", .shout = "!!!!!", .indent = " ", .gap = "", .bytes = "bytes",       \
	.all = "\n!!!!!Cumulative Bandwidth to be computed from all the devices !!!!!!\n\n", .title = title,           \
	.csv_kind = csv_kind
static const struct {
	const char *version;
	struct bwt_tool tool;
} versions[] = {
	{"12.8", {COMMON, .unit = "GB/s", .unit_bytes = 1e9, .kilo = 1000, .copies = 100}},
	{"7.5", {COMMON, .unit = "MB/s", .unit_bytes = 1 << 20, .kilo = 1024, .copies = 10}},
};

static void print_help(const struct bwt *test)
{
	bwt_print(test, "Usage:  bandwidthTest [OPTION]...\n"
			"How fast data moves between the host's memory and a GPU, and inside a GPU's memory\n\n"
			"Options:\n"
			"--help\tThis text\n"
			"--csv\tA line of keys and values for each size\n"
			"--device=[deviceno]\tWhich GPU\n"
			"  all - all of them at the same time, bandwidths added up\n"
			"  0,1,2,...,n - that one; 0 if none is named\n"
			"--memory=[MEMMODE]\tWhich memory of the host\n"
			"  pageable - as the system gives it\n"
			"  pinned   - page-locked; the default\n"
			"--mode=[MODE]\tWhich sizes\n"
			"  quick - one; the default\n"
			"  range - from a first to a last one, in equal steps\n"
			"  shmoo - 81 in growing steps\n"
			"--htod\tFrom the host to a GPU\n"
			"--dtoh\tFrom a GPU to the host\n"
			"--dtod\tInside a GPU's memory; all three if none is named\n"
			"--wc\tWrite-combined pinned memory\n"
			"--cputiming\tTimes by the host's clock, not by the GPU's events\n"
			"--compat=[VERSION]\tThe text, sizes, unit and number of copies of a version\n"
			"  12.8 - 32000000 bytes, GB/s, 100 copies; the default\n"
			"  7.5  - 33554432 bytes, MB/s, 10 copies\n"
			"Sizes of mode range\n"
			"--start=[SIZE]\tThe first one, in bytes\n"
			"--end=[SIZE]\tThe last one at most\n"
			"--increment=[SIZE]\tFrom one to the next\n");
}

static bool choose_version(struct bwt *test, const char *by_name)
{
	const char *by_option = ws_words_value(&test->words, "compat");
	const char *wanted = by_option ? by_option : by_name;

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		if (wanted && strcmp(wanted, versions[i].version) != 0)
			continue;
		test->tool = &versions[i].tool;
		if (test->tool->kilo == 1024)
			ws_stage_note("MB/s are 2^20 bytes a second; bandwidthTest 7.5 counts 1024 ms as a second, "
				      "which gives figures 2.4 %% higher");
		return true;
	}
	bwt_print(test, "Invalid version - valid versions are 12.8 or 7.5\nSee --help for more information\n");
	return false;
}

/* The driver's own code as the error's text has it: "cuInit: 803 CUDA_ERROR_...". */
static int driver_code(const struct ws_session_backend *entry)
{
	const char *name = strstr(entry->why.text, " CUDA_ERROR_");

	if (!name)
		return entry->backend.library_path[0] ? NO_DEVICE : INSUFFICIENT_DRIVER;
	while (name > entry->why.text && name[-1] >= '0' && name[-1] <= '9')
		name--;
	return atoi(name);
}

/* What the CUDA runtime would say of a driver that is not there, or not to be used. */
static bool refuse_driver(const struct bwt *test, const struct ws_session_backend *entry, const char *call)
{
	const int code = driver_code(entry);

	bwt_print(test, "%s returned %d\n-> %s\n", call, code,
		  code == INSUFFICIENT_DRIVER ? "CUDA driver version is insufficient for CUDA runtime version"
		  : code == NO_DEVICE	      ? "no CUDA-capable device is detected"
					      : entry->why.text);
	bwt_complain("CUDA error: %s", entry->why.text);
	return false;
}

static bool open_driver(struct bwt *test, const struct ws_dialect_call *call)
{
	const bool named = ws_words_value(&test->words, "device");
	const struct ws_session_backend *cuda;

	if (!bwt_open(test, call))
		return false;
	cuda = ws_stage_backend(&test->stage, "cuda");
	if (cuda->open)
		return true;
	if (!named)
		bwt_print(test, "Running on...\n\n");
	return refuse_driver(test, cuda, named ? "cudaGetDeviceCount" : "cudaGetDeviceProperties");
}

static bool print_devices(const struct bwt *test)
{
	bwt_print(test, "Running on...\n\n");
	for (int i = test->first; i <= test->last; i++) {
		const struct ws_place_facts *device = test->devices[i];

		bwt_print(test, " Device %d: %s\n", i, device->name);
		if (!device->absent[0])
			continue;
		if (strstr(device->absent, "compute mode"))
			bwt_complain("Error: device is running in <Compute Mode Prohibited>, no threads can use "
				     "::cudaSetDevice().");
		else
			bwt_complain("CUDA error: device %d: %s", i, device->absent);
		return false;
	}
	return true;
}

static enum bwt_outcome run_test(struct bwt *test, const struct ws_dialect_call *call)
{
	/* What is wrong with the words ends with the verdict; what is wrong with the driver ends at once. */
	if (!choose_version(test, call->version) || !bwt_read_memory(test))
		return BWT_WRONG;
	if (!open_driver(test, call))
		return BWT_FAILED;
	if (!bwt_read_devices(test))
		return BWT_WRONG;
	if (!print_devices(test))
		return BWT_FAILED;
	if (!bwt_read_mode(test))
		return BWT_WRONG;
	test->write_combined = ws_words_flag(&test->words, "wc") && !test->pageable;
	test->cpu_timing = ws_words_flag(&test->words, "cputiming");
	if (test->pageable && ws_words_flag(&test->words, "wc"))
		ws_stage_note("--wc says nothing of pageable memory; bandwidthTest prints it all the same");
	return bwt_read_range(test) ? bwt_run(test) : BWT_WRONG;
}

int ws_dialect_bandwidth_test(const struct ws_dialect_call *call)
{
	struct bwt test = {.tool = &versions[0].tool};
	enum bwt_outcome outcome = BWT_OK;

	ws_words_init(&test.words, WS_WORDS_CUDA, call->argc, call->argv);
	bwt_print(&test, "[CUDA Bandwidth Test] - Starting...\n");
	if (ws_words_flag(&test.words, "help"))
		print_help(&test);
	else
		outcome = run_test(&test, call);
	if (outcome != BWT_FAILED)
		bwt_print(&test, "Result = %s\n\n" WS_WORDS_CUDA_NOTE, outcome == BWT_OK ? "PASS" : "FAIL");
	return bwt_close(&test, outcome);
}
