/* The host back end's memory: page sizes, limits, placement without leave to bind; and what it must refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system.h"
#include "host_bench.h"

static void page_sizes_are_what_was_asked_for(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_place place = bench->node;
	struct ws_buffer buffer;
	struct ws_error error = {0};
	enum ws_thp mode = WS_THP_NEVER;

	if (sysconf(_SC_PAGESIZE) == 4096) {
		strcpy(place.pages, "4k");
		assert_int_equal(ops->alloc(&bench->backend, &place, NULL, 8 * MIB, &buffer, NULL), WS_OK);
		assert_string_equal(buffer.pages_obtained, "4k");
		assert_int_equal((uintptr_t)buffer.host % (2 * MIB), 0);
		ops->free(&bench->backend, &buffer);
	}
	strcpy(place.pages, "thp");
	ws_system_thp("", &mode, NULL);
	if (mode == WS_THP_NEVER) {
		assert_int_equal(ops->alloc(&bench->backend, &place, NULL, 8 * MIB, &buffer, NULL), WS_EUNSUPPORTED);
	} else {
		assert_int_equal(ops->alloc(&bench->backend, &place, NULL, 8 * MIB, &buffer, NULL), WS_OK);
		/* A kernel short of free huge pages gives fewer: then it must be said. */
		assert_true(strcmp(buffer.pages_obtained, "thp") == 0 || strcmp(buffer.pages_obtained, "mixed") == 0 ||
			    strcmp(buffer.pages_obtained, "4k") == 0);
		ops->free(&bench->backend, &buffer);
	}
	strcpy(place.pages, "1g");
	assert_int_equal(ops->alloc(&bench->backend, &place, NULL, MIB, &buffer, &error), WS_EUNSUPPORTED);
	assert_non_null(strstr(error.text, "page size 1g is not available"));
}

static void too_much_memory_is_refused(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_buffer buffer = {0};
	struct ws_error error = {0};

	assert_int_equal(ops->alloc(&bench->backend, &bench->node, NULL, UINT64_C(1) << 45, &buffer, &error),
			 WS_ENOMEM);
	assert_non_null(strstr(error.text, "32768.00 GiB asked for in host"));
	error = (struct ws_error){0};
	assert_int_equal(ops->alloc(&bench->backend, &bench->node, NULL, UINT64_MAX, &buffer, &error), WS_ENOMEM);
	assert_null(buffer.host);
	ops->free(&bench->backend, &buffer);
}

static void expect_refusal(struct bench *bench, const struct ws_item *item, int status, const char *text)
{
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_error error = {0};
	struct ws_queue *queue = NULL;
	static char memory[4096];
	struct ws_buffer buffer = {.owner = &bench->backend, .host = memory, .size_bytes = sizeof(memory)};
	struct ws_op op = {.item = item, .source = &buffer, .destination = &buffer};
	int rc = ops->queue(&bench->backend, item, &queue, &error);

	buffer.place = item->source;
	if (rc == WS_OK)
		rc = ops->prepare(queue, &op, soon_ns(), &error);
	assert_int_equal(rc, status);
	if (!strstr(error.text, text))
		fail_msg("\"%s\" is not in \"%s\"", text, error.text);
	ops->queue_free(&bench->backend, queue);
}

static void what_cpus_cannot_do_is_said(void **state)
{
	struct bench *bench = *state;
	struct ws_item item = new_item(bench, WS_PINGPONG, 64);
	char many[16], text[64];

	expect_refusal(bench, &item, WS_EUNSUPPORTED, "CPUs do not offer \"pingpong\"");
	item = new_item(bench, WS_READ, 64);
	strcpy(item.engine.name, "sm");
	expect_refusal(bench, &item, WS_EUNSUPPORTED, "has no engine \"sm\"");
	item = new_item(bench, WS_READ, 64);
	item.engine.place.index = 999;
	expect_refusal(bench, &item, WS_EABSENT, "there is no NUMA node 999");
	item = new_item(bench, WS_READ, 64);
	snprintf(many, sizeof(many), "%u", bench->cpus + 1);
	snprintf(text, sizeof(text), "threads=%s, but node %d has %u CPUs", many, bench->node.index, bench->cpus);
	flag(&item, "threads", many);
	expect_refusal(bench, &item, WS_EINVAL, text);
	item = new_item(bench, WS_CHASE, 63);
	expect_refusal(bench, &item, WS_EINVAL, "at least 64 bytes");
	item = new_item(bench, WS_CHASE, 64);
	item.size_bytes[1] = 128;
	item.size_count = 2;
	expect_refusal(bench, &item, WS_EUNSUPPORTED, "a chase takes one size");
	item = new_item(bench, WS_READ, 64);
	strcpy(item.source.memory, "pinned");
	expect_refusal(bench, &item, WS_EUNSUPPORTED, "no device takes part that could pin it");
}

static void foreign_kinds_and_places_are_refused(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_place place = bench->node;
	struct ws_buffer buffer = {0};
	struct ws_error error = {0};

	strcpy(place.memory, "wc");
	assert_int_equal(ops->alloc(&bench->backend, &place, NULL, 64, &buffer, &error), WS_EUNSUPPORTED);
	assert_non_null(strstr(error.text, "kind wc comes from a device's driver"));
	place = bench->node;
	place.index = 12345;
	assert_int_equal(ops->alloc(&bench->backend, &place, NULL, 64, &buffer, NULL), WS_EABSENT);
}

static void state_tells_how_memory_was_placed(void **state)
{
	struct bench *bench = *state;
	const struct ws_backend_ops *ops = bench->backend.ops;
	struct ws_buffer buffer;
	json_t *object = json_object();

	assert_int_equal(ops->alloc(&bench->backend, &bench->node, NULL, MIB, &buffer, NULL), WS_OK);
	assert_int_equal(ops->state(&bench->backend, &bench->node, object, NULL), WS_OK);
	assert_true(json_is_string(json_object_get(object, "instructions")));
	assert_true(json_is_boolean(json_object_get(object, "memory_bound")));
	assert_true(json_is_true(json_object_get(object, "memory_bound")) ||
		    json_is_string(json_object_get(object, "memory_bound_reason")));
	assert_true(json_is_integer(json_object_get(object, "placement_checked_pages")));
	json_decref(object);
	ops->free(&bench->backend, &buffer);
}

/* What a container's filter of system calls does to mbind and move_pages. */
static void forbid_placement(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mbind, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_move_pages, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {.len = sizeof(rules) / sizeof(rules[0]), .filter = rules};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		_exit(77);
}

/* Filters cannot be taken off again, so a child does this. */
static int place_by_first_touch(void)
{
	struct bench *bench = NULL;
	json_t *object = json_object();
	struct ws_buffer buffer;
	const char *reason;

	open_bench((void **)&bench);
	forbid_placement();
	if (ws_host_backend.alloc(&bench->backend, &bench->node, NULL, MIB, &buffer, NULL) != WS_OK ||
	    ws_host_backend.state(&bench->backend, &bench->node, object, NULL) != WS_OK)
		return 1;
	if (!json_is_false(json_object_get(object, "memory_bound")))
		return 2;
	reason = json_string_value(json_object_get(object, "memory_bound_reason"));
	if (!reason || strcmp(reason, "mbind: Operation not permitted") != 0)
		return 3;
	if (json_integer_value(json_object_get(object, "placement_checked_pages")) != 0)
		return 4;
	ws_host_backend.free(&bench->backend, &buffer);
	close_bench((void **)&bench);
	json_decref(object);
	return 0;
}

static void without_binding_the_first_touch_places(void **state)
{
	const pid_t child = fork();
	int status;

	(void)state;
	assert_true(child >= 0);
	if (child == 0)
		_exit(place_by_first_touch());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	/* First, while there are no threads, which a child would not have. */
	const struct CMUnitTest alone[] = {cmocka_unit_test(without_binding_the_first_touch_places)};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_sizes_are_what_was_asked_for),
		cmocka_unit_test(too_much_memory_is_refused),
		cmocka_unit_test(what_cpus_cannot_do_is_said),
		cmocka_unit_test(foreign_kinds_and_places_are_refused),
		cmocka_unit_test(state_tells_how_memory_was_placed),
	};

	return cmocka_run_group_tests(alone, NULL, NULL) + cmocka_run_group_tests(tests, open_bench, close_bench);
}
