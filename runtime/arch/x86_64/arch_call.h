/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calling convention, for the kernel's side: where arguments and results are. */
#ifndef STP_ARCH_CALL_H
#define STP_ARCH_CALL_H

#include <linux/uaccess.h>

#include <asm/fsgsbase.h>

#include "arch_arguments.h"
#include "arch_mode.h"

/* The stack pointer and the program counter cannot be written. */
#define ARCH_FIXED_REGISTERS(R) R(sp) R(ip)

/*
 * Returns the place of the n-th argument that is on the stack, at a function's entry. The
 * return address comes before them; 32-bit programs have all arguments there.
 */
static inline unsigned long arch_stack_arg(const struct pt_regs *regs, unsigned int n)
{
	return regs->sp + sizeof(long) * (1 + n);
}

/*
 * Finds an argument in a 32-bit program. True: *ret is its address; false: it is the
 * argument itself.
 */
static inline bool arch_arg_32(const struct pt_regs *regs, unsigned int n, unsigned long *ret)
{
	*ret = regs->sp + 4ul * (1 + n);
	return true;
}

/* ---- return addresses, at a function's entry ---- */

static inline unsigned long arch_return_address(const struct pt_regs *regs)
{
	return *(const unsigned long *)regs->sp;
}

/* Returns the value by which the kernel's return probes identify a call. */
static inline unsigned long arch_call_frame(const struct pt_regs *regs)
{
	return regs->sp;
}

/* Reads that of a program; false: the stack is not in memory. */
static inline bool arch_user_return_address(struct pt_regs *regs, unsigned long *ret)
{
	*ret = 0;
	return !copy_from_user_nofault(ret, (const void __user *)user_stack_pointer(regs),
				       user_64bit_mode(regs) ? 8 : 4);
}

/*
 * Changes the registers at a return instruction of a program to those after it; and back.
 */
static inline void arch_user_return(struct pt_regs *regs, unsigned long address)
{
	regs->ip = address;
	regs->sp += sizeof(long);
}

static inline void arch_user_return_undo(struct pt_regs *regs, unsigned long address)
{
	regs->ip = address;
	regs->sp -= sizeof(long);
}

/*
 * Returns the address of the structure of the goroutine that runs, at the entry or the
 * return of a function of Go.
 */
static inline unsigned long arch_goroutine(const struct pt_regs *regs)
{
	return regs->r14;
}

/*
 * Lists the stack pointers that a function of a program may have been entered with, when
 * it has returned. The return address is off the stack; in 32-bit programs so is the
 * pointer to a structure that is returned.
 */
static inline unsigned int arch_entry_stacks(struct pt_regs *regs, unsigned long ret[2])
{
	unsigned long sp = user_stack_pointer(regs);

	if (user_64bit_mode(regs)) {
		ret[0] = sp - 8;
		return 1;
	}
	ret[0] = sp - 4;
	ret[1] = sp - 8;
	return 2;
}

/*
 * The kernel leaves the register to its processes: it holds the value of the current
 * process.
 */
static inline unsigned long arch_thread_pointer(void)
{
	return x86_fsbase_read_cpu();
}

#endif
