/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See lexemes.h. */
#include "stap/lsp/lexemes.h"

#include <ctype.h>
#include <string.h>

#include "ast/node.h"
#include "base/lexical.h"
#include "base/source.h"
#include "lib/arena.h"
#include "lib/hashmap.h"
#include "lib/word.h"
#include "parse/statement.h"

/* The kinds of pieces, before their context is considered. */
static const enum lexeme_kind kinds[] = {
	[LEXICAL_COMMENT] = LEXEME_COMMENT,   [LEXICAL_STRING] = LEXEME_STRING,
	[LEXICAL_EMBEDDED] = LEXEME_EMBEDDED, [LEXICAL_WORD] = LEXEME_VARIABLE,
	[LEXICAL_NUMBER] = LEXEME_NUMBER,     [LEXICAL_TARGET] = LEXEME_TARGET,
	[LEXICAL_AT] = LEXEME_OPERATOR,	      [LEXICAL_CONDITIONAL] = LEXEME_SIGN,
	[LEXICAL_SIGN] = LEXEME_SIGN,
};

/* ---- the meaning of a word ---- */

struct reading {
	struct arena *arena;
	const struct unit *unit;
	struct lexemes *x;
	unsigned piece, depth;		   /* of braces */
	bool is_header;			   /* after `probe`, before its body */
	bool is_global;			   /* behind `global` */
	const struct function *function;   /* the function that is being declared */
	struct hashmap functions, globals; /* of the unit, by name */
	const char *before;		   /* the sign or keyword before, "" for none */
};

static bool is_name(const char *text, uint32_t len, const char *name)
{
	return strlen(name) == len && !strncmp(name, text, len);
}

static bool has_parameter(const struct function *f, const char *text, uint32_t len)
{
	if (f)
		vec_each(&f->params, i)
			if (is_name(text, len, f->params.data[i]->name))
				return true;
	return false;
}

/* True: the text after a name gives it a value. */
static bool gives_value(const char *text)
{
	text += strspn(text, " \t\n");
	return ispunct((unsigned char)*text) &&
	       lexical_roles(text, lexical_next(text).len) & LEXICAL_SETS;
}

/* The words between `foreach (` and `in` get values as well. */
static bool is_loop_variable(const char *text, uint32_t begin, uint32_t end)
{
	uint32_t at = begin;

	while (at && (word_char(text[at - 1]) || strchr(" \t\n,[=*", text[at - 1])))
		at--;
	if (!at || text[at - 1] != '(')
		return false;
	for (at--; at && strchr(" \t\n", text[at - 1]);)
		at--;
	return at >= 7 && !strncmp(text + at - 7, "foreach", 7) &&
	       !strchr("-+", text[end] ? text[end] : '-');
}

static void classify(struct reading *r, struct lexeme *l)
{
	const char *text = r->x->text + l->begin;
	const char *behind = r->x->text + l->end;
	uint32_t len = l->end - l->begin;
	const char *name = arena_strndup(r->arena, text, len);
	const struct function *f = hashmap_get(&r->functions, name);
	bool is_called = behind[strspn(behind, " \t\n")] == '(';

	if (!strcmp(r->before, "->")) {
		l->kind = LEXEME_MEMBER;
	} else if (lexical_roles(text, len) & LEXICAL_KEYWORD &&
		   !(r->is_header && !strcmp(r->before, "."))) {
		l->kind = LEXEME_KEYWORD;
	} else if (r->is_header) {
		l->kind = LEXEME_POINT;
	} else if (!strcmp(r->before, "function")) {
		l->kind = LEXEME_FUNCTION;
		l->is_declaration = true;
		r->function = f;
	} else if (has_parameter(r->function, text, len)) {
		l->kind = LEXEME_PARAMETER;
		l->is_declaration = !r->depth;
	} else if (is_called) {
		l->kind = LEXEME_FUNCTION;
	} else {
		l->is_global = hashmap_get(&r->globals, name) != NULL;
		l->is_declaration = l->is_global && r->is_global && !r->depth;
		l->is_set = gives_value(behind) || !strcmp(r->before, "++") ||
			    !strcmp(r->before, "--") ||
			    is_loop_variable(r->x->text, l->begin, l->end);
	}
}

/* ---- the whole document ---- */

static void follow(struct reading *r, const struct lexeme *l)
{
	const char *text = r->x->text + l->begin;

	if (l->kind == LEXEME_COMMENT)
		return;
	if (l->kind == LEXEME_SIGN && *text == '{') {
		r->depth++;
		r->is_header = false;
	}
	if (l->kind == LEXEME_SIGN && *text == '}' && r->depth)
		r->depth--;
	if (l->kind == LEXEME_SIGN && r->is_header &&
	    lexical_roles(text, l->end - l->begin) & LEXICAL_SETS)
		r->x->is_alias.data[r->piece] = true;
	r->before = arena_strndup(r->arena, text, l->end - l->begin);
	if (r->depth || l->kind != LEXEME_KEYWORD)
		return;
	r->is_header = r->is_header || !strcmp(r->before, "probe");
	r->is_global = r->is_global || !strcmp(r->before, "global");
}

static void read_piece(struct reading *r, const struct statement *st)
{
	struct lexemes *x = r->x;

	r->depth = 0;
	r->is_header = r->is_global = false;
	r->function = NULL;
	r->before = "";
	vec_push(r->arena, &x->is_alias, false);
	for (uint32_t at = (uint32_t)st->begin; at < st->end;) {
		struct lexeme l = { .begin = at, .piece = r->piece };
		struct lexical piece;

		if (isspace((unsigned char)x->text[at])) {
			at++;
			continue;
		}
		piece = lexical_next(x->text + at);
		at = l.end = at + (uint32_t)piece.len;
		l.kind = kinds[piece.kind];
		if (l.kind == LEXEME_VARIABLE)
			classify(r, &l);
		follow(r, &l);
		vec_push(r->arena, &x->list, l);
	}
	r->piece++;
}

/* Reads the names. The first of several functions with the same name counts. */
static void read_names(struct reading *r)
{
	const struct unit *u = r->unit;

	hashmap_init(&r->functions, r->arena);
	hashmap_init(&r->globals, r->arena);
	for (size_t i = u->functions.count; i-- > 0;)
		hashmap_put(&r->functions, u->functions.data[i]->name, u->functions.data[i]);
	vec_each(&u->globals, i)
		hashmap_put(&r->globals, u->globals.data[i]->name, u->globals.data[i]);
}

void lexemes_read(struct arena *a, const struct source *source, const struct unit *u,
		  struct lexemes *ret)
{
	struct reading r = { .arena = a, .unit = u, .x = ret };
	struct statement st;
	size_t at = 0;

	*ret = (struct lexemes){ .text = source->text };
	read_names(&r);
	while (statement_next(source->text, &at, &st))
		read_piece(&r, &st);
}

bool lexeme_is(const struct lexemes *x, const struct lexeme *l, const char *text)
{
	return is_name(x->text + l->begin, l->end - l->begin, text);
}

const struct lexeme *lexemes_at(const struct lexemes *x, uint32_t offset)
{
	const struct lexeme *ret = NULL;

	/* A word takes precedence over a sign that it touches at this place. */
	vec_each(&x->list, i) {
		const struct lexeme *l = &x->list.data[i];

		if (l->begin <= offset && offset <= l->end && (!ret || l->kind != LEXEME_SIGN))
			ret = l;
	}
	return ret;
}

bool lexemes_mean_same(const struct lexemes *x, const struct lexeme *a, const struct lexeme *b)
{
	uint32_t len = a->end - a->begin;

	if (a->kind != b->kind || len != b->end - b->begin ||
	    memcmp(x->text + a->begin, x->text + b->begin, len))
		return false;
	switch (a->kind) {
	case LEXEME_FUNCTION:
		return true;
	case LEXEME_PARAMETER:
		return a->piece == b->piece;
	case LEXEME_VARIABLE:
		return a->is_global == b->is_global && (a->is_global || a->piece == b->piece);
	default:
		return false;
	}
}
