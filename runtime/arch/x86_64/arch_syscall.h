/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of the current task. */
#ifndef STP_ARCH_SYSCALL_H
#define STP_ARCH_SYSCALL_H

#include <asm/syscall.h>
#include <asm/unistd.h>

/* True: the task has made the call like a 32-bit program, by its numbers. */
static inline bool arch_in_compat_syscall(void)
{
	return in_ia32_syscall();
}

/* Returns the number without the mark of an ABI that shares the table. */
static inline uint64_t arch_syscall_plain(uint64_t number)
{
	return number & ~(uint64_t)0x40000000;
}

/* sys_exit is also reported in the child of a call that creates a task. */
#define ARCH_CHILD_LEAVES_CALL 1

/* True: the returning call created a task. */
static inline bool arch_syscall_clones(const struct pt_regs *regs)
{
	static const int calls[] = { __NR_clone, __NR_fork, __NR_vfork, __NR_clone3 };
	static const int calls_32[] = { 120, 2, 190, 435 };
	int number = regs->orig_ax;

#ifdef CONFIG_IA32_EMULATION
	if (in_ia32_syscall()) {
		for (unsigned int i = 0; i < ARRAY_SIZE(calls_32); i++)
			if (calls_32[i] == number)
				return true;
		return false;
	}
#endif
#ifdef __X32_SYSCALL_BIT
	number &= ~__X32_SYSCALL_BIT;
#endif
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i] == number)
			return true;
	return false;
}

#endif
