/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See protobuf.h; the encoding is the one that protobuf.dev describes. */
#include "trace/sink/protobuf.h"

#include <string.h>

#include "lib/utf8.h"

#define VARINT	    0 /* types of fields */
#define LENGTH	    2
#define NESTED	    4 /* bytes of a message's length */
#define VARINT_MOST 10

static bool has_room(struct protobuf *p, size_t len)
{
	p->full |= p->room - p->len < len;
	return !p->full;
}

static void put_varint(struct protobuf *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		p->bytes[p->len++] = (uint8_t)(v | 0x80);
	p->bytes[p->len++] = (uint8_t)v;
}

void protobuf_number(struct protobuf *p, unsigned field, uint64_t number)
{
	if (!has_room(p, (size_t)2 * VARINT_MOST))
		return;
	put_varint(p, (uint64_t)field << 3 | VARINT);
	put_varint(p, number);
}

static void put_bytes(struct protobuf *p, unsigned field, const char *s, size_t len)
{
	if (!has_room(p, (size_t)2 * VARINT_MOST + len))
		return;
	put_varint(p, (uint64_t)field << 3 | LENGTH);
	put_varint(p, len);
	memcpy(p->bytes + p->len, s, len);
	p->len += len;
}

void protobuf_text(struct protobuf *p, unsigned field, const char *s, size_t len)
{
	put_bytes(p, field, s, len);
	if (!p->full)
		utf8_blot((char *)p->bytes + p->len - len, len);
}

void protobuf_string(struct protobuf *p, unsigned field, const char *s)
{
	protobuf_text(p, field, s, strlen(s));
}

size_t protobuf_begin(struct protobuf *p, unsigned field)
{
	if (!has_room(p, VARINT_MOST + NESTED))
		return 0;
	put_varint(p, (uint64_t)field << 3 | LENGTH);
	p->len += NESTED;
	return p->len;
}

void protobuf_end(struct protobuf *p, size_t place)
{
	size_t len = p->len - place;

	if (p->full)
		return;
	for (unsigned i = 0; i < NESTED; i++, len >>= 7)
		p->bytes[place - NESTED + i] =
			(uint8_t)((len & 0x7f) | (i + 1 < NESTED ? 0x80 : 0));
}
