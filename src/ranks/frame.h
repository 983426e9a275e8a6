/* Messages over a stream socket: framed by their length, bounded, and begun by a greeting that both ends check. */
#ifndef WS_RANKS_FRAME_H
#define WS_RANKS_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * A frame is 4 bytes of length, highest first, and so many bytes of message. The first frame each way is the greeting,
 * "wirespeed ranks PROTOCOL VERSION": other text, another protocol or another version ends the connection, since the
 * messages behind it are plan text and JSON of exactly this program.
 */
#define WS_FRAME_HEADER 4
#define WS_FRAME_PROTOCOL 1

/* Puts frames together from bytes that arrive in any pieces. All zero = empty. */
struct ws_frame_reader {
	unsigned char header[WS_FRAME_HEADER];
	size_t header_count;
	char *payload; /* owned; grows as bytes arrive, so that a false length costs nothing */
	size_t size, count, capacity;
	bool complete;
};

/*
 * Where the next bytes of the frame belong, and how many of them at most (never 0). The reader must not be complete.
 * WS_ENOMEM.
 */
int ws_frame_reader_space(struct ws_frame_reader *reader, void **to, size_t *count, struct ws_error *error);

/* So many bytes were put there. WS_ECORRUPT if the frame is announced longer than limit. */
int ws_frame_reader_advance(struct ws_frame_reader *reader, size_t count, size_t limit, struct ws_error *error);

/* The message of a complete reader, which is empty afterwards. The caller frees it; a 0 byte follows its end. */
char *ws_frame_reader_take(struct ws_frame_reader *reader, size_t *size);
void ws_frame_reader_release(struct ws_frame_reader *reader);

/* One end of a connection. Its errors say what happened but not to whom: the caller knows who is at the other end. */
struct ws_frame_link {
	int fd; /* owned; a stream socket, set to not block */
	struct ws_frame_reader reader;
	bool broken; /* a frame was cut short: nothing more can be said over it */
};

/* Takes over the socket. WS_ESYSTEM. */
int ws_frame_link_init(struct ws_frame_link *link, int fd, struct ws_error *error);
void ws_frame_link_release(struct ws_frame_link *link);

/*
 * Deadlines are times of the monotonic clock; INT64_MAX waits for ever. Sends a whole message. WS_EINVAL: longer than
 * WS_MESSAGE_MAX; WS_ELOST: the other end is gone; WS_ETIMEOUT: it takes nothing, and the link is broken.
 */
int ws_frame_send(struct ws_frame_link *link, const char *message, size_t size, int64_t deadline_ns,
		  struct ws_error *error);

/*
 * The next message, as ws_frame_reader_take returns it. With deadline 0 it does not wait: *message = NULL if none is
 * complete. WS_ETIMEOUT keeps what has arrived; WS_ELOST: the other end has closed; WS_ECORRUPT: no such protocol.
 */
int ws_frame_receive(struct ws_frame_link *link, int64_t deadline_ns, char **message, size_t *size,
		     struct ws_error *error);

/* The greeting: each end sends its own, then checks the other's. WS_EUNSUPPORTED: another protocol or version. */
int ws_frame_greet(struct ws_frame_link *link, int64_t deadline_ns, struct ws_error *error);
int ws_frame_check_greeting(struct ws_frame_link *link, int64_t deadline_ns, struct ws_error *error);

#endif
