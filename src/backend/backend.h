/* The back ends that this build has. */
#ifndef WS_BACKEND_BACKEND_H
#define WS_BACKEND_BACKEND_H

#include <stddef.h>

#include "seam/backend.h"

/* In the order in which their places are listed. */
const struct ws_backend_ops *const *ws_backends(size_t *count);

#endif
