/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parse/literal.h"

#include <string.h>

#include "base/lexical.h"

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c | 32) : NULL;

	if (c >= '0' && c <= '9')
		return c - '0';
	return at && c >= 'A' ? (int)(at - digits) : -1;
}

char literal_escape(const char **p, const char *end, bool has_hex)
{
	char c = *(*p)++;
	int byte = lexical_escape(c), value = 0, digits = 0;

	if (byte >= 0)
		return (char)byte;
	if (c >= '0' && c <= '7') {
		for ((*p)--; digits < 3 && *p < end && **p >= '0' && **p <= '7'; digits++)
			value = value * 8 + *(*p)++ - '0';
		return (char)value;
	}
	if (c == 'x' && has_hex) {
		for (; digits < 2 && *p < end && hex_digit(**p) >= 0; digits++)
			value = value * 16 + hex_digit(*(*p)++);
		return digits ? (char)value : 'x';
	}
	return c;
}

struct scan {
	const char *text, *end; /* of the source, from the first quote to the last */
	const char *s;
	size_t len, at;	       /* length of the string, and how much of it has been seen */
	size_t begin, count;   /* the bytes looked for */
	const char *from, *to; /* their place in the source, or NULL */
};

/* Notes that one byte of the string is at [from, to) of the source. */
static bool see_byte(struct scan *scan, char byte, const char *from, const char *to)
{
	if (scan->at >= scan->len || scan->s[scan->at] != byte)
		return false;
	if (scan->at == scan->begin)
		scan->from = from;
	if (scan->at >= scan->begin && scan->at < scan->begin + scan->count)
		scan->to = to;
	scan->at++;
	return true;
}

/*
 * Reads from after the opening quote to after the closing one. NULL: the text does not
 * give the string.
 */
static const char *scan_literal(struct scan *scan, const char *p)
{
	while (p < scan->end && *p != '"') {
		const char *from = p;
		char byte = *p++;

		if (byte == '\\' && p < scan->end && *p == '\n') {
			p++;
			continue;
		}
		if (byte == '\\' && p < scan->end)
			byte = literal_escape(&p, scan->end, true);
		if (!see_byte(scan, byte, from, p))
			return NULL;
	}
	if (p >= scan->end)
		return NULL;
	if (scan->at == scan->len && !scan->from) {
		scan->from = p;
		scan->to = p + 1;
	}
	return p + 1;
}

/* Skips blanks and comments between joined literals. */
static const char *skip_between(const char *p, const char *end)
{
	while (p < end) {
		struct lexical piece = lexical_next(p);

		if (!lexical_is_gap(piece.kind) || piece.is_open)
			break;
		p += piece.len;
	}
	return p;
}

struct loc literal_part(struct loc loc, const char *s, size_t len, size_t at, size_t count)
{
	struct scan scan = { .s = s, .len = len, .begin = at, .count = count ? count : 1 };
	const char *p;

	if (!loc.source)
		return loc;
	p = scan.text = loc.source->text + loc.begin;
	scan.end = loc.source->text + loc.end;
	while (p && p < scan.end) {
		if (*p != '"')
			return loc;
		p = scan_literal(&scan, p + 1);
		p = p ? skip_between(p, scan.end) : NULL;
	}
	if (!p || scan.at != len || !scan.from || scan.to <= scan.from)
		return loc;
	loc.end = (uint32_t)(scan.to - loc.source->text);
	loc.begin = (uint32_t)(scan.from - loc.source->text);
	return loc;
}
