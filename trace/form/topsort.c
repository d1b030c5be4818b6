/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See topsort.h. */
#include "trace/form/topsort.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
	const char *s;
	size_t len;
	const char *word; /* in the sorted column; NULL: the line is shorter */
	size_t word_len;
	size_t digits;	       /* bytes of word_len without the unit */
	double number, scaled; /* without and with its unit */
	bool is_number;
};

struct result {
	char *s;
	size_t len, room;
	bool failed;
};

static void add(struct result *r, const char *s, size_t len)
{
	size_t room = r->room ? r->room : 4096;

	while (room < r->len + len)
		room *= 2;
	if (room != r->room) {
		char *grown = realloc(r->s, room);

		r->failed |= !grown;
		if (!grown)
			return;
		r->s = grown;
		r->room = room;
	}
	memcpy(r->s + r->len, s, len);
	r->len += len;
}

/* ---- lines and words ---- */

static size_t line_length(const char *s, const char *end)
{
	const char *newline = memchr(s, '\n', (size_t)(end - s));

	return (size_t)((newline ? newline : end) - s);
}

/* Returns word n, counted from 1, and sets *ret_len; NULL: the line has fewer words. */
static const char *word_at(const char *s, size_t len, unsigned n, size_t *ret_len)
{
	const char *end = s + len;

	for (;;) {
		const char *from;

		while (s < end && isspace((unsigned char)*s))
			s++;
		from = s;
		while (s < end && !isspace((unsigned char)*s))
			s++;
		*ret_len = (size_t)(s - from);
		if (s == from || !--n)
			return s == from ? NULL : from;
	}
}

static unsigned words_of(const char *s, size_t len)
{
	unsigned n = 0;
	size_t word;

	while (word_at(s, len, n + 1, &word))
		n++;
	return n;
}

/* Parses the line's word: 84.2, -5 or 128K. False: it is not a number. */
static bool read_number(struct line *l)
{
	static const char units[] = "KMGTPE";
	char text[40], *end;
	const char *unit;

	if (!l->word || l->word_len >= sizeof(text))
		return false;
	memcpy(text, l->word, l->word_len);
	text[l->word_len] = 0;
	text[strspn(text, "-+.0123456789")] = 0;
	l->number = l->scaled = strtod(text, &end);
	if (end == text || *end)
		return false;
	l->digits = (size_t)(end - text);
	unit = l->digits < l->word_len ? strchr(units, l->word[l->digits]) : NULL;
	for (; unit && unit >= units; unit--)
		l->scaled *= 1024;
	return true;
}

/*
 * Finds the column's word. Names with blanks give a line more words than its heading has:
 * its columns are then counted from the right.
 */
static struct line line_of(const char *s, size_t len, unsigned column, unsigned head_words)
{
	struct line ret = { .s = s, .len = len };
	unsigned words = words_of(s, len);

	if (words > head_words && column > 1)
		column += words - head_words;
	ret.word = word_at(s, len, column, &ret.word_len);
	ret.is_number = read_number(&ret);
	return ret;
}

/* ---- order ---- */

/* Numbers come before words, the largest first; words are in alphabetical order. */
static int compare(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	size_t common = x->word_len < y->word_len ? x->word_len : y->word_len;
	int order;

	if (x->is_number != y->is_number)
		return x->is_number ? -1 : 1;
	if (x->is_number && x->scaled != y->scaled)
		return x->scaled > y->scaled ? -1 : 1;
	order = x->is_number || !common ? 0 : memcmp(x->word, y->word, common);
	if (!order && !x->is_number && x->word_len != y->word_len)
		order = x->word_len < y->word_len ? -1 : 1;
	return order ? order : (x->s > y->s) - (x->s < y->s);
}

/*
 * Adds the line with a rate in place of the number. The rate ends in the column where the
 * number ended, if there are enough blanks before it.
 */
static void add_rate(struct result *r, const struct line *l, uint64_t span)
{
	const char *from = l->word, *behind = l->word + l->digits;
	char rate[48];
	int len = snprintf(rate, sizeof(rate), "%.1f", l->number * 1e9 / (double)span);
	size_t blanks = 0, was = l->digits;

	while (from > l->s && from[-1] == ' ' && was + blanks < (size_t)len) {
		from--;
		blanks++;
	}
	if (blanks && from > l->s && from[-1] != ' ')
		from++; /* keep a blank between two words */
	add(r, l->s, (size_t)(from - l->s));
	for (size_t i = (size_t)len; i < was; i++)
		add(r, " ", 1);
	add(r, rate, (size_t)len);
	add(r, behind, (size_t)(l->s + l->len - behind));
}

static void add_line(struct result *r, const struct line *l, uint64_t span)
{
	if (span && l->is_number)
		add_rate(r, l, span);
	else
		add(r, l->s, l->len);
	add(r, "\n", 1);
}

/* Adds the lines of a table after its heading, up to `end`. */
static void add_rows(struct result *r, const struct topsort *how, const char *s, const char *end,
		     unsigned head_words)
{
	struct line *lines;
	size_t count = 0, i = 0;

	for (const char *p = s; p < end; p += line_length(p, end) + 1)
		count++;
	lines = calloc(count ? count : 1, sizeof(*lines));
	r->failed |= !lines;
	if (!lines)
		return;
	for (const char *p = s; p < end; p += line_length(p, end) + 1)
		lines[i++] = line_of(p, line_length(p, end), how->column, head_words);
	qsort(lines, count, sizeof(*lines), compare);
	for (i = 0; i < count; i++)
		add_line(r, &lines[how->ascending ? count - 1 - i : i], how->span);
	free(lines);
}

char *topsort_text(const struct topsort *how, const char *text, size_t len, size_t *ret_len)
{
	const char *end = text + len, *s = text;
	struct result r = { 0 };

	while (s < end && !r.failed) {
		const char *first = s;
		size_t head = line_length(s, end);
		const char *rows = s + head < end ? s + head + 1 : end, *stop = rows;

		add(&r, s, head);
		add(&r, "\n", 1);
		s = rows;
		if (!head || !how->column)
			continue;
		while (stop < end && line_length(stop, end))
			stop += line_length(stop, end) + (stop + line_length(stop, end) < end);
		add_rows(&r, how, rows, stop, words_of(first, head));
		s = stop;
	}
	*ret_len = r.len;
	if (!r.failed)
		return r.s ? r.s : calloc(1, 1);
	free(r.s);
	return NULL;
}
