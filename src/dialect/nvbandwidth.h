/* What the files of the nvbandwidth dialect share. */
#ifndef WS_DIALECT_NVBANDWIDTH_H
#define WS_DIALECT_NVBANDWIDTH_H

#include <stdio.h>

#include "dialect/stage.h"

enum nvb_version { NVB_0_9 = 1, NVB_0_10 = 2 }; /* bits */
enum nvb_format { NVB_TEXT, NVB_PERF, NVB_JSON };

/* Options: nvbandwidth_option.c. */

#define NVB_USUAL_MIB 512

struct nvb_options {
	enum nvb_version version;
	enum nvb_format format;
	bool help, list, print_version, verbose, skip_verification, no_affinity, mean, huge_pages;
	uint64_t buffer_mib, samples, loops;
	int64_t pairs;			/* -1 = all */
	const char **tests, **prefixes; /* owned lists, the strings are argv's */
	int test_count, prefix_count;
	const char *pair[2]; /* UUIDs, or NULL */
};

/*
 * WS_EINVAL names the argument, what is wrong and what is allowed; the format is then that which the command line asks
 * for as far as it can be told, and release is still the caller's.
 */
int nvb_options_parse(enum nvb_version version, int argc, char **argv, struct nvb_options *out, struct ws_error *error);
void nvb_options_release(struct nvb_options *options);
void nvb_options_help(enum nvb_version version, FILE *to);

/* Tests: nvbandwidth_table.c. */

enum nvb_figure {
	NVB_FIRST,  /* the first copy's own rate */
	NVB_EACH,   /* two copies, each its own rate, and their sum: three matrices */
	NVB_TOTAL,  /* all copies over the time of all */
	NVB_LATENCY /* nanoseconds of an access */
};

struct nvb_test {
	const char *name;  /* also of our probe */
	const char *label; /* above the matrix; of NVB_EACH with %s for what the matrix holds */
	enum nvb_figure figure;
	bool by_pair;	   /* a row and a column for each device; obeys --pair */
	const char *part;  /* of NVB_EACH: "Read" or "Write" */
	unsigned versions; /* that have it */
	bool gap;	   /* the list has an empty line behind it, in 0.10 */
};

/* By index, as -t counts them; NULL from the end on. */
const struct nvb_test *nvb_test_at(enum nvb_version version, int index);
/* By name or number; NULL if there is none, and message says so. */
const struct nvb_test *nvb_test_find(enum nvb_version version, const char *id, char *message, size_t message_size);
void nvb_test_list(enum nvb_version version, FILE *to);

/* The machine: nvbandwidth_machine.c. */

struct nvb_device {
	const struct ws_place_facts *facts;
	uint64_t processors; /* multiprocessors, 0 = not known */
};

struct nvb_machine {
	struct nvb_device *devices; /* owned; by the driver's number */
	int count;
	int cuda_version; /* 13020 = 13.2 */
	char driver_version[80], hostname[256];
};

/* WS_EABSENT and the like: no CUDA driver or no GPU, in the original's words as far as they are known. */
int nvb_machine_open(struct ws_stage *stage, struct nvb_machine *out, struct ws_error *error);
void nvb_machine_release(struct nvb_machine *machine);
/* The index of a place's device ("cuda1"), or -1. */
int nvb_machine_index(const struct nvb_machine *machine, const char *place);
/* "NVIDIA H200 (00000000:1b:00)" */
const char *nvb_device_text(const struct nvb_device *device, char *text, size_t size);
/* Sets the indices of the two GPUs of --pair. WS_EINVAL: the same, or one that is not there. */
int nvb_machine_pair(const struct nvb_machine *machine, const char *const uuids[2], int pair[2],
		     struct ws_error *error);

/* Measuring: nvbandwidth_measure.c. */

struct nvb_setup {
	const struct nvb_options *options;
	const struct nvb_machine *machine;
	struct ws_stage *stage;
	bool has_pair;
	int pair[2];
};

/* A matrix of figures. */
struct nvb_matrix {
	int rows, columns, first_row; /* the label of the first row */
	double *values;		      /* owned, rows x columns; below 0 = none */
	double *sums;		      /* owned, by sample: over all cells; NULL of all but a test's last matrix */
	int sample_count;	      /* of sums; 0 = not the same for all cells */
};

struct nvb_failure {
	char text[560]; /* which cell, and why it has no figure */
};

/* What came of a test. */
struct nvb_result {
	struct nvb_matrix parts[3];
	int part_count;
	struct nvb_failure *failures; /* owned */
	int failure_count;
	struct ws_result records; /* the step results, for what is told of each sample */
};

/* How long a sample may take: large buffers and many copies need more than the usual time. */
int64_t nvb_timeout_ns(const struct nvb_options *options);
/* The plan of a test; WS_OK also if it is waived. The caller releases the plan. */
int nvb_plan(const struct nvb_setup *setup, const struct nvb_test *test, struct ws_plan *out, char *waived,
	     size_t waived_size, struct ws_error *error);
/* Measures and folds; the caller releases the result, also of a failure. */
int nvb_measure(const struct nvb_setup *setup, const struct nvb_test *test, const struct ws_plan *plan,
		struct nvb_result *out, struct ws_error *error);
void nvb_result_release(struct nvb_result *result);

/* Folding: nvbandwidth_fold.c. */

/* One copy's rate in a sample, in GB/s; of a kernel that copies both ways half of what it moves. */
double nvb_item_rate(const struct ws_step *step, const struct ws_sample *sample, int item);
/* All measured copies of a sample over the time of all, in GB/s. */
double nvb_total_rate(const struct ws_step *step, const struct ws_sample *sample);
/* Makes the matrices of the records, and the failures. */
int nvb_fold(const struct nvb_setup *setup, const struct nvb_test *test, struct nvb_result *result,
	     struct ws_error *error);

/* What is printed of a matrix's cells. */
struct nvb_statistics {
	int count;    /* of cells with a figure above 0 */
	bool missing; /* a cell without figure */
	double sum, min, max;
	bool has_variation;
	double variation; /* coefficient: 0.9 over cells, 0.10 from run to run of the sum */
};
struct nvb_statistics nvb_statistics_make(enum nvb_version version, const struct nvb_test *test,
					  const struct nvb_matrix *matrix, bool last_part);

/* Output: nvbandwidth_text.c, nvbandwidth_json.c. */

struct nvb_output {
	const struct nvb_output_ops *ops;
	const struct nvb_options *options;
	FILE *to, *errors;
	struct json_t *root; /* of JSON: the object below "nvbandwidth" */
};

struct nvb_output_ops {
	void (*version)(struct nvb_output *);
	void (*warning)(struct nvb_output *, const char *text);
	/* Of the whole run, which ends. */
	void (*error)(struct nvb_output *, const char *text);
	void (*machine)(struct nvb_output *, const struct nvb_machine *machine);
	void (*not_found)(struct nvb_output *, const char *id, const char *message);
	void (*waived)(struct nvb_output *, const struct nvb_test *test, const char *reason);
	void (*running)(struct nvb_output *, const struct nvb_test *test);
	void (*failed)(struct nvb_output *, const struct nvb_test *test, const char *reason);
	void (*result)(struct nvb_output *, const struct nvb_setup *setup, const struct nvb_test *test,
		       const struct nvb_result *result);
	/* After the last test; prints what was held back, and frees. */
	void (*end)(struct nvb_output *, bool completed);
};
extern const struct nvb_output_ops nvb_text_ops, nvb_json_ops;

/* "nvbandwidth Version: v0.10.0" has this. */
const char *nvb_version_text(enum nvb_version version);
#define NVB_GIT_VERSION "wirespeed-" WS_VERSION

/* The label of one of a test's matrices, its key's ending ("" or "_read1"). Both return text. */
#define NVB_LABEL_TEXT 120
const char *nvb_part_label(const struct nvb_test *test, int part, char text[NVB_LABEL_TEXT]);
const char *nvb_part_key(const struct nvb_test *test, int part, char text[NVB_LABEL_TEXT]);

#endif
