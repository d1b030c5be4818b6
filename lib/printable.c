/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See printable.h. */
#include "lib/printable.h"

#include <stdbool.h>
#include <string.h>

/*
 * Returns the length of a character of UTF-8 from its first byte; 0: no character begins
 * with that byte.
 */
static size_t printable_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return 2 + (first >= 0xe0) + (first >= 0xf0);
}

/*
 * True: this byte may be the second one. Other bytes would make an overlong form of a
 * character, which may be a control character, or half of one (UTF-16), or a number
 * outside Unicode.
 */
static bool printable_second(unsigned char first, unsigned char second)
{
	unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
	unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

	return second >= least && second <= most;
}

/*
 * Returns the length of the next character if a terminal shows it; otherwise 0. U+0080 to
 * U+009F are control characters, and some terminals also obey the bytes with these
 * numbers.
 */
static size_t printable_at(const unsigned char *s, size_t len)
{
	size_t n = printable_length(*s);

	if (n == 1)
		return (*s >= ' ' && *s != 0x7f) || *s == '\t' || *s == '\n';
	if (!n || n > len || !printable_second(*s, s[1]) || (*s == 0xc2 && s[1] < 0xa0))
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

void printable_make(char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t n = printable_at((const unsigned char *)text + i, len - i);

		if (!n)
			text[i] = '?';
		i += n ? n : 1;
	}
}

char *printable_line(char *text)
{
	printable_make(text, strlen(text));
	for (char *c = text; *c; c++)
		if (*c == '\t' || *c == '\n')
			*c = ' ';
	return text;
}

size_t printable_whole(const char *text, size_t len)
{
	for (size_t back = 1; back < 4 && back <= len; back++) {
		unsigned char c = (unsigned char)text[len - back];

		if ((c & 0xc0) != 0x80)
			return printable_length(c) > back ? len - back : len;
	}
	return len;
}

void printable_keep(struct printable_last *l, const char *text, size_t len)
{
	size_t most = sizeof(l->text) - 1, n = len;

	if (n > most)
		n = printable_whole(text, most);
	for (size_t i = 0; i < n; i++)
		l->text[i] = text[i] ? text[i] : '?';
	l->text[n] = 0;
	printable_line(l->text);
}
