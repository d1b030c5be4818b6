/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of the current task. */
#ifndef STP_ARCH_SYSCALL_H
#define STP_ARCH_SYSCALL_H

#include <linux/compat.h>

#include <asm/syscall.h>
#include <asm/unistd.h>

/* True: the task has made the call like a 32-bit program, by its numbers. */
static inline bool arch_in_compat_syscall(void)
{
	return is_compat_task();
}

/* Returns the number without the mark of an ABI that shares the table. */
static inline uint64_t arch_syscall_plain(uint64_t number)
{
	return number;
}

/* sys_exit is not reported in the child of a call that creates a task. */
#define ARCH_CHILD_LEAVES_CALL 0

/* True: the returning call created a task. */
static inline bool arch_syscall_clones(const struct pt_regs *regs)
{
	static const int calls_32[] = { 120, 2, 190, 435 };
	int number = regs->syscallno;

	if (!is_compat_task())
		return number == __NR_clone || number == __NR_clone3;
	for (unsigned int i = 0; i < ARRAY_SIZE(calls_32); i++)
		if (calls_32[i] == number)
			return true;
	return false;
}

#endif
