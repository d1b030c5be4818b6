/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables. Longs are C variables; a string variable is a struct stp_str whose bytes are
 * stored separately: a global's in s_NAME, a local's in the frame. A parameter that is
 * only read points to its caller's bytes.
 */
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"

static void infer(struct infer *in, struct node *n, enum type wanted)
{
	struct symbol *sym = n->symbol;

	if (!sym) {
		n->type = TYPE_ERROR;
		return;
	}
	if (sym->kind == SYMBOL_GLOBAL && !typing_arity(in, sym, 0, n->loc)) {
		n->type = TYPE_ERROR;
		return;
	}
	if (sym->type == TYPE_UNKNOWN)
		typing_symbol(in, sym, wanted, n->loc);
	if (sym->type == TYPE_STATS && wanted != TYPE_STATS && n->type != TYPE_ERROR) {
		typing_error(in, n->loc,
			     "'%s' is an aggregate; take one of its values, as @count(%s)", n->name,
			     n->name);
		n->type = TYPE_ERROR;
	}
	typing_type(in, n, sym->type, wanted);
}

const char *variables_emit_storage(struct emitter *e, const struct symbol *sym)
{
	if (sym->kind == SYMBOL_GLOBAL)
		return arena_printf(e->s->arena, "s_%s", sym->c_name);
	return arena_printf(e->s->arena, "fr->%s", sym->c_name);
}

const char *variables_emit_store(struct emitter *e, struct symbol *sym, const char *value)
{
	if (sym->kind == SYMBOL_GLOBAL)
		emit_lasting(e);
	/* Literals are not copied: a local may point to one. A long one is cut. */
	if (sym->type == TYPE_STRING && sym->kind != SYMBOL_GLOBAL &&
	    !strncmp(value, "STP_STR", strlen("STP_STR")))
		writer_line(e->w, "%s = %s.len < MAXSTRINGLEN ? %s : stp_str_copy(c, %s, %s);",
			    sym->c_name, value, value, variables_emit_storage(e, sym), value);
	else if (sym->type == TYPE_STRING)
		writer_line(e->w, "%s = stp_str_copy(c, %s, %s);", sym->c_name,
			    variables_emit_storage(e, sym), value);
	else
		writer_line(e->w, "%s = %s;", sym->c_name, value);
	return value;
}

static const char *emit(struct emitter *e, struct node *n)
{
	return n->symbol->c_name;
}

static void uses(struct uses *u, struct node *n, bool wanted)
{
	uses_place(u, n, USE_READ);
}

static void check_change(struct checking *ck, const struct node *n, struct loc loc)
{
	if (n->symbol)
		checking_iterated(ck, n, loc);
}

static void print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_adds(out, n->name);
}

LANG_OPS(name, uses, effects_none, print, checking_reach_nothing, .infer = infer, .emit = emit,
	 .check_change = check_change);
