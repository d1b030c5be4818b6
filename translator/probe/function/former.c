/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE /* strverscmp() */
#include "probe/function/former.h"

#include <string.h>

#include "base/diag.h"
#include "base/error.h"
#include "base/session.h"
#include "base/source.h"
#include "base/glob.h"
#include "types/memberdrift.h"
#include "drift/drift.h"
#include "dwarf/kernelinfo.h"
#include "base/options.h"
#include "drift/sourcefiles.h"
#include "probe/function/tracepoint.h"

bool former_may_drift(const struct point *p)
{
	if (p->loc.source && p->loc.source->is_tapset)
		return false;
	return p->drifts || (!p->optional && !p->sufficient);
}

/*
 * True for kprobe.function("f") and kprobe.module("m").function("f"), false for
 * kernel.function("f") and module("m").function("f").
 */
static bool is_kprobe(const struct point *p)
{
	return probe_component_is(p, 0, "kprobe", ARG_NONE);
}

static struct loc module_loc(const struct point *p)
{
	return probe_component(p, is_kprobe(p))->arg_loc;
}

static struct loc argument_loc(const struct point *p)
{
	const struct component *c = probe_component(
		p, is_kprobe(p) && probe_component_is(p, 1, "module", ARG_STRING) ? 2 : 1);

	return c ? c->arg_loc : p->loc;
}

/* ---- functions ---- */

/* Finds a function in modules: a part of the kernel may have become one. */
static bool find_in_modules(struct session *s, const struct point *p, const char *name,
			    const struct function_point *template, former_finder *find,
			    derived_list *ret)
{
	size_t before = ret->count;

	if (*name == '*' || find(s, p, "*", name, template, ret))
		return false;
	diag_taken(s, argument_loc(p), "the kernel has no function '%s'; its module '%s' has", name,
		   ret->data[before]->pmodule);
	return true;
}

/* True: there is a tracepoint where the function stood that is a part of another now. */
static bool is_traced(struct session *s, const struct point *p, const char *name,
		      const struct function_point *template, derived_list *ret)
{
	return !template->suffix.is_return && !tracepoint_for_function(s, p, name, ret);
}

/* True: the successor is there. */
static bool is_successor(struct session *s, const struct point *p, const char *module,
			 const struct successor *now, const struct function_point *template,
			 former_finder *find, derived_list *ret)
{
	if (now->kind == SUCCESSOR_TRACEPOINT)
		return is_traced(s, p, now->name, template, ret);
	if (now->kind == SUCCESSOR_ENTRY && template->suffix.is_return)
		return false;
	return !find(s, p, module, now->name, template, ret);
}

/* Successors of successors: ext3_file_write, ext4_file_write, ext4_file_write_iter. */
#define MAX_CHAIN 4

/*
 * Returns the first successor in the row, or successor of one, that is there; NULL: there
 * is none.
 */
static const struct successor *successor_of(struct session *s, const struct point *p,
					    const char *module, const struct drift *row,
					    const struct function_point *template,
					    former_finder *find, unsigned depth, derived_list *ret)
{
	const struct successor *found = NULL;

	for (size_t i = 0; row && i < row->now.count; i++)
		if (is_successor(s, p, module, &row->now.data[i], template, find, ret))
			return &row->now.data[i];
	for (size_t i = 0; row && i < row->now.count && !found && depth < MAX_CHAIN; i++)
		if (row->now.data[i].kind == SUCCESSOR_SAME)
			found = successor_of(s, p, module,
					     drift_function(s->arena, row->now.data[i].name),
					     template, find, depth + 1, ret);
	return found;
}

/*
 * True: allocation profiling wraps the function. Since 6.10 allocators are macros, which
 * note the caller, around a function of this name.
 */
static bool is_profiled(struct session *s, const struct point *p, const char *module,
			const char *old, const struct function_point *template, former_finder *find,
			derived_list *ret)
{
	const char *name = arena_printf(s->arena, "%s_noprof", old);

	if (!former_may_drift(p) || glob_is(old) || find(s, p, module, name, template, ret))
		return false;
	diag_taken(s, argument_loc(p), "there is no function '%s' since 6.10; '%s' is probed", old,
		   name);
	return true;
}

bool former_has_come(struct session *s, const struct drift *row)
{
	return !row->since || strverscmp(s->kernel->release, row->since) >= 0;
}

void former_bypassed(struct session *s, const struct point *p, const char *old,
		     const struct function_point *template, former_finder *find)
{
	const struct drift *row = s->options->list || !former_may_drift(p) || glob_is(old)
					  ? NULL
					  : drift_function(s->arena, old);
	const struct successor *now;
	derived_list others = { 0 };

	if (!row || !row->now.count || !row->now.data[0].is_beside || !former_has_come(s, row))
		return;
	now = successor_of(s, p, NULL, row, template, find, MAX_CHAIN, &others);
	if (now)
		diag_note(s, argument_loc(p), "few come through '%s' %s; all pass '%s'", old,
			  drift_story(s->arena, row), now->text);
}

bool former_function(struct session *s, const struct point *p, const char *module, const char *old,
		     const struct function_point *template, former_finder *find, struct error **err,
		     derived_list *ret)
{
	struct function_point renamed = *template;
	const struct successor *now;
	const struct drift *row =
		former_may_drift(p) && !glob_is(old) ? drift_function(s->arena, old) : NULL;

	if (!row && is_profiled(s, p, module, old, template, find, ret))
		return true;

	renamed.former = old;
	now = successor_of(s, p, module, row, &renamed, find, 1, ret);
	if (now) {
		diag_taken(s, argument_loc(p), "there is no function '%s' %s; '%s' is probed", old,
			   drift_story(s->arena, row), now->text);
		return true;
	}
	if (former_may_drift(p) && !module && find_in_modules(s, p, old, template, find, ret))
		return true;
	for (size_t i = 0; !module && row && i < row->now.count; i++)
		if (row->now.data[i].kind == SUCCESSOR_SAME &&
		    find_in_modules(s, p, row->now.data[i].name, template, find, ret))
			return true;
	if (row && former_has_come(s, row))
		*err = error_create(s->arena, ERROR_ABSENT,
				    "no function '%s' in kernel %s: there is none %s", old,
				    s->kernel->release, drift_story(s->arena, row));
	return false;
}

/* ---- parameters ---- */

static const struct argument *argument_called(const arguments *args, const char *name)
{
	vec_each(args, i)
		if (!strcmp(args->data[i].name, name))
			return &args->data[i];
	return NULL;
}

/* *err: the error that stopped the path of a parameter that the function has. */
static bool parameter_of(struct session *s, struct function_point *f, const arguments *args,
			 const struct node *n, const struct drift *row, struct access *a,
			 struct error **err)
{
	for (size_t i = 0; row && i < row->now.count; i++) {
		const struct successor *now = &row->now.data[i];
		const struct argument *arg =
			now->kind == SUCCESSOR_VALUE ? argument_called(args, now->name) : NULL;
		path_steps steps = { 0 };

		if (!arg)
			continue;
		memberdrift_path(s->arena, now, &n->path, n->loc, &steps);
		*a = (struct access){ 0 };
		*err = calling_access(s, f->fn.btf, arg, ACCESS_ARG, &steps,
				      n->address_of || (now->is_part && !n->path.count), a);
		if (*err)
			continue;
		if (now->divisor)
			vec_push(s->arena, &a->steps, memberdrift_unit(now));
		a->taken = arena_printf(s->arena, "'%s' has %s parameter '%s' %s; '$%s' is taken",
					f->fn.name, now->is_beside ? "another" : "no",
					n->target_name, drift_story(s->arena, row), now->text);
		return true;
	}
	return false;
}

bool former_parameter(struct session *s, struct function_point *f, const arguments *args,
		      const struct node *n, struct access *a, struct error **err)
{
	const struct drift *row = drift_parameter(s->arena, f->fn.name, n->target_name + 1);

	*err = NULL;
	return parameter_of(s, f, args, n, row, a, err) ||
	       ((!row || row->now.count) &&
		parameter_of(s, f, args, n, drift_parameter(s->arena, "*", n->target_name + 1), a,
			     err));
}

bool former_return(struct session *s, struct function_point *f, const arguments *args,
		   const struct node *n, struct access *a)
{
	const struct drift *row = f->former ? drift_parameter(s->arena, f->former, "return") : NULL;
	struct error *err;

	if (row && row->now.count)
		return a->at_entry = parameter_of(s, f, args, n, row, a, &err);
	if (!row || n->path.count || calling_return(s, &f->fn, &n->path, n->address_of, a))
		return false;
	vec_push(s->arena, &a->steps, (struct access_step){ .kind = ACCESS_NO_ERROR });
	a->taken = arena_printf(s->arena, "'%s' returns errors %s; they are 0 as they were to '%s'",
				f->fn.name, drift_story(s->arena, row), f->former);
	return true;
}

bool former_meaning(struct session *s, const struct function_point *f, const struct node *n)
{
	const struct drift *row;

	if (n->path.count || n->address_of)
		return false;
	row = drift_parameter(s->arena, f->fn.name, n->target_name + 1);
	return row && row->now.count && row->now.data[0].is_beside;
}

/* ---- modules ---- */

/* Returns today's module of another name that does the module's work. */
static const char *module_now(struct session *s, const struct point *p, const char *module)
{
	const struct drift *row =
		kernel_module_kind(s, module) == MODULE_ABSENT ? drift_module(s->arena, module)
							       : NULL;

	for (size_t i = 0; row && i < row->now.count; i++) {
		const char *now = row->now.data[i].name;

		if (kernel_module_kind(s, now) == MODULE_ABSENT)
			continue;
		diag_taken(s, module_loc(p), "there is no module '%s' %s; '%s' is taken", module,
			   drift_story(s->arena, row), now);
		return now;
	}
	return module;
}

void former_module(struct session *s, const struct point *p, const char **module,
		   const char **pattern)
{
	const char *name = *module;

	if (glob_is(name))
		return;
	*module = name = module_now(s, p, name);
	if (kernel_module_kind(s, name) != MODULE_BUILT_IN)
		return;
	*module = NULL;
	name = kernel_module_name(s, name);
	if (pattern && **pattern == '*')
		*pattern = arena_printf(s->arena, "%s%s", name, *pattern);
	if (!former_may_drift(p))
		return;
	if (pattern && glob_is(*pattern))
		diag_taken(s, module_loc(p), "'%s' is a part of kernel %s: '%s' is probed there",
			   name, s->kernel->release, *pattern);
	else
		diag_taken(s, module_loc(p), "'%s' is a part of kernel %s", name,
			   s->kernel->release);
}

/* ---- files ---- */

const char *former_file(struct session *s, const struct point *p, const char *module,
			const char *text)
{
	const char *at = strchr(text, '@');
	struct dwarf_file *file;
	const char *name;

	if (!at || strchr(at, ':') || (strchr(at, '+') && strpbrk(strchr(at, '+'), "0123456789")))
		return NULL;
	name = arena_strndup(s->arena, text, (size_t)(at - text));
	if (glob_is(name) || !*name || strpbrk(name, ":+"))
		return NULL;
	if (syscall_is_pattern(name))
		return name;
	if (!dwarf_kernel(s, module, &file))
		return NULL;
	diag_taken(s, argument_loc(p),
		   "there is no debuginfo that tells of files; the function '%s' is taken, "
		   "wherever it is",
		   name);
	return name;
}

const char *former_files(struct session *s, const struct point *p, const char *text,
			 struct hashmap *names)
{
	const char *at = strchr(text, '@'), *name;
	struct dwarf_file *file;

	if (!at || strpbrk(text, ":+"))
		return NULL;
	name = arena_strndup(s->arena, text, (size_t)(at - text));
	if (!glob_is(name) || (!syscall_is_pattern(name) && !dwarf_kernel(s, NULL, &file)) ||
	    !sourcefiles_functions(s, at + 1, names))
		return NULL;
	diag_taken(s, argument_loc(p),
		   "there is no debuginfo that tells of files; '%s' is taken to have the functions "
		   "that it has in kernel " FILES_OF,
		   at + 1);
	return name;
}

const char *former_place(struct session *s, const struct point *p, const char *text)
{
	const char *at = strchr(text, '@');
	size_t len = at ? strcspn(at + 1, ":+") : 0;
	const struct drift *row =
		at && former_may_drift(p)
			? drift_file(s->arena, arena_strndup(s->arena, at + 1, len))
			: NULL;
	const char *now;

	if (!row)
		return NULL;
	now = row->now.data[0].name;
	diag_taken(s, argument_loc(p), "there is no file '%s' %s; '%s' is taken", row->old,
		   drift_story(s->arena, row), now);
	return arena_printf(s->arena, "%.*s@%s%s", (int)(at - text), text, now, at + 1 + len);
}
