/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statements by line. A line has code at many addresses: of these, the lowest in each
 * copy of a function counts. At the beginning of an inlined copy, the line that calls it
 * has a row with the same address, which belongs to the function around it. At the end of
 * a copy, the first instruction after it may have a row of the copy.
 */
#include "dwarf/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/index.h"
#include "dwarf/namematch.h"
#include "dwarf/scopes.h"
#include "dwarf/units.h"
#include "lib/error.h"
#include "lib/glob.h"

/* A candidate row of a line table. */
struct row {
	const char *file;
	unsigned line;
	Dwarf_Addr address;
	const struct scope *scope;
	bool is_stray; /* the line comes before the function that contains the address */
	/*
	 * No statement begins there: it is a remaining part of a line whose code the
	 * compiler split.
	 */
	bool is_inside;
};
typedef VEC(struct row) rows;

struct reader {
	struct session *s;
	struct dwarf_file *f;
	const struct dwarf_pattern *p;
	struct name_match names;
	struct scopes scopes;
	const char *last; /* file of the last row, */
	bool last_is;	  /* and whether it matches the pattern */
};

static bool file_is_meant(struct reader *r, const char *file)
{
	if (!r->p->file)
		return true;
	if (file != r->last) {
		r->last = file;
		r->last_is = glob_path_ends(r->p->file, file);
	}
	return r->last_is;
}

/*
 * Returns the copy that the row's line belongs to: of those around the address that were
 * written in the row's file, the one that begins last above its line, since functions do
 * not overlap in a file. A copy and the line that calls it may have the same address.
 * If there is none, returns the innermost copy.
 */
static const struct scope *scope_of(const struct reader *r, const struct row *row)
{
	int at = scopes_find(&r->scopes, row->address);
	const struct scope *innermost = at < 0 ? NULL : &r->scopes.all.data[at], *found = NULL;

	for (; at >= 0; at = r->scopes.all.data[at].outer) {
		const struct scope *x = &r->scopes.all.data[at];

		if (x->file && x->line <= row->line && (!found || x->line > found->line) &&
		    (x->file == row->file || !strcmp(x->file, row->file)))
			found = x;
	}
	return found ? found : innermost;
}

static void read_row(struct reader *r, Dwarf_Line *line, rows *ret)
{
	struct row row = { .file = dwarf_linesrc(line, NULL, NULL) };
	bool is_end = false, is_statement = false;
	int number = 0;

	if (!row.file || !file_is_meant(r, row.file) || dwarf_lineendsequence(line, &is_end) ||
	    is_end || dwarf_linebeginstatement(line, &is_statement) ||
	    dwarf_lineno(line, &number) || number <= 0 || dwarf_lineaddr(line, &row.address) ||
	    !row.address)
		return;
	row.line = (unsigned)number;
	row.is_inside = !is_statement;
	row.scope = scope_of(r, &row);
	row.is_stray = row.scope && row.scope->file && row.scope->line > row.line &&
		       !strcmp(row.scope->file, row.file);
	/* If the pattern has no file, its lines are those of the function's own file. */
	if (!row.scope || !namematch_fits(&r->names, row.scope->qualifier, row.scope->name) ||
	    (!r->p->file && (!row.scope->file || strcmp(row.scope->file, row.file))))
		return;
	vec_push(r->s->arena, ret, row);
}

static struct error *read_unit(struct reader *r, uint64_t offset, rows *ret)
{
	Dwarf_Die unit;
	Dwarf_Lines *lines;
	size_t n;

	if (!units_die(r->f, offset, &unit) || dwarf_getsrclines(&unit, &lines, &n))
		return dwarf_failure(r->s, r->f);
	scopes_read(r->s, r->f, &unit, &r->scopes);
	r->last = NULL;
	for (size_t i = 0; i < n; i++)
		read_row(r, dwarf_onesrcline(lines, i), ret);
	return NULL;
}

static int by_line(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = x->file == y->file ? 0 : strcmp(x->file, y->file);

	if (order)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->scope->die != y->scope->die)
		return x->scope->die < y->scope->die ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

static bool is_same_line(const struct row *a, const struct row *b)
{
	return a->line == b->line && (a->file == b->file || !strcmp(a->file, b->file));
}

static bool is_good(const struct row *row)
{
	return !row->is_stray && !row->is_inside;
}

/* Drops rows of lines that have better ones. */
static void drop_strays(rows *list)
{
	size_t n = 0, end;

	for (size_t begin = 0; begin < list->count; begin = end) {
		bool any_good = false;

		for (end = begin;
		     end < list->count && is_same_line(&list->data[begin], &list->data[end]); end++)
			any_good |= is_good(&list->data[end]);
		for (size_t i = begin; i < end; i++)
			if (is_good(&list->data[i]) || !any_good)
				list->data[n++] = list->data[i];
	}
	list->count = n;
}

/* Keeps the first row of each line and copy. */
static void sort_first(rows *list)
{
	size_t n = 0;

	if (list->count)
		vec_sort(list, by_line);
	drop_strays(list);
	vec_each(list, i) {
		const struct row *x = &list->data[i], *last = n ? &list->data[n - 1] : NULL;

		if (!last || last->scope->die != x->scope->die || !is_same_line(last, x))
			list->data[n++] = *x;
	}
	list->count = n;
}

/* ---- choice of lines ---- */

static long line_asked(const struct dwarf_pattern *p, const struct row *row)
{
	return p->relative ? (long)row->line - (long)row->scope->line : (long)row->line;
}

/*
 * Returns the line with code to use for `line`: the next one, or else the last one before
 * it. -1: there is no code at all.
 */
static long nearest_line(const struct dwarf_pattern *p, const rows *list, long line)
{
	long after = -1, before = -1;

	vec_each(list, i) {
		long its = line_asked(p, &list->data[i]);

		if (its >= line && (after < 0 || its < after))
			after = its;
		if (its < line && its > before)
			before = its;
	}
	return after >= 0 ? after : before;
}

/*
 * Moves each line of the pattern to one with code. Ranges stay: only their lines with
 * code count anyway.
 */
static struct dwarf_pattern moved(struct session *s, const struct dwarf_pattern *p,
				  const rows *list)
{
	struct dwarf_pattern ret = *p;

	memset(&ret.lines, 0, sizeof(ret.lines));
	vec_each(&p->lines, i) {
		struct line_range r = p->lines.data[i];
		long near = r.first == r.last ? nearest_line(p, list, r.first) : -1;

		if (near >= 0)
			r.first = r.last = (unsigned)near;
		vec_push(s->arena, &ret.lines, r);
	}
	return ret;
}

static struct error *absent_line(struct session *s, struct dwarf_file *f,
				 const struct dwarf_pattern *p, const rows *list)
{
	long line = p->lines.data[0].first, after = -1, before = -1;
	const char *missing = dwarf_missing_split(s, f);

	vec_each(list, i) {
		long its = line_asked(p, &list->data[i]);

		if (its > line && (after < 0 || its < after))
			after = its;
		if (its < line && its > before)
			before = its;
	}
	if (after < 0 && before < 0)
		return error_create(s->arena, ERROR_ABSENT, "'%s': no line there has code%s%s",
				    p->text, missing ? "; a part of the debuginfo is in " : "",
				    missing ? missing : "");

	const char *sign = p->relative ? "+" : "";
	const char *near =
		after < 0    ? arena_printf(s->arena, "%s%ld", sign, before)
		: before < 0 ? arena_printf(s->arena, "%s%ld", sign, after)
			     : arena_printf(s->arena, "%s%ld and %s%ld", sign, before, sign, after);

	return error_create(s->arena, ERROR_ABSENT,
			    "'%s': no code belongs to that line; the nearest that has some: %s (or "
			    "write .nearest)",
			    p->text, near);
}

typedef VEC(Dwarf_Addr) addresses;

static int by_address(const void *a, const void *b)
{
	Dwarf_Addr x = *(const Dwarf_Addr *)a, y = *(const Dwarf_Addr *)b;

	return (x > y) - (x < y);
}

/* Returns the addresses where lines begin, sorted. */
static addresses beginnings(struct session *s, const rows *list)
{
	addresses ret = { 0 };

	vec_each(list, i)
		if (!list->data[i].is_inside)
			vec_push(s->arena, &ret, list->data[i].address);
	if (ret.count)
		vec_sort(&ret, by_address);
	return ret;
}

/*
 * True for a remaining part of a line where another line begins: it counts only if its
 * line is requested.
 */
static bool is_leftover(const addresses *begin, const struct row *row,
			const struct dwarf_pattern *p)
{
	long line = line_asked(p, row);

	if (!row->is_inside)
		return false;
	vec_each(&p->lines, i)
		if (p->lines.data[i].first == line && p->lines.data[i].last == line)
			return false;
	return begin->count &&
	       bsearch(&row->address, begin->data, begin->count, sizeof(*begin->data), by_address);
}

struct error *lines_find(struct session *s, struct dwarf_file *f, const struct dwarf_pattern *p,
			 const unit_offsets *units, bool nearest, dwarf_places *ret)
{
	struct reader r = { .s = s, .f = f, .p = p };
	struct dwarf_pattern wanted;
	const struct dwarf_index *index;
	rows all = { 0 };
	addresses begin;
	size_t before = ret->count;
	struct error *err = index_get(s, f, &index);

	if (!err)
		namematch_make(s, index, p, &r.names);
	for (size_t i = 0; i < units->count && !err; i++)
		err = read_unit(&r, units->data[i], &all);
	if (err)
		return err;
	sort_first(&all);
	wanted = nearest ? moved(s, p, &all) : *p;
	begin = beginnings(s, &all);
	vec_each(&all, i) {
		struct dwarf_place place = scope_place(f, all.data[i].scope, all.data[i].address);

		if (!dwarf_pattern_has(&wanted, line_asked(p, &all.data[i])) ||
		    is_leftover(&begin, &all.data[i], &wanted))
			continue;
		place.source = all.data[i].file;
		place.line = all.data[i].line;
		vec_push(s->arena, ret, place);
	}
	return ret->count > before ? NULL : absent_line(s, f, p, &all);
}

void dwarf_lines_of_copy(struct session *s, const struct dwarf_place *p, dwarf_places *ret)
{
	struct dwarf_pattern pattern = { .function = "*" };
	struct reader r = { .s = s,
			    .f = p->file,
			    .p = &pattern,
			    .names = { .arena = s->arena, .function = glob_make("*") } };
	Dwarf_Die copy, unit;
	rows all = { 0 };

	if (!units_die(p->file, p->instance, &copy) || !dwarf_diecu(&copy, &unit, NULL, NULL) ||
	    read_unit(&r, units_id(p->file, &unit), &all))
		return;
	sort_first(&all);
	vec_each(&all, i) {
		struct dwarf_place place =
			scope_place(p->file, all.data[i].scope, all.data[i].address);

		place.source = all.data[i].file;
		place.line = all.data[i].line;
		if (place.instance == p->instance && !all.data[i].is_inside)
			vec_push(s->arena, ret, place);
	}
}

/*
 * Finds the unit by .debug_aranges, or by the units' own ranges if the compiler wrote
 * none.
 */
static bool unit_at(struct session *s, struct dwarf_file *f, uint64_t address, Dwarf_Die *ret)
{
	Dwarf_Addr bias = 0; /* libdwfl's offset for the file */
	Dwarf_Die *unit = dwfl_module_getdwarf(f->module, &bias)
				  ? dwfl_module_addrdie(f->module, address + bias, &bias)
				  : NULL;
	Dwarf_CU *cu = NULL;

	if (unit) {
		*ret = *unit;
		units_resolve(s, f, ret);
		return true;
	}
	while (units_next(s, f, &cu, ret))
		if (dwarf_haspc(ret, address) == 1)
			return true;
	return false;
}

struct error *dwarf_find_address(struct session *s, struct dwarf_file *f, uint64_t address,
				 struct dwarf_place *ret)
{
	struct scopes scopes;
	Dwarf_Die unit;
	Dwarf_Line *line;
	int at = -1;

	if (unit_at(s, f, address, &unit)) {
		scopes_read(s, f, &unit, &scopes);
		at = scopes_find(&scopes, address);
	}
	if (at < 0)
		return error_create(s->arena, ERROR_ABSENT, "no function of %s is at address %#llx",
				    f->path, (unsigned long long)address);
	*ret = scope_place(f, &scopes.all.data[at], address);
	line = dwarf_getsrc_die(&unit, address);
	if (line) {
		int number = 0;
		const char *file = dwarf_linesrc(line, NULL, NULL);

		if (file && !dwarf_lineno(line, &number) && number > 0) {
			ret->source = file;
			ret->line = (unsigned)number;
		}
	}
	return NULL;
}
