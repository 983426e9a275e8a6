/*
 * In front of every source of a build with the address sanitizer: what these functions give can be told to fail.
 * FAULT_ALLOC=N lets the N-th call fail, FAULT_ALLOC=N+ that and all that follow; FAULT_ALLOC_LOG names a file that
 * then gets a line. jansson's allocations count, too; those of hwloc and of drivers do not.
 */
#ifndef WS_FAULT_ALLOC_H
#define WS_FAULT_ALLOC_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *fault_malloc(size_t size);
void *fault_calloc(size_t count, size_t size);
void *fault_realloc(void *old, size_t size);
void *fault_aligned_alloc(size_t alignment, size_t size);
char *fault_strdup(const char *text);
__attribute__((format(printf, 2, 3))) int fault_asprintf(char **out, const char *format, ...);
FILE *fault_open_memstream(char **text, size_t *size);
void *fault_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
int fault_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

#ifndef FAULT_ALLOC_PLAIN
#define malloc fault_malloc
#define calloc fault_calloc
#define realloc fault_realloc
#define aligned_alloc fault_aligned_alloc
#undef strdup
#define strdup fault_strdup
#define asprintf fault_asprintf
#define open_memstream fault_open_memstream
#define mmap fault_mmap
#define pthread_create fault_pthread_create
#endif

#endif
