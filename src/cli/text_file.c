/* Reading a file that the user named into memory. */
#include "cli/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"

#define CHUNK ((size_t)64 << 10)

const char *ws_text_file_name(const char *path, char *text)
{
	return strcmp(path, "-") == 0 ? "standard input" : ws_cli_quote(path, strlen(path), text);
}

static int fail(const char *option, const char *path, int number, struct ws_error *error)
{
	char name[WS_QUOTE_TEXT];

	return ws_fail(error, WS_EINVAL, "--%s: cannot read %s: %s", option, ws_text_file_name(path, name),
		       strerror(number));
}

/* Reads until the end or until there are maximum + 1 bytes. Grows the text by doubling; errno is set. */
static int read_all(int fd, size_t maximum, char **text, size_t *size)
{
	size_t room = 0;

	for (;;) {
		ssize_t got;

		if (room - *size < CHUNK + 1) {
			char *larger;

			room = 2 * room + 2 * CHUNK;
			larger = realloc(*text, room);
			if (!larger)
				return ENOMEM;
			*text = larger;
		}
		got = read(fd, *text + *size, CHUNK);
		if (got < 0 && errno != EINTR)
			return errno;
		if (got == 0)
			return 0;
		*size += got > 0 ? (size_t)got : 0;
		if (*size > maximum)
			return 0;
	}
}

int ws_text_file_read(const char *option, const char *path, size_t maximum, char **text, size_t *size,
		      struct ws_error *error)
{
	const int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	char name[WS_QUOTE_TEXT], *read_text = NULL;
	size_t read_size = 0;
	int number, status = WS_OK;

	if (fd < 0)
		return fail(option, path, errno, error);
	number = read_all(fd, maximum, &read_text, &read_size);
	if (fd != STDIN_FILENO)
		close(fd);
	if (number == ENOMEM)
		status = ws_fail(error, WS_ENOMEM, "no memory to read a file");
	else if (number)
		status = fail(option, path, number, error);
	else if (read_size > maximum)
		status = ws_fail(error, WS_EINVAL, "--%s: %s is larger than the %zu MiB allowed", option,
				 ws_text_file_name(path, name), maximum >> 20);
	if (status < 0) {
		free(read_text);
		return status;
	}
	read_text[read_size] = '\0';
	*text = read_text;
	*size = read_size;
	return WS_OK;
}
