/* The only rank there is. */
#ifndef WS_RANKS_SELF_H
#define WS_RANKS_SELF_H

#include "seam/ranks.h"

/* Rank 0 of 1: it has nobody to talk to. Its close does nothing; it can be copied and forgotten. */
struct ws_ranks ws_ranks_self(void);

#endif
