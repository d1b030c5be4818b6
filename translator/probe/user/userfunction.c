/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds functions of programs, by debuginfo and by symbols.
 */
#include <string.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "dwarf/dwarf.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "program/cplus.h"
#include "program/symbolname.h"
#include "probe/user/linedrift.h"
#include "probe/user/uprobe.h"
#include "probe/user/userpoint.h"
#include "probe/user/userreturn.h"

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
		userpoint_shorten(q, cplus_split(q->s->arena, name).scope, &place);
		userpoint_add_place(q, "function", &place, NULL);
	} else if (!userreturn_is_refused(q, "function", name, address) &&
		   !userreturn_add_go(q, name, NULL, address)) {
		userpoint_stand(q, userpoint_add(q, "function", name, address));
		userreturn_spread(q, address);
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
		userpoint_shorten(q, cplus_split(q->s->arena, q->suffix.callee).scope,
				  &calls->data[i].callee);
		userpoint_add_place(q, "function", &calls->data[i].callee, &calls->data[i]);
	}
	return err;
}

static struct error *add_labels(struct question *q, const dwarf_places *functions)
{
	dwarf_places labels = { 0 };
	struct error *err = dwarf_find_labels(q->s, functions, q->suffix.label, &labels);

	userpoint_add_places(q, "function", &labels);
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
	userpoint_shorten_all(q, pattern, &places);
	if (q->suffix.callee)
		return add_callees(q, &places);
	if (q->suffix.label)
		return add_labels(q, &places);
	userpoint_add_places(q, "function", &places);
	return NULL;
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
	struct error *err = userpoint_by_debuginfo(q, name, functions_by_debuginfo);

	if ((err && err->kind != ERROR_ABSENT) || wants_source(q, name) || q->suffix.is_inline ||
	    q->suffix.callee || q->suffix.label)
		return err;
	if (!err)
		return glob_is(name) ? add_unknown_to_debuginfo(q, name) : NULL;
	return by_symbols(q, name, err);
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
	userpoint_add_place(q, "function", &place, NULL);
	if (q->ret->count == before)
		return q->refused ? q->refused : userstatement_no_code(q, place.address);
	for (size_t i = before; i < q->ret->count; i++)
		q->ret->data[i]->pp =
			arena_printf(q->s->arena, "%s.function(%#llx)%s", q->where->prefix,
				     (unsigned long long)place.address, userpoint_suffix(q));
	return NULL;
}

struct error *userfunction_find(struct question *q, const struct component *c)
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
