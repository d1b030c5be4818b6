/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kprobe.function("f"), kprobe.module("m").function("f"), with .call .return
 * .return.maxactive(N), and kprobe.statement(ADDRESS).absolute: the points of function.c
 * by symbol alone. They can also reach functions that are in no table of types, and have
 * no target variables. Patterns match only functions in such tables.
 */
#include <string.h>

#include "base/session.h"
#include "dwarf/dwarf.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "kernel/symbols.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "probe/function/copies.h"
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
 * image's own symbols, or by trusting that the module will have it when it is loaded.
 */
static struct error *find_symbols(const struct lookup *l, kernel_functions *ret)
{
	struct session *s = l->s;
	const char *module = l->module, *name = l->pattern;
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

static void name_points(const struct lookup *l, size_t before)
{
	for (size_t i = before; i < l->ret->count; i++)
		name_point(l->s, l->ret->data[i]);
}

/* Finds the points of a name or pattern. */
static struct error *find_points(const struct lookup *l)
{
	kernel_functions found = { 0 };
	struct error *err = find_symbols(l, &found), *refused = NULL;
	size_t before = l->ret->count;

	for (size_t i = 0; !err && i < found.count; i++) {
		const struct kernel_function *fn = &found.data[i];
		struct function_point f = *l->template;
		struct error *why = NULL;

		if (!fn->module)
			why = function_refused(l->s, fn->name, fn->symbol);
		refused = why ? why : refused;
		if (why)
			continue;
		f.fn = (struct kernel_function){ .name = fn->name,
						 .module = fn->module,
						 .symbol = fn->symbol };
		function_add(l, &f);
	}
	return err || l->ret->count > before ? err : refused;
}

/*
 * Resolves a name or pattern. "sys_read" means the call's entry points; the compiler's
 * copies of a function represent it.
 */
static struct error *resolve_named(const struct lookup *l)
{
	bool is_successor = l->p->drift && l->p->drift->is_successor;
	struct error *err = find_points(l);

	if (!err || is_successor)
		return err;
	if (!l->module && syscall_is_pattern(l->pattern) && !syscall_resolve(l))
		return NULL;
	return err->kind == ERROR_ABSENT && copies_clones(l) ? NULL : err;
}

static struct error *resolve_function(struct session *s, const struct point *p, derived_list *ret)
{
	bool of_module = probe_component_is(p, 1, "module", ARG_STRING);
	const struct component *c = probe_component(p, 1 + of_module);
	struct function_point f = { .ops = &point_bare_ops };
	struct lookup l = { .s = s, .p = p, .template = &f, .ret = ret };
	struct error *err = check_name(s, c);
	size_t before = ret->count;

	if (!err)
		err = suffix_read(s, p, 2 + of_module, SUFFIX_FUNCTION, &f.suffix);
	if (!err)
		err = check_suffix(s, &f.suffix);
	if (!err)
		err = kernel_need(s);
	if (err)
		return err;
	l.module = of_module ? probe_component(p, 1)->string : NULL;
	l.pattern = c->string;
	err = resolve_named(&l);
	name_points(&l, before);
	return err;
}

struct error *kprobe_resolve(struct session *s, const struct point *p, derived_list *ret)
{
	struct function_point f = { .is_statement = true };
	const struct lookup l = { .s = s, .p = p, .template = &f, .ret = ret };
	struct error *err;

	if (!probe_component_is(p, 1, "statement", ARG_NUMBER))
		return resolve_function(s, p, ret);
	err = kernel_need(s);
	if (!err)
		err = suffix_read(s, p, 2, SUFFIX_STATEMENT, &f.suffix);
	if (!err && !f.suffix.is_absolute)
		err = probe_wrong(s, "expected kprobe.statement(ADDRESS).absolute");
	return err ? err : place_resolve(&l);
}

/* ---- target variables: there are none ---- */

static struct error *access_nothing(struct session *s, struct function_point *f,
				    const struct node *n, struct access *a)
{
	struct error *err =
		f->suffix.is_return && !strcmp(n->target_name, "$return")
			? probe_result_doubt(s, f->fn.name, dwarf_copy_problem(f->fn.symbol))
			: NULL;

	if (err)
		return err;
	if (strcmp(f->fn.symbol, f->fn.name))
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s': the compiler made '%s' of '%s', with parameters of its "
				    "own; debuginfo knows them",
				    n->target_name, f->fn.symbol, f->fn.name);
	return error_create(s->arena, ERROR_ABSENT,
			    "'%s': kprobe points have no target variables; those of %s(\"%s\") "
			    "need no debuginfo",
			    n->target_name, f->fn.module ? "module(…).function" : "kernel.function",
			    f->fn.name);
}

static uint32_t no_return_type(struct session *s, struct function_point *f)
{
	return 0;
}

POINT_OPS(bare, access_nothing, place_locals, no_return_type, functionpoint_emit_symbol,
	  .is_bare = true);
