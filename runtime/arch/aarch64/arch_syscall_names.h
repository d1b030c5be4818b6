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
#undef __NR3264_fcntl
#define __SYSCALL(number, function)			[number] = #function,
#define __SYSCALL_WITH_COMPAT(number, function, compat) __SYSCALL(number, function)
static const char arch_syscall_names[][40] = {
#if __has_include(<asm/syscall_table_64.h>)
#include <asm/syscall_table_64.h>
#else /* before 6.11 */
#include <asm/unistd.h>
#endif
};
#ifdef CONFIG_COMPAT
static const char arch_syscall_names_32[][40] = {
#if __has_include(<asm/syscall_table_32.h>)
#include <asm/syscall_table_32.h>
#else
#include <asm/unistd32.h>
#endif
};
#endif

static const char *arch_syscall_function(uint64_t number, bool is_32)
{
#ifdef CONFIG_COMPAT
	if (is_32)
		return number < ARRAY_SIZE(arch_syscall_names_32) ? arch_syscall_names_32[number]
								  : "";
#endif
	return number < ARRAY_SIZE(arch_syscall_names) ? arch_syscall_names[number] : "";
}

#endif
