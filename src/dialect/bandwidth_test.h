/* What bandwidthTest of the CUDA samples and oclBandwidthTest of the OpenCL samples have in common. */
#ifndef WS_DIALECT_BANDWIDTH_TEST_H
#define WS_DIALECT_BANDWIDTH_TEST_H

#include <stdio.h>

#include "dialect/bandwidth_test_sizes.h"
#include "dialect/sample_words.h"
#include "dialect/stage.h"

enum bwt_kind { BWT_HTOD, BWT_DTOH, BWT_DTOD, BWT_KINDS };

/* What a direction is called as an option, above a table, in CSV rows, and in a line on stderr. */
struct bwt_kind_names {
	const char *option, *title, *code, *words;
};
extern const struct bwt_kind_names bwt_kinds[BWT_KINDS];

enum bwt_outcome {
	BWT_OK,
	BWT_WRONG, /* wrong data arrived */
	BWT_FAILED /* no figure, or the user asked to stop */
};

struct bwt;

/* A tool, or one of its versions. */
struct bwt_tool {
	const char *name;   /* in CSV rows */
	const char *family; /* of its devices' places */
	const char *shout;  /* around what it shouts */
	const char *all;    /* what it prints of all devices */
	const char *unit;
	double unit_bytes;
	uint64_t kilo;	    /* what its sizes count by, 1000 or 1024 */
	uint32_t copies;    /* of every size */
	bool pageable;	    /* the default memory */
	const char *indent; /* of its mode lines */
	const char *gap;    /* behind the advice that follows an invalid mode */
	const char *bytes;  /* its word for bytes in CSV rows */
	/* Title lines of a direction's table, and the words for it in CSV rows. */
	void (*title)(const struct bwt *test, enum bwt_kind kind);
	void (*csv_kind)(const struct bwt *test, enum bwt_kind kind, char *text, size_t size);
};

struct bwt {
	const struct bwt_tool *tool;
	struct ws_words words;
	struct ws_stage stage; /* all zero until it is open */
	FILE *log;	       /* has what stdout has; may be NULL */
	FILE *table;	       /* has the CSV rows, too; may be NULL */

	/* The command line. */
	bool csv, pageable, mapped, write_combined, cpu_timing;
	bool kinds[BWT_KINDS];
	struct bwt_sizes sizes;

	/* By the driver's numbers, of which those from `first` to `last` are measured. */
	const struct ws_place_facts **devices; /* owned */
	int device_count, first, last;
};

/* Writes to stdout, and to the log if there is one. */
void bwt_print(const struct bwt *test, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One line on stderr, after what went to stdout. */
void bwt_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Opens the stage with the tool's devices and lists them; false and a line on stderr if that fails. */
bool bwt_open(struct bwt *test, const struct ws_dialect_call *call);
/* Frees the list and closes the stage, if it was opened. Returns the exit code. */
int bwt_close(struct bwt *test, enum bwt_outcome outcome);

/*
 * The command line in the order in which the tools read it, what goes with it printed; false = the tool fails, and the
 * reason is printed.
 */
bool bwt_read_memory(struct bwt *test);
/* The devices of the list that are meant. */
bool bwt_read_devices(struct bwt *test);
bool bwt_read_mode(struct bwt *test);
bool bwt_read_range(struct bwt *test);

/*
 * One size in one direction, on all devices meant at the same time: the sum of their bandwidths in the tool's unit.
 * What is wrong goes to stderr.
 */
enum bwt_outcome bwt_measure(struct bwt *test, enum bwt_kind kind, uint64_t size_bytes, double *bandwidth);

/* Measures and prints everything asked for. */
enum bwt_outcome bwt_run(struct bwt *test);

#endif
