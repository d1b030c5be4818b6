/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A number that grows with every change of a process's mappings. Kernels that lock areas
 * one by one have it.
 */
#ifndef STP_COMPAT_MM_SEQUENCE_H
#define STP_COMPAT_MM_SEQUENCE_H

#include <linux/mm_types.h>

#include "stp_facts.h"

#ifdef STP_HAVE_MM_LOCK_SEQ
#define COMPAT_HAS_MM_SEQUENCE 1
/*
 * An int, in later kernels a seqcount_t, which begins with one and is odd while a writer
 * is at work.
 */
static inline unsigned int compat_mm_sequence(const struct mm_struct *mm)
{
	return smp_load_acquire((const unsigned int *)&mm->mm_lock_seq);
}
#else
#define COMPAT_HAS_MM_SEQUENCE 0
static inline unsigned int compat_mm_sequence(const struct mm_struct *mm)
{
	return 0;
}
#endif

#endif
