/* Lists that grow by one element at a time. */
#ifndef WS_BASE_LIST_H
#define WS_BASE_LIST_H

#include <stddef.h>

/*
 * Makes room for one more element behind count of them, in a list that only this function grew: its room doubles at
 * powers of two. Returns the list, which may have moved; NULL when out of memory, and the list is as it was.
 */
void *ws_list_grow(void *list, int count, size_t element_bytes);

#endif
