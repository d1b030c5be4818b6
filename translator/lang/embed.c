/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * %{ C %} as an expression: a number, or with the comment "string" a char pointer; and as
 * a statement. (Functions in C: module/embedded.c.)
 */
#include <string.h>

#include "base/lexical.h"
#include "base/session.h"
#include "emit/cglobals.h"
#include "emit/emit.h"
#include "lang/ops.h"

static bool is_string(const struct node *n)
{
	return strstr(n->string, "/* string */") != NULL;
}

/* The characters by which module/samecode.c marks constants. */
static const char marks[] = "\1\2\3\4";

static void infer(struct infer *in, struct node *n, enum type wanted)
{
	const char *mark = strpbrk(n->string, marks);

	if (mark && in->final)
		typing_error(in, n->loc, "an unprintable character in C; write it as '\\%o'",
			     *mark);
	typing_type(in, n, is_string(n) ? TYPE_STRING : TYPE_LONG, wanted);
}

static enum effect effect(const struct node *n)
{
	return strstr(n->string, "/* pure */") ? EFFECT_NONE : EFFECT_OUTSIDE;
}

/* Returns room for strings that the text reads from arrays: it can hold two at once. */
static const char *string_room(struct emitter *e, const struct node *n)
{
	for (struct symbol **sym = n->globals; sym && *sym; sym++) {
		const char *turn;

		if ((*sym)->arity <= 0 || (*sym)->type != TYPE_STRING)
			continue;
		turn = emit_local(e, "unsigned", "turn");
		writer_line(e->w, "%s = 0;", turn);
		return arena_printf(e->s->arena, "(%s++ & 1 ? %s : %s)", turn, emit_storage(e),
				    emit_storage(e));
	}
	return NULL;
}

/*
 * Emits the text between the macros that it may use. `target` comes before it, on a
 * separate line, so that the script's columns stay the same.
 */
static void emit_text(struct emitter *e, const struct node *n, const char *target, const char *lead,
		      const char *end)
{
	const char *failed = strstr(n->string, "STAP_ERROR") ? emit_label(e, "failed") : NULL;
	struct strbuf undo;
	struct cglobals globals = {
		.s = e->s, .w = e->w, .undo = &undo, .string_room = string_room(e, n)
	};

	strbuf_init(&undo, e->s->arena);
	if (effect(n) == EFFECT_OUTSIDE)
		emit_lasting(e);
	cglobals_macro(&globals, "CONTEXT", "", "c");
	if (failed)
		cglobals_macro(&globals, "STAP_ERROR", "(...)",
			       arena_printf(e->s->arena,
					    "do { stp_error(c, __VA_ARGS__); goto %s; } while (0)",
					    failed));
	for (struct symbol **sym = n->globals; sym && *sym; sym++)
		cglobals_define(&globals, *sym);
	writer_line(e->w, "%s", target);
	emit_user_text(e->s, e->w, n->loc, lead, n->string, n->string_len);
	writer_line(e->w, "%s", end);
	writer_raw(e->w, undo.s, undo.len);
	if (failed)
		emit_place_label(e, failed);
}

static const char *emit(struct emitter *e, struct node *n)
{
	const char *t = emit_temp(e, n->type), *text = t, *lead = "=(int64_t)(";

	if (is_string(n)) {
		text = emit_local(e, "const char *", "text");
		lead = "=(";
	}
	/*
	 * The assignment gets the script's line: a value of the wrong type is the
	 * script's error.
	 */
	emit_text(e, n, text, lead, ");");
	if (is_string(n))
		writer_line(e->w, "%s = stp_str_copy(c, %s, script_str(%s));", t, emit_storage(e),
			    text);
	emit_check(e, n->loc);
	return t;
}

void embed_emit_statement(struct emitter *e, const struct node *n)
{
	emit_text(e, n, "", "{", ";}");
	emit_check(e, n->loc);
}

static void embed_uses(struct uses *u, struct node *n, bool wanted)
{
	for (struct symbol **sym = n->globals; sym && *sym; sym++)
		uses_visit_code(n->string, *sym, u->fn, u->ctx);
}

static enum stp_privilege_reach reach(const struct node *n)
{
	return strstr(n->string, "/* unprivileged */") ? PRIVILEGE_REACH_NOTHING
						       : PRIVILEGE_REACH_PLAIN_C;
}

static void print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_adds(out, lexical_begin(LEXICAL_EMBEDDED));
	strbuf_add(out, n->string, n->string_len);
	strbuf_adds(out, lexical_end(LEXICAL_EMBEDDED));
}

LANG_OPS(embed, embed_uses, effect, print, reach, .infer = infer, .emit = emit);
