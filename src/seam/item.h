/* What is to be done: an item, the step of items that run at the same time, and the plan of steps. */
#ifndef WS_SEAM_ITEM_H
#define WS_SEAM_ITEM_H

#include "seam/place.h"

struct ws_probe;

/* Timed loops of an item that goes on until it is told to stop, instead of a number. */
#define WS_LOOPS_UNTIL_STOPPED UINT32_MAX

enum ws_verb {
	WS_COPY,       /* source -> destination */
	WS_COPY2,      /* source <-> destination: two lanes, 0 forward, 1 back */
	WS_READ,       /* source */
	WS_WRITE,      /* destination */
	WS_TRIAD,      /* destination = two sources combined, all in one place */
	WS_MIX,        /* reads and writes in one place */
	WS_CHASE,      /* dependent loads in source */
	WS_PINGPONG,   /* a flag between source and destination */
	WS_NOOP,       /* nothing but its own cost */
	WS_MAP,        /* source becomes visible to the host */
	WS_UNMAP,
	WS_COLLECTIVE, /* over members */
	WS_PUT,        /* source -> destination, far end passive */
	WS_GET,
	WS_STORE,      /* as put and get, by the processor's own stores and loads */
	WS_LOAD,
	WS_VERB_COUNT
};

struct ws_engine {
	struct ws_place place; /* whose engine; memory and pages are "" */
	char name[8];          /* "ce", "sm", "tma", "cpu", "nic" */
};

/* Coordinates of a cell: axis=value pairs, in the order of the probe's axes. */
#define WS_COORDS_MAX 6
struct ws_coords {
	int count;
	struct {
		char axis[16];
		char value[40];
	} at[WS_COORDS_MAX];
};

/* One flag or key=value of an item; the rows are in base/item.h. */
struct ws_item_option_row;
struct ws_item_option {
	const struct ws_item_option_row *row;
	uint64_t number; /* of a numeric key, a size in bytes, or 1 for a flag */
	char word[16];   /* of a key whose values are words */
};

#define WS_ITEM_OPTION_MAX 10
struct ws_item {
	enum ws_verb verb;
	char collective[20];                     /* the operation's name, of a collective */
	struct ws_place source, destination;     /* family "" where the verb takes none */
	struct ws_place *members;                /* of a collective; owned by the item */
	int member_count;
	struct ws_engine engine;                 /* family "" where none is named */
	uint64_t size_bytes[2];                  /* per loop; two sizes = slope, their samples interleaved */
	int size_count;                          /* 0 for items that move no bytes */
	uint32_t loops;                          /* timed loops a sample; 0 = chosen while measuring */
	struct ws_coords coords;                 /* overrides the step's, value by value */
	struct ws_item_option options[WS_ITEM_OPTION_MAX];
	int option_count;
};

/* When a sample's data is checked. */
enum ws_verify_policy {
	WS_VERIFY_ENDS, /* the first sample of a step and one more after the last */
	WS_VERIFY_EACH,
	WS_VERIFY_NONE
};

/* What "with" sets for a plan. 0 means "chosen while measuring" unless said otherwise. */
struct ws_settings {
	uint32_t samples;     /* exactly so many kept samples of each size; 0 = until precise */
	uint32_t lead_loops;  /* untimed loops in front of the timed ones, behind the same gate; 0 = none */
	uint32_t loops;       /* timed loops of items that name none */
	enum ws_verify_policy verify;
	char statistic[12];   /* "median", "mean", "min", "max" over samples */
	double precision;     /* relative half-width of the 95 % interval at which a figure is good enough */
	int64_t time_limit_ns; /* budget of one step's samples */
	int64_t timeout_ns;   /* deadline of every single wait */
	uint64_t seed;        /* of the data pattern */
	uint64_t pattern;     /* 0 = one that depends on the position, else 1 + the 32-bit word that fills all buffers */
	bool ungated;         /* issue at release instead of queueing behind a gate */
	bool counters;        /* read counters before and after every sample */
};

/*
 * Items that run at the same time. Items whose coordinates agree belong to one cell; a step may fill several cells.
 * A step with a reason has no items: its cell has no figure, and the reason says why.
 */
struct ws_step {
	const struct ws_probe *probe; /* never NULL: an unlabelled step has the built-in probe "custom" */
	struct ws_coords coords;
	struct ws_item *items;        /* owned */
	int item_count;
	int group;                    /* steps of one group > 0 are interleaved; 0 = alone */
	char reason[160];             /* not "": nothing to run */
	char *text;                   /* its line of plan text; owned */
};

struct ws_plan {
	struct ws_settings settings;
	struct ws_step *steps; /* owned */
	int step_count;
};

#endif
