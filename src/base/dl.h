/*
 * Loading of driver libraries at run time, from tables with one row per function.
 *
 * A library `x` has a file x.def with a row for each function, and `#undef WS_DL` as its last line:
 *
 *	WS_DL(true, int, init, "xInit_v2", (unsigned flags))
 *	WS_DL(false, int, count, "xGetCount", (int *count))
 *	#undef WS_DL
 *
 * A row is (required?, return type, name in our code, exact symbol of the library, parameters). The file is included
 * three times, twice by the back end:
 *
 *	struct x_library {
 *	#define WS_DL WS_DL_POINTER
 *	#include "backend/x.def"
 *	};
 *
 *	static const struct ws_dl_symbol x_symbols[] = {
 *	#define WS_DL_TABLE struct x_library
 *	#define WS_DL WS_DL_ROW
 *	#include "backend/x.def"
 *	};
 *
 * after which a ws_dl_open(...) fills a struct x_library, and once by the fake library of the tests:
 *
 *	#define WS_DL WS_DL_PROTOTYPE
 *	#include "backend/x.def"
 *
 *	int fake_init(unsigned flags)
 *	{
 *
 * where a function that does not agree with its row does not compile.
 */
#ifndef WS_BASE_DL_H
#define WS_BASE_DL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define WS_DL_POINTER(required, type, name, symbol, parameters) type(*name) parameters;
#define WS_DL_ROW(required, type, name, symbol, parameters) {symbol, offsetof(WS_DL_TABLE, name), required},
/* The function fake_<name> appears in the fake library under the library's own symbol. */
#define WS_DL_PROTOTYPE(required, type, name, symbol, parameters)                                                      \
	__attribute__((visibility("default"))) type fake_##name parameters __asm__(symbol);

struct ws_dl_symbol {
	const char *name; /* as the library spells it, version suffix included */
	size_t offset;	  /* of its pointer in the table */
	bool required;
};

struct ws_dl_info {
	char soname[128];    /* the name that could be opened */
	char path[PATH_MAX]; /* the file behind it, symbolic links resolved */
	bool simulated;      /* a fake: it has a symbol named wirespeed_simulated */
};

/*
 * Opens the first of the sonames (a list ended by NULL) that can be opened, and writes the address of each row's
 * function into table. If the environment variable override_variable (may be NULL) is set and not empty, its value is
 * the only name tried. A row that is not required and not there leaves a NULL pointer. info may be NULL.
 *
 * The library stays open until the process ends, also on failure: closing a GPU driver is not safe.
 *
 * Returns WS_OK; WS_EABSENT with the loader's text if nothing could be opened; WS_EUNSUPPORTED with the name of the
 * first required function that is missing. table and info are written only on success.
 */
int ws_dl_open(const char *const *sonames, const char *override_variable, const struct ws_dl_symbol *rows, size_t count,
	       void *table, struct ws_dl_info *info, struct ws_error *error);

#endif
