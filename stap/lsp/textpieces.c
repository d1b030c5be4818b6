/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/lsp/textpieces.h"

#include <string.h>

#include "base/lexical.h"
#include "base/source.h"
#include "lib/arena.h"

struct reading {
	struct arena *arena;
	struct pieces *p;
	const struct lexemes *x;
	int braces, others; /* brackets of the piece that are open */
	bool closes_more;
	unsigned conditionals;
	bool is_private; /* the word before is `private` and begins a piece */
};

static bool is_sign(const struct reading *r, size_t i, const char *sign)
{
	const struct lexeme *l = &r->x->list.data[i];

	return l->kind == LEXEME_SIGN && lexeme_is(r->x, l, sign);
}

static bool begins_line(const struct lexemes *x, uint32_t begin)
{
	while (begin && strchr(" \t\r", x->text[begin - 1]))
		begin--;
	return !begin || x->text[begin - 1] == '\n';
}

/* True: this lexeme begins a declaration. */
static bool begins_piece(struct reading *r, size_t i)
{
	const struct lexeme *l = &r->x->list.data[i];
	bool was_private = r->is_private;

	if (l->kind == LEXEME_COMMENT)
		return false;
	r->is_private = false;
	if (l->kind != LEXEME_KEYWORD && l->kind != LEXEME_OPERATOR)
		return false;
	if (r->braces > 0 && !begins_line(r->x, l->begin))
		return false;
	if (!(lexical_roles(r->x->text + l->begin, l->end - l->begin) & LEXICAL_ITEM))
		return false;
	r->is_private = lexeme_is(r->x, l, "private");
	return !was_private;
}

static void end_piece(struct reading *r, size_t last, uint32_t end)
{
	struct piece *piece = &r->p->list.data[r->p->list.count - 1];

	piece->last = last;
	piece->end = end;
	piece->is_open = r->braces || r->others || r->closes_more;
	r->braces = r->others = 0;
	r->closes_more = false;
}

static void begin_piece(struct reading *r, size_t first, uint32_t begin)
{
	struct piece piece = { .begin = begin,
			       .first = first,
			       .begins_line = begins_line(r->x, begin),
			       .in_conditional = r->conditionals > 0 };

	vec_push(r->arena, &r->p->list, piece);
}

/* Counts brackets. Those of %( and %) may close in another piece. */
static void follow(struct reading *r, size_t i)
{
	if (is_sign(r, i, "%("))
		r->conditionals++;
	else if (is_sign(r, i, "%)"))
		r->conditionals -= r->conditionals > 0;
	else if (is_sign(r, i, "(") || is_sign(r, i, "["))
		r->others++;
	else if (is_sign(r, i, ")") || is_sign(r, i, "]"))
		r->others--;
	else if (is_sign(r, i, "{"))
		r->braces++;
	else if (is_sign(r, i, "}"))
		r->braces--;
	r->closes_more |= r->braces < 0 || r->others < 0;
}

void textpieces_read(struct arena *a, const struct source *source, const struct unit *u,
		     struct pieces *ret)
{
	struct reading r = { .arena = a, .p = ret, .x = &ret->x };

	*ret = (struct pieces){ 0 };
	lexemes_read(a, source, u, &ret->x);
	begin_piece(&r, 0, 0);
	vec_each(&ret->x.list, i) {
		if (begins_piece(&r, i)) {
			end_piece(&r, i, ret->x.list.data[i].begin);
			begin_piece(&r, i, ret->x.list.data[i].begin);
		}
		follow(&r, i);
	}
	end_piece(&r, ret->x.list.count, (uint32_t)source->len + 1);
}

struct piece *textpieces_at(const struct pieces *p, uint32_t offset)
{
	size_t i = 0;

	while (i + 1 < p->list.count && p->list.data[i].end <= offset)
		i++;
	return &p->list.data[i];
}

void textpieces_mark(const struct pieces *p, uint32_t offset)
{
	struct piece *piece = textpieces_at(p, offset);

	/*
	 * An error at the beginning of a declaration means that the end of the one before
	 * is missing.
	 */
	if (piece->begin == offset && piece > p->list.data && piece[-1].last > piece[-1].first)
		piece--;
	piece->is_broken = true;
}

static bool is_name(const struct pieces *p, const struct lexeme *l)
{
	return l->kind == LEXEME_FUNCTION || l->kind == LEXEME_VARIABLE ||
	       l->kind == LEXEME_PARAMETER ||
	       (l->kind == LEXEME_POINT && p->x.is_alias.data[l->piece]);
}

static bool has_name(const struct pieces *p, const struct piece *piece, const struct lexeme *name)
{
	uint32_t len = name->end - name->begin;

	for (size_t i = piece->first; i < piece->last; i++) {
		const struct lexeme *l = &p->x.list.data[i];

		if (is_name(p, l) && l->end - l->begin == len &&
		    !memcmp(p->x.text + l->begin, p->x.text + name->begin, len))
			return true;
	}
	return false;
}

/* True: other scripts may use its names. */
static bool is_shared(const struct pieces *p, const struct piece *piece)
{
	const struct lexeme *l = &p->x.list.data[piece->first];

	if (piece->first == piece->last)
		return false;
	return l->kind == LEXEME_KEYWORD &&
	       (!lexeme_is(&p->x, l, "probe") || p->x.is_alias.data[l->piece]);
}

bool textpieces_declare(const struct pieces *p, uint32_t begin, uint32_t end)
{
	vec_each(&p->x.list, i) {
		const struct lexeme *l = &p->x.list.data[i];

		if (l->begin < begin || l->end > end || (l->kind == LEXEME_SIGN))
			continue;
		vec_each(&p->list, k)
			if (p->list.data[k].is_broken && is_shared(p, &p->list.data[k]) &&
			    has_name(p, &p->list.data[k], l))
				return true;
	}
	return false;
}
