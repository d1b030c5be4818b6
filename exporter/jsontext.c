/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/jsontext.h"

#include <stdint.h>
#include <string.h>

#include "exporter/text.h"

/* Returns how many bytes the character of UTF-8 at s has; 0: there is none. */
static size_t character(const unsigned char *s, size_t len)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = s[0] < 0x80	     ? 1
		   : s[0] >> 5 == 6  ? 2
		   : s[0] >> 4 == 14 ? 3
		   : s[0] >> 3 == 30 ? 4
				     : 0;
	uint32_t code = n > 1 ? s[0] & (0x7f >> n) : s[0];

	if (!n || n > len)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	return code < least[n] || code > 0x10ffff || code >> 11 == 0x1b ? 0 : n;
}

void jsontext_string(struct text *t, const char *s, size_t len)
{
	text_add(t, "\"", 1);
	for (size_t i = 0, n; i < len; i += n) {
		const unsigned char *c = (const unsigned char *)s + i;

		n = character(c, len - i);
		if (!n)
			text_addf(t, "\\ufffd%02x", *c);
		else if (*c < ' ' || strchr("\"\\<", *c) || *c == 0x7f)
			text_addf(t, "\\u%04x", *c);
		else
			text_add(t, s + i, n);
		n += !n;
	}
	text_add(t, "\"", 1);
}
