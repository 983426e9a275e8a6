/* Writing the processors' caches back to memory. */
#ifndef WS_KERNEL_HOST_FLUSH_H
#define WS_KERNEL_HOST_FLUSH_H

#include <stddef.h>

/*
 * Leaves no line of the buffer in any cache of any processor, as far as the processor offers that to programs (x86-64,
 * aarch64); elsewhere it does nothing.
 */
void ws_host_flush(const void *buffer, size_t size_bytes);

#endif
