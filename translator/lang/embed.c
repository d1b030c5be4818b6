/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * %{ C %} as an expression: a number, or with the comment "string" a char pointer.
 * (Functions in C: module/embedded.c.)
 */
#include <string.h>

#include "base/session.h"
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

static const char *emit(struct emitter *e, struct node *n)
{
	const char *t = emit_temp(e, n->type), *text = t, *lead = "=(int64_t)(";

	if (is_string(n)) {
		text = emit_local(e, "const char *", "text");
		lead = "=(";
	}
	/*
	 * The assignment stands in the script's line: a value of a wrong type is the
	 * script's mistake.
	 */
	if (effect(n) == EFFECT_OUTSIDE)
		emit_lasting(e);
	writer_line(e->w, "#define CONTEXT c");
	writer_line(e->w, "%s", text);
	emit_user_text(e->s, e->w, n->loc, lead, n->string, n->string_len);
	writer_line(e->w, ");");
	if (is_string(n))
		writer_line(e->w, "%s = stp_str_copy(c, %s, script_str(%s));", t, emit_storage(e),
			    text);
	writer_line(e->w, "#undef CONTEXT");
	emit_check(e, n->loc);
	return t;
}

static enum stp_privilege_reach reach(const struct node *n)
{
	return strstr(n->string, "/* unprivileged */") ? PRIVILEGE_REACH_NOTHING
						       : PRIVILEGE_REACH_PLAIN_C;
}

static void print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_adds(out, "%{");
	strbuf_add(out, n->string, n->string_len);
	strbuf_adds(out, "%}");
}

LANG_OPS(embed, uses_children, effect, print, reach, .infer = infer, .emit = emit);
