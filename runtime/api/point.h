/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values that a probe point provides: arguments, registers, variables. */
#ifndef STP_API_POINT_H
#define STP_API_POINT_H

#include "api/ctx.h"

/* The n-th register or stack argument of the function entered. */
int64_t stp_arg(struct stp_ctx *c, unsigned n);
/* The same for a Go function, in registers: a string takes two of them, a slice three. */
int64_t stp_go_arg(struct stp_ctx *c, unsigned n);
int64_t stp_retval(struct stp_ctx *c);
/*
 * A variable of one of the kernel's modules: its symbol, and its address while the module
 * is loaded (kernel/variable.c).
 */
struct stp_variable {
	const char *symbol, *module;
	unsigned long exported; /* its address, if the kernel exports it; 0: not known */
	unsigned long address;
};
/* Returns the variable's address. Fails if the module is not loaded. */
int64_t stp_variable(struct stp_ctx *c, const struct stp_variable *v);
/*
 * Write the same values (-g). Values saved at entry and values from tracepoints cannot be
 * written.
 */
void stp_set_arg(struct stp_ctx *c, unsigned n, int64_t value);
void stp_set_retval(struct stp_ctx *c, int64_t value);
void stp_set_register(struct stp_ctx *c, unsigned n, int64_t value);
void stp_set_syscall_arg(struct stp_ctx *c, unsigned n, int64_t value);
int64_t stp_kernel_anchor(void); /* address of the kernel's init_task */
/* A register by DWARF's number; 16 is the address of the probed instruction. */
int64_t stp_register(struct stp_ctx *c, unsigned n);
/* @kregister: the same for points at which the kernel may not provide the register. */
int64_t stp_kregister(struct stp_ctx *c, unsigned n);
/*
 * Returns a return address of the current process, as it is on the stack, or as a return
 * probe has saved it. The return probe identifies the call by its initial stack pointer.
 */
int64_t stp_return_address(int64_t address, int64_t stack);
/*
 * Returns the thread pointer (fs) of the current process. Fails for kernel threads and
 * 32-bit processes.
 */
int64_t stp_thread_pointer(struct stp_ctx *c);
/* A register of the current process as it was when the process entered the kernel. */
int64_t stp_user_register(struct stp_ctx *c, unsigned n);
/* Argument n of the system call whose entry point was hit, also for 32-bit calls. */
int64_t stp_syscall_arg(struct stp_ctx *c, unsigned n);
static inline int64_t stp_trace_arg(struct stp_ctx *c, unsigned n)
{
	return c->args[n];
}
/* Adds a constant to a register's value, or to 0 for STP_NO_REGISTER. */
#define STP_NO_REGISTER 0xff
static inline int64_t stp_word(struct stp_ctx *c, unsigned n, int64_t constant)
{
	uint64_t value = n == STP_NO_REGISTER ? 0 : (uint64_t)stp_register(c, n);

	return (int64_t)(value + (uint64_t)constant);
}
/* Returns the value without its upper `left` bits, sign-extended if it is signed. */
static inline int64_t stp_cut(int64_t value, unsigned left, bool is_signed)
{
	uint64_t up = (uint64_t)value << left;

	return is_signed ? (int64_t)up >> left : (int64_t)(up >> left);
}
static inline int64_t stp_saved(struct stp_ctx *c, unsigned n)
{
	return c->saved[n];
}

#endif
