/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the functions of system calls by number, in BPF programs. */
#ifndef STP_ARCH_SYSCALL_NAMES_H
#define STP_ARCH_SYSCALL_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#define NUMBER_32(number, function, entry)
#define NUMBER(number, function) [number] = "sys_" #function,
static const char arch_syscall_names[][40] = {
#include "arch_call_numbers.def"
};
#undef NUMBER_32
#undef NUMBER

#define NUMBER(number, function)
#define NUMBER_32(number, function, entry) [number] = "sys_" #function,
static const char arch_syscall_names_32[][40] = {
	"", /* machines without such programs have no rows */
#include "arch_call_numbers.def"
};
#undef NUMBER_32
#undef NUMBER

static const char *arch_syscall_function(uint64_t number, bool is_32)
{
	uint64_t most = sizeof(arch_syscall_names) / sizeof(arch_syscall_names[0]);
	uint64_t most_32 = sizeof(arch_syscall_names_32) / sizeof(arch_syscall_names_32[0]);

	if (is_32)
		return number < most_32 ? arch_syscall_names_32[number] : "";
	return number < most ? arch_syscall_names[number] : "";
}

#endif
