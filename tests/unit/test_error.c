/* The first error wins, and every status has a name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/error.h"

static void first_error_wins(void **state)
{
	struct ws_error error = {0};

	(void)state;
	assert_int_equal(ws_fail(&error, WS_EDRIVER, "call %d", 1), WS_EDRIVER);
	assert_int_equal(ws_fail(&error, WS_ETIMEOUT, "call %d", 2), WS_ETIMEOUT);
	assert_int_equal(error.code, WS_EDRIVER);
	assert_string_equal(error.text, "call 1");
	assert_int_equal(ws_fail(NULL, WS_ENOMEM, "nowhere"), WS_ENOMEM);
}

static void every_status_has_a_name(void **state)
{
	(void)state;
	assert_string_equal(ws_status_name(WS_OK), "ok");
	assert_string_equal(ws_status_name(WS_EINTERRUPTED), "interrupted");
	assert_string_equal(ws_status_name(-11), "unknown");
	assert_string_equal(ws_status_name(1), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_error_wins),
		cmocka_unit_test(every_status_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
