/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's machine code. */
#ifndef STP_ARCH_CODE_H
#define STP_ARCH_CODE_H

#include <linux/types.h>

/*
 * The distance of ftrace's call from a function's address: it comes after the instruction
 * that saves the return address, and after a landing pad if there is one.
 */
#define ARCH_LANDING_PAD 4

/* A breakpoint or call put at a point is at most this long. */
#define ARCH_PATCH_BYTES 16

/* True: a function must not be called by address unless it begins with a landing pad. */
static inline bool arch_calls_need_landing_pads(void)
{
	return false; /* all functions of the kernel have them if they are checked */
}

/* False for an address outside the kernel: one of a program, or an invalid one. */
static inline bool arch_kernel_address_valid(uint64_t addr)
{
	return (int64_t)addr < 0;
}

/* True: functions return through this code. */
static inline bool arch_is_return_code(const char *name)
{
	return false;
}

#endif
