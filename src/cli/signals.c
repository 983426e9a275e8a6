/* Signals that ask to stop: the first one politely, the second one at once. */
#include "cli/signals.h"

#include <stddef.h>
#include <unistd.h>

/* The one thing of the process that a handler can reach: which signal came, 0 for none. */
static volatile sig_atomic_t came;

static void handle(int number)
{
	if (came)
		_exit(128 + number);
	came = number;
}

void ws_signals_init(void)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGXFSZ, &ignore, NULL);
}

const volatile sig_atomic_t *ws_signals_catch(void)
{
	static const int numbers[] = {SIGINT, SIGTERM};
	/* Waits go on after the signal: it is looked at between samples. */
	struct sigaction catch = {.sa_handler = handle, .sa_flags = SA_RESTART}, before;

	sigaddset(&catch.sa_mask, SIGINT);
	sigaddset(&catch.sa_mask, SIGTERM);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		/* A shell without job control starts its background jobs deaf to SIGINT, and means it. */
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &catch, NULL);
	}
	return &came;
}

int ws_signals_exit_code(void)
{
	return came ? 128 + came : 0;
}
