/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of programs with a length, in UTF-8, UTF-16 or UTF-32, as UTF-8. Characters that
 * a terminal shows stay as they are; all others, and bytes that are not UTF-8, are
 * escaped.
 */
#ifndef STP_PRETTYLETTERS_H
#define STP_PRETTYLETTERS_H

#include "core/prettytext.h"

#define LETTERS_BAD UINT32_MAX

/*
 * True: the character is beyond ASCII, and neither controls the direction of text nor
 * separates lines.
 */
static bool letters_shown(uint32_t code)
{
	return code >= 0xa0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) &&
	       (code < 0x2028 || code > 0x202e) && (code < 0x2066 || code > 0x2069) &&
	       code != 0x200e && code != 0x200f && code != 0xfeff && (code & 0xfffe) != 0xfffe;
}

static unsigned letters_encode(char *dst, uint32_t code)
{
	unsigned n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const uint8_t lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (unsigned i = n; i-- > 1; code >>= 6)
		dst[i] = (char)(0x80 | (code & 0x3f));
	dst[0] = (char)(lead[n] | code);
	return n;
}

/* Puts a character whole, or ends the text. */
static void letters_put(struct pretty *p, uint32_t code)
{
	char text[4];
	unsigned n = letters_encode(text, code);

	if (n > p->room - p->len)
		p->room = p->len;
	else
		pretty_put(p, text, n);
}

/* Puts a character of a quoted text. */
static void letters_quoted(struct pretty *p, uint32_t code)
{
	char one = (char)code;

	if (code < 0x80) {
		pretty_escaped(p, &one, 1);
		return;
	}
	stp_charge_later(p->c, CHARACTER_WORK);
	if (letters_shown(code))
		letters_put(p, code);
	else
		pretty_number(p, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
}

/*
 * Returns the length of the character of UTF-8 at the start of the bytes, and the
 * character; 0: there is none.
 */
static unsigned letters_utf8(const uint8_t *s, size_t len, uint32_t *ret)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned n = *s < 0x80 ? 1 : *s >> 5 == 6 ? 2 : *s >> 4 == 14 ? 3 : *s >> 3 == 30 ? 4 : 0;

	if (!n || n > len)
		return 0;
	*ret = n == 1 ? *s : *s & (0x7fu >> n);
	for (unsigned i = 1; i < n; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		*ret = *ret << 6 | (s[i] & 0x3f);
	}
	return *ret >= least[n] ? n : 0;
}

/* Puts bytes of a quoted text; returns how many: the last may be part of a character. */
static size_t letters_bytes(struct pretty *p, const uint8_t *s, size_t len, bool is_end)
{
	size_t at = 0;

	while (at < len && p->len < p->room) {
		uint32_t code;
		unsigned n = letters_utf8(s + at, len - at, &code);

		if (!n && !is_end && len - at < 4 && s[at] >= 0xc0)
			break;
		if (n && (n == 1 || letters_shown(code)))
			letters_quoted(p, code);
		else
			pretty_escaped(p, (const char *)s + at, n = 1);
		at += n;
	}
	return at;
}

/* Puts units of 2 or 4 bytes; returns how many bytes, as letters_bytes(). */
static size_t letters_units(struct pretty *p, const uint8_t *s, size_t len, unsigned unit,
			    bool is_end, bool is_raw)
{
	size_t at = 0;

	for (; at + unit <= len && p->len < p->room; at += unit) {
		uint32_t code = 0;
		uint16_t next;

		memcpy(&code, s + at, unit); /* little endian */
		if (unit == 2 && code >> 10 == 0x36) {
			if (at + 4 > len && !is_end)
				break;
			next = 0;
			if (at + 4 <= len)
				memcpy(&next, s + at + 2, 2);
			if (next >> 10 == 0x37) {
				code = 0x10000 + ((code & 0x3ff) << 10 | (next & 0x3ff));
				at += 2;
			}
		}
		if (!is_raw)
			letters_quoted(p, code);
		else
			letters_put(p, code > 0x10ffff || code >> 11 == 0x1b ? 0xfffd : code);
	}
	return at;
}

/* Puts `count` units of a text in memory; false: some of them cannot be read. */
static bool letters_text(struct pretty *p, uint64_t at, uint64_t count, unsigned unit, bool is_raw)
{
	uint8_t piece[STRING_PIECE + 4];
	size_t kept = 0; /* bytes of a character that is not whole */

	if (count > UINT64_MAX / 4) /* not by the unit: clang would multiply 128 bits */
		return false;
	for (uint64_t left = count * unit; left && p->len < p->room;) {
		/* Never crosses the end of a page. */
		uint64_t got = STRING_PIECE - at % STRING_PIECE, len, used;

		if (got > left)
			got = left;
		if (!port_memory_read(p->space, piece + kept, at, got))
			return false;
		at += got;
		left -= got;
		len = kept + got;
		if (unit > 1)
			used = letters_units(p, piece, len, unit, !left, is_raw);
		else if (!is_raw)
			used = letters_bytes(p, piece, len, !left);
		else
			pretty_put(p, (const char *)piece, used = len);
		kept = len - used < 4 ? len - used : 0; /* more only when the text is full */
		memmove(piece, piece + used, kept);
	}
	return true;
}

/* Puts a single character: 'x'. */
static void letters_single(struct pretty *p, uint32_t code)
{
	pretty_text(p, "'");
	letters_quoted(p, code);
	pretty_text(p, "'");
}

#endif
