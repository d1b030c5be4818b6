/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry points of system calls by number, from the kernel's own tables. Included by
 * probe/syscall.c alone.
 */
#ifndef STP_ARCH_ENTRIES_H
#define STP_ARCH_ENTRIES_H

#include <asm/syscall.h>
#include <asm/unistd.h>

#undef __SYSCALL
#undef __SYSCALL_WITH_COMPAT
#undef __SYSCALL_NORETURN
#undef __SYSCALL_COMMON
#undef __SYSCALL_64
#undef __SYSCALL_X32
#undef __SYSCALL_I386
#define __SYSCALL(number, function)	     [number] = "__x64_" #function,
#define __SYSCALL_NORETURN(number, function) __SYSCALL(number, function)
/* Before 5.14 the tables contain the ABI that a call belongs to. */
#define __SYSCALL_COMMON(number, function) __SYSCALL(number, function)
#define __SYSCALL_64(number, function)	   __SYSCALL(number, function)
#define __SYSCALL_X32(number, function)
static const char *const arch_entries_64[] = {
#include <asm/syscalls_64.h>
};
#if defined(CONFIG_X86_X32_ABI) && __has_include(<asm/syscalls_x32.h>)
static const char *const arch_entries_x32[] = {
#include <asm/syscalls_x32.h>
};
#endif
#ifdef CONFIG_IA32_EMULATION
#undef __SYSCALL
#define __SYSCALL(number, function)			[number] = "__ia32_" #function,
#define __SYSCALL_WITH_COMPAT(number, function, compat) __SYSCALL(number, compat)
#define __SYSCALL_I386(number, function)		__SYSCALL(number, function)
static const char *const arch_entries_32[] = {
#include <asm/syscalls_32.h>
};
#endif

/* The ABIs that number calls, each by a table; a table without names has no entries. */
enum arch_abi { ARCH_ABI_64, ARCH_ABI_32, ARCH_ABI_X32, ARCH_ABIS };

static const struct arch_entries {
	const char *const *names; /* NULL: no such call */
	unsigned int count;
} arch_entries[ARCH_ABIS] = {
	[ARCH_ABI_64] = { arch_entries_64, ARRAY_SIZE(arch_entries_64) },
#ifdef CONFIG_IA32_EMULATION
	[ARCH_ABI_32] = { arch_entries_32, ARRAY_SIZE(arch_entries_32) },
#endif
#if defined(CONFIG_X86_X32_ABI) && __has_include(<asm/syscalls_x32.h>)
	[ARCH_ABI_X32] = { arch_entries_x32, ARRAY_SIZE(arch_entries_x32) },
#endif
};

/* Returns the ABI by which the current task numbers its call. */
static __always_inline enum arch_abi arch_abi_of(long number)
{
	if (in_ia32_syscall())
		return ARCH_ABI_32;
#ifdef __X32_SYSCALL_BIT
	if (number & __X32_SYSCALL_BIT)
		return ARCH_ABI_X32;
#endif
	return ARCH_ABI_64;
}

/* Functions of the kernel that call the entry point of a system call, by its number. */
#ifdef CONFIG_IA32_EMULATION
#define ARCH_DISPATCHER_32 , "ia32_sys_call"
#else
#define ARCH_DISPATCHER_32
#endif
#ifdef CONFIG_X86_X32_ABI
#define ARCH_DISPATCHER_X32 , "x32_sys_call"
#else
#define ARCH_DISPATCHER_X32
#endif
#define ARCH_DISPATCHERS "x64_sys_call" ARCH_DISPATCHER_32 ARCH_DISPATCHER_X32

/*
 * Makes the registers that an entry point would have if called by the code whose return
 * address is at `stack`; with address 0, and at the return, those of that code.
 */
static __always_inline void arch_entry_regs(struct pt_regs *r, const unsigned long *stack,
					    unsigned long frame, const struct pt_regs *user,
					    unsigned long address)
{
	memset(r, 0, sizeof(*r));
	r->ip = address ?: *stack;
	r->sp = (unsigned long)(address ? stack : stack + 1);
	r->bp = frame;
	r->di = (unsigned long)user;
	r->cs = __KERNEL_CS;
	r->ss = __KERNEL_DS;
}

/*
 * For a function that is called by its address: the place of its return address, and the
 * caller's frame pointer.
 */
#define ARCH_STACK_HERE ((const unsigned long *)__builtin_frame_address(0) + 1)
#define ARCH_FRAME_HERE (*(const unsigned long *)__builtin_frame_address(0))

#endif
