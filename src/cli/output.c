/* Writing text out whole or not at all: to standard output or to a file. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *path, int number, struct ws_error *error)
{
	if (!path)
		return ws_fail(error, WS_ESYSTEM, "cannot write to standard output: %s", strerror(number));
	return ws_fail(error, WS_ESYSTEM, "cannot write %.200s: %s", path, strerror(number));
}

void ws_output_init(void)
{
	static char buffer[1 << 16];

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		/* The lowest free number is fd. Standard output stays unwritable, so that its loss is noticed. */
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
	}
	/* What a full buffer fails to write is forgotten by the time of ws_output_flush: the buffer holds it all. */
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
}

int ws_output_flush(struct ws_error *error)
{
	if (fflush(stdout) != 0)
		return fail(NULL, errno, error);
	if (!ferror(stdout))
		return WS_OK;
	/* An earlier flush met the cause. One more byte shows it again, unless it is gone by now. */
	return fail(NULL, write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO, error);
}

static int write_all(int fd, const char *text, size_t size)
{
	while (size) {
		const ssize_t written = write(fd, text, size);

		if (written < 0 && errno != EINTR)
			return errno;
		if (written > 0) {
			text += written;
			size -= (size_t)written;
		}
	}
	return 0;
}

static bool is_standard(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

/* A device or pipe cannot be replaced by a file of the same name. */
static bool is_special(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* Those of the file that it replaces, else the usual ones for a new file. */
static mode_t permissions(const char *path)
{
	struct stat status;
	mode_t mask;

	if (stat(path, &status) == 0)
		return status.st_mode & 0777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/*
 * The file to be replaced (links followed, as replacing a link by a file would surprise), and an empty file beside it
 * that will take its name. Both are freed by the caller; -errno on failure, else the file's descriptor.
 */
static int open_beside(const char *path, char **target, char **temporary)
{
	char *name = realpath(path, NULL), *beside = NULL;
	int fd = -1, number;

	/* Who may not write a file may not replace it either, though the folder would let him. */
	if (name && access(name, W_OK) < 0) {
		number = errno;
		free(name);
		return -number;
	}
	if (!name)
		name = strdup(path);
	if (name && asprintf(&beside, "%s.XXXXXX", name) >= 0)
		fd = mkostemp(beside, O_CLOEXEC);
	number = errno;
	if (fd < 0) {
		free(name);
		free(beside);
		return -number;
	}
	*target = name;
	*temporary = beside;
	return fd;
}

int ws_output_check(const char *path, struct ws_error *error)
{
	char *target, *temporary;
	int fd;

	if (is_standard(path))
		return WS_OK;
	if (is_special(path))
		fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	else
		fd = open_beside(path, &target, &temporary);
	if (fd < 0)
		return fail(path, fd == -1 ? errno : -fd, error);
	close(fd);
	if (!is_special(path)) {
		unlink(temporary);
		free(target);
		free(temporary);
	}
	return WS_OK;
}

static int write_special(const char *path, const char *text, size_t size, struct ws_error *error)
{
	const int fd = path ? open(path, O_WRONLY | O_CLOEXEC) : STDOUT_FILENO;
	int number = fd < 0 ? errno : write_all(fd, text, size);

	if (fd >= 0 && path && close(fd) < 0 && !number)
		number = errno;
	return number ? fail(path, number, error) : WS_OK;
}

int ws_output_write(const char *path, const char *text, size_t size, struct ws_error *error)
{
	char *target, *temporary;
	int fd, number;

	if (is_standard(path) || is_special(path))
		return write_special(is_standard(path) ? NULL : path, text, size, error);
	fd = open_beside(path, &target, &temporary);
	if (fd < 0)
		return fail(path, -fd, error);
	number = write_all(fd, text, size);
	if (!number && (fchmod(fd, permissions(target)) < 0 || fsync(fd) < 0))
		number = errno;
	if (close(fd) < 0 && !number)
		number = errno;
	if (!number && rename(temporary, target) < 0)
		number = errno;
	if (number)
		unlink(temporary);
	free(target);
	free(temporary);
	return number ? fail(path, number, error) : WS_OK;
}
