/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts tokens for the grammar: decides which words are keywords, which tokens of a
 * probe point form one component, and what each brace opens.
 */
#include "parse/feed.h"

#include <string.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "parse/parse.h"

/* The grammar's kinds of words and signs, words first: base/lexical.def. */
static const struct spelling {
	const char *text;
	int kind;
	enum op op;
} spellings[] = {
#define WORD(text, token, roles) { text, token, OP_NONE },
#include "base/lexical.def"
#define SIGN(text, token, operation, roles) { text, token, OP_##operation },
#include "base/lexical.def"
};

#define SPELLINGS (sizeof(spellings) / sizeof(spellings[0]))

/* This runs for each token: most rows differ in the first byte. */
static const struct spelling *spelling_of(const char *text)
{
	for (size_t i = 0; i < SPELLINGS; i++)
		if (spellings[i].text[0] == text[0] && !strcmp(spellings[i].text, text))
			return &spellings[i];
	return NULL;
}

static int spelling_kind(const struct token *t, enum op *op)
{
	const struct spelling *found = spelling_of(t->text);

	*op = found ? found->op : OP_NONE;
	if (found)
		return found->kind;
	if (t->kind == TOKEN_WORD)
		return t->text[0] != '$' ? WORD : t->text[strspn(t->text, "$")] ? TARGET : PRETTY;
	return STAP_YYUNDEF;
}

static int at_kind(struct token *t)
{
	for (unsigned i = 0; i < STAT_OP_COUNT; i++) {
		if (!strcmp(t->text, stat_op_names[i])) {
			t->number = i;
			return STATOP;
		}
	}
	if (!strcmp(t->text, "cast"))
		return CAST;
	return strcmp(t->text, "var") ? ATWORD : ATVAR;
}

static struct token *peek(struct parser *p, size_t ahead)
{
	size_t i = p->at + ahead;

	return &p->tokens.data[i < p->tokens.count ? i : p->tokens.count - 1];
}

/* Joins adjacent words and stars into one component: kernel.trace("x").foo*. */
static void glue_component(struct parser *p, struct token *t)
{
	const char *first = t->text;
	uint32_t from = t->loc.end;

	for (;;) {
		struct token *n = peek(p, 0);

		if (n->loc.source != t->loc.source || n->loc.begin != t->loc.end ||
		    n->loc.via != t->loc.via)
			break;
		if (n->kind != TOKEN_WORD && n->kind != TOKEN_NUMBER &&
		    !token_is(n, TOKEN_PUNCT, "*") && !token_is(n, TOKEN_PUNCT, "**"))
			break;
		t->loc.end = n->loc.end;
		p->at++;
	}
	if (t->loc.end > from)
		t->text = arena_printf(p->s->arena, "%s%.*s", first, (int)(t->loc.end - from),
				       t->loc.source->text + from);
}

/* True: a component is still to come; even `if` is one then. */
static bool wants_component(const struct parser *p)
{
	return p->last == PROBE || p->last == ',' || p->last == '.' || p->last == '=' ||
	       p->last == PLUS_ASSIGN || p->last == BRACE_OPEN;
}

/* Returns the kind of a token between `probe` and its body, outside parentheses. */
static int point_kind(struct parser *p, struct token *t)
{
	if (t->kind == TOKEN_WORD && t->text[0] != '$' &&
	    (wants_component(p) || strcmp(t->text, "if"))) {
		glue_component(p, t);
		return COMPONENT;
	}
	if (t->kind != TOKEN_PUNCT)
		return 0;
	if (t->text[0] == '*' && t->text[1] != '=') {
		glue_component(p, t);
		return COMPONENT;
	}
	if (!strcmp(t->text, "{")) {
		/*
		 * A brace begins a list of alternatives if a point is still to come;
		 * otherwise it begins the body.
		 */
		if (wants_component(p)) {
			p->brace_depth++;
			return BRACE_OPEN;
		}
		p->in_point = false;
	} else if (!strcmp(t->text, "}") && p->brace_depth) {
		p->brace_depth--;
		return BRACE_CLOSE;
	}
	return 0;
}

bool feed_is_old_name(const struct parser *p, const struct token *t)
{
	return !strcmp(t->text, "private") && !options_speak(p->s, "3.0") &&
	       !t->loc.source->is_tapset;
}

static int token_grammar_kind(struct parser *p, struct token *t, enum op *op)
{
	int kind = 0;

	*op = OP_NONE;
	if (p->in_point && !p->point_depth)
		kind = point_kind(p, t);
	if (kind)
		return kind;
	switch (t->kind) {
	case TOKEN_END:
		return END;
	case TOKEN_NUMBER:
		return NUMBER;
	case TOKEN_STRING:
		return STRING;
	case TOKEN_EMBED:
		return EMBED;
	case TOKEN_AT:
		return at_kind(t);
	case TOKEN_WORD:
		if (p->last == ARROW || feed_is_old_name(p, t))
			return WORD;
		return spelling_kind(t, op);
	case TOKEN_PUNCT:
		return spelling_kind(t, op);
	default:
		return STAP_YYUNDEF;
	}
}

static void track_point(struct parser *p, int kind)
{
	if (kind == PROBE || kind == FUNCTION)
		p->in_function = kind == FUNCTION;
	if (kind == PROBE) {
		p->in_point = true;
		p->point_depth = p->brace_depth = 0;
	} else if (p->in_point && kind == '(') {
		p->point_depth++;
	} else if (p->in_point && kind == ')' && p->point_depth) {
		p->point_depth--;
	} else if (kind == '{') {
		p->braces++;
	} else if (kind == '}' && p->braces) {
		p->braces--;
	}
}

/* Joins adjacent literals: "a" "b" is one string. */
static void glue_strings(struct parser *p, struct token *t)
{
	struct strbuf all;

	if (peek(p, 0)->kind != TOKEN_STRING)
		return;
	strbuf_init(&all, p->s->arena);
	strbuf_add(&all, t->text, t->len);
	for (; peek(p, 0)->kind == TOKEN_STRING; p->at++) {
		strbuf_add(&all, peek(p, 0)->text, peek(p, 0)->len);
		t->loc = source_loc_join(t->loc, peek(p, 0)->loc);
	}
	t->text = all.s;
	t->len = all.len;
}

/*
 * Inserts missing braces: a body that an error has left out, or the ends of bodies that
 * it left open.
 */
static int make_up(struct loc *loc, struct parser *p)
{
	*loc = peek(p, 0)->loc;
	loc->end = loc->begin;
	p->from = p->at;
	p->last = p->open_body ? '{' : '}';
	if (p->open_body) {
		p->unwind = 1;
		p->braces++;
	} else {
		p->unwind--;
		p->braces--;
	}
	p->open_body = false;
	return p->last;
}

int stap_yylex(STAP_YYSTYPE *value, struct loc *loc, struct parser *p)
{
	struct token t;
	enum op op;
	int kind;

	if (p->unwind || p->open_body)
		return make_up(loc, p);
	for (;;) {
		t = *peek(p, 0);
		p->from = p->at;
		p->braces_before = p->braces;
		if (t.kind != TOKEN_END)
			p->at++;
		if (t.kind != TOKEN_BAD && !(t.kind >= TOKEN_IF_OPEN && t.kind <= TOKEN_IF_CLOSE))
			break;
		diag_error(p->s, t.loc,
			   t.kind == TOKEN_BAD ? "%s" : "unexpected '%s' outside of a conditional",
			   t.text);
		p->failed_here = true;
	}
	if (t.kind == TOKEN_STRING)
		glue_strings(p, &t);
	else if (t.kind == TOKEN_EMBED)
		parser_need_guru(p, t.loc, "embedded C can do anything");
	kind = token_grammar_kind(p, &t, &op);
	track_point(p, kind);
	p->last = kind;
	*loc = t.loc;
	if (op != OP_NONE || kind == '=' || kind == PLUS_ASSIGN)
		value->op = op;
	else
		value->tok = t;
	return kind;
}

void stap_yyerror(struct loc *loc, struct parser *p, const char *message)
{
	if (!strcmp(message, "memory exhausted"))
		message = "this nests too deeply";
	parser_error(p, *loc, message);
	p->in_point = false;
}
