/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One point in a function, found by function.c, copies.c, kprobe.c, place.c or syscall.c:
 * whether the kernel accepts a probe there, and its names.
 */
#include "probe/function/function.h"

#include "base/session.h"
#include "kernel/symbols.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/strbuf.h"

/* True: the script names functions by a pattern. */
static bool is_pattern(const struct point *p)
{
	p = probe_written(p);
	vec_each(&p->components, i)
		if (p->components.data[i].arg_kind == ARG_STRING &&
		    glob_is(p->components.data[i].string))
			return true;
	return false;
}

struct derived *function_add(const struct lookup *l, const struct function_point *data)
{
	struct arena *a = l->s->arena;
	struct function_point *f = arena_new(a, struct function_point);
	struct derived *d = probe_derived_new(
		l->s, data->by_number ? &probe_family_syscall : &probe_family_function, l->p,
		l->ret);
	const char *where =
		data->fn.module ? arena_printf(a, "module(\"%s\")", data->fn.module) : "kernel";

	*f = *data;
	f->old_name = l->p->drift ? l->p->drift->function : NULL;
	d->data = f;
	d->pp = arena_printf(a, "%s.%s(\"%s\")%s", where,
			     f->is_statement ? "statement" : "function", f->fn.name,
			     f->suffix.is_return     ? ".return"
			     : f->suffix.is_call     ? ".call"
			     : f->suffix.is_exported ? ".exported"
						     : "");
	d->pfunc = f->fn.name;
	d->pmodule = data->fn.module ? data->fn.module : "kernel";
	d->in_module = data->fn.module;
	d->is_matched = is_pattern(l->p);
	d->ends_call = data->syscall && data->suffix.is_return;
	return d;
}

void functionpoint_emit_symbol(struct session *s, const struct derived *d, struct strbuf *b)
{
	const struct function_point *f = d->data;

	strbuf_addf(b, ".symbol = %s", strbuf_quoted_text(s->arena, f->fn.symbol));
}

struct error *function_refused(struct session *s, const char *name, const char *symbol)
{
	if (!kernel_refuses_kprobe(s, symbol))
		return NULL;
	return error_create(
		s->arena, ERROR_ABSENT,
		"the kernel allows no probe in '%s', which handles probes or runs before "
		"they can be handled",
		name);
}
