/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of the current task, in BPF programs. */
#ifndef STP_ARCH_SYSCALL_H
#define STP_ARCH_SYSCALL_H

#include <stdbool.h>
#include <stdint.h>

#include "arch_bpf.h"

bool stp_bpf_is_32(void); /* bpf/port.c */

static inline bool arch_in_compat_syscall(void)
{
	return stp_bpf_is_32();
}

/* Returns the number without the mark of an ABI that shares the table. */
static inline uint64_t arch_syscall_plain(uint64_t number)
{
	return number & ~(uint64_t)ARCH_BPF_NUMBER_MARK;
}

#endif
