/* Bounded readers of /sys and /proc under a root. */
#include "base/sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int full_path(const char *root, const char *path, char name[PATH_MAX], struct ws_error *error)
{
	const int length = snprintf(name, PATH_MAX, "%s%s", root, path);

	if (length < 0 || length >= PATH_MAX)
		return ws_fail(error, WS_EINVAL, "%.80s...: path is too long", path);
	return WS_OK;
}

static int fail_errno(struct ws_error *error, const char *call, const char *name)
{
	const int absent = errno == ENOENT || errno == ENOTDIR || errno == ENXIO || errno == ENODEV;

	return ws_fail(error, absent ? WS_EABSENT : WS_ESYSTEM, "%s %s: %s", call, name, strerror(errno));
}

int ws_sysfs_read_bytes(const char *root, const char *path, void *buffer, size_t size, size_t *length,
			struct ws_error *error)
{
	char name[PATH_MAX];
	size_t done = 0;
	ssize_t part = 1;
	int file, status;

	status = full_path(root, path, name, error);
	if (status)
		return status;
	file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file < 0)
		return fail_errno(error, "open", name);
	while (done < size && part > 0) {
		part = read(file, (char *)buffer + done, size - done);
		if (part < 0 && errno == EINTR)
			part = 1;
		else if (part > 0)
			done += (size_t)part;
	}
	if (part < 0)
		status = fail_errno(error, "read", name);
	close(file);
	if (!status)
		*length = done;
	return status;
}

int ws_sysfs_read_text(const char *root, const char *path, char *buffer, size_t size, struct ws_error *error)
{
	size_t length;
	const int status = ws_sysfs_read_bytes(root, path, buffer, size, &length, error);

	if (status)
		return status;
	if (length == size)
		return ws_fail(error, WS_ESYSTEM, "%s%s: longer than %zu bytes", root, path, size - 1);
	while (length > 0 && isspace((unsigned char)buffer[length - 1]))
		length--;
	buffer[length] = '\0';
	if (memchr(buffer, '\0', length))
		return ws_fail(error, WS_ESYSTEM, "%s%s: not text", root, path);
	return WS_OK;
}

int ws_sysfs_read_integer(const char *root, const char *path, int64_t *value, struct ws_error *error)
{
	char text[64], *end;
	const int status = ws_sysfs_read_text(root, path, text, sizeof(text), error);
	long long number;

	if (status)
		return status;
	errno = 0;
	number = strtoll(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
	if (errno || end == text || *end)
		return ws_fail(error, WS_ESYSTEM, "%s%s: \"%s\" is not an integer", root, path, text);
	*value = number;
	return WS_OK;
}

/* Reads one number at *text and moves behind it; -1 if there is none or it is absurdly large. */
static long list_number(const char **text)
{
	char *end;
	long number;

	if (!isdigit((unsigned char)**text))
		return -1;
	errno = 0;
	number = strtol(*text, &end, 10);
	if (errno || number > INT_MAX - 1)
		return -1;
	*text = end;
	return number;
}

int ws_sysfs_parse_list(const char *text, unsigned *values, size_t capacity, size_t *count, struct ws_error *error)
{
	const char *at = text + strspn(text, " \t\n");
	size_t found = 0;
	long first, last, previous = -1;

	while (*at) {
		first = last = list_number(&at);
		if (first >= 0 && *at == '-') {
			at++;
			last = list_number(&at);
		}
		if (first <= previous || last < first || (*at && *at != ',' && *at != '\n'))
			return ws_fail(error, WS_ESYSTEM, "\"%.60s\" is not a list such as 0-3,8", text);
		if ((size_t)(last - first) >= capacity - found)
			return ws_fail(error, WS_ESYSTEM, "list \"%.60s\" has more than %zu entries", text, capacity);
		previous = last;
		while (first <= last)
			values[found++] = (unsigned)first++;
		if (*at && !*++at && at[-1] == ',')
			return ws_fail(error, WS_ESYSTEM, "list \"%.60s\" ends with a comma", text);
	}
	*count = found;
	return WS_OK;
}

int ws_sysfs_read_list(const char *root, const char *path, unsigned *values, size_t capacity, size_t *count,
		       struct ws_error *error)
{
	char text[4096];
	const int status = ws_sysfs_read_text(root, path, text, sizeof(text), error);

	return status ? status : ws_sysfs_parse_list(text, values, capacity, count, error);
}

int ws_sysfs_exists(const char *root, const char *path)
{
	char name[PATH_MAX];

	return full_path(root, path, name, NULL) == WS_OK && access(name, F_OK) == 0;
}
