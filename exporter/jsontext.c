/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/jsontext.h"

#include <string.h>

#include "exporter/text.h"
#include "lib/utf8.h"

void jsontext_string(struct text *t, const char *s, size_t len)
{
	text_add(t, "\"", 1);
	for (size_t i = 0, n; i < len; i += n) {
		unsigned char c = (unsigned char)s[i];

		n = utf8_length(s + i, len - i);
		if (!n)
			text_addf(t, "\\ufffd%02x", c);
		else if (c < ' ' || strchr("\"\\<", c) || c == 0x7f)
			text_addf(t, "\\u%04x", c);
		else
			text_add(t, s + i, n);
		n += !n;
	}
	text_add(t, "\"", 1);
}
