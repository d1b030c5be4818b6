/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table from names to numbers, for one pass over a table of the kernel. It is created
 * when points are registered and freed afterwards. The caller owns the names.
 */
#ifndef STP_KERNEL_NAMETABLE_H
#define STP_KERNEL_NAMETABLE_H

#include <linux/types.h>

#define STP_NO_NAME (~0u)

struct stp_nametable {
	struct stp_name {
		const char *name;
		unsigned int number;
		unsigned int next; /* next one with the same hash */
	} * names;
	unsigned int *heads;
	unsigned int bits, used;
};

int stp_nametable_init(struct stp_nametable *t, unsigned int max);
void stp_nametable_free(struct stp_nametable *t);
void stp_nametable_add(struct stp_nametable *t, const char *name, unsigned int number);
/*
 * Returns an index into t->names, STP_NO_NAME at the end. Several numbers may have one
 * name: *_next continues, in any order.
 */
unsigned int stp_nametable_find(const struct stp_nametable *t, const char *name);
unsigned int stp_nametable_next(const struct stp_nametable *t, unsigned int at);

#endif
