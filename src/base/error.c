/* Status codes and the one place where an error's text is written. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

int ws_fail(struct ws_error *error, int code, const char *format, ...)
{
	va_list arguments;

	if (!error || error->code != WS_OK)
		return code;
	error->code = code;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return code;
}

const char *ws_status_name(int code)
{
	static const char *const names[] = {"ok", "invalid", "memory", "absent", "unsupported", "driver",
					    "timeout", "system", "corrupt", "lost", "interrupted"};
	const int count = (int)(sizeof(names) / sizeof(names[0]));

	return code <= 0 && -code < count ? names[-code] : "unknown";
}
