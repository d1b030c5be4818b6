/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The System V ABI, AMD64 supplement, 3.2.3: six integer registers, then the stack in
 * 8-byte slots. An aggregate of at most 16 bytes takes one or two registers if enough are
 * left; otherwise all of it goes to the stack, as larger ones do. Eight bytes that hold
 * only floating point travel in registers that probes cannot read.
 */
#include <linux/btf.h>

#include "arch/arch.h"
#include "base/session.h"
#include "formats/btf.h"
#include "lib/error.h"
#include "types/calling.h"
#include "types/types.h"

#define REGISTERS 6
#define VECTORS	  8

/* Returns how many registers the argument takes; 0: it goes to the stack. */
static unsigned registers_for(const struct type_info *info)
{
	unsigned words = (info->size + 7) / 8;

	return words <= 2 ? words : 0;
}

#define ON_STACK 4u /* it holds a long double */

/*
 * Returns a set of bits; bit i: the i-th eight bytes are not only floating point;
 * ON_STACK: they are in no registers.
 */
static unsigned integer_words(const struct btf *b, uint32_t id, uint64_t offset, unsigned depth)
{
	const struct btf_type *t = btf_type(b, btf_skip(b, id));
	const struct btf_member *m = t ? btf_tail(t) : NULL;
	const struct btf_array *array = (const void *)m;
	unsigned words = 0;

	if (!t || depth > BTF_MAX_DEPTH || offset >= 16)
		return 0;
	if (btf_kind_of(t) == BTF_KIND_FLOAT)
		return t->size > 8 ? ON_STACK : 0;
	if (btf_kind_of(t) == BTF_KIND_ARRAY) {
		for (uint32_t i = 0; i < array->nelems && i < 16; i++)
			words |= integer_words(b, array->type,
					       offset + i * btf_size(b, array->type), depth + 1);
		return words;
	}
	if (btf_kind_of(t) != BTF_KIND_STRUCT && btf_kind_of(t) != BTF_KIND_UNION)
		return 1u << offset / 8;
	for (unsigned i = 0; i < btf_vlen_of(t); i++) {
		uint32_t bits =
			BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;

		words |= integer_words(b, m[i].type, offset + bits / 8, depth + 1);
	}
	return words;
}

static bool holds_floats(const struct btf *b, uint32_t id, uint64_t size)
{
	return size <= 16 && integer_words(b, id, 0, 0) != (size > 8 ? 3u : 1u);
}

static const unsigned integer_results[2] = { 0, 1 }; /* rax, rdx */
#define FIRST_VECTOR 17				     /* xmm0 */

static unsigned mixed_result(const struct btf *b, uint32_t id, uint64_t size, unsigned ret[2])
{
	unsigned integers = integer_words(b, id, 0, 0), words = (unsigned)(size + 7) / 8;
	unsigned integer = 0, vector = 0;

	if (integers & ON_STACK || words > 2)
		return 0;
	for (unsigned i = 0; i < words; i++)
		ret[i] = integers >> i & 1 ? integer_results[integer++] : FIRST_VECTOR + vector++;
	return words;
}

/* A number in a vector register, or on the stack if there is none left. */
static void place_float(struct argument *arg, unsigned size, struct calling_state *at)
{
	arg->problem = "floating-point parameters are not supported";
	arg->number = at->vector; /* VECTORS: it is on the stack */
	if (size > 8) {		  /* long double; the stack is aligned for it */
		arg->problem = "a floating-point number of more than 8 bytes is not supported";
		at->slot = (at->slot + 1) / 2 * 2 + (size + 7) / 8;
	} else if (at->vector < VECTORS) {
		at->vector++;
	} else {
		at->slot++;
	}
}

static unsigned count(unsigned words)
{
	return (words & 1) + (words >> 1 & 1);
}

/* A structure with a floating-point number. */
static void place_mixed(struct argument *arg, unsigned integers, unsigned words,
			struct calling_state *at)
{
	unsigned all = (1u << words) - 1;

	arg->problem = "it holds floating-point numbers, which are passed in registers "
		       "that probes cannot read";
	if (integers & ON_STACK || at->reg + count(integers) > REGISTERS ||
	    at->vector + count(all & ~integers) > VECTORS) {
		at->slot += words;
		return;
	}
	at->reg += count(integers);
	at->vector += count(all & ~integers);
}

static void place_one_64(struct session *s, struct btf *b, struct argument *arg,
			 struct calling_state *at)
{
	struct type_info info;
	struct error *err = types_info(s, b, arg->type_id, &info);

	if (err || info.kind == KTYPE_VOID || !info.size) {
		arg->problem = "its type is not known";
		arg->number = at->reg++;
		return;
	}

	bool in_words = info.kind == KTYPE_AGGREGATE || info.kind == KTYPE_OTHER;
	unsigned n = registers_for(&info), words = (info.size + 7) / 8;

	if (btf_kind(b, btf_skip(b, arg->type_id)) == BTF_KIND_FLOAT) {
		place_float(arg, info.size, at);
		return;
	}
	if (info.kind == KTYPE_AGGREGATE && holds_floats(b, arg->type_id, info.size)) {
		place_mixed(arg, integer_words(b, arg->type_id, 0, 0), words, at);
		return;
	}
	if (n && at->reg + n <= REGISTERS) {
		arg->number = at->reg;
		arg->registers = n;
		at->reg += n;
	} else {
		if (info.kind == KTYPE_OTHER) /* a number of 16 bytes */
			at->slot = (at->slot + 1) / 2 * 2;
		arg->number = REGISTERS + at->slot;
		arg->registers = words;
		at->slot += words;
	}
	arg->place = in_words ? PATH_REGISTERS : PATH_VALUE;
}

static void place(struct session *s, struct btf *b, struct argument *arg, struct calling_state *at)
{
	if (at->is_32)
		calling_place_32(s, b, arg, &at->slot,
				 "it takes two words on the stack of a 32-bit program");
	else
		place_one_64(s, b, arg, at);
}

/* The address of a large result is a hidden first argument. */
static void place_result(const struct type_info *info, struct calling_state *at)
{
	if (at->is_32)
		at->slot = 1;
	else if (info->size > 16)
		at->reg = 1;
}

static const uint8_t argument_registers[REGISTERS] = { 5, 4, 1, 2, 8, 9 }; /* rdi, rsi, rdx … */

const struct arch_calling x86_64_calling = {
	.arguments = argument_registers,
	.argument_count = REGISTERS,
	.place = place,
	.place_result = place_result,
	.holds_floats = holds_floats,
	.mixed_result = mixed_result,
	.counts_vectors = true,
	.results = { 0, 1 },
	.return_address = -8,
};
