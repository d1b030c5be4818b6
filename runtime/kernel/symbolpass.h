/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pass over a table of symbols, which finds all requested symbols. */
#ifndef STP_KERNEL_SYMBOLPASS_H
#define STP_KERNEL_SYMBOLPASS_H

#include "kernel/nametable.h"
#include "kernel/symbol.h"

struct stp_symbolpass {
	struct stp_nametable wanted; /* numbers are indexes of `symbols` */
	struct stp_symbol *symbols;
};

/* The first of several symbols of one name counts, as with kallsyms_lookup_name(). */
static inline void stp_symbolpass_note(struct stp_symbolpass *pass, const char *name,
				       unsigned long address)
{
	unsigned int at = stp_nametable_find(&pass->wanted, name);

	for (; at != STP_NO_NAME; at = stp_nametable_next(&pass->wanted, at)) {
		struct stp_symbol *s = &pass->symbols[pass->wanted.names[at].number];

		if (!s->address)
			s->address = address;
	}
}

#endif
