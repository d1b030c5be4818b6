/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The maps describe the bytes after the opcode, with a row for 16 opcodes:
 *
 *   .  nothing                  m  ModRM               M  ModRM, 1 byte
 *   b  1 byte                   w  2 bytes             e  3 bytes
 *   z  2 or 4 bytes, by prefix  j  4 bytes             Z  ModRM, 2 or 4 bytes
 *   v  2, 4 or 8 bytes          o  an address          g, G  ModRM, and for test b, z
 *   p  it is a prefix           ?  it is none, or has a map of its own
 */
#include "arch/x86_64/length.h"

#include <stdbool.h>
#include <string.h>

#define MAP_SIZE (16 * 16 + 1)

static const char one_byte[MAP_SIZE] = "mmmmbz??mmmmbz??"
				       "mmmmbz??mmmmbz??"
				       "mmmmbzp?mmmmbzp?"
				       "mmmmbzp?mmmmbzp?"
				       "????????????????" /* REX */
				       "................"
				       "???mppppzZbM...."
				       "bbbbbbbbbbbbbbbb"
				       "MZ?Mmmmmmmmmmmmm"
				       "..........?....."
				       "oooo....bz......"
				       "bbbbbbbbvvvvvvvv"
				       "MMw.??MZe.w..b?."
				       "mmmm???.mmmmmmmm"
				       "bbbbbbbbjj?b...."
				       "p.pp..gG......mm";

static const char two_bytes[MAP_SIZE] = "mmmm?.....?.?m.M"
					"mmmmmmmmmmmmmmmm"
					"mmmmmmmmmmmmmmmm"
					"........????????"
					"mmmmmmmmmmmmmmmm"
					"mmmmmmmmmmmmmmmm"
					"mmmmmmmmmmmmmmmm"
					"MMMMmmm.??mmmmmm"
					"jjjjjjjjjjjjjjjj"
					"mmmmmmmmmmmmmmmm"
					"...mMm??...mMmmm"
					"mmmmmmmmmmMmmmmm"
					"mmMmMMMm........"
					"mmmmmmmmmmmmmmmm"
					"mmmmmmmmmmmmmmmm"
					"mmmmmmmmmmmmmmmm";

struct decoder {
	const uint8_t *code;
	size_t left, at;
	bool is_16, is_wide, is_short_address;
};

/* Returns a following byte, or 0 past the limit: the instruction is too long then. */
static uint8_t peek(const struct decoder *d, size_t ahead)
{
	return d->at + ahead < d->left ? d->code[d->at + ahead] : 0;
}

static void skip_prefixes(struct decoder *d)
{
	while (d->at < d->left && one_byte[peek(d, 0)] == 'p') {
		d->is_16 |= peek(d, 0) == 0x66;
		d->is_short_address |= peek(d, 0) == 0x67;
		d->at++;
	}
	if ((peek(d, 0) & 0xf0) == 0x40) {
		d->is_wide = peek(d, 0) & 8;
		d->at++;
	}
}

/* Returns the operands of an opcode of the map 0f (1), 0f 38 (2) or 0f 3a (3). */
static char opcode_in(struct decoder *d, unsigned map)
{
	uint8_t opcode = peek(d, 0);

	d->at++;
	return map == 1 ? two_bytes[opcode] : map == 2 ? 'm' : map == 3 ? 'M' : '?';
}

/* The prefixes of vector instructions name the map. */
static char opcode(struct decoder *d)
{
	uint8_t first = peek(d, 0), next = peek(d, 1);
	unsigned map = first == 0xc5   ? 1
		       : first == 0xc4 ? next & 0x1f
		       : first == 0x62 ? next & 7
				       : 0;

	d->at += first == 0xc5 ? 2 : first == 0xc4 ? 3 : first == 0x62 ? 4 : 1;
	if (map)
		return opcode_in(d, map);
	if (first != 0x0f)
		return one_byte[first];
	map = next == 0x38 ? 2 : next == 0x3a ? 3 : 1;
	d->at += map > 1;
	return opcode_in(d, map);
}

/* Returns the length of ModRM, SIB and the displacement. */
static size_t operand(const struct decoder *d)
{
	uint8_t modrm = peek(d, 0), mod = modrm >> 6, rm = modrm & 7;
	size_t len = 1 + (mod != 3 && rm == 4);
	uint8_t base = len == 2 ? peek(d, 1) & 7 : rm;

	return len + (mod == 1 ? 1 : mod == 2 || (mod == 0 && base == 5) ? 4 : 0);
}

/* Returns the number of bytes after the opcode. */
static size_t rest(const struct decoder *d, char follows)
{
	size_t z = d->is_16 && !d->is_wide ? 2 : 4;
	bool is_test = !(peek(d, 0) & 0x30);

	switch (follows) {
	case 'b':
		return 1;
	case 'w':
		return 2;
	case 'e':
		return 3;
	case 'j':
		return 4;
	case 'z':
		return z;
	case 'v':
		return d->is_wide ? 8 : z;
	case 'o':
		return d->is_short_address ? 4 : 8;
	case 'm':
		return operand(d);
	case 'M':
		return operand(d) + 1;
	case 'Z':
		return operand(d) + z;
	case 'g':
		return operand(d) + is_test;
	case 'G':
		return operand(d) + (is_test ? z : 0);
	default:
		return 0;
	}
}

size_t length_of(const uint8_t *code, size_t left)
{
	struct decoder d = { .code = code, .left = left };
	char follows;

	skip_prefixes(&d);
	follows = opcode(&d);
	if (!strchr(".bwejzvomMZgG", follows))
		return 0;
	d.at += rest(&d, follows);
	return d.at <= left ? d.at : 0;
}
