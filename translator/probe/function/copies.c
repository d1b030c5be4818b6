/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/function/copies.h"

#include <string.h>

#include "ast/ast.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/session.h"
#include "base/source.h"
#include "base/glob.h"
#include "drift/drift.h"
#include "dwarf/kernelinfo.h"
#include "base/options.h"
#include "probe/function/former.h"

/*
 * True where copies are wanted: not for the library's points, which are the same
 * everywhere, whatever is installed.
 */
static bool are_wanted(const struct point *p, const struct function_point *template)
{
	bool is_library = p->loc.source && p->loc.source->is_tapset;

	return !is_library && !template->decoded && !template->suffix.is_exported;
}

/*
 * Adds a compiler's copy. Its parameters differ from the function's: without debuginfo it
 * has no variables.
 */
static void add_clone(struct session *s, const struct point *p, const char *name,
		      const char *symbol, const struct function_point *template,
		      derived_list *ret)
{
	struct function_point f = *template;

	f.fn = (struct kernel_function){ .name = name, .symbol = symbol };
	f.is_bare = true;
	function_add(s, p, &f, ret);
}

/* Adds all copies but the one that has a point. */
static void add_clones(struct session *s, const struct point *p, const char *name,
		       const char *known, const struct function_point *template,
		       derived_list *ret)
{
	const char *symbol;

	for (size_t i = 0; (symbol = kernel_specialised(s, name, i)) != NULL; i++)
		if (strcmp(symbol, known))
			add_clone(s, p, name, symbol, template, ret);
}

/*
 * Says once for the script that inlined copies are unknown, except where the script says
 * that it means calls.
 */
static void say_unknown(struct session *s, const struct point *p,
			const struct function_point *template)
{
	bool is_silent = s->options->list || s->options->no_warnings || s->listener;

	if (is_silent || s->copies_said || template->suffix.is_return || template->suffix.is_call)
		return;
	s->copies_said = true;
	diag_note(s, probe_component(p, 1)->arg_loc,
		  "functions are probed where they are called, copies of the compiler's (.isra, "
		  ".constprop) too; inlined copies, if any, need debuginfo: package "
		  "linux-image-%s-dbg; or say .call", s->kernel->release);
}

/* Looks at those modules of a pattern that have points. */
static bool add_known(struct session *s, const struct point *p, const char *module,
		      const char *pattern, const struct function_point *template, size_t before,
		      derived_list *ret)
{
	size_t end = ret->count;
	const char *last = NULL;
	bool any = false;

	if (!module || !glob_is(module))
		return !place_copies(s, p, module, pattern, template, before, ret);
	for (size_t i = before; i < end; i++) {
		const char *its = ret->data[i]->pmodule;

		if (last && !strcmp(last, its))
			continue;
		last = its;
		any |= !place_copies(s, p, its, pattern, template, before, ret);
	}
	return any;
}

bool copies_add(struct session *s, const struct point *p, const char *module,
		const char *pattern, const struct function_point *template, size_t before,
		derived_list *ret)
{
	size_t end = ret->count;

	if (!are_wanted(p, template))
		return false;
	if (add_known(s, p, module, pattern, template, before, ret))
		return true;
	for (size_t i = before; i < end && !module; i++) {
		const struct function_point *f = probe_data(ret->data[i], &probe_family_function);

		if (f && !f->syscall)
			add_clones(s, p, f->fn.name, f->fn.symbol, template, ret);
	}
	say_unknown(s, p, template);
	return false;
}

bool copies_clones(struct session *s, const struct point *p, const char *module,
		   const char *name, const struct function_point *template,
		   derived_list *ret)
{
	size_t before = ret->count;

	if (are_wanted(p, template) && !module && !glob_is(name))
		add_clones(s, p, name, name, template, ret);
	return ret->count > before;
}

bool copies_only(struct session *s, const struct point *p, const char *module,
		 const char *pattern, const struct function_point *template, derived_list *ret)
{
	size_t before = ret->count;

	if (!are_wanted(p, template) || (module && glob_is(module)))
		return false;
	place_copies(s, p, module, pattern, template, before, ret);
	if (ret->count > before)
		return true;
	if (p->reads && former_may_drift(p) && drift_function(s->arena, pattern))
		return false;
	return copies_clones(s, p, module, pattern, template, ret);
}
