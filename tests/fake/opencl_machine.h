/* What the fake libOpenCL is told by its environment: its devices, their speeds and faults; and the log of its calls.
 */
#ifndef WS_FAKE_OPENCL_MACHINE_H
#define WS_FAKE_OPENCL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * FAKE_OPENCL holds words key=value, by spaces. Those of a device's row are for all devices, or with its number in
 * front ("1:write_gb_s=5") for that one. Sizes are plain bytes. N counts from 1; 0 = never.
 *
 *	devices=N        as many devices
 *	platforms=N      as many platforms; 0: no driver installed
 *	nvidia=N         the N-th platform has NVIDIA's name
 *	fail=N           the N-th call fails; with fail=clName:N the N-th call of that function
 *	dead=N           the N-th call fails and all that follow it
 *	code=N           with this code, -5 if none is given
 *
 * A copy is "pinned" if its host side is memory that the runtime gave. Only pinned copies have these faults, so that
 * filling and checking a device's memory through other host memory works. N counts the device's pinned copies.
 *
 *	write_gb_s=X read_gb_s=X local_gb_s=X   speed to the device, from it and inside it
 *	fixed_ns=N       cost of every copy
 *	zero_copy=1      a map of its memory hands out that memory itself
 *	copies_host=1    it works on a copy of host memory, not on that memory itself
 *	svm=1            it offers shared virtual memory
 *	memory=N         bytes of memory
 *	most=N           bytes of the largest buffer; 0 = not said
 *	processor=1      the device is a CPU
 *	platform=N       it is of that platform, from 0 on
 *	bus=N nv_bus=N   it has PCI address 0000:N:00.0, told by the extension of Khronos or by that of NVIDIA
 *	uuid=N           it tells a UUID whose bytes are all N
 *	compiler=0       it cannot compile kernels, and says so
 *	no_build=1       it fails to
 *	available=0      the driver says that it is not
 *	wrong=byte|last|nothing|offset   what is wrong with the data of copies ...
 *	wrong_at=N       ... from the N-th on
 *	hang=N           the N-th pinned copy never ends
 *	hang_other=N     the N-th other copy never ends
 *	hang_map=N       the N-th map or unmap never ends
 *	hang_kernel=N    the N-th kernel that is no copy never ends
 *	break=N          the N-th pinned copy ends with an error
 */
enum opencl_wrong { OPENCL_RIGHT, OPENCL_ONE_BYTE, OPENCL_LAST_BYTE, OPENCL_NOTHING, OPENCL_OFFSET };

struct opencl_model {
	double write_gb_s, read_gb_s, local_gb_s;
	uint64_t fixed_ns, memory_bytes, most_bytes;
	uint64_t platform, bus, nv_bus, uuid; /* of the last three 0 = not told */
	bool processor, available, zero_copy, copies_host, svm, compiler, no_build;
	enum opencl_wrong wrong;
	uint64_t wrong_at, hang, hang_other, hang_map, hang_kernel, break_at;
};

enum { OPENCL_DEVICES_MAX = 64, OPENCL_PLATFORMS_MAX = 2 };
struct opencl_machine {
	uint64_t devices, platforms, nvidia;
	struct opencl_model models[OPENCL_DEVICES_MAX];
	char fail_name[40]; /* "" = any function */
	uint64_t fail_at;
	bool dead; /* it goes on failing */
	int fail_code;
	uint64_t calls; /* of those that can be told to fail */
};

/* Reads FAKE_OPENCL once. Ends the process with 98 and a line on stderr if it makes no sense. */
struct opencl_machine *opencl_machine(void);

/* Counts and logs a call; returns 0, or the code with which it is to fail. */
int opencl_call(const char *name, int device, uint64_t size_bytes);

/* Appends a line to the file that FAKE_OPENCL_LOG names, if it names one. */
__attribute__((format(printf, 1, 2))) void opencl_log(const char *format, ...);

/* The caller broke OpenCL's rules: says so and ends the process with 97. */
__attribute__((format(printf, 1, 2), noreturn)) void opencl_misuse(const char *format, ...);

#endif
