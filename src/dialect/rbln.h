/* What the files of the dialect rblnBandwidthLatencyTest share. */
#ifndef WS_DIALECT_RBLN_H
#define WS_DIALECT_RBLN_H

#include <stdio.h>

#include "dialect/stage.h"

#define RBLN_NAME "rblnBandwidthLatencyTest"
#define RBLN_DEVICES_MAX 64
#define RBLN_HOST (-1) /* in place of a device's number */

/* Exit codes: the tool's pages name none. */
enum rbln_exit { RBLN_EXIT_PASS = 0, RBLN_EXIT_FAIL = 1, RBLN_EXIT_USAGE = 2 };

/* Numbers that are not given are what the comment says. */
struct rbln_options {
	bool help, test_list, test_env_info, skip_test_env_info, warmup, only_d2d;
	bool has_size, has_pattern, has_source, has_flags, has_group, has_numa_node;
	int64_t timeout_s;  /* 0 = none of its own */
	int64_t iterations; /* 1 */
	int64_t test_case;  /* 0 */
	int64_t source;	    /* of --device_name */
	int64_t get_perf;   /* 0 = none, 1 = average, 2 = per iteration */
	int64_t priority;   /* 1 */
	int64_t hdma_read;  /* 0 */
	int64_t numa_node;  /* -1 */
	int64_t pattern, flags, group;
	uint64_t size_bytes; /* 512 MiB */
	int ids[RBLN_DEVICES_MAX], id_count;
};

struct rbln_device {
	const struct ws_place_facts *facts;
	int id;		/* its number */
	char label[16]; /* "cuda0" */
};

struct rbln {
	struct rbln_options options;
	struct ws_stage stage;
	struct rbln_device all[RBLN_DEVICES_MAX]; /* by number */
	int all_count;
	int chosen[RBLN_DEVICES_MAX]; /* numbers of those that take part, the source first if one is named */
	int chosen_count;
	int failures, figures; /* of the test case so far */
};

/* Options: rbln_option.c. Says on stderr what is wrong, and returns false. */
bool rbln_options_parse(int argc, char **argv, struct rbln_options *out);
void rbln_help(FILE *to);
/* One line on stderr, behind the tool's name. */
void rbln_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Devices: rbln_device.c. All of the machine; those that the options leave, or false and a line on stderr. */
void rbln_devices_find(struct rbln *rbln);
bool rbln_devices_choose(struct rbln *rbln);
/* Whether a device's engines know an option of items. */
bool rbln_honours(const struct rbln *rbln, int device, const char *option);

/*
 * The machine: rbln_machine.c, from /sys and /proc under root (as in base/sysfs.h). The report on processor and
 * devices, with each device's link if details are wanted.
 */
void rbln_print_machine(const struct rbln_device *devices, int count, const char *root, bool details, FILE *to);
/*
 * The matrix of links of PCI Express between devices: rows are numbers of devices, columns all devices. "-" where the
 * machine does not say.
 */
struct rbln_layout {
	int label_width, cell_width;
};
void rbln_print_distances(const struct rbln_device *devices, int count, const int *rows, int row_count,
			  const struct rbln_layout *layout, const char *root, FILE *to);

/* Transfers: rbln_measure.c. From and to are numbers of devices, or RBLN_HOST. */
struct rbln_flow {
	int from, to;
};

/* Rates of a flow in GB/s, or latencies in us. The average of rates is all bytes / all time. */
struct rbln_figure {
	bool known;
	double least, greatest, average;
	double *each; /* times of the iterations in us, owned */
	int count;
	double each_average;
};

#define RBLN_FLOWS_MAX (2 * RBLN_DEVICES_MAX)

/*
 * Runs flows at the same time; figures[i] is the i-th flow's, and *total, if it is wanted, all of them together. What
 * has no figure is said on stderr if it should have one, else noted. The caller releases figures.
 */
void rbln_bandwidth(struct rbln *rbln, const struct rbln_flow *flows, int count, struct rbln_figure *figures,
		    struct rbln_figure *total);
void rbln_latency(struct rbln *rbln, const struct rbln_flow *flow, struct rbln_figure *out);
void rbln_figure_release(struct rbln_figure *figure);
/* Whether a flow is possible; if not, the reason is given like those of what has no figure. */
bool rbln_can(struct rbln *rbln, const struct rbln_flow *flow);
const char *rbln_label(const struct rbln *rbln, int device);

/* Test cases: rbln_test.c. */
void rbln_test_list(FILE *to);
/* Buffers of the size that a test case has in a device at most; 0 = none. */
int rbln_test_buffers(const struct rbln *rbln);
/* Prints and measures; whether it passed. */
bool rbln_test_run(struct rbln *rbln, const char *root);

/* The matrix over all pairs, and the times of --get_perf: rbln_matrix.c. */
void rbln_matrix_bandwidth(struct rbln *rbln);
void rbln_print_perf(const struct rbln *rbln, const struct rbln_flow *flow, const char *arrow,
		     const struct rbln_figure *figure, FILE *to);
/* Whether a device's copies to others are measured: all devices', unless one is named as the source. */
bool rbln_is_source(const struct rbln *rbln, int device);

#endif
