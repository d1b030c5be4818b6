/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C names: a prefix separates the script's names from the kernel's, and a number
 * distinguishes overloads and private names that are the same.
 */
#include "base/session.h"
#include "lib/hashmap.h"
#include "module/module.h"

bool cnames_is_part(const struct function *f)
{
	return f->clone_of && f->body;
}

static const char *unique(struct session *s, struct hashmap *used, const char *prefix,
			  const char *name)
{
	const char *text = arena_printf(s->arena, "%s%s", prefix, name);

	for (unsigned n = 2; hashmap_get(used, text); n++)
		text = arena_printf(s->arena, "%s%s__%u", prefix, name, n);
	hashmap_put(used, text, used);
	return text;
}

static void name_symbols(struct session *s, struct hashmap *used, const char *prefix,
			 struct symbol **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		list[i]->c_name = unique(s, used, prefix, list[i]->name);
}

/* Names the functions of handlers: equal handlers have functions with equal names. */
static void name_parts(struct session *s, const struct handler *h)
{
	vec_each(&h->clones, i) {
		struct function *f = h->clones.data[i];

		if (cnames_is_part(f))
			f->c_name = arena_printf(s->arena, "k_%s_" MERGE_SELF "_%zu", f->name, i);
	}
}

/*
 * Sets all names. A name with a number could collide with another name ("x__2"), so
 * globals and functions share one set of names, and each body's locals have their own
 * set.
 */
void cnames_set(struct session *s)
{
	struct program *p = s->program;
	struct hashmap used;

	hashmap_init(&used, s->arena);
	name_symbols(s, &used, "g_", p->globals.data, p->globals.count);
	vec_each(&p->functions, i) {
		struct function *f = p->functions.data[i];
		struct hashmap locals;

		f->c_name = cnames_is_part(f) ? NULL : unique(s, &used, "f_", f->name);
		hashmap_init(&locals, s->arena);
		name_symbols(s, &locals, "l_", f->params.data, f->params.count);
		name_symbols(s, &locals, "l_", f->locals.data, f->locals.count);
	}
	vec_each(&p->handlers, i) {
		struct hashmap locals;

		hashmap_init(&locals, s->arena);
		name_symbols(s, &locals, "l_", p->handlers.data[i]->locals.data,
			     p->handlers.data[i]->locals.count);
		name_symbols(s, &locals, "l_", p->handlers.data[i]->entry_locals.data,
			     p->handlers.data[i]->entry_locals.count);
		name_parts(s, p->handlers.data[i]);
	}
}

static const char *const result_types[TYPE_COUNT] = {
	[TYPE_LONG] = "int64_t ",
	[TYPE_STRING] = "struct stp_str ",
	[TYPE_VOID] = "void ",
};

const char *cnames_signature(struct session *s, const struct function *f)
{
	struct strbuf b;

	strbuf_init(&b, s->arena);
	strbuf_addf(&b, "static %s%s(struct stp_ctx *c", result_types[f->type], f->c_name);
	if (f->type == TYPE_STRING)
		strbuf_adds(&b, ", char *ret");
	vec_each(&f->params, i)
		strbuf_addf(&b, ", %s%s", result_types[f->params.data[i]->type],
			    f->params.data[i]->c_name);
	strbuf_adds(&b, ")");
	return b.s;
}
