/* One line on the terminal that says what is being measured and how long the rest takes. */
#ifndef WS_CLI_PROGRESS_H
#define WS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct ws_progress;

struct ws_cli_progress {
	bool on;
	bool drawn;
	int64_t drawn_ns; /* elapsed time of the last drawing */
};

/* On only if standard error is a terminal that understands it. */
void ws_cli_progress_init(struct ws_cli_progress *progress);

/* A hook of ws_run_options, whose context is a struct ws_cli_progress; draws a few times a second at most. */
void ws_cli_progress_show(void *context, const struct ws_progress *);

/* Takes the line off the terminal. */
void ws_cli_progress_clear(struct ws_cli_progress *progress);

/* Whether a stream's terminal understands escape sequences; false for what is no terminal. */
bool ws_cli_is_terminal(int fd);

/* Whether the text goes out with colours: `when` is auto, always, never or NULL for auto; `path` is where it goes. */
bool ws_cli_use_color(const char *when, const char *path);

#endif
