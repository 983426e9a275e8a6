/* What a GPU tells of itself when memory runs out on the way: all of it, or an error, and nothing is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>

#include "unit/cuda_rig.h"

static struct {
	long in_use, failing, calls; /* the call that fails, 0 = none */
} memory;

static void *take(size_t size)
{
	void *block = ++memory.calls == memory.failing ? NULL : malloc(size);

	memory.in_use += block != NULL;
	return block;
}

static void give(void *block)
{
	memory.in_use -= block != NULL;
	free(block);
}

/* Opens anew, for what does not change is asked once only. */
static int tell(long failing, json_t **out)
{
	const struct ws_place place = cuda_place(0);
	struct bench bench;
	int status;

	assert_int_equal(bench_open(&bench, NULL, NULL), WS_OK);
	memory.calls = 0;
	memory.failing = failing;
	*out = json_object();
	status = *out ? bench.backend.ops->state(&bench.backend, &place, *out, NULL) : WS_ENOMEM;
	memory.failing = 0;
	bench_close(&bench);
	return status;
}

static void any_allocation_of_a_state_may_fail(void **state)
{
	json_t *whole = NULL, *told = NULL;
	long last;

	(void)state;
	json_set_alloc_funcs(take, give);
	assert_int_equal(tell(0, &whole), WS_OK);
	last = memory.calls;
	assert_true(last > 100);
	for (long failing = 1; failing <= last; failing++) {
		const long before = memory.in_use;
		const int status = tell(failing, &told);

		if (status != WS_ENOMEM && !(status == WS_OK && json_equal(told, whole)))
			fail_msg("allocation %ld of %ld fails: status %d", failing, last, status);
		json_decref(told);
		if (memory.in_use != before)
			fail_msg("allocation %ld of %ld fails: %ld are left", failing, last, memory.in_use - before);
	}
	json_decref(whole);
	assert_int_equal(memory.in_use, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_allocation_of_a_state_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
