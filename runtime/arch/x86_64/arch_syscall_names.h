/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the functions of system calls by number, from the kernel's own tables.
 * Included by syscall/numbers.c alone.
 */
#ifndef STP_ARCH_SYSCALL_NAMES_H
#define STP_ARCH_SYSCALL_NAMES_H

#include <asm/syscall.h>

#undef __SYSCALL
#undef __SYSCALL_WITH_COMPAT
#undef __SYSCALL_NORETURN
#undef __SYSCALL_COMMON
#undef __SYSCALL_64
#undef __SYSCALL_X32
#undef __SYSCALL_I386
#define __SYSCALL(number, function)			[number] = #function,
#define __SYSCALL_NORETURN(number, function)		__SYSCALL(number, function)
#define __SYSCALL_WITH_COMPAT(number, function, compat) __SYSCALL(number, function)
/* Before 5.14 the tables contain the ABI that a call belongs to. */
#define __SYSCALL_COMMON(number, function) __SYSCALL(number, function)
#define __SYSCALL_64(number, function)	   __SYSCALL(number, function)
#define __SYSCALL_X32(number, function)
#define __SYSCALL_I386(number, function) __SYSCALL(number, function)
static const char arch_syscall_names[][40] = {
#include <asm/syscalls_64.h>
};
#ifdef CONFIG_IA32_EMULATION
static const char arch_syscall_names_32[][40] = {
#include <asm/syscalls_32.h>
};
#endif

static const char *arch_syscall_function(uint64_t number, bool is_32)
{
#ifdef CONFIG_IA32_EMULATION
	if (is_32)
		return number < ARRAY_SIZE(arch_syscall_names_32) ? arch_syscall_names_32[number]
								  : "";
#endif
	return number < ARRAY_SIZE(arch_syscall_names) ? arch_syscall_names[number] : "";
}

#endif
