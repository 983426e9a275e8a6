/* Results: a table of cells per probe. Pure data; folds, limits and reports read it, nothing else knows more. */
#ifndef WS_SEAM_RESULT_H
#define WS_SEAM_RESULT_H

#include "seam/item.h"
#include "seam/record.h"

struct json_t;

enum ws_better { WS_HIGHER, WS_LOWER, WS_NEITHER };

struct ws_quantity {
	const char *name; /* "bandwidth", "latency", "total": a key in JSON */
	const char *unit; /* "GB/s", "ns", "us" */
	enum ws_better better;
	const char *bytes; /* what is counted: "each byte once", "read + written"; NULL where it is no rate */
};

/* One figure. low and high bound it (95 %, within this run) where has_interval. */
struct ws_figure {
	bool known;
	bool has_interval;
	double value, low, high;
};

enum ws_cell_status {
	WS_CELL_MEASURED,
	WS_CELL_NOT_APPLICABLE, /* nothing to measure on this machine; the reason says why */
	WS_CELL_FAILED,         /* it should have a figure and has none */
	WS_CELL_WRONG_DATA,
	WS_CELL_INTERRUPTED     /* what there is, is from fewer samples than wanted, or nothing */
};

/* Flags of a measured cell: facts about its samples, not failures. */
enum ws_cell_flag {
	WS_FLAG_UNCONVERGED = 1, /* budget spent before the precision was reached */
	WS_FLAG_DRIFT = 2,
	WS_FLAG_TWO_MODES = 4,
	WS_FLAG_STALLS = 8,
	WS_FLAG_UNVERIFIED = 16
};

#define WS_QUANTITY_MAX 8

/* What a fold makes of records. precision is the relative half-width of the primary (first) quantity's interval. */
struct ws_folded {
	struct ws_figure figures[WS_QUANTITY_MAX];
	bool has_precision;
	double precision;
	unsigned flags; /* enum ws_cell_flag */
	int kept;       /* samples that counted */
	int discarded;
	bool slope;     /* by two sizes, else size / time */
};

/* What a link carries for the bytes of a cell, by its own counters. 0 = not known; the reason says why. */
struct ws_wire {
	bool applies;	  /* the cell is a bandwidth, and its first item goes by NVLink: else the rest is 0 */
	double bytes;	  /* on the link for each byte copied, headers and all */
	double used, raw; /* GB/s of that in use, and GB/s that the links have */
	char reason[120];
};

struct ws_cell {
	struct ws_coords coords;
	enum ws_cell_status status;
	char reason[400];           /* "" for a measured cell without anything to add */
	struct ws_folded folded;
	int step;                   /* index in the result's steps */
	int *items, item_count;     /* indices of the cell's own items in the step; owned */
	struct ws_figure limit;     /* of the path, in the unit of the first quantity */
	char limit_reason[120];     /* why it is not known, or what it is made of */
	struct ws_wire wire;
};

struct ws_table {
	const struct ws_probe *probe;
	struct ws_cell *cells; /* owned */
	int cell_count;
};

/* Why no more samples of a step were taken. */
enum ws_ending {
	WS_ENDED_NOT_RUN,     /* nothing to run, or the run ended before it: see status */
	WS_ENDED_COUNT,       /* as many as asked */
	WS_ENDED_PRECISE,     /* the figure is good enough */
	WS_ENDED_BUDGET,      /* the time limit came first */
	WS_ENDED_INTERRUPTED,
	WS_ENDED_FAILED,      /* see status */
	WS_ENDED_WRONG_DATA
};

/* A step as it was run, with all it recorded; cells point here. */
struct ws_step_result {
	struct ws_step step;       /* owned copy */
	struct ws_records records; /* owned */
	enum ws_ending ending;
	int status;                /* WS_OK, or why the step has no (more) samples */
	char reason[400];          /* of a status that is not WS_OK */
	struct ws_check check;     /* of all verified samples together; done = every wanted check was made */
	struct json_t *path;       /* facts of its path under load, owned; may be NULL */
};

struct ws_result {
	struct ws_settings settings;
	struct ws_step_result *steps; /* owned */
	int step_count;
	struct ws_table *tables; /* owned, in order of first appearance */
	int table_count;
	struct json_t *machine;     /* owned; places, libraries, versions */
	struct json_t *environment; /* owned */
	bool simulated;
	bool incomplete; /* interrupted */
	bool lost;       /* something hangs: leave by _exit */
	double elapsed_s; /* of measuring */
	char version[24]; /* of the program that measured it; "" = this one */
};

#endif
