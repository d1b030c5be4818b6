/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/rows.h"

#include <dwarf.h>

#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/units.h"

/* State while a unit's rows are read. */
struct rows_reader {
	struct session *s;
	dwarf_row_fn fn;
	void *ctx;
	const char *dir;	 /* directory of the unit's compilation */
	const char *last, *path; /* file of the last row: name in the table, full path */
};

static const char *whole_path(struct rows_reader *r, const char *file)
{
	if (!file || file == r->last)
		return file ? r->path : NULL;
	r->last = file;
	r->path = *file == '/' || !r->dir ? file : arena_printf(r->s->arena, "%s/%s", r->dir, file);
	return r->path;
}

static void unit_rows(struct rows_reader *r, Dwarf_Die *unit)
{
	Dwarf_Attribute dir;
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n))
		return;
	r->dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &dir));
	r->last = NULL;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *row = dwarf_onesrcline(lines, i);
		Dwarf_Addr address;
		bool is_end = false;
		int line = 0;

		if (dwarf_lineaddr(row, &address) || dwarf_lineendsequence(row, &is_end) ||
		    dwarf_lineno(row, &line))
			continue;
		if (is_end)
			r->fn(r->ctx, address, NULL, 0);
		else if (line > 0)
			r->fn(r->ctx, address, whole_path(r, dwarf_linesrc(row, NULL, NULL)),
			      (unsigned)line);
	}
}

void dwarf_rows(struct session *s, struct dwarf_file *f, dwarf_row_fn fn, void *ctx)
{
	struct rows_reader r = { .s = s, .fn = fn, .ctx = ctx };
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (units_next(s, f, &cu, &unit))
		unit_rows(&r, &unit);
}

Elf *dwarf_debug_elf(const struct dwarf_file *f)
{
	return dwarf_getelf(f->dwarf);
}
