/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass over the tokens: script arguments, conditionals, macro definitions and uses. What a conditional leaves out
 * is never looked at.
 *
 *   @define name %( body %)          @define name(a, b) %( … @a … @b … %)
 *
 * A macro's tokens keep the place where they are written; `via` leads to the use.
 */
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/session.h"
#include "options.h"
#include "parse/macro.h"
#include "parse/parse.h"
#include "parse/token.h"

#define MACRO_DEPTH_MAX 100
#define NESTING_MAX 500       /* conditionals and arguments inside one another */
#define EXPANSION_MAX 1000000 /* tokens out of macros: a script that needs more doubles itself without end */

/* Where tokens are read from: a source, a macro's body or a script argument. */
struct input {
	const struct token *at, *end;
	const struct macro *macro;      /* whose body this is, or NULL */
	const token_list *args;         /* of its parameters */
	const struct input *outer;      /* what its arguments' own parameters refer to */
	const struct loc_via *via;
	unsigned depth;
};

struct expander {
	struct session *s;
	struct source *src;
	struct macros *local;
	token_list *out;
	unsigned nesting, expanded;
	bool gave_up;
};

static void expand(struct expander *x, struct input *in);

/* Said once: what is left is passed over. */
static void give_up(struct expander *x, struct loc loc, const char *why)
{
	if (!x->gave_up)
		diag_error(x->s, loc, "%s", why);
	x->gave_up = true;
}

static void count_expansion(struct expander *x, struct loc loc, size_t tokens)
{
	x->expanded += (unsigned)tokens;
	if (x->expanded > EXPANSION_MAX)
		give_up(x, loc, "the macros used here expand to more than a million tokens");
}

static const struct macro *find_macro(const struct macro_list *list, const char *name)
{
	vec_each(list, i)
		if (!strcmp(list->data[i].name, name))
			return &list->data[i];
	return NULL;
}

static void emit_token(struct expander *x, const struct input *in, struct token t)
{
	if (in->macro)
		count_expansion(x, t.loc, 1);
	if (in->via)
		t.loc.via = in->via;
	vec_push(x->s->arena, x->out, t);
}

static const struct loc_via *via_new(struct expander *x, const struct input *in, const char *what, struct loc at)
{
	struct loc_via *via = arena_new(x->s->arena, struct loc_via);

	at.via = in->via ? in->via : at.via;
	via->what = what;
	via->at = at;
	return via;
}

/* ---- script arguments ---- */

static void expand_argument(struct expander *x, struct input *in, const struct token *t)
{
	const struct options *o = x->s->options;
	size_t count = o ? o->args.count : 0;
	struct token number = { .kind = TOKEN_NUMBER, .loc = t->loc, .text = "", .number = (int64_t)count };
	struct token string = { .kind = TOKEN_STRING, .loc = t->loc };

	if (x->src->is_tapset) {
		diag_error(x->s, t->loc, "script arguments cannot be used in a tapset");
		return;
	}
	if (t->kind == TOKEN_ARG_COUNT) {
		emit_token(x, in, number);
	} else if (t->kind == TOKEN_ARG_COUNT_STRING) {
		string.text = arena_printf(x->s->arena, "%zu", count);
		string.len = strlen(string.text);
		emit_token(x, in, string);
	} else if (t->number < 1 || (size_t)t->number > count) {
		diag_error(x->s, t->loc, "script argument %lld is missing; %zu %s given", (long long)t->number, count,
			   count == 1 ? "was" : "were");
		/* something of the right shape, so that the rest can be parsed */
		emit_token(x, in, t->kind == TOKEN_ARG_RAW ? number
			   : (struct token){ .kind = TOKEN_STRING, .loc = t->loc, .text = "" });
	} else if (t->kind == TOKEN_ARG_STRING) {
		string.text = o->args.data[t->number - 1];
		string.len = strlen(string.text);
		emit_token(x, in, string);
	} else {
		const char *text = o->args.data[t->number - 1];
		const char *name = arena_printf(x->s->arena, "<argument %lld>", (long long)t->number);
		struct source *src = source_from_text(x->s->arena, name, text, strlen(text));
		const struct loc_via *via = via_new(x, in, "in this script argument", t->loc);
		token_list tokens = { 0 };

		lex_source(x->s, src, &tokens);
		for (size_t i = 0; i + 1 < tokens.count; i++) {
			struct token a = tokens.data[i];

			a.loc.via = via;
			if (a.kind >= TOKEN_ARG_RAW && a.kind <= TOKEN_ARG_COUNT_STRING)
				diag_error(x->s, a.loc, "a script argument cannot refer to another one");
			else
				vec_push(x->s->arena, x->out, a);
		}
	}
}

/* ---- conditionals ---- */

/* The end of the part that begins at t: the %? %: or %) of its own level, or the input's end. */
static const struct token *part_end(const struct token *t, const struct token *end)
{
	unsigned depth = 0;

	for (; t < end && t->kind != TOKEN_END; t++) {
		if (t->kind == TOKEN_IF_OPEN)
			depth++;
		else if (depth == 0 && (t->kind == TOKEN_IF_THEN || t->kind == TOKEN_IF_ELSE ||
					t->kind == TOKEN_IF_CLOSE))
			break;
		else if (t->kind == TOKEN_IF_CLOSE)
			depth--;
	}
	return t;
}

static void expand_part(struct expander *x, const struct input *in, const struct token *begin, const struct token *end)
{
	struct input part = *in;

	part.at = begin;
	part.end = end;
	if (++x->nesting > NESTING_MAX)
		give_up(x, begin->loc, "this nests too deeply");
	else
		expand(x, &part);
	x->nesting--;
}

static void expand_conditional(struct expander *x, struct input *in)
{
	const struct token *open = in->at++, *then, *els, *close;
	token_list condition = { 0 }, *out = x->out;
	bool taken;

	then = part_end(in->at, in->end);
	if (then == in->end || then->kind != TOKEN_IF_THEN) {
		diag_error(x->s, open->loc, "conditional without '%%?': %%( condition %%? … %%: … %%)");
		/* What belongs to it is passed over. */
		while (then < in->end && (then->kind == TOKEN_IF_THEN || then->kind == TOKEN_IF_ELSE))
			then = part_end(then + 1, in->end);
		in->at = then == in->end || then->kind == TOKEN_END ? then : then + 1;
		return;
	}
	els = part_end(then + 1, in->end);
	close = els != in->end && els->kind == TOKEN_IF_ELSE ? part_end(els + 1, in->end) : els;
	if (close == in->end || close->kind != TOKEN_IF_CLOSE) {
		diag_error(x->s, open->loc, "conditional is never closed; '%%)' is missing");
		in->at = in->end;
		return;
	}
	x->out = &condition;
	expand_part(x, in, in->at, then);
	x->out = out;
	if (x->gave_up)
		return;
	taken = preproc_condition(x->s, condition.data, condition.data + condition.count, open->loc);
	if (taken)
		expand_part(x, in, then + 1, els);
	else if (els != close)
		expand_part(x, in, els + 1, close);
	in->at = close + 1;
}

/* ---- macros ---- */

static void define_macro(struct expander *x, struct input *in)
{
	const struct token *keyword = in->at++, *close;
	struct macro m = { 0 };
	unsigned depth = 1;

	if (in->at >= in->end || in->at->kind != TOKEN_WORD) {
		diag_error(x->s, keyword->loc, "expected: @define name %%( body %%)");
		return;
	}
	m.name = in->at->text;
	m.loc = in->at++->loc;
	if (in->at < in->end && token_is(in->at, TOKEN_PUNCT, "(")) {
		m.has_params = true;
		for (in->at++; in->at < in->end && !token_is(in->at, TOKEN_PUNCT, ")"); in->at++) {
			if (in->at->kind == TOKEN_WORD)
				vec_push(x->s->arena, &m.params, in->at->text);
			else if (!token_is(in->at, TOKEN_PUNCT, ","))
				break;
		}
		if (in->at < in->end && token_is(in->at, TOKEN_PUNCT, ")"))
			in->at++;
	}
	if (in->at >= in->end || in->at->kind != TOKEN_IF_OPEN) {
		diag_error(x->s, m.loc, "expected '%%(' before the body of macro '@%s'", m.name);
		return;
	}
	m.body = in->at + 1;
	for (close = m.body; close < in->end && close->kind != TOKEN_END; close++) {
		depth += close->kind == TOKEN_IF_OPEN;
		depth -= close->kind == TOKEN_IF_CLOSE;
		if (!depth)
			break;
		if (token_is(close, TOKEN_AT, "define"))
			diag_error(x->s, close->loc, "a macro cannot define another one");
	}
	if (depth) {
		diag_error(x->s, m.loc, "macro '@%s' is never closed; '%%)' is missing", m.name);
		in->at = in->end;
		return;
	}
	m.body_end = close;
	in->at = close + 1;
	if (find_macro(&x->local->list, m.name)) {
		diag_error(x->s, m.loc, "macro '@%s' is defined already", m.name);
		diag_note(x->s, find_macro(&x->local->list, m.name)->loc, "here");
		return;
	}
	vec_push(x->s->arena, &x->local->list, m);
	vec_push(x->s->arena, &macros_library(x->s)->names, m.name);
}

/* The arguments of a use, each expanded where it stands; in->at is behind the macro's name. */
static bool read_arguments(struct expander *x, struct input *in, const struct macro *m, struct loc use,
			   token_list *args)
{
	const struct token *start;
	unsigned depth = 0, n = 0;

	if (in->at >= in->end || !token_is(in->at, TOKEN_PUNCT, "(")) {
		diag_error(x->s, use, "macro '@%s' takes %zu argument%s", m->name, m->params.count,
			   m->params.count == 1 ? "" : "s");
		return false;
	}
	for (start = ++in->at; in->at < in->end && in->at->kind != TOKEN_END; in->at++) {
		bool close = token_is(in->at, TOKEN_PUNCT, ")"), comma = token_is(in->at, TOKEN_PUNCT, ",");

		if (depth == 0 && (close || comma)) {
			token_list *out = x->out;

			if (n < m->params.count && !(close && n == 0 && start == in->at)) {
				x->out = &args[n];
				expand_part(x, in, start, in->at);
				x->out = out;
			}
			if (!(close && n == 0 && start == in->at))
				n++;
			start = in->at + 1;
			if (close)
				break;
		} else if (token_is(in->at, TOKEN_PUNCT, "(") || token_is(in->at, TOKEN_PUNCT, "[") ||
			   token_is(in->at, TOKEN_PUNCT, "{")) {
			depth++;
		} else if (close || token_is(in->at, TOKEN_PUNCT, "]") || token_is(in->at, TOKEN_PUNCT, "}")) {
			depth--;
		}
	}
	if (in->at < in->end)
		in->at++;
	if (n != m->params.count) {
		diag_error(x->s, use, "macro '@%s' takes %zu argument%s, not %u", m->name, m->params.count,
			   m->params.count == 1 ? "" : "s", n);
		return false;
	}
	return true;
}

static void expand_macro(struct expander *x, struct input *in, const struct macro *m)
{
	struct loc use = in->at++->loc;
	struct input body = { .at = m->body, .end = m->body_end, .macro = m, .outer = in, .depth = in->depth + 1 };
	token_list *args = arena_array(x->s->arena, token_list, m->params.count + 1);

	if (m->has_params && !read_arguments(x, in, m, use, args))
		return;
	if (body.depth > MACRO_DEPTH_MAX) {
		if (body.depth == MACRO_DEPTH_MAX + 1)
			diag_error(x->s, use, "macro '@%s' uses itself without end", m->name);
		return;
	}
	count_expansion(x, use, 1);
	body.args = args;
	body.via = via_new(x, in, arena_printf(x->s->arena, "in expansion of macro '@%s'", m->name), use);
	expand(x, &body);
}

/* The arguments of a parameter are expanded already and keep their own places. */
static bool expand_parameter(struct expander *x, const struct input *in, const char *name)
{
	for (size_t i = 0; in->macro && i < in->macro->params.count; i++) {
		if (strcmp(in->macro->params.data[i], name))
			continue;
		count_expansion(x, in->at->loc, in->args[i].count);
		for (size_t k = 0; k < in->args[i].count && !x->gave_up; k++)
			vec_push(x->s->arena, x->out, in->args[i].data[k]);
		return true;
	}
	return false;
}

static void expand_at_word(struct expander *x, struct input *in)
{
	const char *name = in->at->text;
	const struct macro *m;

	if (!strcmp(name, "define") && in->depth == 0) {
		define_macro(x, in);
		return;
	}
	if (expand_parameter(x, in, name)) {
		in->at++;
		return;
	}
	m = find_macro(&x->local->list, name);
	if (!m)
		m = find_macro(&macros_library(x->s)->list, name);
	if (m)
		expand_macro(x, in, m);
	else
		emit_token(x, in, *in->at++);
}

static void expand(struct expander *x, struct input *in)
{
	while (in->at < in->end && !x->gave_up) {
		switch (in->at->kind) {
		case TOKEN_IF_OPEN:
			expand_conditional(x, in);
			break;
		case TOKEN_AT:
			expand_at_word(x, in);
			break;
		case TOKEN_ARG_RAW:
		case TOKEN_ARG_STRING:
		case TOKEN_ARG_COUNT:
		case TOKEN_ARG_COUNT_STRING:
			expand_argument(x, in, in->at++);
			break;
		default:
			emit_token(x, in, *in->at++);
		}
	}
}

struct macros *macros_library(struct session *s)
{
	if (!s->macros)
		s->macros = arena_new(s->arena, struct macros);
	return s->macros;
}

void preprocess(struct session *s, struct source *src, const token_list *in, token_list *ret)
{
	struct macros local = { 0 };
	struct expander x = { .s = s, .src = src, .local = &local, .out = ret };
	struct input all = { .at = in->data, .end = in->data + in->count };

	expand(&x, &all);
	if (x.gave_up)
		ret->count = 0;
	if (!ret->count || ret->data[ret->count - 1].kind != TOKEN_END)
		vec_push(s->arena, ret, in->data[in->count - 1]);
}

void parse_macros(struct session *s, struct source *src)
{
	token_list tokens = { 0 }, rest = { 0 };
	struct expander x = { .s = s, .src = src, .local = macros_library(s), .out = &rest };
	struct input all;

	lex_source(s, src, &tokens);
	all = (struct input){ .at = tokens.data, .end = tokens.data + tokens.count };
	expand(&x, &all);
	if (rest.count > 1)
		diag_error(s, rest.data[0].loc, "a macro library holds '@define' only");
}
