/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks the areas of an address space one after the other, for scripts written for
 * kernels before 6.1, which had them in a list: mm->mmap, vma->vm_next. The maple tree is
 * read from memory without its lock: areas that change meanwhile may be missed, and freed
 * memory causes at worst a read fault.
 */
#include <linux/mm_types.h>

#include "api.h"

#if __has_include(<linux/maple_tree.h>)
#include <linux/maple_tree.h>

/* The lowest nodes of a tree have at least 5 of 16 entries. */
#define MAX_LEVELS 16
#define WORD_WORK  64 /* api/ctx.h */
/* There is one gap between two areas; it is split if it begins in another node. */
#define MAX_GAPS 8
/* Bits of a pointer to a node, as in lib/maple_tree.c. */
#define ROOT_MASK  3
#define ROOT_NODE  2
#define TYPE_SHIFT 3
#define TYPE_MASK  15
/* Smaller values are not pointers: empty, or reserved. */
#define MAX_RESERVED 4096

/*
 * Slot i covers the addresses above pivot i - 1, up to pivot i; the last slot, and one
 * whose pivot is 0, reach up to the node's end.
 */
static const struct node_layout {
	size_t pivots, slots;
	unsigned count;
} layouts[] = {
	[maple_leaf_64] = { offsetof(struct maple_range_64, pivot),
			    offsetof(struct maple_range_64, slot), MAPLE_RANGE64_SLOTS },
	[maple_range_64] = { offsetof(struct maple_range_64, pivot),
			     offsetof(struct maple_range_64, slot), MAPLE_RANGE64_SLOTS },
	[maple_arange_64] = { offsetof(struct maple_arange_64, pivot),
			      offsetof(struct maple_arange_64, slot), MAPLE_ARANGE64_SLOTS },
};

static uint64_t word_at(struct stp_ctx *c, uint64_t address)
{
	stp_charge_later(c, WORD_WORK);
	return stp_load(c, STP_KERNEL, address, sizeof(long));
}

/*
 * Returns the slot of the address `at`, and sets *last to the last address of the slot.
 */
static unsigned slot_of(struct stp_ctx *c, const struct node_layout *l, uint64_t node, uint64_t at,
			uint64_t *last)
{
	unsigned i;

	for (i = 0; i + 1 < l->count; i++) {
		uint64_t pivot = word_at(c, node + l->pivots + i * sizeof(long));

		if ((i && !pivot) || pivot >= *last)
			break;
		if (at <= pivot) {
			*last = pivot;
			break;
		}
	}
	return i;
}

/* Returns the tree's entry for the address: an area, or 0 for a gap up to *last. */
static uint64_t entry_at(struct stp_ctx *c, uint64_t root, uint64_t at, uint64_t *last)
{
	uint64_t entry = root;

	*last = ULONG_MAX;
	for (unsigned level = 0; level < MAX_LEVELS && entry > MAX_RESERVED; level++) {
		unsigned type = entry >> TYPE_SHIFT & TYPE_MASK;
		const struct node_layout *l = &layouts[type < ARRAY_SIZE(layouts) ? type : 0];
		uint64_t node = entry & ~(uint64_t)MAPLE_NODE_MASK;

		if (!l->count)
			return 0;
		entry = word_at(c, node + l->slots + slot_of(c, l, node, at, last) * sizeof(long));
		if (type == maple_leaf_64)
			return entry;
	}
	return 0;
}

static uint64_t area_from(struct stp_ctx *c, uint64_t mm, uint64_t at)
{
	uint64_t root = word_at(c, mm + offsetof(struct mm_struct, mm_mt.ma_root)), last = 0;

	if ((root & ROOT_MASK) != ROOT_NODE)
		return 0;
	for (unsigned i = 0; i < MAX_GAPS && last != ULONG_MAX; i++, at = last + 1) {
		uint64_t entry = entry_at(c, root, at, &last);

		if (entry > MAX_RESERVED)
			return entry;
	}
	return 0;
}

uint64_t stp_area_first(struct stp_ctx *c, uint64_t mm)
{
	return area_from(c, mm, 0);
}

uint64_t stp_area_next(struct stp_ctx *c, uint64_t vma)
{
	return area_from(c, word_at(c, vma + offsetof(struct vm_area_struct, vm_mm)),
			 word_at(c, vma + offsetof(struct vm_area_struct, vm_end)));
}
#endif
