/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells whether the mappings of a process are unchanged, so that later hits can use the
 * results of a hit. Linked together with program_mapping.c.
 */
#ifndef STP_KERNEL_MAP_CHANGES_H
#define STP_KERNEL_MAP_CHANGES_H

#include <linux/hash.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "compat/mm_sequence.h"

/*
 * The state of a process's mappings. Equal states are of the same process and program,
 * and no mapping of a file was removed between them. Removed areas of other memory are
 * noticed only with MAP_CHANGES_TELL_ALL.
 */
struct map_stamp {
	uint64_t began;	   /* when the process began */
	uint32_t programs; /* programs that it has executed */
	uint32_t changes;
};

#define MAP_CHANGES_TELL_ALL COMPAT_HAS_MM_SEQUENCE
#define MAP_CHANGES_BITS     8

/* Counts of removed areas, one count for all address spaces with the same hash. */
struct map_changes {
	bool are_told;
	atomic_t counts[1 << MAP_CHANGES_BITS];
};
extern struct map_changes map_changes;

void map_changes_create(void);
void map_changes_destroy(void);

static inline uint32_t map_changes_count(const struct mm_struct *mm)
{
	if (COMPAT_HAS_MM_SEQUENCE)
		return compat_mm_sequence(mm);
	return (uint32_t)atomic_read_acquire(&map_changes.counts[hash_ptr(mm, MAP_CHANGES_BITS)]);
}

/* Returns the state of the current process. False: it cannot be determined. */
static inline bool map_changes_stamp(struct map_stamp *ret)
{
	ret->began = current->group_leader->start_time;
	ret->programs = current->self_exec_id;
	ret->changes = map_changes_count(current->mm);
	return COMPAT_HAS_MM_SEQUENCE || map_changes.are_told;
}

static inline bool map_changes_none(const struct map_stamp *a, const struct map_stamp *b)
{
	return a->began == b->began && a->programs == b->programs && a->changes == b->changes;
}

#endif
