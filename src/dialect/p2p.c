/* The dialect of p2pBandwidthLatencyTest, one of the CUDA samples. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pci_address.h"
#include "dialect/p2p_matrix.h"
#include "dialect/sample_words.h"
#include "dialect/tools.h"

#define DEFAULT_ELEMENTS 40000000
#define ELEMENTS_MAX (INT64_C(1) << 48)
#define NAME "p2pBandwidthLatencyTest"

struct options {
	bool help, reads, by_kernel;
	int64_t elements; /* of 4 bytes */
};

/* False after a line that says what is wrong. What is no number at all is 0, as the tool reads it. */
static bool read_options(const struct ws_dialect_call *call, struct options *out)
{
	enum ws_words_number number;
	struct ws_words words;

	ws_words_init(&words, WS_WORDS_CUDA, call->argc, call->argv);
	*out = (struct options){
		.help = ws_words_flag(&words, "help"),
		.reads = ws_words_flag(&words, "p2p_read"),
		.by_kernel = ws_words_flag(&words, "sm_copy"),
		.elements = DEFAULT_ELEMENTS,
	};
	number = ws_words_number(&words, "numElems", &out->elements);
	if (out->help || (number != WS_NUMBER_REST && out->elements >= 0 && out->elements <= ELEMENTS_MAX))
		return true;
	fprintf(stderr,
		"wirespeed: --numElems=%.40s: allowed are whole numbers of 4-byte elements, without a unit, from 0 to "
		"%" PRId64 "\n",
		ws_words_value(&words, "numElems"), ELEMENTS_MAX);
	return false;
}

static void print_help(void)
{
	fputs("Usage:  " NAME " [OPTION]...\n"
	      "Bandwidth and latency between all pairs of GPUs, with peer access (P2P) and without.\n"
	      "\n"
	      "Options:\n"
	      "--help                         Print this text\n"
	      "--p2p_read                     Let each GPU also read from the others; as a rule it only writes to them\n"
	      "--sm_copy                      Let kernels make the copies with P2P, not copy engines\n"
	      "--numElems=<NUM_OF_INT_ELEMS>  Copy so many integers of 4 bytes (40000000)\n",
	      stdout);
}

/* The tool ends with its first error, in such a line. */
static int fail(const char *why)
{
	printf("Cuda failure " NAME ": '%s'\n", why);
	return EXIT_FAILURE;
}

static void note_deviations(void)
{
	ws_stage_note("before what is timed the same copies are made once, so that links are awake");
	ws_stage_note("the data that arrived is compared, and a cell that fails is N/A and does not end the run");
	ws_stage_note("both ways: all bytes over the time of the slower way, each by its own GPU's clock");
	ws_stage_note("latency by the CPU is that of issuing alone, without a query of the kernel's occupancy");
}

static void print_devices(const struct p2p_gpus *gpus)
{
	printf("[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]\n");
	for (int i = 0; i < gpus->count; i++) {
		struct ws_pci_address address = {0};

		if (ws_pci_address_parse(gpus->list[i]->pci, &address, NULL) != WS_OK)
			address = (struct ws_pci_address){0};
		printf("Device: %d, %s, pciBusID: %x, pciDeviceID: %x, pciDomainID:%x\n", i, gpus->list[i]->name,
		       address.bus, address.device, address.domain);
	}
}

static void print_access(const struct p2p_gpus *gpus)
{
	for (int row = 0; row < gpus->count; row++)
		for (int column = 0; column < gpus->count; column++)
			if (row != column)
				printf("Device=%d %s Access Peer Device=%d\n", row,
				       p2p_reaches(gpus, row, column) ? "CAN" : "CANNOT", column);
	printf("\n***NOTE: In case a device doesn't have P2P access to other one, it falls back to normal memcopy "
	       "procedure.\nSo you can see lesser Bandwidth (GB/s) and unstable Latency (us) in those cases.\n\n");
	printf("P2P Connectivity Matrix\n     D\\D");
	for (int column = 0; column < gpus->count; column++)
		printf("%6d", column);
	printf("\n");
	for (int row = 0; row < gpus->count; row++) {
		printf("%6d\t", row);
		for (int column = 0; column < gpus->count; column++)
			printf("%6d", row == column || p2p_reaches(gpus, row, column) ? 1 : 0);
		printf("\n");
	}
}

static void print_matrix(const char *corner, const struct p2p_cell *cells, int count, bool issue)
{
	printf("   %s", corner);
	for (int column = 0; column < count; column++)
		printf("%6d ", column);
	printf("\n");
	for (int row = 0; row < count; row++) {
		printf("%6d ", row);
		for (int column = 0; column < count; column++) {
			const struct p2p_cell *cell = &cells[row * count + column];

			if (cell->known)
				printf("%6.02f ", issue ? cell->issue_us : cell->figure);
			else
				printf("%6s ", "N/A");
		}
		printf("\n");
	}
}

/* Whether all cells have a figure. */
static bool complain(const struct p2p_matrix *matrix, const struct p2p_cell *cells, int count)
{
	bool all = true;

	for (int i = 0; i < count * count; i++) {
		if (!cells[i].known)
			fprintf(stderr, "wirespeed: %s, %d to %d: %s\n", matrix->title, i / count, i % count,
				cells[i].reason);
		all = all && cells[i].known;
	}
	return all;
}

static int run_matrix(struct ws_stage *stage, const struct p2p_gpus *gpus, const struct p2p_matrix *matrix,
		      struct p2p_cell *cells)
{
	struct ws_error error = {0};

	printf("%s\n", matrix->title);
	fflush(stdout);
	if (p2p_matrix_measure(stage, gpus, matrix, cells, &error) != WS_OK)
		return fail(error.text);
	print_matrix(matrix->test == P2P_LATENCY ? "GPU" : "D\\D", cells, gpus->count, false);
	if (matrix->test == P2P_LATENCY) {
		printf("\n");
		print_matrix("CPU", cells, gpus->count, true);
	}
	fflush(stdout);
	if (*stage->interrupted)
		return EXIT_FAILURE;
	return complain(matrix, cells, gpus->count) ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Rows that read are left out unless asked for. */
static const struct p2p_matrix matrices[] = {
	{"Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)", P2P_ONE_WAY, false, false, false, 0},
	{"Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)", P2P_ONE_WAY, true, false, false, 0},
	{"Unidirectional P2P=Enabled Bandwidth (P2P Reads) Matrix (GB/s)", P2P_ONE_WAY, true, true, false, 0},
	{"Bidirectional P2P=Disabled Bandwidth Matrix (GB/s)", P2P_BOTH_WAYS, false, false, false, 0},
	{"Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)", P2P_BOTH_WAYS, true, false, false, 0},
	{"P2P=Disabled Latency Matrix (us)", P2P_LATENCY, false, false, false, 0},
	{"P2P=Enabled Latency (P2P Writes) Matrix (us)", P2P_LATENCY, true, false, false, 0},
	{"P2P=Enabled Latency (P2P Reads) Matrix (us)", P2P_LATENCY, true, true, false, 0},
};

static int run_all(struct ws_stage *stage, const struct p2p_gpus *gpus, const struct options *options)
{
	struct p2p_cell *cells = calloc((size_t)gpus->count * (size_t)gpus->count, sizeof(*cells));
	int code = cells ? EXIT_SUCCESS : fail("out of memory");

	for (size_t i = 0; i < sizeof(matrices) / sizeof(matrices[0]) && cells && !ws_stage_is_over(stage); i++) {
		struct p2p_matrix matrix = matrices[i];

		if (matrix.reads && !options->reads)
			continue;
		matrix.by_kernel = options->by_kernel;
		matrix.size_bytes = sizeof(int32_t) * (uint64_t)options->elements;
		if (run_matrix(stage, gpus, &matrix, cells) != EXIT_SUCCESS)
			code = EXIT_FAILURE;
	}
	free(cells);
	if (!ws_stage_is_over(stage))
		printf("\n" WS_WORDS_CUDA_NOTE);
	return code;
}

static int find_gpus(const struct ws_stage *stage, struct p2p_gpus *out, struct ws_error *error)
{
	const struct ws_session_backend *cuda = ws_stage_backend(stage, "cuda");

	if (!cuda->open)
		return ws_fail(error, WS_EABSENT, "%s", cuda->why.text);
	out->list = ws_stage_devices(stage, "cuda", &out->count);
	if (!out->list)
		return ws_fail(error, WS_ENOMEM, "out of memory");
	return out->count > 0 ? WS_OK : ws_fail(error, WS_EABSENT, "no CUDA-capable device is detected");
}

int ws_dialect_p2p(const struct ws_dialect_call *call)
{
	struct p2p_gpus gpus = {.list = NULL};
	struct ws_error error = {0};
	struct options options;
	struct ws_stage stage;
	int code;

	if (!read_options(call, &options))
		return EXIT_FAILURE;
	if (options.help) {
		print_help();
		return EXIT_SUCCESS;
	}
	if (ws_stage_open(call, "cuda", 0, &stage, &error) != WS_OK)
		return fail(error.text);
	if (find_gpus(&stage, &gpus, &error) == WS_OK) {
		note_deviations();
		print_devices(&gpus);
		print_access(&gpus);
		code = run_all(&stage, &gpus, &options);
	} else {
		code = fail(error.text);
	}
	free(gpus.list);
	return ws_stage_close(&stage, code);
}
