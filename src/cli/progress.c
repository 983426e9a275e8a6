/* One line on the terminal that says what is being measured and how long the rest takes. */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/item.h"
#include "measure/run.h"
#include "seam/probe.h"

#define INTERVAL_NS 200000000
#define SECOND_NS 1000000000
#define USUAL_WIDTH 80

bool ws_cli_is_terminal(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && !(term && strcmp(term, "dumb") == 0);
}

bool ws_cli_use_color(const char *when, const char *path)
{
	const char *no = getenv("NO_COLOR");

	if (when && strcmp(when, "auto") != 0)
		return strcmp(when, "always") == 0;
	return (!path || strcmp(path, "-") == 0) && !(no && no[0]) && ws_cli_is_terminal(STDOUT_FILENO);
}

/* A line that fills the terminal would wrap, and could not be taken off again. */
static int room(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
		return USUAL_WIDTH - 1;
	return size.ws_col - 1;
}

void ws_cli_progress_init(struct ws_cli_progress *progress)
{
	*progress = (struct ws_cli_progress){.on = ws_cli_is_terminal(STDERR_FILENO)};
}

void ws_cli_progress_show(void *context, const struct ws_progress *now)
{
	struct ws_cli_progress *progress = context;
	char left[32] = "", where[80], line[256];

	if (!progress->on || (progress->drawn && now->elapsed_ns - progress->drawn_ns < INTERVAL_NS))
		return;
	progress->drawn = true;
	progress->drawn_ns = now->elapsed_ns;
	if (now->left_ns >= 0)
		snprintf(left, sizeof(left), ", %" PRId64 " s left", (now->left_ns + SECOND_NS - 1) / SECOND_NS);
	snprintf(line, sizeof(line), "[%d/%d%s] %s %s", now->step_index + 1, now->step_count, left,
		 now->step->probe->name, ws_coords_format(&now->step->coords, where, sizeof(where)));
	fprintf(stderr, "\r\033[K%.*s", room(), line);
	fflush(stderr);
}

void ws_cli_progress_clear(struct ws_cli_progress *progress)
{
	if (!progress->drawn)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->drawn = false;
}
