/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The procedure call standard for the Arm 64-bit architecture (AAPCS64), 6.8.2: eight
 * integer registers, then the stack in 8-byte slots. An aggregate of at most 16 bytes
 * takes one or two registers; when not enough are left it goes to the stack, as do all
 * arguments after it. A larger one is copied, and its address is passed instead. An
 * aggregate of one to four numbers of the same floating-point type travels in registers
 * that probes cannot read. The address of a large result is in x8.
 */
#include <linux/btf.h>

#include "arch/arch.h"
#include "base/session.h"
#include "formats/btf.h"
#include "lib/error.h"
#include "types/calling.h"
#include "types/types.h"

#define REGISTERS   8
#define MOST_FLOATS 4

struct floats {
	unsigned count;
	uint32_t size; /* of each; 0: none was seen yet */
	bool others;   /* something is not such a number, or has another size */
};

static void count_floats(const struct btf *b, uint32_t id, struct floats *f, unsigned depth);

static void count_members(const struct btf *b, const struct btf_type *t, struct floats *f,
			  unsigned depth)
{
	const struct btf_member *m = btf_tail(t);
	struct floats all = *f;

	for (unsigned i = 0; i < btf_vlen_of(t) && !f->others; i++) {
		struct floats one = *f;

		if (btf_kind_of(t) == BTF_KIND_STRUCT) {
			count_floats(b, m[i].type, f, depth + 1);
			continue;
		}
		/* The members of a union overlap: the longest one counts. */
		count_floats(b, m[i].type, &one, depth + 1);
		all.others |= one.others || (all.size && one.size != all.size);
		all.size = one.size;
		all.count = one.count > all.count ? one.count : all.count;
	}
	if (btf_kind_of(t) == BTF_KIND_UNION)
		*f = all;
}

static void count_floats(const struct btf *b, uint32_t id, struct floats *f, unsigned depth)
{
	const struct btf_type *t = btf_type(b, btf_skip(b, id));
	const struct btf_array *array = t ? btf_tail(t) : NULL;
	uint32_t kind = t ? btf_kind_of(t) : BTF_KIND_UNKN;

	if (kind == BTF_KIND_FLOAT) {
		f->others |= f->size && f->size != t->size;
		f->size = t->size;
		f->count++;
	} else if (kind == BTF_KIND_ARRAY && depth < BTF_MAX_DEPTH) {
		for (uint32_t i = 0; i < array->nelems && i <= MOST_FLOATS; i++)
			count_floats(b, array->type, f, depth + 1);
	} else if ((kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION) && depth < BTF_MAX_DEPTH) {
		count_members(b, t, f, depth);
	} else {
		f->others = true;
	}
}

static bool holds_floats(const struct btf *b, uint32_t id, uint64_t size)
{
	struct floats f = { 0 };

	count_floats(b, id, &f, 0);
	return !f.others && f.count && f.count <= MOST_FLOATS;
}

/*
 * Takes registers; if too few are left, takes slots of the stack, and leaves no register.
 */
static void take(struct argument *arg, unsigned words, struct calling_state *at)
{
	arg->registers = words;
	if (at->reg + words <= REGISTERS) {
		arg->number = at->reg;
		at->reg += words;
		return;
	}
	arg->number = REGISTERS + at->slot;
	at->reg = REGISTERS;
	at->slot += words;
}

static void place(struct session *s, struct btf *b, struct argument *arg, struct calling_state *at)
{
	struct type_info info;
	struct error *err;

	if (at->is_32) {
		calling_place_32(s, b, arg, &at->slot,
				 "it takes two registers of a 32-bit program");
		return;
	}
	err = types_info(s, b, arg->type_id, &info);
	if (err || info.kind == KTYPE_VOID || !info.size) {
		arg->problem = "its type is not known";
		at->reg++;
	} else if (btf_kind(b, btf_skip(b, arg->type_id)) == BTF_KIND_FLOAT) {
		arg->problem = "floating-point parameters are not supported";
	} else if (info.kind == KTYPE_AGGREGATE && holds_floats(b, arg->type_id, info.size)) {
		arg->problem = "it holds floating-point numbers, which are passed in registers "
			       "that probes cannot read";
	} else if (info.kind == KTYPE_AGGREGATE && info.size > 16) {
		take(arg, 1, at);
		arg->problem = "it is passed by its address: pointer_arg() has that";
	} else {
		/* A number of 16 bytes begins at an even register. */
		if (info.kind == KTYPE_OTHER && info.size == 16)
			at->reg += at->reg % 2;
		take(arg, (unsigned)(info.size + 7) / 8, at);
		arg->place = info.kind == KTYPE_AGGREGATE || info.kind == KTYPE_OTHER
				     ? PATH_REGISTERS
				     : PATH_VALUE;
	}
}

static void place_result(const struct type_info *info, struct calling_state *at)
{
	if (at->is_32)
		at->slot = 1;
}

static const uint8_t argument_registers[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

const struct arch_calling aarch64_calling = {
	.arguments = argument_registers,
	.argument_count = sizeof(argument_registers),
	.place = place,
	.place_result = place_result,
	.holds_floats = holds_floats,
	.results = { 0, 1 },
	.place_of_result = 8,
	.return_address = 0,
};
