/* Libraries are found, overridden and found wanting as the table says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dl.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define OVERRIDE "WIRESPEED_SAMPLE_LIB"

struct sample_library {
#define WS_DL WS_DL_POINTER
#include "dl_sample.def"
};

static const struct ws_dl_symbol sample_symbols[] = {
#define WS_DL_TABLE struct sample_library
#define WS_DL WS_DL_ROW
#include "dl_sample.def"
#undef WS_DL_TABLE
};

struct math_library {
	double (*square_root)(double);
	double (*nonsense)(double);
};

static const struct ws_dl_symbol math_symbols[] = {
	{"sqrt", offsetof(struct math_library, square_root), true},
	{"no_such_function", offsetof(struct math_library, nonsense), false},
};

static const char *const missing_names[] = {"libwirespeed-none.so.1", "libwirespeed-none.so", NULL};

static void a_system_library_is_loaded(void **state)
{
	static const char *const names[] = {"libwirespeed-none.so.1", "libm.so.6", NULL};
	struct math_library table = {.nonsense = cos};
	struct ws_error error = {0};
	struct ws_dl_info info;

	(void)state;
	assert_int_equal(ws_dl_open(names, NULL, math_symbols, COUNT(math_symbols), &table, &info, &error), WS_OK);
	assert_true(fabs(table.square_root(9) - 3) <= 0);
	assert_null(table.nonsense);
	assert_string_equal(info.soname, "libm.so.6");
	assert_int_equal(info.path[0], '/');
	assert_non_null(strstr(info.path, "libm"));
	assert_int_equal(error.code, WS_OK);
}

static void a_missing_library_is_absent_with_the_loaders_text(void **state)
{
	struct math_library table = {0};
	struct ws_error error = {0};
	struct ws_dl_info info = {.soname = "before"};

	(void)state;
	assert_int_equal(ws_dl_open(missing_names, NULL, math_symbols, 2, &table, &info, &error), WS_EABSENT);
	assert_non_null(strstr(error.text, "libwirespeed-none.so.1"));
	assert_non_null(strstr(error.text, "; libwirespeed-none.so:"));
	assert_string_equal(info.soname, "before");
	assert_null(table.square_root);
	/* Nobody has to ask for the reasons. */
	assert_int_equal(ws_dl_open(missing_names, NULL, math_symbols, 2, &table, NULL, NULL), WS_EABSENT);
}

static void a_missing_required_function_is_named(void **state)
{
	static const char *const names[] = {"libm.so.6", NULL};
	struct sample_library table = {0};
	struct ws_error error = {0};

	(void)state;
	assert_int_equal(ws_dl_open(names, NULL, sample_symbols, COUNT(sample_symbols), &table, NULL, &error),
			 WS_EUNSUPPORTED);
	assert_string_equal(error.text, "libm.so.6 has no function sampleAdd_v2");
	assert_null(table.add);
}

static void the_environment_overrides_the_name(void **state)
{
	static const char *const names[] = {"libm.so.6", NULL};
	struct sample_library table;
	struct ws_error error = {0};
	struct ws_dl_info info;

	(void)state;
	memset(&table, 0x55, sizeof(table));
	assert_int_equal(setenv(OVERRIDE, WS_SAMPLE_LIBRARY, 1), 0);
	assert_int_equal(ws_dl_open(names, OVERRIDE, sample_symbols, COUNT(sample_symbols), &table, &info, &error),
			 WS_OK);
	assert_int_equal(table.add(40, 2), 42);
	assert_string_equal(table.version(), "sample 2");
	assert_null(table.newer);
	assert_non_null(strstr(info.path, "dl_sample"));
}

static void a_wrong_override_is_not_passed_over(void **state)
{
	static const char *const names[] = {"libm.so.6", NULL};
	struct math_library table;
	struct ws_error error = {0};

	(void)state;
	assert_int_equal(setenv(OVERRIDE, "/nowhere/libm.so", 1), 0);
	assert_int_equal(ws_dl_open(names, OVERRIDE, math_symbols, 2, &table, NULL, &error), WS_EABSENT);
	assert_non_null(strstr(error.text, "/nowhere/libm.so"));
	assert_non_null(strstr(error.text, "from " OVERRIDE));
	assert_int_equal(setenv(OVERRIDE, "", 1), 0);
	assert_int_equal(ws_dl_open(names, OVERRIDE, math_symbols, 2, &table, NULL, NULL), WS_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_system_library_is_loaded),
		cmocka_unit_test(a_missing_library_is_absent_with_the_loaders_text),
		cmocka_unit_test(a_missing_required_function_is_named),
		cmocka_unit_test(the_environment_overrides_the_name),
		cmocka_unit_test(a_wrong_override_is_not_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
