/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass over the tokens: script arguments, conditionals, macro definitions and uses.
 * Text that a conditional leaves out is never examined.
 *
 *   @define name %( body %)          @define name(a, b) %( … @a … @b … %)
 *
 * A macro's tokens keep the place where they are written; `via` leads to the use.
 */
#include "parse/macro.h"

#include <string.h>

#include "base/diag.h"
#include "base/lexical.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "parse/parse.h"
#include "parse/token.h"

#define MACRO_DEPTH_MAX 100
#define NESTING_MAX	500    /* nested conditionals and arguments */
#define EXPANSION_MAX	250000 /* tokens from macros: more mean endless doubling */

/* A place that tokens are read from: a source, a macro's body or a script argument. */
struct input {
	const struct token *at, *end;
	const struct macro *macro; /* the macro with this body, or NULL */
	const token_list *args;	   /* of its parameters */
	/* the input that parameters in the arguments themselves refer to */
	const struct input *outer;
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

/* Reports the reason once; the rest of the input is skipped. */
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
		give_up(x, loc, "the macros used here expand to more than 250000 tokens");
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
	vec_push_long(x->s->arena, x->out, t);
}

static const struct loc_via *via_new(struct expander *x, const struct input *in, const char *what,
				     struct loc at)
{
	struct loc_via *via = arena_new(x->s->arena, struct loc_via);

	at.via = in->via ? in->via : at.via;
	via->what = what;
	via->at = at;
	return via;
}

/* ---- script arguments ---- */

/*
 * Expands text given by the user: it becomes script text, but cannot refer to another
 * argument.
 */
static void expand_given(struct expander *x, const struct input *in, const token_list *given,
			 const struct loc_via *via)
{
	struct input text = { .via = via, .depth = in->depth + 1 };
	token_list tokens = { 0 };

	for (size_t i = 0; i + 1 < given->count; i++) {
		struct token t = given->data[i];

		t.loc.via = via;
		if (t.kind >= TOKEN_ARG_RAW && t.kind <= TOKEN_ARG_COUNT_STRING)
			diag_error(x->s, t.loc, "a script argument cannot refer to another one");
		else
			vec_push(x->s->arena, &tokens, t);
	}
	text.at = tokens.data;
	text.end = tokens.data + tokens.count;
	expand(x, &text);
}

static void expand_argument(struct expander *x, struct input *in, const struct token *t)
{
	const struct options *o = x->s->options;
	size_t count = o ? o->args.count : 0;
	struct token number = {
		.kind = TOKEN_NUMBER, .loc = t->loc, .text = "", .number = (int64_t)count
	};
	struct token string = { .kind = TOKEN_STRING, .loc = t->loc };

	if (t->number >= 1 && t->number <= SESSION_ARGUMENTS)
		x->s->arguments_used |= 1ull << (t->number - 1);
	if (t->kind == TOKEN_ARG_COUNT) {
		emit_token(x, in, number);
	} else if (t->kind == TOKEN_ARG_COUNT_STRING) {
		string.text = arena_printf(x->s->arena, "%zu", count);
		string.len = strlen(string.text);
		emit_token(x, in, string);
	} else if (t->number < 1 || (size_t)t->number > count) {
		diag_error(x->s, t->loc, "script argument %lld is missing; %zu %s given",
			   (long long)t->number, count, count == 1 ? "was" : "were");
		/* a token of the right shape, so that the rest can be parsed */
		emit_token(x, in,
			   t->kind == TOKEN_ARG_RAW ? number
						    : (struct token){ .kind = TOKEN_STRING,
								      .loc = t->loc,
								      .text = "" });
	} else if (t->kind == TOKEN_ARG_STRING) {
		string.text = o->args.data[t->number - 1];
		string.len = strlen(string.text);
		emit_token(x, in, string);
	} else {
		const char *text = o->args.data[t->number - 1];
		const char *name =
			arena_printf(x->s->arena, "<argument %lld>", (long long)t->number);
		struct source *src = source_from_text(x->s->arena, name, text, strlen(text));
		const struct loc_via *via = via_new(x, in, "in this script argument", t->loc);
		token_list tokens = { 0 };

		lex_source(x->s, src, &tokens);
		expand_given(x, in, &tokens, via);
	}
}

/* ---- conditionals ---- */

/*
 * Returns the end of the part that begins at t: the %? %: or %) of its own level, or the
 * input's end.
 */
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

static void expand_part(struct expander *x, const struct input *in, const struct token *begin,
			const struct token *end)
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

/*
 * Inserts a token with the reason why the text at `open` is not a conditional, and skips
 * its parts: the grammar then reports nothing else about that place.
 */
static void refuse_conditional(struct expander *x, struct input *in, const struct token *open,
			       const struct token *at)
{
	struct token bad = *open;

	for (const struct token *t = open; t < at && bad.kind != TOKEN_BAD; t++)
		bad = t->kind == TOKEN_BAD ? *t : bad;
	if (bad.kind != TOKEN_BAD) {
		bad.kind = TOKEN_BAD;
		bad.text = "conditional without '%?': %( condition %? … %: … %)";
	}
	vec_push_long(x->s->arena, x->out, bad);
	while (at < in->end && (at->kind == TOKEN_IF_THEN || at->kind == TOKEN_IF_ELSE))
		at = part_end(at + 1, in->end);
	in->at = at == in->end || at->kind == TOKEN_END ? at : at + 1;
}

/*
 * Returns the `%)` of the conditional whose parts are known up to `at`; NULL: there is no
 * `%)`.
 */
static const struct token *conditional_close(struct expander *x, struct input *in,
					     const struct token *open, const struct token *at)
{
	while (at != in->end && (at->kind == TOKEN_IF_THEN || at->kind == TOKEN_IF_ELSE)) {
		diag_error(x->s, at->loc,
			   "a conditional has one '%%?' and at most one '%%:' after it");
		at = part_end(at + 1, in->end);
	}
	if (at != in->end && at->kind == TOKEN_IF_CLOSE)
		return at;
	diag_error(x->s, open->loc, "conditional is never closed; '%%)' is missing");
	in->at = in->end;
	return NULL;
}

static bool condition_holds(struct expander *x, struct input *in, const struct token *then)
{
	token_list condition = { 0 }, *out = x->out;

	for (const struct token *t = in->at; t < then; t++) {
		if (t->kind == TOKEN_IF_OPEN) {
			diag_error(x->s, t->loc, "a condition holds no conditional");
			return false;
		}
	}
	x->out = &condition;
	expand_part(x, in, in->at, then);
	x->out = out;
	return !x->gave_up &&
	       preproc_condition(x->s, condition.data, condition.data + condition.count, then->loc);
}

static void expand_conditional(struct expander *x, struct input *in)
{
	const struct token *open = in->at++, *then, *els, *close;
	bool taken;

	then = part_end(in->at, in->end);
	if (then == in->end || then->kind != TOKEN_IF_THEN) {
		refuse_conditional(x, in, open, then);
		return;
	}
	els = part_end(then + 1, in->end);
	close = conditional_close(
		x, in, open,
		els != in->end && els->kind == TOKEN_IF_ELSE ? part_end(els + 1, in->end) : els);
	if (!close)
		return;
	taken = condition_holds(x, in, then);
	if (taken)
		expand_part(x, in, then + 1, els);
	else if (els != close)
		expand_part(x, in, els + 1, close);
	in->at = close + 1;
}

/* ---- macros ---- */

static bool is_name(const struct input *in)
{
	return in->at < in->end && in->at->kind == TOKEN_WORD &&
	       !lexical_roles(in->at->text, strlen(in->at->text));
}

static bool is_punct(const struct input *in, const char *text)
{
	return in->at < in->end && token_is(in->at, TOKEN_PUNCT, text);
}

/* Returns the place where reading stopped; after the last token, that token's place. */
static struct loc here(const struct input *in)
{
	return in->at < in->end ? in->at->loc : in->at[-1].loc;
}

/* Reads (a, b); in->at is the parenthesis. */
static bool read_parameters(struct expander *x, struct input *in, struct macro *m)
{
	m->has_params = true;
	do {
		in->at++;
		if (!is_name(in)) {
			diag_error(x->s, here(in),
				   "expected the name of a parameter of macro '@%s'; a macro "
				   "without any has no parentheses",
				   m->name);
			return false;
		}
		vec_push(x->s->arena, &m->params, in->at++->text);
	} while (is_punct(in, ","));
	if (!is_punct(in, ")")) {
		diag_error(x->s, here(in), "expected ',' or ')' after a parameter of macro '@%s'",
			   m->name);
		return false;
	}
	in->at++;
	return true;
}

/* Reads @define NAME or @define NAME(a, b), up to its body. */
static bool read_macro_head(struct expander *x, struct input *in, struct macro *m)
{
	in->at++;
	if (!is_name(in)) {
		diag_error(x->s, here(in), "expected: @define name %%( body %%)");
		return false;
	}
	m->name = in->at->text;
	m->loc = in->at++->loc;
	if (!strcmp(m->name, "define")) {
		diag_error(x->s, m->loc,
			   "no macro can be called 'define': '@define' begins a definition");
		return false;
	}
	if (is_punct(in, "(") && !read_parameters(x, in, m))
		return false;
	if (in->at < in->end && in->at->kind == TOKEN_IF_OPEN)
		return true;
	diag_error(x->s, here(in), "expected '%%(' before the body of macro '@%s'", m->name);
	return false;
}

/* Returns the `%)` of the body that begins at t; NULL: there is no `%)`. */
static const struct token *body_close(const struct token *t, const struct token *end)
{
	for (unsigned depth = 1; t < end && t->kind != TOKEN_END; t++) {
		depth += t->kind == TOKEN_IF_OPEN;
		depth -= t->kind == TOKEN_IF_CLOSE;
		if (!depth)
			return t;
	}
	return NULL;
}

static bool same_line(struct loc a, struct loc b)
{
	return a.source == b.source && a.begin <= b.begin &&
	       !memchr(a.source->text + a.begin, '\n', b.begin - a.begin);
}

/*
 * Skips the rest of a broken definition: the rest of its line, and the body that begins
 * there.
 */
static void skip_definition(struct input *in)
{
	const struct token *t = in->at;

	while (t < in->end && t->kind != TOKEN_IF_OPEN && t->kind != TOKEN_END &&
	       same_line(in->at->loc, t->loc))
		t++;
	if (t < in->end && t->kind == TOKEN_IF_OPEN && same_line(in->at->loc, t->loc)) {
		const struct token *close = body_close(t + 1, in->end);

		t = close ? close + 1 : in->end;
	}
	in->at = t;
}

static void define_macro(struct expander *x, struct input *in)
{
	struct macro m = { 0 };
	const struct token *close;

	if (!read_macro_head(x, in, &m)) {
		skip_definition(in);
		return;
	}
	m.body = in->at + 1;
	close = body_close(m.body, in->end);
	if (!close) {
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
	if (atword_is_operator(m.name))
		diag_warning(x->s, m.loc, "the macro takes the place of the operator @%s", m.name);
	vec_push(x->s->arena, &x->local->list, m);
	vec_push(x->s->arena, &macrolib_get(x->s)->names, m.name);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static int nesting(const struct token *t)
{
	static const char open[] = "([{", close[] = ")]}";

	if (t->kind == TOKEN_IF_OPEN || t->kind == TOKEN_IF_CLOSE)
		return t->kind == TOKEN_IF_OPEN ? 1 : -1;
	if (t->kind != TOKEN_PUNCT || t->text[1])
		return 0;
	return strchr(open, t->text[0]) ? 1 : strchr(close, t->text[0]) ? -1 : 0;
}

/* Returns the ',' or ')' after the argument at t, or the input's end. */
static const struct token *argument_end(const struct token *t, const struct token *end)
{
	for (int depth = 0; t < end && t->kind != TOKEN_END; t++) {
		if (!depth && (token_is(t, TOKEN_PUNCT, ",") || token_is(t, TOKEN_PUNCT, ")")))
			break;
		depth += nesting(t);
	}
	return t;
}

/*
 * Reads the arguments of a use, each expanded in its place; in->at is after the macro's
 * name. Nothing between the parentheses counts as one empty argument.
 */
static bool read_arguments(struct expander *x, struct input *in, const struct macro *m,
			   struct loc use, token_list *args)
{
	size_t n = 0, wanted = m->params.count;
	token_list *out = x->out;

	if (!is_punct(in, "(")) {
		diag_error(x->s, in->at < in->end && in->at->kind != TOKEN_END ? in->at->loc : use,
			   "macro '@%s' takes %zu argument%s: expected '('", m->name, wanted,
			   plural(wanted));
		return false;
	}
	do {
		const struct token *start = ++in->at;

		in->at = argument_end(start, in->end);
		x->out = &args[n];
		expand_part(x, in, start, in->at);
		x->out = out;
		n++;
	} while (n < wanted && is_punct(in, ","));
	if (n == wanted && is_punct(in, ")")) {
		in->at++;
		return true;
	}
	diag_error(x->s, in->at < in->end && in->at->kind != TOKEN_END ? in->at->loc : use,
		   is_punct(in, ",") ? "macro '@%s' takes %zu argument%s, no more: expected ')'"
		   : is_punct(in, ")")
			   ? "macro '@%s' takes %zu argument%s, not fewer: expected ','"
			   : "the %2$zu argument%3$s of macro '@%1$s' never end: ')' is missing",
		   m->name, wanted, plural(wanted));
	while (is_punct(in, ","))
		in->at = argument_end(in->at + 1, in->end);
	in->at += is_punct(in, ")");
	return false;
}

static void expand_macro(struct expander *x, struct input *in, const struct macro *m)
{
	struct loc use = in->at++->loc;
	struct input body = {
		.at = m->body, .end = m->body_end, .macro = m, .outer = in, .depth = in->depth + 1
	};
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
	body.via = via_new(x, in, arena_printf(x->s->arena, "in expansion of macro '@%s'", m->name),
			   use);
	expand(x, &body);
}

/*
 * Emits the argument of a parameter, which is expanded already; its tokens keep their own
 * places.
 */
static bool expand_parameter(struct expander *x, const struct input *in, const char *name)
{
	for (size_t i = in->macro ? in->macro->params.count : 0; i-- > 0;) {
		if (strcmp(in->macro->params.data[i], name))
			continue;
		count_expansion(x, in->at->loc, in->args[i].count);
		for (size_t k = 0; k < in->args[i].count && !x->gave_up; k++)
			vec_push_long(x->s->arena, x->out, in->args[i].data[k]);
		return true;
	}
	return false;
}

static void expand_at_word(struct expander *x, struct input *in)
{
	const char *name = in->at->text;
	const struct macro *m;

	if (!strcmp(name, "define")) {
		if (in->macro)
			diag_error(x->s, in->at->loc, "a macro cannot define another one");
		define_macro(x, in);
		return;
	}
	if (expand_parameter(x, in, name)) {
		in->at++;
		return;
	}
	m = find_macro(&x->local->list, name);
	if (!m)
		m = find_macro(&macrolib_get(x->s)->list, name);
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

void macro_preprocess(struct session *s, struct source *src, const token_list *in, token_list *ret)
{
	struct macros local = { 0 };
	struct expander x = { .s = s, .src = src, .local = &local, .out = ret };
	struct input all = { .at = in->data, .end = in->data + in->count };

	expand(&x, &all);
	if (x.gave_up)
		ret->count = 0;
	if (!ret->count || ret->data[ret->count - 1].kind != TOKEN_END)
		vec_push_long(s->arena, ret, in->data[in->count - 1]);
}

void parse_macros(struct session *s, struct source *src)
{
	token_list tokens = { 0 }, rest = { 0 };
	struct expander x = { .s = s, .src = src, .local = macrolib_get(s), .out = &rest };
	struct input all;

	lex_source(s, src, &tokens);
	all = (struct input){ .at = tokens.data, .end = tokens.data + tokens.count };
	expand(&x, &all);
	if (rest.count > 1)
		diag_error(s, rest.data[0].loc, "a macro library holds '@define' only");
}
