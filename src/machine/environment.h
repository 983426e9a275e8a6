/* The facts of the surroundings that stand in every result, because figures depend on them. */
#ifndef WS_MACHINE_ENVIRONMENT_H
#define WS_MACHINE_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct ws_environment_row {
	char *name;    /* a fact such as "kernel", or the name of an environment variable */
	char *value;   /* printable ASCII; NULL = not known or not shown */
	char *reason;  /* why value is NULL, else NULL */
	bool variable; /* an environment variable */
};

/*
 * Facts in a fixed order, then variables by name: those that drivers, launchers, OpenMP and this program read and that
 * change a figure. Never in it: serial numbers, host names, network addresses and anything secret. A variable whose
 * name or value may hold one of the former has a reason instead of its value; secrets are left out altogether.
 */
struct ws_environment {
	struct ws_environment_row *rows;
	size_t count;
};

/*
 * Reads the surroundings of this machine (root "") or of a recorded one, whose variables and process limits are not
 * known. variables is a list like environ, which is what to give for this machine; NULL = none. A fact that cannot be
 * read is a row with a reason, so only memory can fail.
 */
int ws_environment_init(struct ws_environment *environment, const char *root, char *const *variables,
			struct ws_error *error);
void ws_environment_release(struct ws_environment *environment);

/*
 * As a JSON object for results: "facts" and "variables" map names to values or null, "reasons" the names of nulls to
 * why. *out is the caller's to drop.
 */
struct json_t;
int ws_environment_json(const struct ws_environment *environment, struct json_t **out, struct ws_error *error);

/* The row with that name, or NULL. */
const struct ws_environment_row *ws_environment_find(const struct ws_environment *environment, const char *name);

#endif
