/* Allocations that fail when told to. */
#define FAULT_ALLOC_PLAIN
#include "alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include <jansson.h>

static _Atomic unsigned long calls;
static unsigned long wanted; /* 0 = none */
static bool onwards;

__attribute__((constructor)) static void read_orders(void)
{
	const char *text = getenv("FAULT_ALLOC");
	char *end = NULL;

	wanted = text ? strtoul(text, &end, 10) : 0;
	onwards = end && *end == '+';
	json_set_alloc_funcs(fault_malloc, free);
}

/* Counts a call and says whether it fails; never by what the failing call itself is made of. */
static bool fails(void)
{
	const char *path;
	unsigned long number;
	int fd;

	if (wanted == 0)
		return false;
	number = atomic_fetch_add(&calls, 1) + 1;
	if (number != wanted && (!onwards || number < wanted))
		return false;
	path = getenv("FAULT_ALLOC_LOG");
	fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
	if (fd >= 0) {
		if (write(fd, "memory FAILS\n", 13) != 13)
			_exit(98);
		close(fd);
	}
	errno = ENOMEM;
	return true;
}

void *fault_malloc(size_t size)
{
	return fails() ? NULL : malloc(size);
}

void *fault_calloc(size_t count, size_t size)
{
	return fails() ? NULL : calloc(count, size);
}

void *fault_realloc(void *old, size_t size)
{
	return fails() ? NULL : realloc(old, size);
}

void *fault_aligned_alloc(size_t alignment, size_t size)
{
	return fails() ? NULL : aligned_alloc(alignment, size);
}

char *fault_strdup(const char *text)
{
	return fails() ? NULL : strdup(text);
}

int fault_asprintf(char **out, const char *format, ...)
{
	va_list arguments;
	int length;

	if (fails()) {
		*out = NULL;
		return -1;
	}
	va_start(arguments, format);
	length = vasprintf(out, format, arguments);
	va_end(arguments);
	return length;
}

FILE *fault_open_memstream(char **text, size_t *size)
{
	return fails() ? NULL : open_memstream(text, size);
}

void *fault_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	return fails() ? MAP_FAILED : mmap(address, size, protection, flags, fd, offset);
}

int fault_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	return fails() ? EAGAIN : pthread_create(thread, attributes, start, argument);
}
