/* Status codes and the one place where an error's text is written. */
#ifndef WS_BASE_ERROR_H
#define WS_BASE_ERROR_H

/* What a function that can fail returns: WS_OK or one of these. */
enum ws_status {
	WS_OK = 0,
	WS_EINVAL = -1,       /* the user's input is wrong */
	WS_ENOMEM = -2,       /* out of memory, host's or device's */
	WS_EABSENT = -3,      /* library, device or file is not there: a fact, not a fault */
	WS_EUNSUPPORTED = -4, /* there, but does not offer this */
	WS_EDRIVER = -5,      /* a driver or library call failed */
	WS_ETIMEOUT = -6,     /* a deadline passed */
	WS_ESYSTEM = -7,      /* a system call failed */
	WS_ECORRUPT = -8,     /* wrong data arrived */
	WS_ELOST = -9,        /* a device or rank does not answer any more; nothing of it may be touched again */
	WS_EINTERRUPTED = -10 /* the user asked to stop */
};

/* The first error wins: later ones are consequences of it. All zero = no error. */
struct ws_error {
	int code;
	char text[400];
};

/*
 * Records code and text in error, unless it holds one already or is NULL, and returns code. Called once, where the
 * error is decided, with the failing call and its own code in the text; callers return the status untouched.
 */
__attribute__((format(printf, 3, 4))) int ws_fail(struct ws_error *error, int code, const char *format, ...);

/* A short lower-case name of a status, for JSON and messages: "ok", "timeout", ... Never NULL. */
const char *ws_status_name(int code);

#endif
