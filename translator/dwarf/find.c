/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds functions by pattern, from the index alone: finding the entries of functions
 * reads no unit.
 */
#include "dwarf/find.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/index.h"
#include "dwarf/lines.h"
#include "dwarf/namematch.h"
#include "dwarf/scopes.h"
#include "dwarf/units.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/strbuf.h"
#include "program/cplus.h"
#include "program/cplusparams.h"

#define MAX_OVERLOADS 5 /* most functions that a message names */

/* ---- by name ---- */

struct search {
	struct session *s;
	struct dwarf_file *f;
	const struct dwarf_index *x;
	const struct dwarf_pattern *p;
	bool *files; /* by number: the file matches; NULL: all do */
	size_t begin, end;
	struct name_match names;
	const char *rest; /* symbol of the rest of a function, which was left out, or NULL */
};

static struct error *search_begin(struct search *q)
{
	struct error *err = index_get(q->s, q->f, &q->x);

	if (err)
		return err;
	namematch_make(q->s, q->x, q->p, &q->names);
	index_range(q->x, q->names.function.pattern,
		    q->names.function.prefix + q->names.function.literal, &q->begin, &q->end);
	if (!q->p->file)
		return NULL;
	q->files = arena_array(q->s->arena, bool, q->x->nfiles + 1);
	for (uint32_t i = 0; i < q->x->nfiles; i++)
		q->files[i] = glob_path_ends(q->p->file, index_file(q->x, i));
	return NULL;
}

static bool wanted(const struct search *q, const struct index_copy *c, unsigned copies)
{
	bool inlined = c->flags & COPY_INLINED;

	if (c->flags & COPY_VARIABLE)
		return false;
	if (!(copies & (inlined ? FIND_INLINED : FIND_CALLED | FIND_EXTERNAL)))
		return false;
	if (!inlined && !(copies & FIND_CALLED) && !(c->flags & COPY_EXTERNAL))
		return false;
	return (!q->files || (c->file < q->x->nfiles && q->files[c->file])) &&
	       namematch_fits(&q->names, index_text(q->x, c->scope), index_text(q->x, c->name));
}

static struct dwarf_place copy_place(const struct search *q, const struct index_copy *c)
{
	return (struct dwarf_place){
		.file = q->f,
		.address = c->address,
		.function = index_text(q->x, c->name),
		.scope = index_text(q->x, c->scope),
		.source = index_file(q->x, c->file),
		.line = c->line,
		.is_entry = !(c->flags & COPY_INLINED),
		.is_inlined = c->flags & COPY_INLINED,
		.instance = c->die,
		.frame = c->frame,
	};
}

/* Returns the copy's name in C++, from its mangled name; NULL: it has none. */
static const char *demangled(const struct search *q, const struct index_copy *c)
{
	Dwarf_Attribute attr;
	const char *symbol;
	Dwarf_Die die;

	if (!units_die(q->f, c->die, &die))
		return NULL;
	symbol = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_linkage_name, &attr));
	return symbol ? cplus_demangle(q->s, symbol) : NULL;
}

/*
 * Compares parameters: mangled names distinguish overloads, and also the closures of a
 * function.
 */
static bool has_parameters(const struct search *q, const struct index_copy *c)
{
	bool of_closure =
		q->p->scope && (strstr(q->p->scope, "{lambda(") || strstr(q->p->scope, "$_"));
	struct cplus_name its;
	const char *text;

	if (!q->p->parameters && !of_closure)
		return true;
	text = demangled(q, c);
	if (!text)
		return of_closure && !q->p->parameters;
	its = cplus_split(q->s->arena, text);
	return cplusparams_match(q->s->arena, q->p->parameters, its.parameters) &&
	       (!of_closure ||
		cplus_scope_matches(q->s->arena, q->p->scope, its.scope ? its.scope : ""));
}

/*
 * Returns the symbol of the rest of a function whose beginning is inlined ("f.part.0");
 * NULL: the copy is a function of its own. A call of the function is a hit of the
 * beginning, and perhaps one of the rest: only the beginning counts.
 */
static const char *rest_symbol(const struct search *q, const struct dwarf_place *p)
{
	const char *symbol;
	Dwarf_Die die;

	if (p->is_inlined || !units_die(q->f, p->instance, &die) ||
	    !dwarf_hasattr(&die, DW_AT_abstract_origin))
		return NULL;
	symbol = dwarf_place_symbol(q->s, p);
	return strstr(symbol, ".part.") ? symbol : NULL;
}

static void find_copies(struct search *q, unsigned copies, dwarf_places *ret)
{
	for (size_t i = q->begin; i < q->end; i++) {
		struct dwarf_place p;
		const char *rest;

		if (!wanted(q, &q->x->copies[i], copies) || !has_parameters(q, &q->x->copies[i]))
			continue;
		p = copy_place(q, &q->x->copies[i]);
		rest = rest_symbol(q, &p);
		if (rest && !(copies & FIND_RESTS))
			q->rest = rest;
		else
			vec_push(q->s->arena, ret, p);
	}
}

/* ---- near names ---- */

static bool in_files(const struct search *q, const struct index_copy *c)
{
	return !(c->flags & COPY_VARIABLE) &&
	       (!q->files || (c->file < q->x->nfiles && q->files[c->file]));
}

/* Returns the overloads with the right name and other parameters. */
static const char *near_overloads(const struct search *q)
{
	struct strbuf out;
	unsigned n = 0;

	if (!q->p->parameters)
		return NULL;
	strbuf_init(&out, q->s->arena);
	for (size_t i = q->begin; i < q->end && n < MAX_OVERLOADS; i++) {
		const char *text = wanted(q, &q->x->copies[i], FIND_CALLED | FIND_INLINED)
					   ? demangled(q, &q->x->copies[i])
					   : NULL;
		const char *one = text ? arena_printf(q->s->arena, "'%s'", text) : NULL;

		if (!one || (out.len && strstr(out.s, one)))
			continue;
		strbuf_addf(&out, "%s%s", n++ ? ", " : "", one);
	}
	return n ? out.s : NULL;
}

/* Returns the names that are similar to the pattern's, with as many scopes. */
static const char *near_functions(const struct search *q)
{
	const char *overloads = near_overloads(q), *asked = q->p->function;
	VEC(const char *) names = { 0 };

	if (overloads)
		return overloads;
	for (size_t i = 0; i < q->x->ncopies; i++) {
		const struct index_copy *c = &q->x->copies[i], *last = i ? c - 1 : c;
		struct dwarf_place p = { .function = index_text(q->x, c->name) };

		if (!in_files(q, c) || (i && c->name == last->name && c->scope == last->scope))
			continue;
		if (q->p->scope)
			p.scope = cplus_scope_as_asked(q->s->arena, q->p->scope,
						       index_text(q->x, c->scope));
		vec_push(q->s->arena, &names, dwarf_place_function(q->s->arena, &p));
	}
	if (q->p->scope)
		asked = arena_printf(q->s->arena, "%s::%s", q->p->scope, asked);
	return diag_near(q->s, asked, names.data, names.count);
}

static bool any_file(const struct search *q)
{
	for (size_t i = 0; q->files && i < q->x->nfiles; i++)
		if (q->files[i])
			return true;
	return !q->files;
}

/* Returns the paths whose last part is that of the pattern, or similar. */
static const char *near_files(const struct search *q)
{
	const char *slash = strrchr(q->p->file, '/'), *base = slash ? slash + 1 : q->p->file;
	VEC(const char *) names = { 0 };

	for (uint32_t i = 0; i < q->x->nfiles; i++) {
		const char *path = index_file(q->x, i), *last = strrchr(path, '/');

		if (!strcmp(last ? last + 1 : path, base))
			return arena_printf(q->s->arena, "'%s'", path);
		vec_push(q->s->arena, &names, last ? last + 1 : path);
	}
	return diag_near(q->s, base, names.data, names.count);
}

/* Returns "Class::f(int)" as the pattern has it. */
static const char *asked_name(const struct search *q)
{
	const struct dwarf_pattern *p = q->p;
	const char *scope = p->scope ? p->scope : "",
		   *parameters = p->parameters ? p->parameters : "";

	if (!*scope && !*parameters)
		return p->function;
	return arena_printf(q->s->arena, "%s%s%s%s", scope,
			    *scope && strcmp(scope, "::") ? "::" : "", p->function, parameters);
}

static struct error *absent_function(const struct search *q, unsigned copies)
{
	struct session *s = q->s;
	unsigned wanted_copies = copies & ~(unsigned)(FIND_NEAREST | FIND_RESTS);
	const char *near, *kind = wanted_copies == FIND_INLINED	   ? "inlined copy of a "
				  : wanted_copies == FIND_EXTERNAL ? "exported "
								   : "";

	if (dwarf_missing_split(s, q->f))
		return error_create(
			s->arena, ERROR_ABSENT,
			"no %sfunction '%s' in the debuginfo of %s; a part of it is in %s", kind,
			q->p->file ? arena_printf(s->arena, "%s@%s", asked_name(q), q->p->file)
				   : asked_name(q),
			q->f->path, q->f->missing_split);
	if (!any_file(q)) {
		near = glob_is(q->p->file) ? NULL : near_files(q);
		return error_create(s->arena, ERROR_ABSENT, "no source file '%s' in %s%s%s",
				    q->p->file, q->f->path, near ? "; did you mean " : "",
				    near ? near : "");
	}
	if (q->rest && !glob_is(q->p->function))
		return error_create(s->arena, ERROR_ABSENT,
				    "the beginning of '%s' is inlined where it is called: only the "
				    "rest is a function of its own; probe that as '%s'",
				    asked_name(q), q->rest);
	near = !glob_is(q->p->function) ? near_functions(q) : NULL;
	return error_create(s->arena, ERROR_ABSENT, "no %sfunction '%s' in %s%s%s", kind,
			    asked_name(q),
			    q->p->file ? arena_printf(s->arena, "'%s'", q->p->file) : q->f->path,
			    near ? "; did you mean " : "", near ? near : "");
}

/* ---- lines ---- */

static int by_offset(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void sort_unique(unit_offsets *list)
{
	size_t n = 0;

	if (list->count)
		vec_sort(list, by_offset);
	vec_each(list, i)
		if (!n || list->data[n - 1] != list->data[i])
			list->data[n++] = list->data[i];
	list->count = n;
}

static void add_unit_of(const struct search *q, uint64_t die, unit_offsets *ret)
{
	Dwarf_Die one, unit;

	if (units_die(q->f, die, &one) && dwarf_diecu(&one, &unit, NULL, NULL))
		vec_push(q->s->arena, ret, units_id(q->f, &unit));
}

/*
 * Lists the units that may have code of the pattern. Lines of a header appear in many
 * units; if the function is named, only units with a copy of it count.
 */
static struct error *units_with(const struct search *q, unit_offsets *ret)
{
	if (q->files && !strcmp(q->p->function, "*")) {
		for (size_t i = 0; i < q->x->nunits; i++)
			if (q->x->units[i].file < q->x->nfiles && q->files[q->x->units[i].file])
				vec_push(q->s->arena, ret, q->x->units[i].die);
	} else {
		for (size_t i = q->begin; i < q->end; i++)
			if (wanted(q, &q->x->copies[i], FIND_CALLED | FIND_INLINED))
				add_unit_of(q, q->x->copies[i].die, ret);
	}
	sort_unique(ret);
	return ret->count ? NULL : absent_function(q, 0);
}

static struct error *find_statements(const struct search *q, bool nearest, dwarf_places *ret)
{
	unit_offsets units = { 0 };
	struct error *err = units_with(q, &units);

	return err ? err : lines_find(q->s, q->f, q->p, &units, nearest, ret);
}

static bool has_place(const dwarf_places *list, uint64_t instance)
{
	vec_each(list, i)
		if (list->data[i].instance == instance)
			return true;
	return false;
}

/*
 * Finds functions that were declared at one of the lines, or else those that have code
 * for one.
 */
static struct error *find_by_line(struct search *q, unsigned copies, dwarf_places *ret)
{
	dwarf_places all = { 0 }, statements = { 0 };
	struct error *err;

	find_copies(q, copies, &all);
	vec_each(&all, i)
		if (dwarf_pattern_has(q->p, q->p->relative ? 0 : all.data[i].line))
			vec_push(q->s->arena, ret, all.data[i]);
	if (ret->count)
		return NULL;
	err = find_statements(q, copies & FIND_NEAREST, &statements);
	vec_each(&all, i)
		if (has_place(&statements, all.data[i].instance))
			vec_push(q->s->arena, ret, all.data[i]);
	return err;
}

/* ---- functions ---- */

struct error *dwarf_find_functions(struct session *s, struct dwarf_file *f,
				   const struct dwarf_pattern *p, unsigned copies,
				   dwarf_places *ret)
{
	struct search q = { .s = s, .f = f, .p = p };
	struct error *err = search_begin(&q);
	size_t before = ret->count;

	if (err)
		return err;
	if (p->lines.count)
		err = find_by_line(&q, copies, ret);
	else
		find_copies(&q, copies, ret);
	return err || ret->count > before ? err : absent_function(&q, copies);
}

struct error *dwarf_find_statements(struct session *s, struct dwarf_file *f,
				    const struct dwarf_pattern *p, bool nearest, dwarf_places *ret)
{
	struct search q = { .s = s, .f = f, .p = p };
	struct error *err;

	/* For a function's statement without a line, the entry is used. */
	if (!p->lines.count)
		return dwarf_find_functions(s, f, p, FIND_CALLED | FIND_INLINED, ret);
	err = search_begin(&q);
	return err ? err : find_statements(&q, nearest, ret);
}

struct error *dwarf_place_entry(struct session *s, struct dwarf_place *p)
{
	Dwarf_Die die;
	Dwarf_Addr address;

	if (!units_die(p->file, p->instance, &die) || !scopes_entry(&die, &address))
		return dwarf_failure(s, p->file);
	p->address = address;
	p->is_entry = !p->is_inlined;
	scopes_declared(&die, address, &p->source, &p->line);
	return NULL;
}

const char *dwarf_place_function(struct arena *a, const struct dwarf_place *p)
{
	return p->scope && *p->scope ? arena_printf(a, "%s::%s", p->scope, p->function)
				     : p->function;
}

const char *dwarf_place_text(struct arena *a, const struct dwarf_place *p)
{
	const char *function = dwarf_place_function(a, p);

	return p->source && *p->source ? arena_printf(a, "%s@%s:%u", function, p->source, p->line)
				       : function;
}

/* ---- symbols ---- */

static int by_address(const void *a, const void *b)
{
	const struct code_symbol *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* Reads all symbols once: libdw would search them for each address. */
static void read_functions(struct session *s, struct dwarf_file *f)
{
	int n = dwfl_module_getsymtab(f->module);

	f->functions_read = true;
	for (int i = 1; i < n; i++) {
		struct code_symbol c = { 0 };
		GElf_Sym sym;

		c.name = dwfl_module_getsym_info(f->module, i, &sym, &c.address, NULL, NULL, NULL);
		c.address -= f->bias;
		if (c.name && *c.name && sym.st_shndx && GELF_ST_TYPE(sym.st_info) == STT_FUNC)
			vec_push(s->arena, &f->functions, c);
	}
	if (f->functions.count)
		vec_sort(&f->functions, by_address);
}

const char *dwarf_place_symbol(struct session *s, const struct dwarf_place *p)
{
	struct dwarf_file *f = p->file;
	size_t low = 0, high;
	uint64_t begin;

	if (!f->functions_read)
		read_functions(s, f);
	for (high = f->functions.count; low < high;) {
		size_t mid = low + (high - low) / 2;

		if (f->functions.data[mid].address <= p->address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return "";
	begin = f->functions.data[low - 1].address;
	for (size_t i = low; i-- && f->functions.data[i].address == begin;)
		if (!strcmp(f->functions.data[i].name, p->function))
			return f->functions.data[i].name;
	return f->functions.data[low - 1].name;
}
