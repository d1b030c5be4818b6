/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watched memory: the processor stops before an access, and the kernel steps over it only
 * for events that have no handler of their own. So a function that it calls is probed.
 */
#ifndef STP_ARCH_WATCH_H
#define STP_ARCH_WATCH_H

#include <asm/cputype.h>
#include <asm/lse.h>
#include <asm/sysreg.h>

/*
 * The first one that accepts a probe is used: argument 0 is the event, and the argument
 * with this number has the registers. The second does not see reads and writes by the
 * kernel for a program.
 */
#define ARCH_WATCH_FUNCTIONS(F) F("watchpoint_report", 2) F("perf_bp_event", 1)

#define ATOMIC_SHIFT 20 /* ID_AA64ISAR0_EL1: instructions that read and write atomically */
#define ATOMIC_MASK  15

/*
 * True: the kernel's own memory can be watched. Single-stepping ends an exclusive access,
 * which older processors need to take a lock: taking it would be retried for ever.
 */
static inline bool arch_watches_kernel(void)
{
#ifdef __LSE_PREAMBLE /* the kernel uses them if they exist */
	return read_cpuid(ID_AA64ISAR0_EL1) >> ATOMIC_SHIFT & ATOMIC_MASK;
#else
	return false;
#endif
}

#endif
