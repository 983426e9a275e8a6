/* A fake libcuda: what every call begins and ends with: the lock, calls that are told to fail, and the log of all. */
#include "fake/cuda_fake.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *symbol;
} calls[] = {
#define WS_DL(required, type, name, symbol, parameters) {"fake_" #name, symbol},
#include "backend/cuda.def"
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *call_log;
_Thread_local struct cuda_context *fake_current;

/* What is left when the process ends. */
static void write_end(void)
{
	fprintf(call_log, "LEFT %d\n", fake_cuda_outstanding());
	fclose(call_log);
}

static void read_order(const char *text)
{
	struct fake_order order = {.function = ""};
	const char *hash = text ? strchr(text, '#') : NULL;
	char more = '\0';

	if (!text || (hash && sscanf(text, "%47[^@]@%d#", order.function, &order.device) != 2) ||
	    sscanf(hash ? hash + 1 : text, "%lu:%d%c", &order.at, &order.code, &more) < 2)
		return;
	order.goes_on = more == '+';
	fake_state.fail = order;
}

void fake_begin_counting(void)
{
	const char *path = getenv("FAKE_CUDA_LOG");

	read_order(getenv("FAKE_CUDA_FAIL"));
	if (!path || call_log)
		return;
	call_log = fopen(path, "a");
	if (!call_log)
		abort();
	setvbuf(call_log, NULL, _IOLBF, BUFSIZ);
	atexit(write_end);
}

static const char *symbol_of(const char *function)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i].name, function) == 0)
			return calls[i].symbol;
	return function;
}

/* Whether a call is told to fail. */
static bool is_due(const char *function, int device)
{
	struct fake_order *order = &fake_state.fail;
	const bool counts = !order->function[0] ||
			    (device == order->device && strcmp(symbol_of(function), order->function) == 0);

	if (!order->at || order->failing)
		return order->failing;
	order->seen += counts;
	order->failing = counts && order->seen == order->at && order->goes_on;
	return counts && order->seen == order->at;
}

/* After these a context is of no use, and what it has to do is never done. */
static bool is_sticky(int code)
{
	static const int codes[] = {214, 220, 226, 700, 702, 709, 714, 715, 716, 717, 718, 719};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (codes[i] == code)
			return true;
	return false;
}

void fake_stop_work(int device)
{
	for (struct cuda_stream *stream = fake_state.streams; stream; stream = stream->next)
		if (stream->device == device && stream->first)
			stream->first->state = FAKE_HUNG;
}

void fake_lock(void)
{
	pthread_mutex_lock(&lock);
}

int fake_current_device(void)
{
	return fake_current ? fake_current->device : -1;
}

int fake_enter(const char *function, int device, bool needs_context)
{
	bool fails;

	fake_lock();
	fake_state.calls++;
	fails = is_due(function, device);
	if (call_log)
		fprintf(call_log, "%s %d%s\n", symbol_of(function), device, fails ? " FAILS" : "");
	if (fails && fake_current && is_sticky(fake_state.fail.code))
		fake_stop_work(fake_current->device);
	if (fails)
		return fake_leave(fake_state.fail.code);
	if (!needs_context)
		return CUDA_SUCCESS;
	if (!fake_current || !fake_current->alive)
		return fake_leave(201);
	return fake_state.lost[fake_current->device] ? fake_leave(fake_state.lost[fake_current->device]) : CUDA_SUCCESS;
}

int fake_leave(int result)
{
	pthread_mutex_unlock(&lock);
	return result;
}
