/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same stacks again and again, in two processes: through qsort(), a signal's handler, a
 * recursion, a rounded stack pointer, and a function whose frame only a register finds
 * that its callees keep.
 */
// cflags: -O2 -g0 -fomit-frame-pointer
#define main main_of_stacks
#include "stacks.c"
#undef main

NOINLINE void above(int n)
{
	if (n)
		above(n - 1);
	else
		leaf(5);
	sink++;
}

/* clang-format off */
#ifdef __aarch64__
__asm__(".text\n.globl by_register\n.type by_register, %function\nby_register:\n.cfi_startproc\n"
	"stp x29, x30, [sp, #-32]!\n.cfi_def_cfa_offset 32\n.cfi_offset 29, -32\n.cfi_offset 30, -24\n"
	"str x19, [sp, #16]\n.cfi_offset 19, -16\n"
	"mov x19, sp\n.cfi_def_cfa 19, 32\n"
	"sub sp, sp, #64\n"
	"bl above\n"
	"mov sp, x19\n.cfi_def_cfa 31, 32\n"
	"ldr x19, [sp, #16]\nldp x29, x30, [sp], #32\n.cfi_def_cfa_offset 0\n"
	"ret\n.cfi_endproc\n.size by_register, .-by_register\n");
#else
__asm__(".text\n.globl by_register\n.type by_register, @function\nby_register:\n.cfi_startproc\n"
	"push %rbx\n.cfi_def_cfa_offset 16\n.cfi_offset rbx, -16\n"
	"mov %rsp, %rbx\n.cfi_def_cfa rbx, 16\n"
	"sub $64, %rsp\n"
	"call above\n"
	"mov %rbx, %rsp\n.cfi_def_cfa rsp, 16\n"
	"pop %rbx\n.cfi_def_cfa_offset 8\n"
	"ret\n.cfi_endproc\n.size by_register, .-by_register\n");
#endif
/* clang-format on */
void by_register(int n);

int main(int argc, char **argv)
{
	for (int i = 0; i < 4; i++) {
		sorts();
		signals();
		deep(5);
		aligned(2);
		by_register(2);
	}
	if (argc == 1)
		execl("/proc/self/exe", argv[0], "again", NULL);
	return 0;
}
