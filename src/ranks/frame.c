/* Messages over a stream socket. */
#include "ranks/frame.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "seam/ranks.h"

#define GREETING "wirespeed ranks "
#define GREETING_MAX 120
#define FIRST_CAPACITY 4096

int ws_frame_reader_space(struct ws_frame_reader *reader, void **to, size_t *count, struct ws_error *error)
{
	size_t wanted;
	char *payload;

	assert(!reader->complete);
	if (reader->header_count < WS_FRAME_HEADER) {
		*to = reader->header + reader->header_count;
		*count = WS_FRAME_HEADER - reader->header_count;
		return WS_OK;
	}
	if (reader->count == reader->capacity) {
		wanted = reader->capacity ? 2 * reader->capacity : FIRST_CAPACITY;
		wanted = wanted < reader->size ? wanted : reader->size;
		payload = realloc(reader->payload, wanted + 1);
		if (!payload)
			return ws_fail(error, WS_ENOMEM, "has sent a message of %zu bytes, for which there is no memory",
				       reader->size);
		reader->payload = payload;
		reader->capacity = wanted;
	}
	*to = reader->payload + reader->count;
	*count = reader->capacity - reader->count;
	return WS_OK;
}

/* The header is there: its length, and an empty message is complete at once. */
static int begin_payload(struct ws_frame_reader *reader, size_t limit, struct ws_error *error)
{
	size_t size = 0;

	for (int i = 0; i < WS_FRAME_HEADER; i++)
		size = size << 8 | reader->header[i];
	if (size > limit)
		return ws_fail(error, WS_ECORRUPT, "announces a message of %zu bytes where at most %zu are allowed: it "
			       "does not speak this protocol", size, limit);
	reader->size = size;
	if (size == 0) {
		reader->payload = malloc(1);
		if (!reader->payload)
			return ws_fail(error, WS_ENOMEM, "has sent a message for which there is no memory");
		reader->complete = true;
	}
	return WS_OK;
}

int ws_frame_reader_advance(struct ws_frame_reader *reader, size_t count, size_t limit, struct ws_error *error)
{
	if (reader->header_count < WS_FRAME_HEADER) {
		reader->header_count += count;
		assert(reader->header_count <= WS_FRAME_HEADER);
		return reader->header_count == WS_FRAME_HEADER ? begin_payload(reader, limit, error) : WS_OK;
	}
	reader->count += count;
	assert(reader->count <= reader->capacity);
	reader->complete = reader->count == reader->size;
	return WS_OK;
}

char *ws_frame_reader_take(struct ws_frame_reader *reader, size_t *size)
{
	char *message = reader->payload;

	assert(reader->complete);
	message[reader->size] = '\0';
	*size = reader->size;
	*reader = (struct ws_frame_reader){0};
	return message;
}

void ws_frame_reader_release(struct ws_frame_reader *reader)
{
	free(reader->payload);
	*reader = (struct ws_frame_reader){0};
}

int ws_frame_link_init(struct ws_frame_link *link, int fd, struct ws_error *error)
{
	const int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
		return ws_fail(error, WS_ESYSTEM, "fcntl of a connection: %s", strerror(errno));
	*link = (struct ws_frame_link){.fd = fd};
	return WS_OK;
}

void ws_frame_link_release(struct ws_frame_link *link)
{
	ws_frame_reader_release(&link->reader);
	if (link->fd >= 0)
		close(link->fd);
	link->fd = -1;
	link->broken = true;
}

/* Until the socket is ready for events. WS_ETIMEOUT without a text: the caller knows what it waited for. */
static int wait_ready(const struct ws_frame_link *link, short events, int64_t deadline_ns, struct ws_error *error)
{
	struct pollfd waiting = {.fd = link->fd, .events = events};

	for (;;) {
		const int64_t left_ns = deadline_ns - ws_clock_now_ns(ws_clock_monotonic());
		const struct timespec left = {.tv_sec = left_ns / 1000000000, .tv_nsec = left_ns % 1000000000};
		int ready;

		if (left_ns <= 0)
			return WS_ETIMEOUT;
		ready = ppoll(&waiting, 1, deadline_ns == INT64_MAX ? NULL : &left, NULL);
		if (ready > 0)
			return WS_OK;
		if (ready < 0 && errno != EINTR)
			return ws_fail(error, WS_ESYSTEM, "poll of a connection: %s", strerror(errno));
	}
}

static int closed(struct ws_frame_link *link, struct ws_error *error)
{
	link->broken = true;
	return ws_fail(error, WS_ELOST, "has closed its connection");
}

/* Whether errno says that the other end is gone. */
static bool is_gone(void)
{
	return errno == EPIPE || errno == ECONNRESET || errno == ENOTCONN;
}

/* Sends header and message, in as few pieces as the socket takes. */
static int send_frame(struct ws_frame_link *link, unsigned char *header, const char *message, size_t size,
		      int64_t deadline_ns, struct ws_error *error)
{
	size_t sent = 0;
	int rc;

	while (sent < WS_FRAME_HEADER + size) {
		const size_t in_header = sent < WS_FRAME_HEADER ? WS_FRAME_HEADER - sent : 0;
		const size_t in_message = in_header ? 0 : sent - WS_FRAME_HEADER;
		struct iovec parts[2] = {
			{.iov_base = header + WS_FRAME_HEADER - in_header, .iov_len = in_header},
			{.iov_base = (char *)(uintptr_t)message + in_message, .iov_len = size - in_message},
		};
		const struct msghdr packet = {.msg_iov = parts, .msg_iovlen = 2};
		const ssize_t count = sendmsg(link->fd, &packet, MSG_NOSIGNAL);

		if (count > 0) {
			sent += (size_t)count;
			continue;
		}
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0 && is_gone())
			return closed(link, error);
		if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
			return ws_fail(error, WS_ESYSTEM, "cannot be sent anything: %s", strerror(errno));
		rc = wait_ready(link, POLLOUT, deadline_ns, error);
		if (rc == WS_ETIMEOUT)
			return ws_fail(error, rc, "does not take the message that was sent to it");
		if (rc != WS_OK)
			return rc;
	}
	return WS_OK;
}

int ws_frame_send(struct ws_frame_link *link, const char *message, size_t size, int64_t deadline_ns,
		  struct ws_error *error)
{
	unsigned char header[WS_FRAME_HEADER];
	int rc;

	if (size > WS_MESSAGE_MAX)
		return ws_fail(error, WS_EINVAL, "cannot be sent a message of %zu bytes: %u is the limit", size,
			       WS_MESSAGE_MAX);
	if (link->broken)
		return closed(link, error);
	for (int i = 0; i < WS_FRAME_HEADER; i++)
		header[i] = (unsigned char)(size >> 8 * (WS_FRAME_HEADER - 1 - i));
	rc = send_frame(link, header, message, size, deadline_ns, error);
	link->broken = rc != WS_OK;
	return rc;
}

/* Reads what is there, up to the end of the frame. *got = false: nothing more for now. */
static int read_some(struct ws_frame_link *link, size_t limit, bool *got, struct ws_error *error)
{
	size_t space = 0;
	void *to = NULL;
	ssize_t count;
	int rc = ws_frame_reader_space(&link->reader, &to, &space, error);

	*got = false;
	if (rc != WS_OK)
		return rc;
	count = recv(link->fd, to, space, 0);
	if (count > 0) {
		*got = true;
		rc = ws_frame_reader_advance(&link->reader, (size_t)count, limit, error);
		link->broken = rc != WS_OK;
		return rc;
	}
	if (count == 0 || is_gone())
		return closed(link, error);
	if (errno == EINTR)
		*got = true;
	else if (errno != EAGAIN && errno != EWOULDBLOCK)
		return ws_fail(error, WS_ESYSTEM, "cannot be heard: %s", strerror(errno));
	return WS_OK;
}

static int receive(struct ws_frame_link *link, size_t limit, int64_t deadline_ns, char **message, size_t *size,
		   struct ws_error *error)
{
	int rc = WS_OK;
	bool got;

	if (link->broken)
		return closed(link, error);
	while (!link->reader.complete) {
		rc = read_some(link, limit, &got, error);
		if (rc != WS_OK)
			return rc;
		if (got)
			continue;
		if (deadline_ns == 0) {
			*message = NULL;
			*size = 0;
			return WS_OK;
		}
		rc = wait_ready(link, POLLIN, deadline_ns, error);
		if (rc != WS_OK)
			return rc == WS_ETIMEOUT ? ws_fail(error, rc, "does not answer") : rc;
	}
	*message = ws_frame_reader_take(&link->reader, size);
	return WS_OK;
}

int ws_frame_receive(struct ws_frame_link *link, int64_t deadline_ns, char **message, size_t *size,
		     struct ws_error *error)
{
	return receive(link, WS_MESSAGE_MAX, deadline_ns, message, size, error);
}

int ws_frame_greet(struct ws_frame_link *link, int64_t deadline_ns, struct ws_error *error)
{
	char greeting[GREETING_MAX];
	const int length = snprintf(greeting, sizeof(greeting), GREETING "%d %s", WS_FRAME_PROTOCOL, WS_VERSION);

	return ws_frame_send(link, greeting, (size_t)length, deadline_ns, error);
}

/* Nothing that a terminal would obey: the text goes into a message. */
static bool is_plain(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return true;
}

int ws_frame_check_greeting(struct ws_frame_link *link, int64_t deadline_ns, struct ws_error *error)
{
	char wanted[GREETING_MAX], *greeting = NULL;
	size_t size = 0;
	int rc = receive(link, GREETING_MAX, deadline_ns, &greeting, &size, error);

	if (rc != WS_OK)
		return rc;
	snprintf(wanted, sizeof(wanted), GREETING "%d %s", WS_FRAME_PROTOCOL, WS_VERSION);
	if (strncmp(greeting, GREETING, sizeof(GREETING) - 1) != 0 || !is_plain(greeting, size))
		rc = ws_fail(error, WS_ECORRUPT, "does not speak this protocol");
	else if (strcmp(greeting, wanted) != 0)
		rc = ws_fail(error, WS_EUNSUPPORTED, "speaks protocol and version %s, but this is %s",
			     greeting + sizeof(GREETING) - 1, wanted + sizeof(GREETING) - 1);
	link->broken = rc != WS_OK;
	free(greeting);
	return rc;
}
