/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/function/symbolpoint.h"

#include <string.h>

#include "base/session.h"
#include "kernel/modules.h"
#include "kernel/symbols.h"
#include "lib/error.h"
#include "lib/glob.h"

struct gathering {
	const struct lookup *l;
	struct glob glob;
	const char *module; /* NULL: the kernel */
	VEC(const char *) names;
	struct error *refused; /* why some function was left out */
};

bool symbolpoint_is_meant(const struct lookup *l)
{
	return strchr(l->pattern, '.') && !l->template->suffix.is_exported;
}

static void gather(void *ctx, const char *name)
{
	struct gathering *g = ctx;

	if (strchr(name, '.') && glob_match(&g->glob, name))
		vec_push(g->l->s->arena, &g->names, arena_strdup(g->l->s->arena, name));
}

/*
 * Code that was moved away from its function is reached by a jump, and returns for the
 * function.
 */
static struct error *refused(const struct gathering *g, const char *symbol)
{
	struct session *s = g->l->s;

	if (g->l->template->suffix.is_return && strstr(symbol, ".cold"))
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s' is not called as functions are: it has no return that "
				    "could be probed; probe its entry",
				    symbol);
	return g->module ? NULL : function_refused(s, symbol, symbol);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds each name once: the kernel finds the first of several symbols of one name. */
static void add_points(struct gathering *g)
{
	struct session *s = g->l->s;

	if (g->names.count)
		vec_sort(&g->names, by_name);
	vec_each(&g->names, i) {
		const char *name = g->names.data[i];
		struct function_point f = *g->l->template;
		struct error *err = refused(g, name);

		if (i && !strcmp(name, g->names.data[i - 1]))
			continue;
		g->refused = err ? err : g->refused;
		if (err)
			continue;
		f.fn = (struct kernel_function){ .name = name,
						 .symbol = name,
						 .module = g->module };
		f.place = f.seen_from = place_of_symbol(s, g->module, name);
		f.ops = f.place ? &point_place_ops : &point_bare_ops;
		function_add(g->l, &f);
	}
	g->names.count = 0;
}

static struct error *add_of_modules(struct gathering *g)
{
	struct session *s = g->l->s;
	const char *const *modules, *module = g->l->module;
	size_t count;
	struct error *err = kernel_modules_matching(
		s, glob_is(module) ? module : kernel_module_name(s, module), &modules, &count);

	for (size_t i = 0; !err && i < count; i++) {
		g->module = modules[i];
		if (!kernel_module_symbols(s, g->module, gather, g))
			add_points(g);
	}
	return err;
}

struct error *symbolpoint_add(const struct lookup *l, struct error *absent)
{
	struct session *s = l->s;
	struct gathering g = { .l = l, .glob = glob_make(l->pattern) };
	const char *prefix = arena_strndup(s->arena, l->pattern, g.glob.prefix);
	size_t before = l->ret->count;
	struct error *err;

	if (l->module) {
		err = add_of_modules(&g);
	} else {
		err = kernel_each_symbol(s, prefix, gather, &g);
		add_points(&g);
	}
	if (l->ret->count > before)
		return NULL;
	return g.refused ? g.refused : err && err->kind != ERROR_ABSENT ? err : absent;
}
