/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/function/copies.h"

#include <string.h>

#include "ast/ast.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/remedy.h"
#include "base/session.h"
#include "base/source.h"
#include "dwarf/kernelinfo.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "kernel/symbols.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "probe/pointdrift.h"

/*
 * True: copies are added. Not for the library's points, which must be the same
 * everywhere, whatever is installed.
 */
static bool are_wanted(const struct lookup *l)
{
	return !source_is_library(l->p->loc) && !l->template->decoded &&
	       !l->template->suffix.is_exported;
}

/*
 * Adds a compiler's copy. Its parameters differ from the function's: without debuginfo it
 * has no variables.
 */
static void add_clone(const struct lookup *l, const char *name, const char *symbol)
{
	struct function_point f = *l->template;

	f.fn = (struct kernel_function){ .name = name, .symbol = symbol };
	f.ops = &point_bare_ops;
	function_add(l, &f);
}

/* Adds all copies except the one that has a point. */
static void add_clones(const struct lookup *l, const char *name, const char *known)
{
	const char *symbol;

	for (size_t i = 0; (symbol = kernel_specialised(l->s, name, i)) != NULL; i++)
		if (strcmp(symbol, known))
			add_clone(l, name, symbol);
}

/*
 * Reports, once for the script, that inlined copies are unknown, unless the script
 * specifies calls.
 */
static void say_unknown(const struct lookup *l)
{
	const struct point_suffix *x = &l->template->suffix;
	struct session *s = l->s;
	const char *package;
	bool is_silent = s->options->list || s->options->no_warnings || s->listener;

	if (is_silent || s->copies_said || x->is_return || x->is_call)
		return;
	s->copies_said = true;
	if (s->options->runtime == RUNTIME_BPF) {
		diag_note(s, probe_component(l->p, 1)->arg_loc,
			  "functions are probed where they are called, copies of the compiler's "
			  "(.isra, .constprop) too; --runtime=bpf cannot probe inlined copies; say "
			  ".call");
		return;
	}
	package = remedy_package(s->arena, REMEDY_DEBUGINFO, s->kernel->release);
	diag_note(s, probe_component(l->p, 1)->arg_loc,
		  "functions are probed where they are called, copies of the compiler's (.isra, "
		  ".constprop) too; inlined copies, if any, need debuginfo%s%s; or "
		  "say .call",
		  *package ? ": package " : "", package);
}

/*
 * Searches those modules of a pattern that have points. Returns false without debuginfo,
 * and for BPF programs, which have no points inside functions.
 */
static bool add_known(const struct lookup *l, size_t before)
{
	size_t end = l->ret->count;
	struct lookup one = *l;
	bool any = false;

	if (l->s->options->runtime == RUNTIME_BPF)
		return false;
	if (!l->module || !glob_is(l->module))
		return !place_copies(l, before);
	one.module = NULL;
	for (size_t i = before; i < end; i++) {
		const char *its = l->ret->data[i]->pmodule;

		if (one.module && !strcmp(one.module, its))
			continue;
		one.module = its;
		any |= !place_copies(&one, i);
	}
	return any;
}

void copies_add(const struct lookup *l, size_t before)
{
	size_t end = l->ret->count;

	if (!are_wanted(l) || add_known(l, before))
		return;
	for (size_t i = before; i < end && !l->module; i++) {
		const struct function_point *f =
			probe_data(l->ret->data[i], &probe_family_function);

		if (f && !f->syscall)
			add_clones(l, f->fn.name, f->fn.symbol);
	}
	say_unknown(l);
}

bool copies_clones(const struct lookup *l)
{
	size_t before = l->ret->count;

	if (are_wanted(l) && !l->module && !glob_is(l->pattern))
		add_clones(l, l->pattern, l->pattern);
	return l->ret->count > before;
}

bool copies_only(const struct lookup *l)
{
	size_t before = l->ret->count;

	if (!are_wanted(l) || (l->module && glob_is(l->module)))
		return false;
	if (l->s->options->runtime != RUNTIME_BPF)
		place_copies(l, before);
	if (l->ret->count > before)
		return true;
	/* A successor of the function may have the variables that its copies lack. */
	if (l->p->reads && pointdrift_comes_first(l->s, l->p, l->pattern))
		return false;
	return copies_clones(l);
}
