/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds points in programs: process("PATH").function("GLOB"),
 * .library("LIB").function("GLOB"), with .call .exported .inline .return
 * .return.maxactive(N), .statement("F@FILE:LINE"), .statement(ADDRESS),
 * .statement(ADDRESS).absolute, and .plt("GLOB") with .return. process(PID) is that
 * process's program; process alone is the target's (-c, -x).
 *
 * Functions come from debuginfo if the program has it, otherwise from its symbol tables;
 * source positions, inlined copies and variables need debuginfo.
 */
#include <string.h>

#include "base/diag.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "base/session.h"
#include "kernel/functions.h"
#include "dwarf/goresults.h"
#include "program/cplus.h"
#include "lib/glob.h"
#include "program/plt.h"
#include "program/symbolname.h"
#include "base/options.h"
#include "probe/user/mark.h"
#include "probe/user/linedrift.h"
#include "probe/user/throwing.h"
#include "probe/user/uprobe.h"

/* The request of a point in the script. */
struct question {
	struct session *s;
	const struct point *p;
	unsigned at; /* component: .function, … */
	struct executable *program;
	const struct program_file *where;
	struct point_suffix suffix;
	bool optional;
	struct error *refused; /* why a return was left out */
	/* Functions that an exception may leave, of which not all returns are known. */
	size_t nblind;
	const char *blind, *why_blind; /* the first of them */
	derived_list *ret;
};

/* ---- points ---- */

static const char *suffix_text(const struct question *q)
{
	const struct point_suffix *x = &q->suffix;

	return x->is_return	? ".return"
	       : x->is_call	? ".call"
	       : x->is_exported ? ".exported"
	       : x->is_inline	? ".inline"
				: "";
}

static struct error *no_return(struct question *q, const char *name)
{
	return error_create(q->s->arena, ERROR_ABSENT,
			    "'%s' has no return: it ends by an exception, or with the program; "
			    "probe its entry",
			    name);
}

/*
 * True: the return of the code cannot be probed. Patterns leave such code out; a named
 * function is refused.
 */
static bool is_refused(struct question *q, const char *kind, const char *name, uint64_t address)
{
	if (!q->suffix.is_return || strcmp(kind, "function"))
		return false;
	if (throwing_is_thrower(name)) {
		q->refused = no_return(q, name);
		return true;
	}
	if (returns_of(q->s, q->program, address))
		return false;
	q->refused = error_create(q->s->arena, ERROR_ABSENT,
				  "'%s' is not called as functions are: it has no return that "
				  "could be probed; probe its entry",
				  name);
	return true;
}

static struct uprobe *add_point(struct question *q, const char *kind, const char *what,
				uint64_t address)
{
	struct uprobe *u = arena_new(q->s->arena, struct uprobe);
	struct derived *d = probe_derived_new(q->s, &probe_family_uprobe, q->p, q->ret);

	*u = (struct uprobe){ .program = q->program,
			      .where = q->where,
			      .name = what,
			      .address = address,
			      .suffix = q->suffix,
			      .optional = q->optional };
	d->data = u;
	d->pp = arena_printf(q->s->arena, "%s.%s(\"%s\")%s", q->where->prefix, kind,
			     strbuf_escaped(q->s->arena, what), suffix_text(q));
	d->pfunc = what;
	d->pmodule = q->program->path;
	d->of_go = gofunction_is(q->program, address);
	return u;
}

/*
 * Returns the point's text:
 * process("/bin/ls").function("f@x.c:12").callee("g@y.c:7").return, .label("l")
 */
static const char *place_text(const struct question *q, const char *kind,
			      const struct dwarf_place *place, const struct dwarf_call *call)
{
	struct arena *a = q->s->arena;
	const char *text = strbuf_escaped(a, dwarf_place_text(a, place));

	if (place->label)
		return arena_printf(a, "%s.function(\"%s\").label(\"%s\")", q->where->prefix, text,
				    place->label);
	if (!call)
		return arena_printf(a, "%s.%s(\"%s\")%s", q->where->prefix, kind, text,
				    suffix_text(q));
	return arena_printf(a, "%s.function(\"%s\").callee(\"%s\")%s", q->where->prefix,
			    strbuf_escaped(a, dwarf_place_text(a, &call->from)), text,
			    suffix_text(q));
}

/*
 * Reads parameters at entry by the prototype, in code that stores them on the stack only
 * after its first instructions.
 */
static void read_prototype(struct session *s, struct uprobe *u, const struct dwarf_place *behind)
{
	dwarf_names names = { 0 };
	struct btf *result;

	dwarf_variables(s, behind, &names);
	vec_each(&names, i) {
		struct access a = { 0 };
		struct kernel_param param = { .name = names.data[i].name };
		path_steps none = { 0 };

		if (!names.data[i].is_parameter ||
		    dwarf_variable(s, behind, param.name, &none, true, &a))
			continue;
		param.type_id = a.type_id;
		u->prototype.btf = a.btf;
		vec_push(s->arena, &u->prototype.params, param);
	}
	u->prototype.name = u->name;
	/* The address of a large result is an argument as well. */
	if (dwarf_return_type(s, behind, &result, &u->prototype.return_type))
		u->prototype.return_type = 0;
	u->prototype.returns_by_address = dwarf_returns_by_address(behind);
	if (u->prototype.btf)
		calling_place(s, &u->prototype, &u->args);
	u->by_convention = true;
}

/* Moves a probe on a function's beginning to the cheapest place. */
static void stand(const struct question *q, struct uprobe *u)
{
	if (u->has_place && !u->place.is_entry)
		return;
	u->address = q->program->is_go ? gofunction_behind_check(q->s, q->program, u->address)
				       : landing_behind(q->s, q->program, u->address);
	u->place.address = u->address;
}

/* ---- returns in Go ---- */

#define NO_ENTRY                                                                                   \
	"a return probe in a program of Go has values of the entry only where optimised code of "  \
	"Go 1.17 or later has debuginfo; keep them in a probe of the entry, by @goid"

static struct error *no_go_return(struct question *q, const char *name, const char *why)
{
	return error_create(q->s->arena, ERROR_ABSENT,
			    "%s is a Go program: its stacks move while functions run, so that "
			    "returns are probed at the instructions that return, and not all of "
			    "'%s' are known: %s; probe its entry, or statements before its returns",
			    q->program->path, name, why);
}

/*
 * Returns the address at which a return probe saves values of the entry: that of a probe
 * on the entry. 0: parameters or the stack pointer are elsewhere there.
 */
static uint64_t saving_address(struct question *q, const struct dwarf_place *place)
{
	struct dwarf_place behind = *place;

	dwarf_skip_prologue(q->s, &behind);
	return goresults_by_registers(place) && behind.address == place->address
		       ? gofunction_behind_check(q->s, q->program, place->address)
		       : 0;
}

static const struct derived *add_go_return(struct question *q, const char *name,
					   const struct dwarf_place *place, uint64_t address,
					   const struct derived *first)
{
	struct uprobe *u = add_point(q, "function", name, address);
	struct derived *d = q->ret->data[q->ret->count - 1];

	u->at_return = true;
	u->first = first ? first : d;
	u->entry = place ? saving_address(q, place) : 0;
	d->no_entry = u->entry ? NULL : NO_ENTRY;
	if (!place)
		return u->first;
	u->has_place = true;
	u->place = *place;
	u->place.address = u->entry ? u->entry : u->address;
	u->place.is_entry = u->entry > 0;
	d->pp = place_text(q, "function", place, NULL);
	return u->first;
}

/* True: the function belongs to a Go program; its returns are added or refused. */
static bool add_go_returns(struct question *q, const char *name, const struct dwarf_place *place,
			   uint64_t address)
{
	executable_addresses returns = { 0 };
	const struct derived *first = NULL;
	const char *why;

	if (!q->suffix.is_return || !q->program->is_go)
		return false;
	why = gofunction_returns(q->s, q->program, address, place ? goresults_end(place) : 0,
				 &returns);
	if (why) {
		q->refused = no_go_return(q, name, why);
		return true;
	}
	vec_each(&returns, i)
		first = add_go_return(q, name, place, returns.data[i], first);
	return true;
}

/* ---- returns of functions that exceptions may leave ---- */

static void note_blind(struct question *q, const char *function, const char *why)
{
	if (q->nblind++)
		return;
	q->blind = function;
	q->why_blind = why;
}

/* Adds a point like the last one, for another return instruction of the function. */
static void add_site(struct question *q, const struct derived *first, uint64_t address)
{
	const struct uprobe *u = first->data;
	struct uprobe *next = add_point(q, "function", u->name, address);
	struct derived *d = q->ret->data[q->ret->count - 1];

	*next = *u;
	next->address = address;
	d->pp = first->pp;
}

/*
 * Moves the last point, which is on the return of a function, to the instructions by
 * which the function returns, if an exception may leave it.
 */
static void spread_return(struct question *q, uint64_t function)
{
	struct derived *d = q->ret->data[q->ret->count - 1];
	struct uprobe *u = d->data;
	executable_addresses sites = { 0 };
	const char *why = NULL;

	if (!q->suffix.is_return)
		return;
	switch (throwing_returns(q->s, q->program, function, u->has_place ? &u->place : NULL,
				 &sites, &why)) {
	case THROWING_NOT:
		return;
	case THROWING_ENDS:
		q->ret->count--;
		q->refused = no_return(q, u->name);
		return;
	case THROWING_BLIND:
		note_blind(q, u->name, why);
		return;
	case THROWING_KNOWN:
		break;
	}
	u->at_site = true;
	u->first = d;
	u->entry = u->address;
	u->address = sites.data[0];
	for (size_t i = 1; i < sites.count; i++)
		add_site(q, d, sites.data[i]);
}

static void add_place(struct question *q, const char *kind, const struct dwarf_place *place,
		      const struct dwarf_call *call)
{
	struct dwarf_place behind = *place;
	struct uprobe *u;
	uint64_t offset;

	if (!executable_code_offset(q->program, place->address, &offset) ||
	    is_refused(q, kind, place->function, place->address) ||
	    add_go_returns(q, dwarf_place_function(q->s->arena, place), place, place->address))
		return;
	u = add_point(q, kind, dwarf_place_function(q->s->arena, place), place->address);
	q->ret->data[q->ret->count - 1]->pp = place_text(q, kind, place, call);
	u->place = *place;
	u->has_place = true;
	u->call = call;
	if (strcmp(kind, "function"))
		return;
	stand(q, u);
	dwarf_skip_prologue(q->s, &behind);
	/* Returns are read where the function reads its return address. */
	if (behind.address != place->address && (q->suffix.is_return || call)) {
		read_prototype(q->s, u, &behind);
	} else if (behind.address != place->address) {
		u->place = behind;
		u->address = behind.address;
	}
	spread_return(q, place->address);
}

/* Names the place like the script, with as many scopes. */
static void shorten(struct question *q, const char *pattern, struct dwarf_place *p)
{
	if (p->scope)
		p->scope = cplus_scope_as_asked(q->s->arena, pattern, p->scope);
}

static void shorten_all(struct question *q, const struct dwarf_pattern *pattern,
			dwarf_places *places)
{
	vec_each(places, i)
		shorten(q, pattern->scope, &places->data[i]);
}

static void add_places(struct question *q, const char *kind, const dwarf_places *places)
{
	vec_each(places, i)
		add_place(q, kind, &places->data[i], NULL);
}

/* ---- finding ---- */

static struct error *no_function(struct question *q, const char *pattern)
{
	const char *near = glob_is(pattern) ? NULL : executable_near(q->s, q->program, pattern);

	if (!q->program->symbols.count)
		return error_create(q->s->arena, ERROR_ABSENT,
				    "%s has no symbols and no debuginfo; install its -dbgsym "
				    "package, or probe .statement(ADDRESS)",
				    q->program->path);
	return error_create(q->s->arena, ERROR_ABSENT, "no function %s '%s' in %s%s%s",
			    glob_is(pattern) ? "matches" : "named", pattern, q->program->path,
			    near ? "; did you mean " : "", near ? near : "");
}

/*
 * True: the code has a point already. Code that has several names is probed once; lists
 * show all of the names.
 */
static bool is_repeated(const struct question *q, const executable_matches *found, size_t i)
{
	return i && found->data[i].address == found->data[i - 1].address && !q->s->options->list &&
	       !q->s->options->list_vars;
}

/*
 * Adds a function found by symbol, with debuginfo's facts about it. Its name in the
 * source may differ: malloc is __libc_malloc.
 */
static void add_symbol(struct question *q, const char *name, uint64_t address)
{
	size_t before = q->ret->count;
	struct dwarf_place place;
	struct dwarf_file *file;

	if (!dwarf_open(q->s, q->program->path, &file) &&
	    !dwarf_find_address(q->s, file, address, &place) && place.is_entry &&
	    !place.is_inlined) {
		shorten(q, cplus_split(q->s->arena, name).scope, &place);
		add_place(q, "function", &place, NULL);
	} else if (!is_refused(q, "function", name, address) &&
		   !add_go_returns(q, name, NULL, address)) {
		stand(q, add_point(q, "function", name, address));
		spread_return(q, address);
	}
	for (size_t i = before; i < q->ret->count; i++)
		((struct uprobe *)q->ret->data[i]->data)->symbol = name;
}

static struct error *add_found(struct question *q, const struct executable_found *found)
{
	executable_addresses choices = { 0 };
	struct error *err;
	size_t before;

	if (!found->resolver_size) {
		before = q->ret->count;
		add_symbol(q, found->name, found->address);
		for (; before < q->ret->count && !symbolname_is_mangled(found->name); before++)
			q->ret->data[before]->pfunc = found->name;
		return NULL;
	}
	err = ifunc_choices(q->s, q->program, found, &choices);
	vec_each(&choices, i)
		add_symbol(q, found->name, choices.data[i]);
	return err;
}

/*
 * Searches the symbols for functions that debuginfo lacks; `absent` is debuginfo's error,
 * if there is debuginfo.
 */
static struct error *by_symbols(struct question *q, const char *pattern, struct error *absent)
{
	size_t before = q->ret->count;
	executable_matches found = { 0 };
	struct dwarf_file *file;
	struct error *err = NULL;

	matching_functions(q->s, q->program, pattern, q->suffix.is_exported, &found);
	vec_each(&found, i) {
		if (!is_repeated(q, &found, i))
			err = add_found(q, &found.data[i]);
		if (err && err->kind != ERROR_ABSENT)
			return err;
	}
	if (q->ret->count > before || q->refused)
		return NULL;
	if (err)
		return err;
	return dwarf_open(q->s, q->program->path, &file) ? no_function(q, pattern) : absent;
}

static struct error *add_callees(struct question *q, const dwarf_places *functions)
{
	dwarf_calls *calls = arena_new(q->s->arena, dwarf_calls);
	unsigned wanted = q->suffix.is_return ? FIND_CALLED : FIND_CALLED | FIND_INLINED;
	struct error *err = dwarf_find_callees(q->s, functions, q->suffix.callee, q->suffix.depth,
					       wanted, calls);

	vec_each(calls, i) {
		shorten(q, cplus_split(q->s->arena, q->suffix.callee).scope,
			&calls->data[i].callee);
		add_place(q, "function", &calls->data[i].callee, &calls->data[i]);
	}
	return err;
}

static struct error *add_labels(struct question *q, const dwarf_places *functions)
{
	dwarf_places labels = { 0 };
	struct error *err = dwarf_find_labels(q->s, functions, q->suffix.label, &labels);

	add_places(q, "function", &labels);
	return err;
}

static struct error *functions_by_debuginfo(struct question *q, struct dwarf_file *file,
					    const struct dwarf_pattern *pattern)
{
	dwarf_places places = { 0 };
	struct loc loc = probe_component(q->p, q->at)->arg_loc;
	struct error *err =
		linedrift_find(q->s, loc, file, pattern, suffix_copies(&q->suffix), &places);

	if (err)
		return suffix_only_inlined(q->s, &q->suffix, file, pattern, err);
	shorten_all(q, pattern, &places);
	if (q->suffix.callee)
		return add_callees(q, &places);
	if (q->suffix.label)
		return add_labels(q, &places);
	add_places(q, "function", &places);
	return NULL;
}

static struct error *statements_by_debuginfo(struct question *q, struct dwarf_file *file,
					     const struct dwarf_pattern *pattern)
{
	dwarf_places places = { 0 };
	struct error *err =
		dwarf_find_statements(q->s, file, pattern, q->suffix.is_nearest, &places);

	shorten_all(q, pattern, &places);
	add_places(q, "statement", &places);
	return err;
}

static struct error *by_debuginfo(struct question *q, const char *text,
				  struct error *(*find)(struct question *q, struct dwarf_file *file,
							const struct dwarf_pattern *pattern))
{
	struct dwarf_pattern pattern;
	struct dwarf_file *file;
	struct error *err = dwarf_open(q->s, q->program->path, &file);

	if (!err)
		err = dwarf_pattern_parse(q->s, text, &pattern);
	return err ? err : find(q, file, &pattern);
}

/* True: the text names a file or a line, which symbols lack. */
static bool wants_source(struct question *q, const char *text)
{
	struct dwarf_pattern pattern;

	return dwarf_pattern_parse(q->s, text, &pattern) || pattern.file || pattern.lines.count;
}

/*
 * Adds functions that only symbols name, because a pattern matches them as well: _start,
 * code written in assembly, files compiled without debuginfo.
 */
static struct error *add_unknown_to_debuginfo(struct question *q, const char *pattern)
{
	executable_matches found = { 0 };
	struct dwarf_file *file;
	struct error *err = dwarf_open(q->s, q->program->path, &file);

	matching_functions(q->s, q->program, pattern, q->suffix.is_exported, &found);
	for (size_t i = 0; i < found.count && !err; i++) {
		struct dwarf_place place;

		if (!is_repeated(q, &found, i) &&
		    dwarf_find_address(q->s, file, found.data[i].address, &place))
			err = add_found(q, &found.data[i]);
		if (err && err->kind == ERROR_ABSENT)
			err = NULL;
	}
	return err;
}

static struct error *find_by_name(struct question *q, const char *name)
{
	struct error *err = by_debuginfo(q, name, functions_by_debuginfo);

	if ((err && err->kind != ERROR_ABSENT) || wants_source(q, name) || q->suffix.is_inline ||
	    q->suffix.callee || q->suffix.label)
		return err;
	if (!err)
		return glob_is(name) ? add_unknown_to_debuginfo(q, name) : NULL;
	return by_symbols(q, name, err);
}

static struct error *no_code(struct question *q, uint64_t address)
{
	return error_create(q->s->arena, ERROR_ABSENT, "there is no code at %#llx in %s",
			    (unsigned long long)address, q->program->path);
}

/* Finds the function that the address is in. */
static struct error *find_around(struct question *q, uint64_t address)
{
	size_t before = q->ret->count;
	struct dwarf_place place;
	struct dwarf_file *file;
	struct error *err = dwarf_open(q->s, q->program->path, &file);

	if (!err)
		err = dwarf_find_address(q->s, file, address, &place);
	if (!err && place.is_inlined) { /* the function that contains the copy */
		place.instance = place.frame;
		err = dwarf_place_entry(q->s, &place);
		if (!err)
			err = dwarf_find_address(q->s, file, place.address, &place);
	}
	if (!err)
		err = dwarf_place_entry(q->s, &place);
	if (err)
		return err;
	add_place(q, "function", &place, NULL);
	if (q->ret->count == before)
		return q->refused ? q->refused : no_code(q, place.address);
	for (size_t i = before; i < q->ret->count; i++)
		q->ret->data[i]->pp =
			arena_printf(q->s->arena, "%s.function(%#llx)%s", q->where->prefix,
				     (unsigned long long)place.address, suffix_text(q));
	return NULL;
}

static struct error *find_functions(struct question *q, const struct component *c)
{
	size_t before = q->ret->count;
	struct error *err;

	q->refused = NULL;
	if (c->arg_kind == ARG_NUMBER && !q->suffix.callee && !q->suffix.label &&
	    !q->suffix.is_inline)
		return find_around(q, (uint64_t)c->number);
	if (c->arg_kind != ARG_STRING || !*c->string)
		return probe_wrong(
			q->s, "'.function' needs a name: process(\"PATH\").function(\"main\")");
	err = find_by_name(q, c->string);
	return !err && q->ret->count == before ? q->refused : err;
}

/* Notes the return of the function at the address, if an exception may leave it. */
static void note_address(struct question *q, uint64_t linked)
{
	const struct uprobe *u = q->ret->data[q->ret->count - 1]->data;
	executable_addresses sites = { 0 };
	const char *why;

	if (q->suffix.is_return &&
	    throwing_returns(q->s, q->program, linked, u->has_place ? &u->place : NULL, &sites,
			     &why) != THROWING_NOT)
		note_blind(q, u->name, "the point is an address in memory");
}

/*
 * Adds a point at an address; debuginfo may know the surrounding code.
 */
static void add_address(struct question *q, uint64_t address, uint64_t linked)
{
	struct uprobe *u =
		add_point(q, "statement",
			  arena_printf(q->s->arena, "%#llx", (unsigned long long)address), linked);
	struct dwarf_file *file;

	q->ret->data[q->ret->count - 1]->pp =
		arena_printf(q->s->arena, "%s.statement(%#llx)%s", q->where->prefix,
			     (unsigned long long)address, suffix_text(q));
	u->has_place = !dwarf_open(q->s, q->program->path, &file) &&
		       !dwarf_find_address(q->s, file, linked, &u->place);
	if (!u->has_place)
		return;
	u->name = dwarf_place_function(q->s->arena, &u->place);
	q->ret->data[q->ret->count - 1]->pfunc = u->name;
}

/*
 * Resolves ".absolute": the address in the process; for a program that is always loaded
 * at the same address, the address in all of its processes.
 */
static struct error *find_absolute(struct question *q, const struct component *c)
{
	struct program_file *library = arena_new(q->s->arena, struct program_file);
	uint64_t address = (uint64_t)c->number, linked = address, offset;
	const char *prefix = q->where->prefix;
	struct executable *file = q->program;
	struct error *err = NULL;

	if (c->arg_kind != ARG_NUMBER || q->where->user)
		return probe_wrong(q->s, "'.absolute' belongs to an address in a process: "
					 "process(PID).statement(0x7f0123456789).absolute");
	if (file->process)
		err = library_at(q->s, file, address, &file, &linked);
	else if (file->is_movable)
		return probe_wrong(q->s,
				   "%s is loaded at a different address each time: an "
				   "absolute address belongs to a process, "
				   "process(PID).statement(%#llx).absolute; without '.absolute' it "
				   "is that in the file",
				   file->path, (unsigned long long)address);
	else if (!executable_code_offset(file, address, &offset))
		err = no_code(q, address);
	if (err)
		return err;
	if (file != q->program) {
		*library = *q->where;
		library->user = q->program;
		library->file = q->program = file;
		q->where = library;
	}
	if (is_refused(q, "function",
		       arena_printf(q->s->arena, "%#llx", (unsigned long long)address), linked))
		return q->refused;
	add_address(q, address, linked);
	note_address(q, linked);
	q->ret->data[q->ret->count - 1]->pp =
		arena_printf(q->s->arena, "%s.statement(%#llx).absolute%s", prefix,
			     (unsigned long long)address, suffix_text(q));
	return NULL;
}

static struct error *find_statements(struct question *q, const struct component *c)
{
	uint64_t offset;

	if (q->suffix.is_absolute)
		return find_absolute(q, c);
	if (c->arg_kind == ARG_STRING)
		return by_debuginfo(q, c->string, statements_by_debuginfo);
	if (c->arg_kind != ARG_NUMBER)
		return probe_wrong(
			q->s, "'.statement' needs a place, \"FUNCTION@FILE:LINE\", or an address");
	if (!executable_code_offset(q->program, (uint64_t)c->number, &offset))
		return no_code(q, (uint64_t)c->number);
	add_address(q, (uint64_t)c->number, (uint64_t)c->number);
	return NULL;
}

/*
 * Returns the slot by which the C library's headers have calls of the function made:
 * __isoc23_strtol, __isoc99_sscanf, __printf_chk; NULL: there is none.
 */
static const char *redirected(const plt_slots *slots, const char *function)
{
	size_t len = strlen(function);

	vec_each(slots, i) {
		const char *name = slots->data[i].name, *at = strstr(name, function);

		if (at && at > name + 1 && !strncmp(name, "__", 2) &&
		    ((!at[len] && !strncmp(name, "__isoc", 6)) ||
		     (at == name + 2 && !strcmp(at + len, "_chk"))))
			return name;
	}
	return NULL;
}

static struct error *no_slot(struct question *q, const plt_slots *slots, const char *pattern)
{
	const char *other = redirected(slots, pattern);
	VEC(const char *) names = { 0 };
	const char *near = NULL;

	vec_each(slots, i)
		vec_push(q->s->arena, &names, slots->data[i].name);
	if (!names.count)
		return error_create(q->s->arena, ERROR_ABSENT,
				    "%s makes no calls through slots: it is linked statically, "
				    "or compiled with -fno-plt",
				    q->program->path);
	if (other)
		return error_create(q->s->arena, ERROR_ABSENT,
				    "%s has no slot for '%s': the C library's headers make it "
				    "'%s'; probe .plt(\"%s\")",
				    q->program->path, pattern, other, other);
	if (!glob_is(pattern))
		near = diag_near(q->s, pattern, names.data, names.count);
	return error_create(q->s->arena, ERROR_ABSENT, "%s has no slot for '%s'%s%s",
			    q->program->path, pattern, near ? "; did you mean " : "",
			    near ? near : "");
}

static void add_slot(struct question *q, const struct plt_slot *slot)
{
	if (q->suffix.is_return && throwing_is_thrower(slot->name)) {
		q->refused = no_return(q, slot->name);
		return;
	}
	if (q->suffix.is_return && throwing_may_leave(slot->name))
		note_blind(q, slot->name, "a slot has no code of the function");
	add_point(q, "plt", slot->name, slot->address)->is_slot = true;
}

/*
 * Finds slots of .plt. Patterns skip the slots of the start-up code, which every program
 * has.
 */
static struct error *find_slots(struct question *q, const struct component *c)
{
	struct glob glob = glob_make(c->arg_kind == ARG_STRING ? c->string : "*");
	size_t before = q->ret->count;
	plt_slots slots = { 0 };
	struct error *err;

	if (c->arg_kind == ARG_NUMBER || !*glob.pattern)
		return probe_wrong(q->s, "'.plt' needs the name of a function in a library: "
					 "process(\"PATH\").plt(\"malloc\")");
	if (q->suffix.is_return && q->program->is_go)
		return no_go_return(q, glob.pattern, "a slot has no code of the function");
	err = plt_read(q->s, q->program, &slots);
	if (err)
		return err;
	q->refused = NULL;
	vec_each(&slots, i)
		if (glob_match(&glob, slots.data[i].name) &&
		    (glob.literal || !slots.data[i].is_spare))
			add_slot(q, &slots.data[i]);
	if (q->ret->count > before)
		return NULL;
	return q->refused ? q->refused : no_slot(q, &slots, glob.pattern);
}

static struct error *find_marks(struct question *q, const struct component *c)
{
	struct mark_program from = { q->program, q->where, q->optional };

	(void)c;
	return mark_resolve(q->s, q->p, q->at, &from, q->ret);
}

/* Components that can follow the program. */
static const struct kind {
	const char *name;
	unsigned suffix; /* enum suffix_kind; 0: it reads the rest itself */
	struct error *(*find)(struct question *q, const struct component *c);
} kinds[] = {
	{ "function", SUFFIX_FUNCTION, find_functions },
	{ "statement", SUFFIX_PLACE, find_statements },
	{ "plt", SUFFIX_SLOT, find_slots },
	{ "mark", 0, find_marks },
	{ "provider", 0, find_marks },
};

static const struct kind *kind_of(const struct component *c)
{
	for (size_t i = 0; c && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(c->name, kinds[i].name))
			return &kinds[i];
	return NULL;
}

/*
 * Searches all programs. It is not an error if one of several lacks the function, as long
 * as another has it.
 */
static struct error *find_in_all(struct question *q, const struct kind *kind,
				 const program_files *where)
{
	const struct component *c = probe_component(q->p, q->at);
	size_t before = q->ret->count;
	struct error *last = NULL;

	vec_each(where, i) {
		struct error *err;

		q->where = &where->data[i];
		q->program = where->data[i].file;
		err = kind->find(q, c);
		if (err && err->kind != ERROR_ABSENT)
			return err;
		last = err ? err : last;
	}
	return q->ret->count > before ? NULL : last;
}

const struct executable *uprobe_find_switching(const struct program_file *where)
{
	if (where->file->switching)
		return where->file;
	return where->user && where->user->switching ? where->user : NULL;
}

/* True: a return is probed by another return address on the program's stack. */
static bool replaces_addresses(const struct question *q, size_t before)
{
	for (size_t i = before; i < q->ret->count && q->suffix.is_return; i++)
		if (!((const struct uprobe *)q->ret->data[i]->data)->at_site)
			return true;
	return false;
}

/* Warns once for a point of the script. */
static void warn_of_exceptions(struct question *q)
{
	const char *others = q->nblind == 2 ? ", or another function," : "";

	if (q->nblind > 2)
		others = arena_printf(q->s->arena, ", or one of %zu other functions,",
				      q->nblind - 1);
	if (q->nblind)
		diag_warning(q->s, q->p->loc,
			     "an exception that leaves '%s'%s ends the program: its return is "
			     "probed by another return address on the stack, as %s; probe its "
			     "entry, or statements before its returns",
			     q->blind, others, q->why_blind);
}

/* Warns once for a point of the script. */
static void warn_of_switching(struct question *q, const program_files *where)
{
	const struct executable *p = NULL;

	for (size_t i = 0; i < where->count && !p; i++)
		p = uprobe_find_switching(&where->data[i]);
	if (p)
		diag_warning(
			q->s, q->p->loc,
			"%s uses %s: if it switches to another stack within a call, the kernel "
			"loses the place of the return probe, and the program is killed "
			"(SIGILL); probe the function's entry, or statements before its returns",
			p->path, p->switching);
}

struct error *uprobe_find_resolve(struct session *s, const struct point *p, derived_list *ret)
{
	struct question q = { .s = s, .p = p, .ret = ret, .optional = p->optional };
	program_files *where = arena_new(s->arena, program_files);
	const struct kind *kind;
	const struct component *c;
	struct error *err;
	size_t before;

	if (strcmp(probe_component(p, 0)->name, "process"))
		return NULL;
	c = probe_component(p, probe_component_is(p, 1, "library", ARG_STRING) ? 2 : 1);
	kind = kind_of(c);
	if (!kind)
		return NULL;
	err = which_program_find(s, p, &q.at, where);
	if (!err && kind->suffix)
		err = suffix_read(s, p, q.at + 1, kind->suffix, &q.suffix);
	if (err)
		return err;
	q.optional |= which_program_is_glob(p) || (c->arg_kind == ARG_STRING && glob_is(c->string));
	before = ret->count;
	err = find_in_all(&q, kind, where);
	if (err || s->options->list || s->options->list_vars || !replaces_addresses(&q, before))
		return err;
	warn_of_switching(&q, where);
	warn_of_exceptions(&q);
	return NULL;
}

const char *uprobe_find_obstacle(const struct program_file *where, const struct derived *d)
{
	if (where->user)
		return "libraries of one program only; process(\"LIBRARY\") probes it in all";
	return d->handler->counters.count ? "counters" : NULL;
}
