/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calling convention, for the kernel's side: where arguments and results are. */
#ifndef STP_ARCH_CALL_H
#define STP_ARCH_CALL_H

#include <linux/uaccess.h>

#include <asm/sysreg.h>

#include "arch_arguments.h"
#include "arch_mode.h"

/* The stack pointer and the program counter cannot be written. */
#define ARCH_FIXED_REGISTERS(R) R(sp) R(pc)

#define ARCH_REGISTERS_32 4 /* that hold arguments of 32-bit functions */

/* Returns the place of the n-th argument that is on the stack, at a function's entry. */
static inline unsigned long arch_stack_arg(const struct pt_regs *regs, unsigned int n)
{
	return regs->sp + sizeof(long) * n;
}

/*
 * Finds an argument in a 32-bit program. True: *ret is its address; false: it is the
 * argument itself.
 */
static inline bool arch_arg_32(const struct pt_regs *regs, unsigned int n, unsigned long *ret)
{
	if (n < ARCH_REGISTERS_32) {
		*ret = regs->regs[n];
		return false;
	}
	*ret = regs->compat_sp + 4ul * (n - ARCH_REGISTERS_32);
	return true;
}

/* ---- return addresses, at a function's entry ---- */

static inline unsigned long arch_return_address(const struct pt_regs *regs)
{
	return regs->regs[30];
}

/* Returns the value by which the kernel's return probes identify a call. */
static inline unsigned long arch_call_frame(const struct pt_regs *regs)
{
	return regs->regs[29];
}

/* Reads that of a program. */
static inline bool arch_user_return_address(struct pt_regs *regs, unsigned long *ret)
{
	*ret = compat_user_mode(regs) ? regs->compat_lr : regs->regs[30];
	return true;
}

/*
 * Changes the registers at a return instruction of a program to those after it; and back.
 */
static inline void arch_user_return(struct pt_regs *regs, unsigned long address)
{
	regs->pc = address;
}

static inline void arch_user_return_undo(struct pt_regs *regs, unsigned long address)
{
	regs->pc = address;
}

/*
 * Returns the address of the structure of the goroutine that runs, at the entry or the
 * return of a function of Go.
 */
static inline unsigned long arch_goroutine(const struct pt_regs *regs)
{
	return regs->regs[28];
}

/*
 * Lists the stack pointers that a function of a program may have been entered with, when
 * it has returned: it leaves the stack pointer as it was.
 */
static inline unsigned int arch_entry_stacks(struct pt_regs *regs, unsigned long ret[2])
{
	ret[0] = user_stack_pointer(regs);
	return 1;
}

/*
 * The kernel leaves the register to its processes: it holds the value of the current
 * process.
 */
static inline unsigned long arch_thread_pointer(void)
{
	return read_sysreg(tpidr_el0);
}

#endif
