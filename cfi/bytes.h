/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads bytes that may be damaged: a read past their end returns 0 and sets `bad`. */
#ifndef CFI_BYTES_H
#define CFI_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *at, *end;
	bool bad;
};

static inline uint64_t cursor_left(const struct cursor *c)
{
	return (uint64_t)(c->end - c->at);
}

static inline void cursor_skip(struct cursor *c, uint64_t n)
{
	if (n <= cursor_left(c)) {
		c->at += n;
	} else {
		c->at = c->end;
		c->bad = true;
	}
}

/* Reads a little-endian number of 1, 2, 4 or 8 bytes. */
static inline uint64_t cursor_fixed(struct cursor *c, unsigned size)
{
	const uint8_t *from = c->at;
	uint64_t value = 0;

	cursor_skip(c, size);
	if (!c->bad)
		memcpy(&value, from, size);
	return value;
}

static inline int64_t cursor_signed(struct cursor *c, unsigned size)
{
	unsigned unused = 64 - 8 * size;

	return (int64_t)(cursor_fixed(c, size) << unused) >> unused;
}

static inline uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0; !c->bad; shift += 7) {
		uint64_t byte = cursor_fixed(c, 1);

		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static inline int64_t cursor_sleb(struct cursor *c)
{
	uint64_t value = 0, byte = 0;
	unsigned shift = 0;

	do {
		byte = cursor_fixed(c, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !c->bad);
	if (shift < 64 && byte & 0x40)
		value |= ~0ull << shift;
	return (int64_t)value;
}

/* Reads a NUL-terminated string; returns "" if it is not terminated. */
static inline const char *cursor_string(struct cursor *c)
{
	const uint8_t *from = c->at, *nul = cursor_left(c) ? memchr(from, 0, cursor_left(c)) : NULL;

	c->bad |= !nul;
	c->at = nul ? nul + 1 : c->end;
	return nul ? (const char *)from : "";
}

#endif
