/* The settings of a plan as the key=value pairs of its "with" lines. */
#ifndef WS_PLAN_PLAN_SETTINGS_H
#define WS_PLAN_PLAN_SETTINGS_H

#include <stddef.h>

#include "base/error.h"
#include "seam/item.h"

/*
 * Sets one; value NULL where none was given. seen has a bit per key and finds a key that is given twice; it starts as
 * 0. WS_EINVAL names key, value and what is allowed.
 */
int ws_plan_setting_set(struct ws_settings *settings, const char *key, const char *value, unsigned *seen,
			struct ws_error *error);

/* Every setting that has an effect, by spaces: "verify=ends statistic=median precision=0.005". Returns text. */
#define WS_PLAN_SETTINGS_TEXT 400
const char *ws_plan_settings_format(const struct ws_settings *settings, char text[WS_PLAN_SETTINGS_TEXT]);

#endif
