/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/lsp/cursor.h"

#include <string.h>

#include "base/lexical.h"
#include "lib/word.h"

struct walk {
	const char *text;
	size_t at, offset;
	unsigned depth; /* of braces */
	struct place *place;
};

/*
 * Skips a comment or embedded C. True: the offset is inside it, not at its beginning. The
 * end of a line still belongs to the line's comment.
 */
static bool skip_foreign(struct walk *w, struct lexical piece)
{
	bool ends_with_line = !piece.tail;

	w->at += piece.len;
	if (w->offset >= w->at + ends_with_line)
		return false;
	w->place->kind = PLACE_COMMENT;
	return true;
}

/* Skips a string, or the part of it that is in its line. True: the offset is in it. */
static bool skip_string(struct walk *w, struct lexical piece)
{
	size_t begin = w->at + piece.head;

	w->at += piece.len;
	if (w->offset > w->at - piece.tail)
		return false;
	w->place->string = begin;
	return true;
}

/* True: only blanks come before the place in its line. */
static bool begins_line(const struct walk *w, size_t at)
{
	while (at && strchr(" \t\r", w->text[at - 1]))
		at--;
	return !at || w->text[at - 1] == '\n';
}

/*
 * A keyword at the beginning of a line begins a declaration even if a '}' is missing
 * before it.
 */
static void take_word(struct walk *w, size_t len)
{
	struct place *p = w->place;
	size_t begin = w->at;

	w->at += len;
	/* In kernel.function("x") the word is part of a point. */
	if (w->at >= w->offset || (begin && w->text[begin - 1] == '.') ||
	    (w->depth && !begins_line(w, begin)))
		return;
	if (len == 5 && !memcmp(w->text + begin, "probe", 5)) {
		w->depth = 0;
		p->kind = PLACE_HEADER;
		p->header = p->header_end = w->at;
	} else if (len == 8 && !memcmp(w->text + begin, "function", 8)) {
		w->depth = 0;
		*p = (struct place){ .kind = PLACE_OUTSIDE };
	}
}

static void take_sign(struct walk *w, size_t len)
{
	struct place *p = w->place;
	const char *text = w->text + w->at;

	w->at += len;
	if (*text == '{' && !w->depth++) {
		p->header_end = p->header ? w->at - len : 0;
		p->kind = PLACE_BODY;
	} else if (*text == '}' && w->depth && !--w->depth) {
		*p = (struct place){ .kind = PLACE_OUTSIDE };
	} else if (p->kind == PLACE_HEADER && w->at <= w->offset &&
		   lexical_roles(text, len) & LEXICAL_SETS) {
		/* The text before it is the name of an alias. */
		p->header = w->at;
	}
}

/* Takes a token. True: the offset is in a comment, embedded C or a string. */
static bool take(struct walk *w)
{
	struct lexical piece = lexical_next(w->text + w->at);

	switch (piece.kind) {
	case LEXICAL_COMMENT:
	case LEXICAL_EMBEDDED:
		return skip_foreign(w, piece);
	case LEXICAL_STRING:
		return skip_string(w, piece);
	case LEXICAL_WORD:
		take_word(w, piece.len);
		return false;
	case LEXICAL_SIGN:
		take_sign(w, piece.len);
		return false;
	default:
		w->at += piece.len ?: 1;
		return false;
	}
}

void cursor_find(const char *text, size_t offset, struct place *ret)
{
	struct walk w = { text, 0, offset, 0, ret };

	*ret = (struct place){ .kind = PLACE_OUTSIDE };
	while (w.at < offset)
		if (take(&w))
			break;
	if (ret->kind == PLACE_HEADER)
		ret->header_end = offset;
}

static bool is_part(char c, const char *more)
{
	return word_char(c) || (c && strchr(more, c));
}

void cursor_word(const char *text, size_t len, size_t offset, const char *more, size_t *begin,
		 size_t *end)
{
	*begin = *end = offset;
	while (*begin && is_part(text[*begin - 1], more))
		--*begin;
	while (*end < len && is_part(text[*end], more))
		++*end;
}

static size_t skip_blanks_back(const char *text, size_t at, size_t first)
{
	while (at > first && strchr(" \t\n", text[at - 1]))
		at--;
	return at;
}

bool cursor_is_argument(const char *text, const struct place *place, const char *component)
{
	size_t first = place->header, len = strlen(component), i;

	if (!place->string || place->kind != PLACE_HEADER)
		return false;
	i = skip_blanks_back(text, place->string - 1, first);
	if (i <= first || text[i - 1] != '(')
		return false;
	i = skip_blanks_back(text, i - 1, first);
	return i >= first + len && !memcmp(text + i - len, component, len) &&
	       !word_char(text[i - len - 1]);
}

bool cursor_is_file(const char *text, const struct place *place)
{
	static const char *const components[] = { "process", "library", "plt" };

	for (size_t i = 0; i < sizeof(components) / sizeof(components[0]); i++)
		if (cursor_is_argument(text, place, components[i]))
			return true;
	return false;
}
