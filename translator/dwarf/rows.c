/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/rows.h"

#include "dwarf/file.h"

static void unit_rows(Dwarf_Die *unit, dwarf_row_fn fn, void *ctx)
{
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *row = dwarf_onesrcline(lines, i);
		Dwarf_Addr address;
		bool is_end = false;
		int line = 0;

		if (dwarf_lineaddr(row, &address) || dwarf_lineendsequence(row, &is_end) || dwarf_lineno(row, &line))
			continue;
		if (is_end)
			fn(ctx, address, NULL, 0);
		else if (line > 0)
			fn(ctx, address, dwarf_linesrc(row, NULL, NULL), (unsigned)line);
	}
}

void dwarf_rows(struct dwarf_file *f, dwarf_row_fn fn, void *ctx)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (!dwarf_get_units(f->dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		unit_rows(&unit, fn, ctx);
}

Elf *dwarf_debug_elf(const struct dwarf_file *f)
{
	return dwarf_getelf(f->dwarf);
}
