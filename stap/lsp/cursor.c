/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/lsp/cursor.h"

#include <string.h>

#include "lib/word.h"

struct walk {
	const char *text;
	size_t len, at, offset;
	unsigned depth; /* of braces */
	struct place *place;
};

static bool begins(const struct walk *w, const char *what)
{
	return w->len - w->at >= strlen(what) && !memcmp(w->text + w->at, what, strlen(what));
}

/*
 * Skips to the first byte behind `end`, or to the text's end. True: the offset is on the
 * way.
 */
static bool skip_to(struct walk *w, const char *end)
{
	const char *found = memmem(w->text + w->at, w->len - w->at, end, strlen(end));
	bool is_last = !found;

	w->at = found ? (size_t)(found - w->text) + strlen(end) : w->len;
	return w->offset < w->at || is_last;
}

/* True for "$#" and "@#", the number of the script's arguments. */
static bool is_count(const struct walk *w)
{
	return w->at && (w->text[w->at - 1] == '$' || w->text[w->at - 1] == '@');
}

/* Skips comments and embedded C. */
static bool skip_foreign(struct walk *w, bool *inside)
{
	static const struct {
		const char *begin, *end;
	} foreign[] = { { "/*", "*/" }, { "//", "\n" }, { "#", "\n" }, { "%{", "%}" } };

	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		if (!begins(w, foreign[i].begin) || (foreign[i].begin[0] == '#' && is_count(w)))
			continue;
		w->at += strlen(foreign[i].begin);
		*inside = skip_to(w, foreign[i].end);
		return true;
	}
	return false;
}

static bool skip_string(struct walk *w)
{
	size_t begin = ++w->at;

	while (w->at < w->len && w->text[w->at] != '"' && w->text[w->at] != '\n')
		w->at += w->text[w->at] == '\\' && w->at + 1 < w->len ? 2 : 1;
	if (w->offset > w->at)
		return false;
	w->place->string = begin;
	return true;
}

/* True: only blanks stand before the place in its line. */
static bool begins_line(const struct walk *w, size_t at)
{
	while (at && strchr(" \t\r", w->text[at - 1]))
		at--;
	return !at || w->text[at - 1] == '\n';
}

/* A declaration that begins a line is one even where a '}' is missing before it. */
static void take_word(struct walk *w)
{
	struct place *p = w->place;
	size_t begin = w->at;

	while (w->at < w->len && word_char(w->text[w->at]))
		w->at++;
	/* In kernel.function("x") the word is a part of a point. */
	if (w->at >= w->offset || (begin && w->text[begin - 1] == '.') ||
	    (w->depth && !begins_line(w, begin)))
		return;
	if (w->at - begin == 5 && !memcmp(w->text + begin, "probe", 5)) {
		w->depth = 0;
		p->kind = PLACE_HEADER;
		p->header = p->header_end = w->at;
	} else if (w->at - begin == 8 && !memcmp(w->text + begin, "function", 8)) {
		w->depth = 0;
		*p = (struct place){ .kind = PLACE_OUTSIDE };
	}
}

static void take_sign(struct walk *w)
{
	struct place *p = w->place;
	char c = w->text[w->at];

	if (c == '{' && !w->depth++) {
		p->header_end = p->header ? w->at : 0;
		p->kind = PLACE_BODY;
	} else if (c == '}' && w->depth && !--w->depth) {
		*p = (struct place){ .kind = PLACE_OUTSIDE };
	} else if (c == '=' && p->kind == PLACE_HEADER) {
		/* The text in front is the name of an alias. */
		p->header = w->at + 1;
	}
	w->at++;
}

void cursor_find(const char *text, size_t len, size_t offset, struct place *ret)
{
	struct walk w = { text, len, 0, offset, 0, ret };

	*ret = (struct place){ .kind = PLACE_OUTSIDE };
	while (w.at < offset) {
		bool inside = false;

		if (skip_foreign(&w, &inside)) {
			if (inside) {
				ret->kind = PLACE_COMMENT;
				return;
			}
		} else if (text[w.at] == '"') {
			if (skip_string(&w))
				break;
			w.at++;
		} else if (word_char(text[w.at])) {
			take_word(&w);
		} else {
			take_sign(&w);
		}
	}
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
