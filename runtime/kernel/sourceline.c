/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source lines of addresses in the kernel and its modules, from tables in the script's
 * module. A separate object, linked to scripts that use lines.
 */
#include <linux/slab.h>

#include "api.h"
#include "core/program_table.h"

static struct stp_program_view *views; /* one per table */

static void part_destroy(void)
{
	kvfree(views);
	views = NULL;
}

static int part_create(void)
{
	const struct stp_source_tables *all = stp_script.source_tables;

	views = kvcalloc(all->count + 1, sizeof(*views), GFP_KERNEL);
	if (!views)
		return -ENOMEM;
	for (uint32_t i = 0; i < all->count; i++)
		if (!stp_program_table_open(all->tables[i].table, all->tables[i].table_size,
					    &views[i]))
			return -EINVAL;
	return 0;
}

const struct stp_part stp_lines_part = { .create = part_create, .destroy = part_destroy };

/* Returns 0 if the module is not loaded. */
static uint64_t anchor_address(const struct stp_source_table *t)
{
	return t->anchor ? READ_ONCE(t->anchor->address) : stp_kernel_anchor();
}

/* Units of work (api/ctx.h): searching a table; decoding a line. */
#define TABLE_WORK 32
#define LINE_WORK  32

bool stp_source_line(struct stp_ctx *c, uint64_t address, struct stp_source_line *ret)
{
	stp_charge(c,
		   TABLE_WORK * (u64)stp_script.source_tables->count + LINE_WORK * STP_BLOCK_LINES);
	for (uint32_t i = 0; i < stp_script.source_tables->count; i++) {
		const struct stp_source_table *t = &stp_script.source_tables->tables[i];
		uint64_t anchor = anchor_address(t), at = address - (anchor + t->distance);
		struct stp_program_line line;

		if (!anchor || at >= UINT_MAX || !stp_program_table_line(&views[i], at, &line))
			continue;
		ret->file = views[i].names + line.file;
		ret->line = line.line;
		return true;
	}
	return false;
}
