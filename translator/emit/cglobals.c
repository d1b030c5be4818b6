/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/cglobals.h"

#include <string.h>

#include "ast/node.h"
#include "base/session.h"
#include "base/writer.h"
#include "lib/arena.h"

void cglobals_macro(struct cglobals *g, const char *name, const char *params, const char *text)
{
	writer_line(g->w, "#define %s%s %s", name, params, text);
	strbuf_addf(g->undo, "#undef %s\n", name);
}

static void define_array(struct cglobals *g, const struct symbol *sym)
{
	struct arena *a = g->s->arena;
	struct strbuf params, keys;
	bool is_string = sym->type == TYPE_STRING;

	strbuf_init(&params, a);
	strbuf_init(&keys, a);
	for (int i = 0; i < sym->arity; i++) {
		strbuf_addf(&params, "%sk%d", i ? ", " : "", i);
		strbuf_addf(&keys,
			    sym->key_types[i] == TYPE_STRING ? "{ .s = script_str((k%d)) }, "
							     : "{ .i = (k%d) }, ",
			    i);
	}
	cglobals_macro(
		g, arena_printf(a, "STAP_GLOBAL_GET_%s", sym->name),
		arena_printf(a, "(%s)", params.s),
		is_string ? arena_printf(
				    a, "stp_map_get_s(c, %s, (const union stp_key[]){ %s }, %s).s",
				    sym->c_name, keys.s, g->string_room)
			  : arena_printf(a, "stp_map_get_i(c, %s, (const union stp_key[]){ %s })",
					 sym->c_name, keys.s));
	cglobals_macro(g, arena_printf(a, "STAP_GLOBAL_SET_%s", sym->name),
		       arena_printf(a, "(%s, value)", params.s),
		       arena_printf(a,
				    is_string ? "stp_map_set_s(c, %s, (const union stp_key[]){ %s "
						"}, script_str((value)))"
					      : "stp_map_set_i(c, %s, (const union stp_key[]){ %s "
						"}, (value))",
				    sym->c_name, keys.s));
}

static void define_scalar(struct cglobals *g, const struct symbol *sym)
{
	struct arena *a = g->s->arena;
	bool is_string = sym->type == TYPE_STRING;

	cglobals_macro(g, arena_printf(a, "STAP_GLOBAL_GET_%s", sym->name), "()",
		       arena_printf(a, is_string ? "(%s.s)" : "(%s)", sym->c_name));
	cglobals_macro(g, arena_printf(a, "STAP_GLOBAL_SET_%s", sym->name), "(value)",
		       is_string ? arena_printf(a,
						"(%s = stp_str_copy(c, s_%s, "
						"script_str((value))))",
						sym->c_name, sym->c_name)
				 : arena_printf(a, "(%s = (value))", sym->c_name));
}

void cglobals_define(struct cglobals *g, const struct symbol *sym)
{
	if (strstr(g->undo->s, arena_printf(g->s->arena, "STAP_GLOBAL_SET_%s\n", sym->name)))
		return;
	if (sym->arity > 0)
		define_array(g, sym);
	else
		define_scalar(g, sym);
}
