/* Which environment variables a result shows. */
#ifndef WS_MACHINE_ENVIRONMENT_VARIABLE_H
#define WS_MACHINE_ENVIRONMENT_VARIABLE_H

#include <stdbool.h>

/* True for variables that can change a figure. False for secrets, whatever they change. */
bool ws_variable_matters(const char *name);

/* Why the value is not to be shown, or NULL: it may hold a network address, a host's name or a serial number. */
const char *ws_variable_hidden(const char *name, const char *value);

#endif
