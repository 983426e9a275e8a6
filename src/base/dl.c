/* Loading of driver libraries at run time, from tables with one row per function. */
#include "base/dl.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens the first name that opens; otherwise reasons holds what the loader said about each. */
static void *open_first(const char *const *sonames, const char **opened, char *reasons, size_t reasons_size)
{
	size_t used = 0;

	reasons[0] = '\0';
	for (size_t i = 0; sonames[i]; i++) {
		void *handle = dlopen(sonames[i], RTLD_NOW | RTLD_LOCAL);
		const char *reason;

		if (handle) {
			*opened = sonames[i];
			return handle;
		}
		reason = dlerror();
		if (used < reasons_size)
			used += (size_t)snprintf(reasons + used, reasons_size - used, "%s%s", used ? "; " : "",
						 reason ? reason : sonames[i]);
	}
	return NULL;
}

static void fill_info(void *handle, const char *soname, struct ws_dl_info *info)
{
	const struct link_map *map = NULL;

	info->simulated = dlsym(handle, "wirespeed_simulated") != NULL;
	snprintf(info->soname, sizeof(info->soname), "%s", soname);
	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map)
		snprintf(info->path, sizeof(info->path), "%s", soname);
	else if (!realpath(map->l_name, info->path))
		snprintf(info->path, sizeof(info->path), "%s", map->l_name);
}

int ws_dl_open(const char *const *sonames, const char *override_variable, const struct ws_dl_symbol *rows, size_t count,
	       void *table, struct ws_dl_info *info, struct ws_error *error)
{
	const char *override = override_variable ? getenv(override_variable) : NULL;
	const char *const override_names[] = {override, NULL};
	const bool overridden = override && *override;
	char reasons[sizeof(error->text)];
	const char *opened = NULL;
	void *handle;

	handle = open_first(overridden ? override_names : sonames, &opened, reasons, sizeof(reasons));
	if (!handle && overridden)
		return ws_fail(error, WS_EABSENT, "%s from %s", reasons, override_variable);
	if (!handle)
		return ws_fail(error, WS_EABSENT, "%s", reasons);
	for (size_t i = 0; i < count; i++) {
		if (rows[i].required && !dlsym(handle, rows[i].name))
			return ws_fail(error, WS_EUNSUPPORTED, "%s has no function %s", opened, rows[i].name);
	}
	for (size_t i = 0; i < count; i++) {
		void *function = dlsym(handle, rows[i].name);

		/* ISO C knows no conversion between object and function pointers; POSIX gives them one form. */
		memcpy((char *)table + rows[i].offset, &function, sizeof(function));
	}
	if (info)
		fill_info(handle, opened, info);
	return WS_OK;
}
