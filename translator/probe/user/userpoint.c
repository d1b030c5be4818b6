/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds points to those of a request: at a place of debuginfo, or at an address.
 */
#include "probe/user/userpoint.h"

#include <string.h>

#include "base/session.h"
#include "dwarf/dwarf.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "program/cplus.h"
#include "probe/user/uprobe.h"
#include "probe/user/userreturn.h"

const char *userpoint_suffix(const struct question *q)
{
	const struct point_suffix *x = &q->suffix;

	return x->is_return	? ".return"
	       : x->is_call	? ".call"
	       : x->is_exported ? ".exported"
	       : x->is_inline	? ".inline"
				: "";
}

struct uprobe *userpoint_add(struct question *q, const char *kind, const char *what,
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
			     strbuf_escaped(q->s->arena, what), userpoint_suffix(q));
	d->pfunc = what;
	d->pmodule = q->program->path;
	d->of_go = gofunction_is(q->program, address);
	return u;
}

const char *userpoint_text(const struct question *q, const char *kind,
			   const struct dwarf_place *place, const struct dwarf_call *call)
{
	struct arena *a = q->s->arena;
	const char *text = strbuf_escaped(a, dwarf_place_text(a, place));

	if (place->label)
		return arena_printf(a, "%s.function(\"%s\").label(\"%s\")", q->where->prefix, text,
				    place->label);
	if (!call)
		return arena_printf(a, "%s.%s(\"%s\")%s", q->where->prefix, kind, text,
				    userpoint_suffix(q));
	return arena_printf(a, "%s.function(\"%s\").callee(\"%s\")%s", q->where->prefix,
			    strbuf_escaped(a, dwarf_place_text(a, &call->from)), text,
			    userpoint_suffix(q));
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
	u->prototype.loses_place = dwarf_loses_result_place(behind);
	if (u->prototype.btf)
		calling_place(s, &u->prototype, &u->args);
	u->by_convention = true;
}

void userpoint_stand(const struct question *q, struct uprobe *u)
{
	if (u->has_place && !u->place.is_entry)
		return;
	u->address = q->program->is_go ? gofunction_behind_check(q->s, q->program, u->address)
				       : landing_behind(q->s, q->program, u->address);
	u->place.address = u->address;
}

void userpoint_add_place(struct question *q, const char *kind, const struct dwarf_place *place,
			 const struct dwarf_call *call)
{
	struct dwarf_place behind = *place;
	struct uprobe *u;
	uint64_t offset;

	if (!executable_code_offset(q->program, place->address, &offset) ||
	    userreturn_is_refused(q, kind, place->function, place->address) ||
	    userreturn_add_go(q, dwarf_place_function(q->s->arena, place), place, place->address))
		return;
	u = userpoint_add(q, kind, dwarf_place_function(q->s->arena, place), place->address);
	q->ret->data[q->ret->count - 1]->pp = userpoint_text(q, kind, place, call);
	u->place = *place;
	u->has_place = true;
	u->call = call;
	if (strcmp(kind, "function"))
		return;
	userpoint_stand(q, u);
	dwarf_skip_prologue(q->s, &behind);
	/* Returns are read where the function reads its return address. */
	if (behind.address != place->address && (q->suffix.is_return || call)) {
		read_prototype(q->s, u, &behind);
	} else if (behind.address != place->address) {
		u->place = behind;
		u->address = behind.address;
	}
	userreturn_spread(q, place->address);
}

void userpoint_shorten(struct question *q, const char *pattern, struct dwarf_place *p)
{
	if (p->scope)
		p->scope = cplus_scope_as_asked(q->s->arena, pattern, p->scope);
}

void userpoint_shorten_all(struct question *q, const struct dwarf_pattern *pattern,
			   dwarf_places *places)
{
	vec_each(places, i)
		userpoint_shorten(q, pattern->scope, &places->data[i]);
}

void userpoint_add_places(struct question *q, const char *kind, const dwarf_places *places)
{
	vec_each(places, i)
		userpoint_add_place(q, kind, &places->data[i], NULL);
}

struct error *userpoint_by_debuginfo(struct question *q, const char *text,
				     struct error *(*find)(struct question *q,
							   struct dwarf_file *file,
							   const struct dwarf_pattern *pattern))
{
	struct dwarf_pattern pattern;
	struct dwarf_file *file;
	struct error *err = dwarf_open(q->s, q->program->path, &file);

	if (!err)
		err = dwarf_pattern_parse(q->s, text, &pattern);
	return err ? err : find(q, file, &pattern);
}
