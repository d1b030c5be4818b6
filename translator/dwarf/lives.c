/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In which lines a variable lives: for the message that says it is not where it was asked for. */
#include "dwarf/lives.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "base/strbuf.h"
#include "dwarf/find.h"

#define MAX_RANGES 10000 /* of a location list: files may be damaged */
#define MAX_SHOWN  6

typedef VEC(struct code_range) ranges;
typedef VEC(unsigned) line_numbers;

static void live_ranges(struct session *s, Dwarf_Die *variable, ranges *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Addr base, begin, end;
	Dwarf_Op *ops;
	size_t n;
	ptrdiff_t at = 0;

	if (!dwarf_attr_integrate(variable, DW_AT_location, &attr))
		return;
	while (ret->count < MAX_RANGES && (at = dwarf_getlocations(&attr, at, &base, &begin, &end, &ops, &n)) > 0) {
		struct code_range r = { begin, end };

		/* Entry values are known at the entry alone, which has a range of its own. */
		if (n && begin < end && ops[0].atom != DW_OP_entry_value && ops[0].atom != DW_OP_GNU_entry_value)
			vec_push(s->arena, ret, r);
	}
}

static bool is_in(const ranges *list, Dwarf_Addr address)
{
	vec_each(list, i)
		if (address >= list->data[i].begin && address < list->data[i].end)
			return true;
	return false;
}

static int by_number(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

/* Lines of the file that have code: those where the variable lives, or all others. */
static void code_lines(struct session *s, Dwarf_Die *variable, const char *file, int first, const ranges *live, bool want,
		       line_numbers *ret)
{
	Dwarf_Die unit;
	Dwarf_Lines *lines;
	size_t n;

	if (!dwarf_diecu(variable, &unit, NULL, NULL) || dwarf_getsrclines(&unit, &lines, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		const char *its = dwarf_linesrc(line, NULL, NULL);
		Dwarf_Addr address;
		bool is_statement = false;
		int number = 0;

		if (its && !strcmp(its, file) && !dwarf_lineaddr(line, &address) && !dwarf_linebeginstatement(line, &is_statement) &&
		    is_statement && !dwarf_lineno(line, &number) && number > 0 && number >= first && is_in(live, address) == want)
			vec_push(s->arena, ret, (unsigned)number);
	}
	if (ret->count)
		qsort(ret->data, ret->count, sizeof(*ret->data), by_number);
}

static bool any_between(const line_numbers *list, unsigned from, unsigned to)
{
	vec_each(list, i)
		if (list->data[i] > from && list->data[i] < to)
			return true;
	return false;
}

const char *variable_lives(struct session *s, Dwarf_Die *variable, const char *file, int first)
{
	ranges live = { 0 };
	line_numbers with = { 0 }, without = { 0 };
	struct strbuf b;
	unsigned shown = 0;

	live_ranges(s, variable, &live);
	if (!live.count || !file)
		return NULL;
	code_lines(s, variable, file, first, &live, true, &with);
	code_lines(s, variable, file, first, &live, false, &without);
	strbuf_init(&b, s->arena);
	for (size_t i = 0; i < with.count; shown++) {
		size_t last = i;

		while (last + 1 < with.count && !any_between(&without, with.data[last], with.data[last + 1]))
			last++;
		if (shown == MAX_SHOWN) {
			strbuf_adds(&b, " …");
			break;
		}
		strbuf_addf(&b, shown ? ", %u" : "%u", with.data[i]);
		if (with.data[last] != with.data[i])
			strbuf_addf(&b, "-%u", with.data[last]);
		i = last + 1;
	}
	return b.len ? b.s : NULL;
}
