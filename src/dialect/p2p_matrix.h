/* The matrices of p2pBandwidthLatencyTest: what each measures, and what its records say. */
#ifndef WS_DIALECT_P2P_MATRIX_H
#define WS_DIALECT_P2P_MATRIX_H

#include "dialect/stage.h"

enum p2p_test { P2P_ONE_WAY, P2P_BOTH_WAYS, P2P_LATENCY };

struct p2p_matrix {
	const char *title;
	enum p2p_test test;
	bool peer;	/* access is on where there is any */
	bool reads;	/* the row's engine fetches, else it stores */
	bool by_kernel; /* where peer access is on */
	uint64_t size_bytes;
};

struct p2p_cell {
	bool known;
	double figure;	  /* GB/s, or us of a copy on the GPU */
	double issue_us;  /* of a copy, of a latency */
	char reason[400]; /* why there is no figure */
};

/* Row and column are the indices of GPUs in the list. */
struct p2p_gpus {
	const struct ws_place_facts **list; /* owned */
	int count;
};

bool p2p_reaches(const struct p2p_gpus *gpus, int row, int column);

/* Measures a matrix into cells, row by row. An error leaves no cells; one cell's failure is its own. */
int p2p_matrix_measure(struct ws_stage *stage, const struct p2p_gpus *gpus, const struct p2p_matrix *matrix,
		       struct p2p_cell *cells, struct ws_error *error);

#endif
