/* A back end of made-up devices: in-memory, on a simulated clock, with faults to order and a log of what was asked. */
#ifndef WS_TESTS_FAKE_BACKEND_FAKE_H
#define WS_TESTS_FAKE_BACKEND_FAKE_H

#include <stdatomic.h>

#include "base/clock.h"
#include "seam/backend.h"

enum fake_fault {
	FAKE_RIGHT,
	FAKE_NOTHING,	/* nothing is moved, read or walked */
	FAKE_ONE_BYTE,	/* one byte in the middle is wrong */
	FAKE_LAST_BYTE, /* the last byte is left out */
	FAKE_OFFSET,	/* all of it lands 4 bytes further on */
	FAKE_HANG,	/* never ends; can be cancelled */
	FAKE_LOST	/* never ends, and cannot be cancelled */
};

/* A submission, as the back end saw it. */
struct fake_call {
	char engine[16]; /* "cuda0.ce" */
	enum ws_verb verb;
	uint64_t size_bytes;
	uint32_t loops;
};

enum { FAKE_CALLS_MAX = 4096, FAKE_CHASE_STEPS = 61 };

struct fake {
	/* To order. */
	int devices;
	double bytes_per_ns;
	enum fake_fault fault;
	int fault_from_run; /* data is right before this run of a queue, counted from 1 */
	uint64_t linked_peers; /* of each device, as facts say it */
	bool absent;	   /* open answers WS_EABSENT */
	bool no_memory;	   /* every alloc answers WS_ENOMEM */
	int fail_alloc_at; /* this alloc answers WS_ENOMEM, counted from 1 */
	int fail_call_at;  /* this call answers WS_EDRIVER, counted from 1 over all that can */
	/* What came of it. */
	char ready[80]; /* places made ready, by spaces; a semicolon ends each call */
	int allocs_before_ready;
	_Atomic int calls_made; /* of those that can fail */
	_Atomic int runs, fills;
	int allocs, allocs_live, attached_live, queues_live, opened, joins, counter_reads;
	uint64_t largest_alloc;
	struct fake_call calls[FAKE_CALLS_MAX];
	_Atomic int call_count;
	_Atomic uint64_t moved_bytes; /* its counter */
	_Atomic int64_t now_ns;
	struct ws_clock clock; /* passes 100 ns at every look, and as polls wait; begins at the real time */
};

/*
 * Devices cuda0, cuda1, ... with engines "ce" and "sm". Both tables below serve the fake that was set up last.
 */
void fake_init(struct fake *fake, int devices);

extern const struct ws_backend_ops fake_ops;
/* The same without gates: all that it does is issued at release. */
extern const struct ws_backend_ops fake_ungated_ops;

#endif
