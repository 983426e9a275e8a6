/* Which environment variables a result shows. */
#include "machine/environment_variable.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool contains_any(const char *text, const char *const *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

bool ws_variable_matters(const char *name)
{
	static const char *const names[] = {
		"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",	  "CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_MAX_CONNECTIONS",
		"CUDA_MODULE_LOADING",	"NVIDIA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",  "ROCR_VISIBLE_DEVICES",
		"GOMP_CPU_AFFINITY",	"GLIBC_TUNABLES",
	};
	static const char *const families[] = {"OMP_", "NCCL_", "UCX_", "POCL_", "OCL_", "HWLOC_", "WIRESPEED_"};
	static const char *const secrets[] = {"KEY", "SECRET", "TOKEN", "PASS", "CREDENTIAL"};
	size_t i;

	if (contains_any(name, secrets, COUNT(secrets)))
		return false;
	for (i = 0; i < COUNT(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	for (i = 0; i < COUNT(families); i++)
		if (strncmp(name, families[i], strlen(families[i])) == 0)
			return true;
	return false;
}

/* Four numbers with three dots between: an IPv4 address. */
static bool holds_dotted_quad(const char *value)
{
	const char *at;
	int parts;

	for (at = value; *at; at++) {
		if (!isdigit((unsigned char)*at) || (at != value && (isdigit((unsigned char)at[-1]) || at[-1] == '.')))
			continue;
		for (parts = 1; parts < 4; parts++) {
			at += strspn(at, "0123456789");
			if (*at != '.' || !isdigit((unsigned char)at[1]))
				break;
			at++;
		}
		if (parts == 4)
			return true;
		at--;
	}
	return false;
}

/* A run of hexadecimal digits and colons with "::" or more colons than a PCI address has: IPv6, a MAC or a GUID. */
static bool holds_colons(const char *value)
{
	const char *at = value;
	size_t length, i, colons, digits;
	bool twice;

	while (*at) {
		length = strspn(at, "0123456789abcdefABCDEF:");
		colons = digits = 0;
		twice = false;
		for (i = 0; i < length; i++) {
			colons += at[i] == ':';
			digits += at[i] != ':';
			twice = twice || (i > 0 && at[i] == ':' && at[i - 1] == ':');
		}
		if (digits && (colons > 2 || twice))
			return true;
		at += length ? length : 1;
	}
	return false;
}

/* Eight hexadecimal digits, a dash and four more, as in "GPU-12345678-9abc-...": a unique number. */
static bool holds_uuid(const char *value)
{
	const char *dash;

	for (dash = strchr(value, '-'); dash; dash = strchr(dash + 1, '-'))
		if (dash - value >= 8 && strspn(dash - 8, "0123456789abcdefABCDEF") == 8 &&
		    strspn(dash + 1, "0123456789abcdefABCDEF") == 4)
			return true;
	return false;
}

const char *ws_variable_hidden(const char *name, const char *value)
{
	static const char *const places[] = {"COMM_ID", "HOST", "ADDR", "PEER", "URL", "_ROOT", "SERVER"};

	if (contains_any(name, places, COUNT(places)) || holds_dotted_quad(value) || holds_colons(value))
		return "set; not shown, as it may hold a network address";
	if (holds_uuid(value))
		return "set; not shown, as it holds a serial number";
	return NULL;
}
