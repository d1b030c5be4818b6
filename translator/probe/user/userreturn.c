/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See userreturn.h. */
#include "probe/user/userreturn.h"

#include <stdio.h>
#include <string.h>

#include "ast/ast.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "dwarf/goresults.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "program/cplus.h"
#include "probe/user/throwing.h"
#include "probe/user/uprobe.h"
#include "probe/user/userpoint.h"

struct error *userreturn_none(struct question *q, const char *name)
{
	return error_create(q->s->arena, ERROR_ABSENT,
			    "'%s' has no return: it ends by an exception, or with the program; "
			    "probe its entry",
			    name);
}

bool userreturn_is_refused(struct question *q, const char *kind, const char *name, uint64_t address)
{
	if (!q->suffix.is_return || strcmp(kind, "function"))
		return false;
	if (throwing_is_thrower(name)) {
		q->refused = userreturn_none(q, name);
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

/* ---- returns in Go ---- */

#define NO_ENTRY                                                                                   \
	"a return probe in a program of Go has values of the entry only where optimised code of "  \
	"Go 1.17 or later has debuginfo; keep them in a probe of the entry, by @goid"

struct error *userreturn_none_of_go(struct question *q, const char *name, const char *why)
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
	struct uprobe *u = userpoint_add(q, "function", name, address);
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
	d->pp = userpoint_text(q, "function", place, NULL);
	return u->first;
}

bool userreturn_add_go(struct question *q, const char *name, const struct dwarf_place *place,
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
		q->refused = userreturn_none_of_go(q, name, why);
		return true;
	}
	vec_each(&returns, i)
		first = add_go_return(q, name, place, returns.data[i], first);
	return true;
}

/* ---- returns of functions that exceptions may leave ---- */

/* True: the function matches by wildcards, and not because its name is the same. */
static bool is_matched(const struct question *q, const char *function)
{
	return q->wildcards &&
	       strcmp(q->wildcards, cplus_split(q->s->arena, function).function) != 0;
}

bool userreturn_note_blind(struct question *q, const char *function, const char *why)
{
	struct blind_function blind = { function, why, is_matched(q, function) };

	vec_push(q->s->arena, &q->blind, blind);
	if (blind.is_left_out)
		q->refused = error_create(
			q->s->arena, ERROR_ABSENT,
			"the pattern leaves out '%s': an exception that leaves it would end the "
			"program, as %s; name it in full to probe its return nevertheless",
			function, why);
	return blind.is_left_out;
}

/* Adds a point like the last one, for another return instruction of the function. */
static void add_site(struct question *q, const struct derived *first, uint64_t address)
{
	const struct uprobe *u = first->data;
	struct uprobe *next = userpoint_add(q, "function", u->name, address);
	struct derived *d = q->ret->data[q->ret->count - 1];

	*next = *u;
	next->address = address;
	d->pp = first->pp;
}

void userreturn_spread(struct question *q, uint64_t function)
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
		q->refused = userreturn_none(q, u->name);
		return;
	case THROWING_BLIND:
		if (userreturn_note_blind(q, u->name, why))
			q->ret->count--;
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

void userreturn_note_address(struct question *q, uint64_t linked)
{
	const struct uprobe *u = q->ret->data[q->ret->count - 1]->data;
	executable_addresses sites = { 0 };
	const char *why;

	if (q->suffix.is_return &&
	    throwing_returns(q->s, q->program, linked, u->has_place ? &u->place : NULL, &sites,
			     &why) != THROWING_NOT)
		userreturn_note_blind(q, u->name, "the point is an address in memory");
}

bool userreturn_replaces_addresses(const struct question *q, size_t before)
{
	for (size_t i = before; i < q->ret->count && q->suffix.is_return; i++)
		if (!((const struct uprobe *)q->ret->data[i]->data)->at_site)
			return true;
	return false;
}

static void warn_of_points(struct question *q)
{
	const struct blind_function *first = NULL;
	const char *others = "";
	size_t n = 0;

	vec_each(&q->blind, i)
		if (!q->blind.data[i].is_left_out && !n++)
			first = &q->blind.data[i];
	if (!first)
		return;
	if (n == 2)
		others = ", or another function,";
	else if (n > 2)
		others = arena_printf(q->s->arena, ", or one of %zu other functions,", n - 1);
	diag_warning(q->s, q->p->loc,
		     "an exception that leaves '%s'%s ends the program: its return is probed by "
		     "another return address on the stack, as %s; probe its entry, or statements "
		     "before its returns",
		     first->name, others, first->why);
}

#define NAMED 3 /* functions that the warning names */

static void warn_of_left_out(struct question *q)
{
	bool is_verbose = q->s->options->verbose;
	struct strbuf names;
	size_t n = 0;

	strbuf_init(&names, q->s->arena);
	vec_each(&q->blind, i) {
		const struct blind_function *b = &q->blind.data[i];

		if (!b->is_left_out)
			continue;
		if (n++ < NAMED)
			strbuf_addf(&names, "%s'%s'", n > 1 ? ", " : "", b->name);
		if (is_verbose)
			fprintf(stderr, "%s: left out: '%s': %s\n",
				unparse_point(q->s->arena, q->p), b->name, b->why);
	}
	if (n > NAMED)
		strbuf_addf(&names, ", …%s", is_verbose ? "" : " (-v lists all)");
	if (n)
		diag_warning(
			q->s, q->p->loc,
			"the pattern leaves out %zu function%s of which not all returns are "
			"known, because an exception that leaves %s would end the program: %s; "
			"name a function in full to probe its return nevertheless",
			n, n > 1 ? "s" : "", n > 1 ? "them" : "it", names.s);
}

void userreturn_warn(struct question *q)
{
	warn_of_points(q);
	warn_of_left_out(q);
}
