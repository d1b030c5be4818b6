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
#include "base/options.h"
#include "base/session.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "probe/user/mark.h"
#include "probe/user/uprobe.h"
#include "probe/user/userpoint.h"
#include "probe/user/userreturn.h"

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
	{ "function", SUFFIX_FUNCTION, userfunction_find },
	{ "statement", SUFFIX_PLACE, userstatement_find },
	{ "plt", SUFFIX_SLOT, userslot_find },
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

/*
 * Returns the pattern of functions that the component means; NULL: it names them in full,
 * perhaps in several files or programs.
 */
static const char *wildcards_of(const struct question *q, const struct component *c)
{
	const char *text = q->suffix.callee	       ? q->suffix.callee
			   : c->arg_kind == ARG_STRING ? c->string
			   : c->arg_kind == ARG_NONE   ? "*"
						       : "";
	struct dwarf_pattern pattern;

	if (dwarf_pattern_parse(q->s, text, &pattern))
		return NULL;
	if (pattern.scope && glob_is(pattern.scope))
		return text;
	return glob_is(pattern.function) ? pattern.function : NULL;
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
	q.wildcards = wildcards_of(&q, c);
	q.optional |= which_program_is_glob(p) || (c->arg_kind == ARG_STRING && glob_is(c->string));
	before = ret->count;
	err = find_in_all(&q, kind, where);
	if (err || s->options->list || s->options->list_vars)
		return err;
	if (userreturn_replaces_addresses(&q, before))
		warn_of_switching(&q, where);
	userreturn_warn(&q);
	return NULL;
}

const char *uprobe_find_obstacle(const struct program_file *where, const struct derived *d)
{
	if (where->user)
		return "libraries of one program only; process(\"LIBRARY\") probes it in all";
	return d->handler->counters.count ? "counters" : NULL;
}
