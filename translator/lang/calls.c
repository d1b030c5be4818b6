/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of functions; overloads.c says which functions a call means. */
#include <string.h>

#include "ast/ast.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"
#include "lib/hashmap.h"
#include "lib/strbuf.h"
#include "lib/word.h"

/* ---- inference ---- */

static void infer_call(struct infer *in, struct node *n, struct function *f)
{
	struct node *arg = n->list;

	for (size_t i = 0; i < f->params.count; i++, arg = arg->next) {
		struct symbol *param = f->params.data[i];

		typing_because(in, arg, param->type,
			       param->type_loc.source ? param->type_loc : param->loc, param->name);
		if (arg->type == TYPE_VOID)
			typing_type(in, arg, TYPE_VOID, TYPE_LONG);
		autocast_note(in, &param->pointee, arg);
		if (param->type == TYPE_UNKNOWN)
			typing_symbol(in, param, arg->type, arg->loc);
	}
}

/*
 * Sets the function's type. An overload without its own type returns the type of the
 * others, or the one that calls need.
 */
static void set_type(struct infer *in, struct function *f, enum type type, struct loc loc)
{
	if (f->type != TYPE_UNKNOWN || type == TYPE_UNKNOWN || type == TYPE_ERROR ||
	    type == TYPE_VOID)
		return;
	f->type = type;
	f->type_loc = loc;
	in->changed = true;
}

/* Returns the type of the first overload that has one. */
static enum type common_type(const struct node *n)
{
	const struct function *f;

	for (unsigned i = 0; (f = overload_candidate(n, i)); i++)
		if (f->type != TYPE_UNKNOWN)
			return f->type;
	return TYPE_UNKNOWN;
}

static void infer(struct infer *in, struct node *n, enum type wanted)
{
	struct function *f, *first = overload_candidate(n, 0);
	enum type type;

	if (!n->function) {
		n->type = TYPE_ERROR;
		return;
	}
	if (!first) {
		typing_error(in, n->loc, "'%s' takes %zu argument%s, not %u", n->name,
			     n->function->params.count, n->function->params.count == 1 ? "" : "s",
			     node_count(n->list));
		n->type = TYPE_ERROR;
		return;
	}
	type = common_type(n);
	for (unsigned i = 0; (f = overload_candidate(n, i)); i++) {
		infer_call(in, n, f);
		if (f->code)
			autocast_result(in, f);
		if (!overload_gives_value(f))
			set_type(in, f, type != TYPE_UNKNOWN ? type : wanted, n->loc);
		else if (in->guess)
			set_type(in, f, wanted, n->loc);
		typing_type(in, n, f->type, type);
	}
	typing_type(in, n, first->type, wanted);
}

/* ---- emission ---- */

static const char *call_text(struct emitter *e, struct function *f, const char *storage,
			     const char *args)
{
	return arena_printf(e->s->arena, "%s(c%s%s%s)", f->c_name, storage ? ", " : "",
			    storage ? storage : "", args);
}

static void emit_one(struct emitter *e, const char *t, const char *call)
{
	if (t)
		writer_line(e->w, "%s = %s;", t, call);
	else
		writer_line(e->w, "%s;", call);
}

/*
 * True: the called C code may have lasting effects. Other functions show this themselves.
 */
static bool runs_foreign_code(const struct node *n)
{
	const struct function *f;

	for (unsigned i = 0; (f = overload_candidate(n, i)); i++)
		if (f->code && f->has_effects)
			return true;
	return false;
}

/* True: the text has the word: a name alone, not a part of another. */
static bool has_word(const char *text, const char *word)
{
	for (const char *at = text; (at = strstr(at, word)); at++)
		if ((at == text || !word_char(at[-1])) && word_length(at) == strlen(word))
			return true;
	return false;
}

/*
 * True: functions of the library such as pid(), whose C never mentions the context, where
 * errors are noted. Calls of them need no check.
 */
static bool cannot_fail(const struct node *n)
{
	static const char *const failing[] = { "c",	"CONTEXT", "STAP_ERROR", "STAP_NEXT",
					       "kread", "uread",   "kderef",	 "uderef" };
	const struct function *f = n->function;

	if (n->list || f->overload || !f->code || !f->source->is_tapset ||
	    !(f->pragmas & PRAGMA_PURE))
		return false;
	for (size_t i = 0; i < sizeof(failing) / sizeof(failing[0]); i++)
		if (has_word(f->code, failing[i]))
			return false;
	return true;
}

static const char *emit_call(struct emitter *e, struct node *n)
{
	unsigned count = node_count(n->list);
	const char **operands = arena_array(e->s->arena, const char *, count + 1);
	struct function *f = overload_candidate(n, 0), *other;
	const char *storage = NULL, *t = NULL;
	struct strbuf args;

	emit_operands(e, n->list, n, operands);
	strbuf_init(&args, e->s->arena);
	for (unsigned i = 0; i < count; i++)
		strbuf_addf(&args, ", %s", operands[i]);
	if (runs_foreign_code(n))
		emit_lasting(e);
	if (f->type == TYPE_STRING)
		storage = emit_result_storage(e, n);
	if (f->type == TYPE_LONG)
		t = emit_value(e, TYPE_LONG, "%s", call_text(e, f, storage, args.s));
	else if (f->type == TYPE_STRING)
		emit_one(e, t = emit_temp(e, f->type), call_text(e, f, storage, args.s));
	else
		emit_one(e, NULL, call_text(e, f, storage, args.s));
	for (unsigned i = 1; overload_may_pass(f); i++, f = other) {
		other = overload_candidate(n, i);
		writer_open(e->w, "if (c->next)");
		writer_line(e->w, "c->next = false;");
		if (other)
			emit_one(e, t, call_text(e, other, storage, args.s));
		else
			writer_line(
				e->w,
				"stp_error(c, \"all functions '%%s' passed the call on\", \"%s\");",
				n->name);
		writer_close(e->w, "");
		if (!other)
			break;
	}
	if (!cannot_fail(n))
		emit_check_call(e, n->loc);
	return t;
}

static const char *emit(struct emitter *e, struct node *n)
{
	const char *name = stablecalls_result(e, n), *call;

	if (!name)
		return emit_call(e, n);
	call = call_text(e, n->function,
			 n->type == TYPE_STRING ? arena_printf(e->s->arena, "fr->%s", name) : NULL,
			 "");
	if (cannot_fail(n)) {
		writer_line(e->w, "STP_ONCE(%s, %s);", name, call);
		return name;
	}
	writer_open(e->w, "if (!has_%s)", name);
	emit_one(e, name, call);
	emit_check_call(e, n->loc);
	writer_line(e->w, "has_%s = true;", name);
	writer_close(e->w, "");
	return name;
}

/* ---- effect, text ---- */

static enum effect effect(const struct node *n)
{
	const struct function *f;

	for (unsigned i = 0; (f = overload_candidate(n, i)); i++)
		if (f->has_effects)
			return EFFECT_OUTSIDE;
	return n->function ? EFFECT_NONE : EFFECT_OUTSIDE;
}

static void print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_addf(out, "%s(", n->name);
	unparse_list(out, n->list);
	strbuf_addc(out, ')');
}

/* ---- checks, including all functions that are called indirectly ---- */

struct changes {
	struct checking *ck;
	struct hashmap seen; /* functions, by C name */
	const struct symbol *array;
	bool found;
};

static void find_changes(struct changes *ch, struct function *f);

static void note_change(struct symbol *sym, unsigned use, void *ctx)
{
	struct changes *ch = ctx;

	ch->found |= sym == ch->array && (use & (USE_WRITE | USE_ADD));
}

static int follow_call(struct node *n, void *ctx)
{
	struct function *f;

	for (unsigned i = 0; n->kind == NODE_CALL && (f = overload_candidate(n, i)); i++)
		find_changes(ctx, f);
	return 0;
}

static void find_changes(struct changes *ch, struct function *f)
{
	struct session *s = ch->ck->in.s;
	const char *key = arena_printf(s->arena, "%p", (void *)f);

	if (ch->found || hashmap_get(&ch->seen, key))
		return;
	hashmap_put(&ch->seen, key, f);
	uses_visit_function(s->program, f, note_change, ch);
	ast_walk(f->body, follow_call, NULL, ch);
}

static void check_in_loop(struct checking *ck, const struct node *n, struct function *f)
{
	vec_each(&ck->iterated, i) {
		struct changes ch = { .ck = ck, .array = ck->iterated.data[i] };

		hashmap_init(&ch.seen, ck->in.s->arena);
		find_changes(&ch, f);
		if (ch.found)
			typing_error(&ck->in, n->loc,
				     "'%s()' changes '%s' inside a foreach loop over it", n->name,
				     ch.array->name);
	}
}

/*
 * A call of a function of the library reaches what the function does: messages then name
 * the script's own line. The script's own functions are checked at their own lines.
 */
static enum stp_privilege_reach reach(const struct node *n)
{
	enum stp_privilege_reach ret = PRIVILEGE_REACH_NOTHING;
	const struct function *f;

	for (unsigned i = 0; (f = overload_candidate(n, i)); i++)
		if ((f->code || f->source->is_tapset) && f->reach > ret)
			ret = f->reach;
	return ret;
}

static void check(struct checking *ck, struct node *n)
{
	struct arena *a = ck->in.s->arena;
	struct function *f;

	for (unsigned i = 0; (f = overload_candidate(n, i)); i++) {
		check_in_loop(ck, n, f);
		if (f->pragmas & PRAGMA_GURU)
			checking_need_guru(ck, n->loc,
					   arena_printf(a, "'%s()' can harm the system", n->name));
	}
	checking_children(ck, n);
}

LANG_OPS(call, uses_children, effect, print, reach, .infer = infer, .emit = emit, .check = check);
