/* Signals that ask to stop: the first one politely, the second one at once. */
#ifndef WS_CLI_SIGNALS_H
#define WS_CLI_SIGNALS_H

#include <signal.h>

/* Ignores SIGPIPE, so that a dead pipe is an error of writing; the other signals keep their meaning for now. */
void ws_signals_init(void);

/* From now on the first SIGINT or SIGTERM sets the flag, which is returned; the next one ends the process. */
const volatile sig_atomic_t *ws_signals_catch(void);

/* 128 plus the signal that came, 0 if none did. */
int ws_signals_exit_code(void);

#endif
