/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See dbtext.h. */
#include "trace/sink/dbtext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/utf8.h"

char *dbtext_room(struct dbtext *b, size_t n)
{
	if (b->room - b->len < n) {
		size_t room = (b->room + n) * 2;
		char *s = realloc(b->s, room);

		b->no_memory |= !s;
		if (!s)
			return NULL;
		b->s = s;
		b->room = room;
	}
	return b->s + b->len;
}

void dbtext_put(struct dbtext *b, const void *from, size_t n)
{
	char *to = dbtext_room(b, n);

	if (!to)
		return;
	memcpy(to, from, n);
	b->len += n;
}

void dbtext_put_text(struct dbtext *b, const char *s, size_t len)
{
	char *to = dbtext_room(b, len * 4 + 1);

	if (to)
		b->len += utf8_mend(to, s, len);
}

void dbtext_put_string(struct dbtext *b, const char *s)
{
	dbtext_put(b, s, strlen(s));
}

void dbtext_put_name(struct dbtext *b, const char *name)
{
	dbtext_put(b, "\"", 1);
	for (; *name; name++) {
		if (*name == '"')
			dbtext_put(b, "\"", 1);
		dbtext_put(b, name, 1);
	}
	dbtext_put(b, "\"", 1);
}

void dbtext_put_constant(struct dbtext *b, const char *s)
{
	struct dbtext text = { 0 };

	dbtext_put_text(&text, s, strlen(s));
	dbtext_put(b, "'", 1);
	for (size_t i = 0; i < text.len; i++) {
		if (text.s[i] == '\'')
			dbtext_put(b, "'", 1);
		dbtext_put(b, text.s + i, 1);
	}
	dbtext_put(b, "'", 1);
	b->no_memory |= text.no_memory;
	free(text.s);
}

uint64_t dbtext_checksum(uint64_t check, const char *s, size_t len)
{
	for (; len >= 8; s += 8, len -= 8) {
		uint64_t word;

		memcpy(&word, s, 8);
		check = (check ^ word) * 0x9e3779b97f4a7c15u;
		check ^= check >> 29;
	}
	for (; len; s++, len--)
		check = (check ^ (uint8_t)*s) * 0x9e3779b97f4a7c15u;
	return check;
}

void dbtext_fit(const char *name, size_t room, char *ret)
{
	size_t len = strlen(name);

	snprintf(ret, room, "%s", name);
	if (len >= room)
		snprintf(ret + room - 10, 10, "_%08x", (uint32_t)dbtext_checksum(len, name, len));
	utf8_blot(ret, strlen(ret));
}
