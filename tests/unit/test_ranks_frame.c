/* Frames that arrive in any pieces, end early, are too long or come from somebody else. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "ranks/frame.h"
#include "seam/ranks.h"

#define SHORT_NS 20000000
#define LONG_NS 5000000000

static int64_t in_ns(int64_t time_ns)
{
	return ws_clock_now_ns(ws_clock_monotonic()) + time_ns;
}

struct pair {
	int raw; /* one end, written to byte by byte */
	struct ws_frame_link link;
};

static int setup(void **state)
{
	struct pair *pair = calloc(1, sizeof(*pair));
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	pair->raw = fds[0];
	assert_int_equal(ws_frame_link_init(&pair->link, fds[1], NULL), WS_OK);
	*state = pair;
	return 0;
}

static int teardown(void **state)
{
	struct pair *pair = *state;

	if (pair->raw >= 0)
		close(pair->raw);
	ws_frame_link_release(&pair->link);
	free(pair);
	return 0;
}

static void put(const struct pair *pair, const void *bytes, size_t size)
{
	assert_int_equal(write(pair->raw, bytes, size), (ssize_t)size);
}

static void expect_message(struct pair *pair, const char *text)
{
	struct ws_error error = {0};
	char *message = NULL;
	size_t size = 0;

	assert_int_equal(ws_frame_receive(&pair->link, in_ns(LONG_NS), &message, &size, &error), WS_OK);
	assert_non_null(message);
	assert_int_equal(size, strlen(text));
	assert_string_equal(message, text);
	free(message);
}

static void expect_none(struct pair *pair)
{
	char *message = (char *)1;
	size_t size = 1;

	assert_int_equal(ws_frame_receive(&pair->link, 0, &message, &size, NULL), WS_OK);
	assert_null(message);
	assert_int_equal(size, 0);
}

static const char two_frames[] = "\0\0\0\5hello\0\0\0\0\0\0\0\3abc";

static void test_cut_at_every_byte(void **state)
{
	struct pair *pair = *state;

	for (size_t cut = 0; cut < sizeof(two_frames) - 1; cut++) {
		put(pair, two_frames, cut);
		if (cut < 9)
			expect_none(pair);
		put(pair, two_frames + cut, sizeof(two_frames) - 1 - cut);
		expect_message(pair, "hello");
		expect_message(pair, "");
		expect_message(pair, "abc");
		expect_none(pair);
	}
}

static void test_byte_by_byte_with_timeouts(void **state)
{
	struct pair *pair = *state;
	struct ws_error error = {0};
	char *message = NULL;
	size_t size;

	for (size_t i = 0; i < 8; i++) {
		put(pair, two_frames + i, 1);
		assert_int_equal(ws_frame_receive(&pair->link, in_ns(1), &message, &size, NULL), WS_ETIMEOUT);
	}
	assert_int_equal(ws_frame_receive(&pair->link, in_ns(SHORT_NS), &message, &size, &error), WS_ETIMEOUT);
	assert_string_equal(error.text, "does not answer");
	put(pair, two_frames + 8, 1);
	expect_message(pair, "hello");
}

static void test_end_at_every_byte(void **state)
{
	for (size_t cut = 0; cut < 9; cut++) {
		struct ws_error error = {0};
		struct pair *pair;
		char *message = NULL;
		size_t size;

		assert_int_equal(teardown(state), 0);
		assert_int_equal(setup(state), 0);
		pair = *state;
		put(pair, two_frames, cut);
		close(pair->raw);
		pair->raw = -1;
		assert_int_equal(ws_frame_receive(&pair->link, in_ns(LONG_NS), &message, &size, &error), WS_ELOST);
		assert_string_equal(error.text, "has closed its connection");
		assert_null(message);
		/* And so it stays. */
		assert_int_equal(ws_frame_receive(&pair->link, 0, &message, &size, NULL), WS_ELOST);
		assert_int_equal(ws_frame_send(&pair->link, "x", 1, in_ns(LONG_NS), NULL), WS_ELOST);
	}
}

static void test_length_beyond_limit(void **state)
{
	const unsigned limit = WS_MESSAGE_MAX;
	const unsigned char at_limit[4] = {limit >> 24, limit >> 16 & 255, limit >> 8 & 255, limit & 255};
	const unsigned char above[4] = {limit >> 24, limit >> 16 & 255, limit >> 8 & 255, (limit & 255) + 1};
	struct pair *pair = *state;
	struct ws_error error = {0};
	char *message = NULL;
	size_t size;

	put(pair, at_limit, 4);
	put(pair, "abc", 3);
	expect_none(pair);
	/* What was announced is not what is allocated. */
	assert_in_range(pair->link.reader.capacity, 3, 1 << 20);
	ws_frame_reader_release(&pair->link.reader);
	put(pair, above, 4);
	assert_int_equal(ws_frame_receive(&pair->link, in_ns(LONG_NS), &message, &size, &error), WS_ECORRUPT);
	assert_non_null(strstr(error.text, "67108865 bytes where at most 67108864"));
}

static void test_send_and_receive_large(void **state)
{
	const size_t size = 3 << 20;
	struct ws_frame_link other = {0};
	struct pair *pair = *state;
	struct ws_error error = {0};
	char *sent = malloc(size), *message = NULL;
	size_t got = 0;
	pid_t child;

	assert_non_null(sent);
	for (size_t i = 0; i < size; i++)
		sent[i] = (char)(i * 7 + (i >> 12));
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		/* The socket takes a part at a time. */
		ws_frame_link_init(&other, dup(pair->raw), NULL);
		_exit(ws_frame_send(&other, sent, size, in_ns(LONG_NS), NULL) == WS_OK ? 0 : 1);
	}
	assert_int_equal(ws_frame_receive(&pair->link, in_ns(LONG_NS), &message, &got, &error), WS_OK);
	assert_int_equal(got, size);
	assert_memory_equal(message, sent, size);
	assert_int_equal(message[size], 0);
	free(message);
	free(sent);
}

static void test_send_limits(void **state)
{
	const size_t size = 8 << 20;
	struct pair *pair = *state;
	struct ws_error error = {0}, again = {0};
	char *sent = calloc(1, size);

	assert_non_null(sent);
	assert_int_equal(ws_frame_send(&pair->link, sent, (size_t)WS_MESSAGE_MAX + 1, 0, &error), WS_EINVAL);
	assert_non_null(strstr(error.text, "67108865 bytes"));
	/* Nobody reads: the frame is cut short, and nothing can follow it. */
	error = (struct ws_error){0};
	assert_int_equal(ws_frame_send(&pair->link, sent, size, in_ns(SHORT_NS), &error), WS_ETIMEOUT);
	assert_string_equal(error.text, "does not take the message that was sent to it");
	assert_int_equal(ws_frame_send(&pair->link, sent, 1, in_ns(LONG_NS), &again), WS_ELOST);
	free(sent);
}

static void test_greeting(void **state)
{
	const char *own = "wirespeed ranks 1 " WS_VERSION;
	const unsigned char header[4] = {0, 0, 0, (unsigned char)strlen(own)};
	struct pair *pair = *state;
	char text[100];

	assert_int_equal(ws_frame_greet(&pair->link, in_ns(LONG_NS), NULL), WS_OK);
	assert_int_equal(read(pair->raw, text, sizeof(text)), (ssize_t)strlen(own) + 4);
	assert_memory_equal(text, header, 4);
	assert_memory_equal(text + 4, own, strlen(own));
	put(pair, text, strlen(own) + 4);
	assert_int_equal(ws_frame_check_greeting(&pair->link, in_ns(LONG_NS), NULL), WS_OK);
	put(pair, two_frames, 9);
	expect_message(pair, "hello");
}

static void refuse_greeting(void **state, const char *frame, size_t size, int rc, const char *text)
{
	struct ws_error error = {0};
	struct pair *pair;

	assert_int_equal(teardown(state), 0);
	assert_int_equal(setup(state), 0);
	pair = *state;
	put(pair, frame, size);
	assert_int_equal(ws_frame_check_greeting(&pair->link, in_ns(LONG_NS), &error), rc);
	assert_non_null(strstr(error.text, text));
	assert_int_equal(ws_frame_send(&pair->link, "x", 1, in_ns(LONG_NS), NULL), WS_ELOST);
}

#define FRAME(text) text, sizeof(text) - 1

static void test_greeting_of_others(void **state)
{
	refuse_greeting(state, FRAME("GET / HTTP/1.1\r\n"), WS_ECORRUPT, "does not speak this protocol");
	refuse_greeting(state, FRAME("\0\0\0\5hello"), WS_ECORRUPT, "does not speak this protocol");
	refuse_greeting(state, FRAME("\0\0\0\0"), WS_ECORRUPT, "does not speak this protocol");
	refuse_greeting(state, FRAME("\0\0\0\x17wirespeed ranks 2 0.1.0"), WS_EUNSUPPORTED, "version 2 0.1.0, but this is 1 ");
	refuse_greeting(state, FRAME("\0\0\0\x17wirespeed ranks 1 9.9.9"), WS_EUNSUPPORTED, "version 1 9.9.9, but this is 1 ");
	refuse_greeting(state, FRAME("\0\0\0\x17wirespeed ranks 1 \033[31m"), WS_ECORRUPT, "does not speak this protocol");
	refuse_greeting(state, FRAME("\0\0\0\x79"), WS_ECORRUPT, "at most 120");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_cut_at_every_byte, setup, teardown),
		cmocka_unit_test_setup_teardown(test_byte_by_byte_with_timeouts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_end_at_every_byte, setup, teardown),
		cmocka_unit_test_setup_teardown(test_length_beyond_limit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_send_and_receive_large, setup, teardown),
		cmocka_unit_test_setup_teardown(test_send_limits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_greeting, setup, teardown),
		cmocka_unit_test_setup_teardown(test_greeting_of_others, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
