/* Readers of /sys and /proc under a root, and PCI addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/pci_address.h"
#include "base/sysfs.h"
#include "tree.h"

static void text_is_trimmed_and_bounded(void **state)
{
	const char *const root = *state;
	struct ws_error error = {0};
	char text[8];

	tree_put(root, "/a/b", "madvise\n");
	assert_int_equal(ws_sysfs_read_text(root, "/a/b", text, sizeof(text), &error), WS_ESYSTEM);
	assert_non_null(strstr(error.text, "/a/b: longer than 7 bytes"));
	tree_put(root, "/a/b", "never \n\n");
	assert_int_equal(ws_sysfs_read_text(root, "/a/b", text, sizeof(text), NULL), WS_ESYSTEM);
	tree_put(root, "/a/b", "never\n");
	assert_int_equal(ws_sysfs_read_text(root, "/a/b", text, sizeof(text), NULL), WS_OK);
	assert_string_equal(text, "never");
	tree_put_bytes(root, "/a/b", "x\0y", 3);
	assert_int_equal(ws_sysfs_read_text(root, "/a/b", text, sizeof(text), NULL), WS_ESYSTEM);
}

static void absent_is_a_status_of_its_own(void **state)
{
	struct ws_error error = {0};
	const char *const root = *state;
	char text[8] = "kept";

	assert_int_equal(ws_sysfs_read_text(root, "/none", text, sizeof(text), &error), WS_EABSENT);
	assert_string_equal(text, "kept");
	assert_non_null(strstr(error.text, "/none: No such file"));
	tree_put(root, "/file", "1");
	assert_int_equal(ws_sysfs_read_text(root, "/file/below", text, sizeof(text), NULL), WS_EABSENT);
	assert_int_equal(ws_sysfs_read_text(root, "/", text, sizeof(text), NULL), WS_ESYSTEM);
	assert_true(ws_sysfs_exists(root, "/file"));
	assert_false(ws_sysfs_exists(root, "/none"));
}

static void integers(void **state)
{
	static const char *const bad[] = {"", "x", "1x", "1 2", "99999999999999999999", "0x"};
	const char *const root = *state;
	int64_t value = 7;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		tree_put(root, "/n", bad[i]);
		assert_int_equal(ws_sysfs_read_integer(root, "/n", &value, NULL), WS_ESYSTEM);
		assert_int_equal(value, 7);
	}
	tree_put(root, "/n", "-1\n");
	assert_int_equal(ws_sysfs_read_integer(root, "/n", &value, NULL), WS_OK);
	assert_int_equal(value, -1);
	tree_put(root, "/n", "0x10de\n");
	assert_int_equal(ws_sysfs_read_integer(root, "/n", &value, NULL), WS_OK);
	assert_int_equal(value, 0x10de);
}

static void lists(void **state)
{
	static const char *const bad[] = {"a",	"3-1", "1,1", "2,1", "1-",	   "-1",
					  "1,", ",1",  "1;2", "1 2", "9999999999", "0-9"};
	unsigned values[8];
	size_t i, count = 99;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct ws_error error = {0};

		assert_int_equal(ws_sysfs_parse_list(bad[i], values, 8, &count, &error), WS_ESYSTEM);
		assert_int_equal(count, 99);
		assert_true(error.text[0] != '\0');
	}
	assert_int_equal(ws_sysfs_parse_list("0-3,8\n", values, 8, &count, NULL), WS_OK);
	assert_int_equal(count, 5);
	assert_int_equal(values[3], 3);
	assert_int_equal(values[4], 8);
	assert_int_equal(ws_sysfs_parse_list("", values, 8, &count, NULL), WS_OK);
	assert_int_equal(count, 0);
	assert_int_equal(ws_sysfs_parse_list("10-17", values, 8, &count, NULL), WS_OK);
	assert_int_equal(count, 8);
	tree_put(*state, "/list", "4,6\n");
	assert_int_equal(ws_sysfs_read_list(*state, "/list", values, 8, &count, NULL), WS_OK);
	assert_int_equal(count, 2);
	assert_int_equal(values[1], 6);
}

static void pci_addresses(void **state)
{
	static const struct {
		const char *text, *same;
	} good[] = {
		{"0000:3b:00.0", "0000:3b:00.0"},     {"3b:00.0", "0000:3b:00.0"},	  {"3b:1f", "0000:3b:1f.0"},
		{"00000000:3B:00.0", "0000:3b:00.0"}, {"10000:e1:02.7", "10000:e1:02.7"},
	};
	static const char *const bad[] = {
		"",	   "3b",       "3b:00.8",	    "3b:20.0", "100:00.0", "0:3b:00.0.1",
		"x:00.0",  "3b:00.0 ", "000000000:3b:00.0", "3b:00.",  ":3b:00.0", "-1:00.0",
		"0x1:00.0"};
	struct ws_pci_address address, other;
	char text[WS_PCI_ADDRESS_TEXT];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(ws_pci_address_parse(good[i].text, &address, NULL), WS_OK);
		ws_pci_address_format(&address, text);
		assert_string_equal(text, good[i].same);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(ws_pci_address_parse(bad[i], &address, NULL), WS_EINVAL);
	assert_int_equal(ws_pci_address_parse("3b:00.1", &address, NULL), WS_OK);
	assert_int_equal(ws_pci_address_parse("3c:00.0", &other, NULL), WS_OK);
	assert_true(ws_pci_address_compare(&address, &other) < 0);
	assert_true(ws_pci_address_compare(&other, &address) > 0);
	assert_int_equal(ws_pci_address_compare(&other, &other), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(text_is_trimmed_and_bounded, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(absent_is_a_status_of_its_own, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(integers, tree_setup, tree_teardown),
		cmocka_unit_test_setup_teardown(lists, tree_setup, tree_teardown),
		cmocka_unit_test(pci_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
