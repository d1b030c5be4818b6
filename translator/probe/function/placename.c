/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/function/placename.h"

#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "drift/sourcefiles.h"
#include "dwarf/kernelinfo.h"
#include "kernel/kernel.h"
#include "lib/error.h"
#include "lib/glob.h"

static bool has_debuginfo(const struct lookup *l)
{
	struct dwarf_file *file;

	return !dwarf_kernel(l->s, l->module, &file);
}

/* Returns the name of "name@file", if it says enough; else NULL. */
static const char *name_of(const struct lookup *l)
{
	const char *at = strchr(l->pattern, '@'), *name;

	if (!at || strchr(at, ':') || (strchr(at, '+') && strpbrk(strchr(at, '+'), "0123456789")))
		return NULL;
	name = arena_strndup(l->s->arena, l->pattern, (size_t)(at - l->pattern));
	if (glob_is(name) || !*name || strpbrk(name, ":+"))
		return NULL;
	if (syscall_is_pattern(name))
		return name;
	if (has_debuginfo(l))
		return NULL;
	diag_taken(l->s, probe_component(l->p, 1)->arg_loc,
		   "there is no debuginfo with file names; the function '%s' is "
		   "used, wherever it is",
		   name);
	return name;
}

/* Sets *ret to the pattern of "pattern@file", and *names to the file's functions. */
static struct error *pattern_of(const struct lookup *l, struct hashmap *names, const char **ret)
{
	const char *at = strchr(l->pattern, '@'), *pattern;
	struct source_functions found;
	struct error *err;

	if (!at || strpbrk(l->pattern, ":+"))
		return NULL;
	pattern = arena_strndup(l->s->arena, l->pattern, (size_t)(at - l->pattern));
	if (!glob_is(pattern) || (!syscall_is_pattern(pattern) && has_debuginfo(l)))
		return NULL;
	err = sourcefiles_functions(l->s, at + 1, &found);
	if (err || !found.names.count)
		return err;
	diag_taken(l->s, probe_component(l->p, 1)->arg_loc,
		   "there is no debuginfo with file names; '%s' is assumed to have the same "
		   "functions as in kernel %s",
		   at + 1, found.release);
	*names = found.names;
	*ret = pattern;
	return NULL;
}

struct error *placename_find(const struct lookup *l, struct hashmap *names, const char **ret)
{
	const struct point_suffix *x = &l->template->suffix;

	*ret = NULL;
	if (!l->pattern || x->is_inline || x->label || x->callee || x->is_nearest)
		return NULL;
	if (l->template->is_statement && !x->is_absolute && *l->pattern &&
	    !strpbrk(l->pattern, "@:+"))
		*ret = has_debuginfo(l) ? NULL : l->pattern;
	else
		*ret = name_of(l);
	return *ret || l->module ? NULL : pattern_of(l, names, ret);
}

struct error *placename_keep(const struct lookup *l, const struct hashmap *names, size_t before)
{
	size_t n = before;

	for (size_t i = before; i < l->ret->count; i++)
		if (sourcefiles_has(l->s, names, l->ret->data[i]->pfunc))
			l->ret->data[n++] = l->ret->data[i];
	l->ret->count = n;
	return n > before ? NULL
			  : error_create(l->s->arena, ERROR_ABSENT,
					 "no function matches '%s' in kernel %s",
					 probe_component(l->p, 1)->string, l->s->kernel->release);
}
