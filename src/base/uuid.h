/* UUIDs of devices as text. */
#ifndef WS_BASE_UUID_H
#define WS_BASE_UUID_H

#include <stddef.h>

#define WS_UUID_BYTES 16

/* Writes prefix ("GPU-") and 8-4-4-4-12 hexadecimal digits, in the order of the bytes. Returns text. */
char *ws_uuid_format(const char *prefix, const unsigned char bytes[WS_UUID_BYTES], char *text, size_t size);

#endif
