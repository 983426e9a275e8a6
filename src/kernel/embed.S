/* Kernels as text inside the program, each ended by a zero byte: `extern const char ws_kernel_<name>[]`. */

#define EMBED(name, file)                                                                                              \
	.balign 16;                                                                                                    \
	.globl name;                                                                                                   \
	.hidden name;                                                                                                  \
	.type name, %object;                                                                                           \
	name: .incbin file;                                                                                            \
	.byte 0;                                                                                                       \
	.size name, . - name

	.section .rodata
	EMBED(ws_kernel_cuda_base, "kernel/cuda_base.ptx")
	EMBED(ws_kernel_cuda_hopper, "kernel/cuda_hopper.ptx")
	EMBED(ws_kernel_cuda_sync, "kernel/cuda_sync.ptx")
	EMBED(ws_kernel_opencl, "kernel/opencl.cl")

	.section .note.GNU-stack, "", %progbits
