/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layout by tokens: everything between two tokens (blanks, line ends, comments) is
 * written again. The author's choice stays if a blank has a meaning (a unary minus, the
 * '.' of a probe point and of a concatenation).
 */
#include <stdbool.h>
#include <string.h>

#include "base/diag.h"
#include "base/lexical.h"
#include "base/session.h"
#include "base/source.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "parse/reformat.h"
#include "parse/token.h"

#define MAX_DEPTH 256

struct format {
	struct session *s;
	struct source *src;
	struct strbuf *out;
	const struct token *tokens;
	size_t count;
	struct level {
		/*
		 * '{', '(', '[', or '%' of a conditional; 'h' for a '(' after if, while,
		 * for, foreach
		 */
		char open;
		unsigned heads; /* if (…), else and so on whose single statement has not ended */
		bool begun;	/* … but has begun */
	} levels[MAX_DEPTH];	/* [0]: outside all brackets */
	unsigned depth;
};

/* ---- tokens ---- */

static bool is_punct(const struct token *t, const char *text)
{
	return token_is(t, TOKEN_PUNCT, text);
}

static bool has_role(const struct token *t, enum token_kind kind, unsigned roles)
{
	return t->kind == kind && lexical_roles(t->text, t->len) & roles;
}

static bool is_head_word(const struct token *t)
{
	return has_role(t, TOKEN_WORD, LEXICAL_HEAD);
}

/* True for tokens that always have a blank on both sides. */
static bool is_operator(const struct token *t)
{
	return has_role(t, TOKEN_PUNCT, LEXICAL_SPACED);
}

/* True for tokens that, at the end of a line, continue it on the next. */
static bool is_open_ended(const struct token *t)
{
	return has_role(t, TOKEN_PUNCT, LEXICAL_SPACED | LEXICAL_MIDDLE);
}

static bool is_open_bracket(const struct token *t)
{
	return is_punct(t, "(") || is_punct(t, "[");
}

static bool is_closing(const struct token *t)
{
	return t->kind == TOKEN_IF_CLOSE || has_role(t, TOKEN_PUNCT, LEXICAL_CLOSES);
}

/* ---- blanks inside a line ---- */

static bool wants_blank(const struct token *a, const struct token *b)
{
	if (is_punct(a, "{") || is_punct(b, "{") || is_punct(b, "}") || is_punct(a, "}"))
		return true;
	if (is_operator(a) || is_operator(b))
		return true;
	if (is_punct(a, ",") || is_punct(a, ";"))
		return true;
	return is_punct(b, "(") && is_head_word(a);
}

static bool refuses_blank(const struct token *a, const struct token *b)
{
	if (is_open_bracket(a) || is_punct(b, ")") || is_punct(b, "]") || is_punct(b, ",") ||
	    is_punct(b, ";"))
		return true;
	return is_punct(a, "->") || is_punct(b, "->");
}

/* Writes a blank, or none: "{}" and "{ }" both stay. */
static void write_blank(struct format *f, const struct token *a, const struct token *b, bool was)
{
	bool blank = was;

	if (is_punct(a, "{") && is_punct(b, "}"))
		blank = was;
	else if (refuses_blank(a, b))
		blank = false;
	else if (wants_blank(a, b))
		blank = true;
	if (blank)
		strbuf_addc(f->out, ' ');
}

/* ---- depth ---- */

static struct level *here(struct format *f)
{
	return &f->levels[f->depth];
}

static void enter(struct format *f, char bracket)
{
	/* the block itself is the statement: it needs no further depth */
	if (bracket == '{' && here(f)->heads)
		here(f)->heads--;
	if (f->depth + 1 < MAX_DEPTH)
		f->levels[++f->depth] = (struct level){ .open = bracket };
}

static void leave(struct format *f)
{
	bool head = here(f)->open == 'h';

	if (f->depth)
		f->depth--;
	if (head) {
		here(f)->heads++;
		here(f)->begun = false;
	} else {
		here(f)->begun = true;
	}
}

static void follow(struct format *f, const struct token *before, const struct token *t)
{
	if (is_closing(t)) {
		leave(f);
	} else if (t->kind == TOKEN_IF_OPEN) {
		enter(f, '%');
	} else if (is_punct(t, "(")) {
		enter(f, before && is_head_word(before) ? 'h' : '(');
	} else if (is_punct(t, "[") || is_punct(t, "{")) {
		enter(f, t->text[0]);
	} else if (token_is(t, TOKEN_WORD, "else")) {
		here(f)->heads++;
		here(f)->begun = false;
	} else if (!is_head_word(t)) {
		here(f)->begun = true;
	}
}

/* Ends, before a token, the statements and heads that are complete. */
static void settle(struct format *f, const struct token *before, const struct token *t,
		   bool new_line)
{
	struct level *l = here(f);

	if (!l->heads || !l->begun)
		return;
	if (token_is(t, TOKEN_WORD, "else"))
		l->heads--;
	else if (new_line && !is_open_ended(before))
		l->heads = 0;
}

/*
 * Returns a line's depth. Each block counts; brackets count once altogether: "f(g(" is
 * one step.
 */
static unsigned line_indent(struct format *f, const struct token *before, const struct token *t)
{
	bool middle = t->kind == TOKEN_IF_THEN || t->kind == TOKEN_IF_ELSE,
	     closing = is_closing(t) || middle;
	unsigned depth = f->depth - (closing && f->depth), levels = 0;
	bool brackets = false;

	for (unsigned i = 1; i <= depth; i++) {
		levels += f->levels[i].open == '{';
		brackets = f->levels[i].open != '{';
	}
	for (unsigned i = 0; i <= depth; i++)
		levels += f->levels[i].heads;
	if (is_punct(t, "{"))
		return levels - (f->levels[depth].heads > 0);
	if (brackets || closing)
		return levels + brackets;
	return levels + (before && is_open_ended(before) && !f->levels[depth].heads);
}

/* ---- the gaps between tokens ---- */

static void end_line(struct format *f)
{
	while (f->out->len &&
	       (f->out->s[f->out->len - 1] == ' ' || f->out->s[f->out->len - 1] == '\t'))
		f->out->s[--f->out->len] = 0;
	strbuf_addc(f->out, '\n');
}

static void indent(struct format *f, unsigned levels)
{
	for (unsigned i = 0; i < levels; i++)
		strbuf_addc(f->out, '\t');
}

static void write_comment(struct format *f, const char *p, const char *end)
{
	while (end > p && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	strbuf_add(f->out, p, (size_t)(end - p));
}

struct gap {
	unsigned lines; /* line ends since the last text written */
	bool blank, commented;
};

/*
 * Writes the gap's comments, each on the line it was on. *g becomes the rest of the gap.
 */
static void write_gap(struct format *f, const struct token *before, const struct token *t,
		      const char *p, const char *end, struct gap *g)
{
	/*
	 * Keep the blanks between code and a comment after it: such comments are aligned.
	 */
	const char *blanks = p;

	*g = (struct gap){ 0 };
	while (p < end) {
		if (*p == '\n') {
			g->lines++;
			p++;
			continue;
		}

		struct lexical piece = lexical_next(p);
		const char *close = p + piece.len;

		if (piece.kind == LEXICAL_BLANK) {
			g->blank = true;
			p = close;
		} else {
			if (g->lines) {
				for (unsigned i = 0; i < g->lines && i < 2; i++)
					end_line(f);
				indent(f, line_indent(f, before, t));
			} else {
				strbuf_add(f->out, blanks, (size_t)(p - blanks));
			}
			write_comment(f, p, close);
			*g = (struct gap){ .commented = true };
			blanks = p = close;
		}
	}
}

/* ---- the whole text ---- */

static void write_token(struct format *f, size_t i)
{
	const struct token *t = &f->tokens[i], *before = i ? t - 1 : NULL;
	const char *text = f->src->text;
	struct gap g;

	settle(f, before, t,
	       before && memchr(text + before->loc.end, '\n', t->loc.begin - before->loc.end));
	write_gap(f, before, t, text + (before ? before->loc.end : 0), text + t->loc.begin, &g);
	if (g.lines && (before || g.commented)) {
		for (unsigned k = 0; k < g.lines && k < 2; k++)
			end_line(f);
		if (t->kind != TOKEN_END)
			indent(f, line_indent(f, before, t));
	} else if (g.commented) {
		strbuf_addc(f->out, ' ');
	} else if (before && t->kind != TOKEN_END) {
		write_blank(f, before, t, g.blank);
	}
	strbuf_add(f->out, text + t->loc.begin, t->loc.end - t->loc.begin);
	follow(f, before, t);
}

static bool same_tokens(const token_list *a, const token_list *b)
{
	if (a->count != b->count)
		return false;
	vec_each(a, i) {
		const struct token *x = &a->data[i], *y = &b->data[i];

		if (x->kind != y->kind || x->number != y->number || x->len != y->len ||
		    memcmp(x->text, y->text, x->len))
			return false;
	}
	return true;
}

static bool report_bad(struct session *s, const token_list *tokens)
{
	bool bad = false;

	vec_each(tokens, i) {
		if (tokens->data[i].kind == TOKEN_BAD) {
			diag_error(s, tokens->data[i].loc, "%s", tokens->data[i].text);
			bad = true;
		}
	}
	return bad;
}

bool reformat_source(struct session *s, struct source *src, struct strbuf *ret)
{
	struct format f = { .s = s, .src = src, .out = ret };
	token_list before = { 0 }, after = { 0 };

	lex_source(s, src, &before);
	if (report_bad(s, &before))
		return false;
	f.tokens = before.data;
	f.count = before.count;
	for (size_t i = 0; i < f.count; i++)
		write_token(&f, i);
	if (ret->len && ret->s[ret->len - 1] != '\n')
		end_line(&f);
	lex_source(s, source_from_text(s->arena, src->name, ret->s, ret->len), &after);
	return same_tokens(&before, &after);
}
