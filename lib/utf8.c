/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See utf8.h. */
#include "lib/utf8.h"

#include <string.h>

/* Returns the length that the first byte gives; 0: no character begins with it. */
static size_t expected(uint8_t first)
{
	if (first < 0x80)
		return 1;
	return first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

size_t utf8_length(const char *s, size_t left)
{
	size_t len = expected((uint8_t)*s);
	uint32_t c = (uint8_t)*s & (0xffu >> (len + 1));

	if (len <= 1 || len > left)
		return len == 1;
	for (size_t i = 1; i < len; i++) {
		if (((uint8_t)s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | ((uint8_t)s[i] & 0x3f);
	}
	if (len == 3 && (c < 0x800 || (c >= 0xd800 && c < 0xe000)))
		return 0;
	return len == 4 && (c < 0x10000 || c > 0x10ffff) ? 0 : len;
}

/*
 * Returns the length of the character at s, in a text that ends with NUL; 0: it is
 * invalid.
 */
static size_t length_in_text(const char *s, size_t left)
{
	return *s ? utf8_length(s, left) : 0;
}

bool utf8_is_text(const char *s, size_t len)
{
	while (len) {
		size_t n = length_in_text(s, len);

		if (!n)
			return false;
		s += n;
		len -= n;
	}
	return true;
}

void utf8_blot(char *s, size_t len)
{
	while (len) {
		size_t n = utf8_length(s, len);

		if (!n)
			*s = '?';
		s += n ? n : 1;
		len -= n ? n : 1;
	}
}

size_t utf8_mend(char *to, const char *s, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char *start = to;

	for (size_t i = 0; i < len;) {
		size_t n = length_in_text(s + i, len - i);
		uint8_t byte = (uint8_t)s[i];

		if (n == 1) {
			*to++ = s[i];
		} else if (n) {
			memcpy(to, s + i, n);
			to += n;
		} else {
			*to++ = '\\';
			*to++ = 'x';
			*to++ = digits[byte >> 4];
			*to++ = digits[byte & 15];
		}
		i += n ? n : 1;
	}
	return (size_t)(to - start);
}
