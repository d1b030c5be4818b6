/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Composes texts piece by piece in a string's storage: the form of sprintf if all its
 * conversions are plain.
 */
#include "core/decimal.h"
#include "core/hexdigits.h"
#include "core/state.h"

#define ADDRESS_ROOM 20 /* a blank, an address, the end */
#define KEPT_ROOM    24 /* the same in whole words */

/* Appends a piece. It may be in the storage itself, after the text written so far. */
void stp_text_put(void *text, const char *s, size_t len)
{
	struct stp_text *t = text;
	uint32_t room = stp_script.limits.string - 1 - t->str.len;
	uint32_t n = len < room ? (uint32_t)len : room;

	stp_bytes_copy((char *)t->str.s + t->str.len, s, n);
	t->str.len += n;
	t->cut |= n < len;
}

/* A separate function, so that one digit needs no room for twenty. */
static __attribute__((__noinline__)) void text_number(struct stp_text *t, uint64_t magnitude,
						      bool is_negative)
{
	char digits[1 + STP_DECIMAL_MAX] STP_UNSET;
	size_t len = (size_t)(stp_decimal(digits + 1, magnitude) - digits) - !is_negative;

	/* Without this the compiler warns about a copy past the array. */
	if (len > STP_DECIMAL_MAX + (size_t)is_negative)
		__builtin_unreachable();
	digits[0] = '-';
	stp_text_put(t, digits + !is_negative, len);
}

void stp_text_unsigned(struct stp_text *t, uint64_t v)
{
	if (v < 10)
		stp_text_char(t, (char)('0' + v));
	else
		text_number(t, v, false);
}

void stp_text_signed(struct stp_text *t, int64_t v)
{
	if (v < 0)
		text_number(t, 0 - (uint64_t)v, true);
	else
		stp_text_unsigned(t, (uint64_t)v);
}

void stp_text_hex(struct stp_text *t, uint64_t v, bool prefixed)
{
	char text[2 + STP_HEXDIGITS_MAX] STP_UNSET;
	unsigned len = stp_hexdigits(text + 2, v);

	memcpy(text, "0x", 2);
	stp_text_put(t, prefixed ? text : text + 2, prefixed ? 2 + len : len);
}

bool stp_text_address(struct stp_text *t, uint64_t address)
{
	static const char prefixes[2][4] = { "0x", " 0x" };
	bool follows = t->str.len != 0;
	char *to = (char *)t->str.s + t->str.len;

	if (t->str.len + ADDRESS_ROOM >= stp_script.limits.string)
		return false;
	memcpy(to, prefixes[follows], sizeof(prefixes[0]));
	to += 2 + follows;
	t->str.len = (uint32_t)(to - t->str.s) + stp_hexdigits(to, address);
	return true;
}

static __attribute__((__noinline__)) void keep_address(struct stp_kept_address *kept,
						       uint64_t address)
{
	memcpy(kept->text, " 0x", 3);
	kept->len = 3 + stp_hexdigits(kept->text + 3, address);
	kept->address = address;
}

bool stp_text_kept_address(struct stp_text *t, uint64_t address, struct stp_kept_address *kept)
{
	uint32_t skipped = !t->str.len; /* the blank */
	char *to = (char *)t->str.s + t->str.len;

	if (t->str.len + KEPT_ROOM >= stp_script.limits.string)
		return stp_text_address(t, address);
	if (unlikely(kept->address != address || !kept->len))
		keep_address(kept, address);
	memcpy(to, kept->text + skipped, KEPT_ROOM);
	t->str.len += kept->len - skipped;
	return true;
}

struct stp_str stp_text_end(struct stp_ctx *c, struct stp_text *t)
{
	((char *)t->str.s)[t->str.len] = 0;
	if (unlikely(t->cut))
		stp_string_cut(c);
	return t->str;
}
