/* UUIDs of devices as text. */
#include "base/uuid.h"

#include <stdio.h>

char *ws_uuid_format(const char *prefix, const unsigned char bytes[WS_UUID_BYTES], char *text, size_t size)
{
	const unsigned char *b = bytes;

	snprintf(text, size, "%s%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", prefix, b[0],
		 b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
	return text;
}
