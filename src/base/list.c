/* Lists that grow by one element at a time. */
#include "base/list.h"

#include <stdlib.h>

void *ws_list_grow(void *list, int count, size_t element_bytes)
{
	const size_t used = (size_t)count;

	return (used & (used - 1)) == 0 ? realloc(list, (used ? 2 * used : 1) * element_bytes) : list;
}
