/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kprobe.function("f"), kprobe.module("m").function("f"), with .call .return
 * .return.maxactive(N), and kprobe.statement(ADDRESS).absolute: the points of function.c
 * by symbol alone. They reach functions that no table of types lists, and have no target
 * variables. Patterns match the functions of such tables only.
 */
#include <string.h>

#include "base/error.h"
#include "base/session.h"
#include "base/glob.h"
#include "probe/function/copies.h"
#include "probe/function/former.h"
#include "probe/function/function.h"

static struct error *check_suffix(struct session *s, const struct point_suffix *x)
{
	if (x->is_exported || x->is_inline || x->is_nearest || x->label || x->callee)
		return probe_wrong(s, "kprobe.function takes .call, .return and "
				      ".return.maxactive(N); kernel.function takes the others");
	return NULL;
}

static struct error *check_name(struct session *s, const struct component *c)
{
	if (!c || strcmp(c->name, "function") || c->arg_kind != ARG_STRING || !*c->string)
		return probe_wrong(s, "expected kprobe.function(\"NAME\"), "
				      "kprobe.module(\"NAME\").function(\"NAME\") or "
				      "kprobe.statement(ADDRESS).absolute");
	return NULL;
}

/*
 * Finds the functions' symbols: in tables of types; for a single name, also among the
 * image's own symbols, or by trust that the module will have it when it is loaded.
 */
static struct error *find_symbols(struct session *s, const char *module, const char *name,
				  kernel_functions *ret)
{
	const struct kernel_function one = { .name = name, .module = module, .symbol = name };
	struct error *err = kernel_find_functions(s, module, name, ret);
	const char *near;

	if (ret->count || (err && (err->kind != ERROR_ENVIRONMENT || glob_is(name))))
		return err;
	if (!glob_is(name) && (module ? err != NULL : kernel_has_symbol(s, name))) {
		vec_push(s->arena, ret, one);
		return NULL;
	}
	near = kernel_near_functions(s, module, name);
	return error_create(s->arena, ERROR_ABSENT, "no symbol '%s' in %s%s%s", name,
			    module ? module : "the kernel", near ? "; did you mean " : "",
			    near ? near : "");
}

static void name_point(struct session *s, struct derived *d)
{
	const struct function_point *f = d->data;

	d->pp = arena_printf(s->arena, "kprobe%s.function(\"%s\")%s",
			     f->fn.module ? arena_printf(s->arena, ".module(\"%s\")", f->fn.module)
					  : "",
			     f->fn.name,
			     f->suffix.is_return ? ".return"
			     : f->suffix.is_call ? ".call"
						 : "");
}

/* Finds the points of a name or pattern; a former_finder. */
static struct error *find_point(struct session *s, const struct point *p, const char *module,
				const char *name, const struct function_point *template,
				derived_list *ret)
{
	kernel_functions found = { 0 };
	struct error *err = find_symbols(s, module, name, &found), *refused = NULL;
	size_t before = ret->count;

	for (size_t i = 0; !err && i < found.count; i++) {
		const struct kernel_function *fn = &found.data[i];
		struct function_point f = *template;
		struct error *why = NULL;

		if (!fn->module)
			why = function_refused(s, fn->name, fn->symbol, !f.suffix.is_return);
		refused = why ? why : refused;
		if (why)
			continue;
		f.fn = (struct kernel_function){ .name = fn->name,
						 .module = fn->module,
						 .symbol = fn->symbol };
		name_point(s, function_add(s, p, &f, ret));
	}
	return err || ret->count > before ? err : refused;
}

/* Finds the compiler's copies, which come before the function's successor. */
static bool find_clones(struct session *s, const struct point *p, const char *module,
			const char *name, const struct function_point *template, derived_list *ret)
{
	size_t before = ret->count;

	if (!copies_clones(s, p, module, name, template, ret))
		return false;
	for (size_t i = before; i < ret->count; i++)
		name_point(s, ret->data[i]);
	return true;
}

/* Resolves "sys_read", which means the call's entry points. */
static struct error *resolve_call(struct session *s, const struct point *p, const char *name,
				  const struct function_point *template, derived_list *ret)
{
	size_t before = ret->count;
	struct error *err = syscall_resolve(s, p, name, template, ret);

	for (size_t i = before; i < ret->count; i++)
		name_point(s, ret->data[i]);
	return err;
}

static struct error *resolve_function(struct session *s, const struct point *p, derived_list *ret)
{
	bool of_module = probe_component_is(p, 1, "module", ARG_STRING);
	const struct component *c = probe_component(p, 1 + of_module);
	const char *module = of_module ? probe_component(p, 1)->string : NULL;
	struct function_point f = { .is_bare = true };
	struct error *err = check_name(s, c);

	if (!err)
		err = suffix_read(s, p, 2 + of_module, SUFFIX_FUNCTION, &f.suffix);
	if (!err)
		err = check_suffix(s, &f.suffix);
	if (!err)
		err = kernel_need(s);
	if (err)
		return err;
	if (module)
		former_module(s, p, &module, NULL);
	err = find_point(s, p, module, c->string, &f, ret);
	if (err && !module && syscall_is_pattern(c->string) &&
	    !resolve_call(s, p, c->string, &f, ret))
		return NULL;
	if (err && err->kind == ERROR_ABSENT &&
	    (find_clones(s, p, module, c->string, &f, ret) ||
	     former_function(s, p, module, c->string, &f, find_point, &err, ret)))
		return NULL;
	return err;
}

struct error *kprobe_resolve(struct session *s, const struct point *p, derived_list *ret)
{
	struct function_point f = { .is_statement = true };
	struct error *err;

	if (!probe_component_is(p, 1, "statement", ARG_NUMBER))
		return resolve_function(s, p, ret);
	err = kernel_need(s);
	if (!err)
		err = suffix_read(s, p, 2, SUFFIX_STATEMENT, &f.suffix);
	if (!err && !f.suffix.is_absolute)
		err = probe_wrong(s, "expected kprobe.statement(ADDRESS).absolute");
	return err ? err : place_resolve(s, p, NULL, &f, ret);
}

struct error *kprobe_access(struct session *s, const struct function_point *f, const char *name)
{
	if (strcmp(f->fn.symbol, f->fn.name))
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s': the compiler made '%s' of '%s', with parameters of its "
				    "own; debuginfo knows them",
				    name, f->fn.symbol, f->fn.name);
	return error_create(s->arena, ERROR_ABSENT,
			    "'%s': kprobe points have no target variables; those of %s(\"%s\") "
			    "need no debuginfo",
			    name, f->fn.module ? "module(…).function" : "kernel.function",
			    f->fn.name);
}
