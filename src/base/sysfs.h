/* Bounded readers of /sys and /proc under a root, so that a recorded machine is read like the real one. */
#ifndef WS_BASE_SYSFS_H
#define WS_BASE_SYSFS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * root: "" is this machine, else a directory that holds a copy of /sys and /proc. path begins with '/'.
 * A file that is not there is WS_EABSENT; one that may not be read, or holds something else than asked for, is
 * WS_ESYSTEM. Nothing here blocks, follows more than one file, or reads more than the buffer given.
 */

/* Reads a text file without its trailing white space; WS_ESYSTEM if it does not fit in size - 1 bytes. */
int ws_sysfs_read_text(const char *root, const char *path, char *buffer, size_t size, struct ws_error *error);

/* Reads up to size bytes of a binary file (such as PCI config space); *length is what came, at most size. */
int ws_sysfs_read_bytes(const char *root, const char *path, void *buffer, size_t size, size_t *length,
			struct ws_error *error);

/* Reads one decimal or 0x-hexadecimal integer. */
int ws_sysfs_read_integer(const char *root, const char *path, int64_t *value, struct ws_error *error);

/* Reads a list such as "0-3,8"; an empty file is an empty list; WS_ESYSTEM if it has more than capacity entries. */
int ws_sysfs_read_list(const char *root, const char *path, unsigned *values, size_t capacity, size_t *count,
		       struct ws_error *error);

/* The same for text at hand. Entries must ascend. */
int ws_sysfs_parse_list(const char *text, unsigned *values, size_t capacity, size_t *count, struct ws_error *error);

/* 1 if there is something at root + path, else 0. */
int ws_sysfs_exists(const char *root, const char *path);

#endif
