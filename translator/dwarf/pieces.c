/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values in pieces: the bits of each piece are put after the earlier ones, in words of
 * 64, with a mask of the known bits of each word.
 */
#include "base/session.h"
#include "dwarf/machine.h"

static uint32_t resized(struct machine *m, uint32_t value, unsigned bytes)
{
	if (bytes >= 8)
		return value;
	return machine_add(
		m, (struct access_operation){ .kind = ACCESS_CUT, .a = value, .size = bytes });
}

static uint32_t memory_word(struct machine *m, uint32_t address, unsigned offset, unsigned bytes)
{
	return machine_add(m, (struct access_operation){ .kind = ACCESS_MEMORY,
							 .a = machine_plus(m, address, offset),
							 .size = bytes });
}

static uint32_t shifted(struct machine *m, uint32_t value, unsigned shift)
{
	uint32_t by = machine_add(
		m, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = shift });

	return machine_add(m, (struct access_operation){
				      .kind = ACCESS_BINARY, .op = OP_SHL, .a = value, .b = by });
}

/* Adds the next bits of the value; they do not go past the word's end. */
static void place_bits(struct machine *m, uint32_t value, unsigned bits)
{
	struct access_expression *x = m->ret->expression;
	unsigned within = m->piece_bits % 64;
	uint32_t *last;

	if (!within) {
		vec_push(m->s->arena, &x->words, ACCESS_NO_WORD);
		vec_push(m->s->arena, &x->known, 0);
	}
	last = &x->words.data[x->words.count - 1];
	if (value != ACCESS_NO_WORD) {
		x->known.data[x->known.count - 1] |=
			(bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX) << within;
		value = within ? shifted(m, value, within) : value;
		*last = *last == ACCESS_NO_WORD
				? value
				: machine_add(m, (struct access_operation){ .kind = ACCESS_BINARY,
									    .op = OP_OR,
									    .a = *last,
									    .b = value });
	}
	m->piece_bits += bits;
}

static void place_bytes(struct machine *m, uint64_t bytes)
{
	for (uint64_t at = 0; at < bytes;) {
		uint64_t room = 8 - m->piece_bits / 8 % 8, left = bytes - at;
		unsigned n = left < room ? (unsigned)left : (unsigned)room;

		if (n & (n - 1))
			n = n & 4 ? 4 : 2; /* loads are of 1, 2, 4 or 8 bytes */

		uint32_t word = !m->depth ? ACCESS_NO_WORD
				: !m->is_value
					? memory_word(m, m->stack[m->depth - 1], (unsigned)at, n)
				: at ? ACCESS_NO_WORD
				     : resized(m, m->stack[m->depth - 1], n);

		place_bits(m, word, n * 8);
		at += n;
	}
}

/* Returns `n` bits of the word, from bit `shift` on. */
static uint32_t cut_bits(struct machine *m, uint32_t word, unsigned shift, unsigned n)
{
	uint32_t by = machine_add(
		m, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = shift });
	uint32_t mask = machine_add(
		m, (struct access_operation){ .kind = ACCESS_CONSTANT,
					      .number = n < 64 ? (int64_t)((1ull << n) - 1) : -1 });

	word = shift ? machine_add(m, (struct access_operation){ .kind = ACCESS_BINARY,
								 .op = OP_USHR,
								 .a = word,
								 .b = by })
		     : word;
	return machine_add(m, (struct access_operation){
				      .kind = ACCESS_BINARY, .op = OP_AND, .a = word, .b = mask });
}

/*
 * Returns up to *n bits of the entry on the stack, from bit `from` on: from a value up to
 * the end of its word, from memory up to the end of the byte.
 */
static uint32_t source_bits(struct machine *m, uint64_t from, unsigned *n)
{
	uint32_t top = m->depth ? m->stack[m->depth - 1] : ACCESS_NO_WORD;
	unsigned room = m->is_value ? 64 - from % 64 : 8 - from % 8;

	if (!m->depth)
		return ACCESS_NO_WORD;
	if (*n > room)
		*n = room;
	if (m->is_value)
		return from < 64 ? cut_bits(m, top, (unsigned)from, *n) : ACCESS_NO_WORD;
	return cut_bits(m, memory_word(m, top, (unsigned)(from / 8), 1), from % 8, *n);
}

bool pieces_push(struct machine *m, uint64_t bits, uint64_t from)
{
	m->pieces = true;
	/* The part is a pointer whose target has no address. */
	if (m->ret->kind == LOCATION_POINTER) {
		m->ret->kind = LOCATION_VALUE;
		m->depth = 0;
	}
	if (!bits || bits > MAX_WORDS * 64 || from > MAX_WORDS * 64 ||
	    m->piece_bits + bits > MAX_WORDS * 64)
		return machine_fail(m, "its location is malformed: a piece out of range");
	if (!(bits % 8) && !from && !(m->piece_bits % 8)) {
		place_bytes(m, bits / 8);
		bits = 0;
	}
	for (uint64_t at = 0; at < bits;) {
		uint64_t room = 64 - m->piece_bits % 64, left = bits - at;
		unsigned n = left < room ? (unsigned)left : (unsigned)room;
		uint32_t word = source_bits(m, from + at, &n);

		place_bits(m, word, n);
		at += n;
	}
	m->depth = 0;
	m->is_value = false;
	return true;
}
