/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See utf8.h. */
#include "stapio/sink/utf8.h"

/* Returns what the first byte says; 0: none begins so. */
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
