/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hit protocol (hit.h) for probes without their own code for it. In the kernel it is
 * a separate object: otherwise the kernel's tables of patchable places would keep it in
 * every module.
 */
#include "core/hit.h"

bool stp_hit(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args, int64_t *saved)
{
	const struct stp_hit_args h = {
		.p = p,
		.handler = p->handler,
		.regs = regs,
		.args = args,
		.saved = saved,
		.books = true,
	};

	return stp_hit_here(&h);
}

/*
 * An entry that fails counts in the books as a skipped hit: its return will never be a
 * hit.
 */
bool stp_hit_entry(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args,
		   int64_t *saved)
{
	const struct stp_hit_args h = {
		.p = p,
		.handler = p->entry,
		.regs = regs,
		.args = args,
		.saved = saved,
	};

	return stp_hit_here(&h);
}
