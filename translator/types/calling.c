/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The System V ABI, AMD64 supplement, 3.2.3: six integer registers, then the stack in
 * 8-byte slots. An aggregate of at most 16 bytes takes one or two registers when that
 * many are left, else all of it goes to the stack, as larger ones do. Eight bytes that
 * hold nothing but floating point travel in registers that probes cannot read.
 */
#include "types/calling.h"

#include <linux/btf.h>

#include "base/error.h"
#include "base/session.h"
#include "formats/btf.h"
#include "kernel/functions.h"
#include "types/member.h"
#include "types/types.h"

#define REGISTERS 6

/* Returns how many registers the argument takes; 0: it goes to the stack. */
static unsigned registers_for(const struct type_info *info)
{
	unsigned words = (info->size + 7) / 8;

	return words <= 2 ? words : 0;
}

/*
 * Returns a bit set; bit i: something in the i-th eight bytes is no floating-point
 * number.
 */
static unsigned integer_words(const struct btf *b, uint32_t id, uint64_t offset, unsigned depth)
{
	const struct btf_type *t = btf_type(b, btf_skip(b, id));
	const struct btf_member *m = t ? btf_tail(t) : NULL;
	const struct btf_array *array = (const void *)m;
	unsigned words = 0;

	if (!t || depth > BTF_MAX_DEPTH || offset >= 16 || btf_kind_of(t) == BTF_KIND_FLOAT)
		return 0;
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

/* Places an argument in programs of 32 bits: on the stack, in words of 4 bytes. */
static void place_one_32(struct session *s, struct btf *b, struct argument *arg, unsigned *slot)
{
	struct type_info info;
	struct error *err = types_info(s, b, arg->type_id, &info);

	arg->number = *slot;
	arg->registers = 1;
	arg->place = PATH_VALUE;
	if (err || !info.size)
		arg->problem = "its type is not known";
	else if (info.kind != KTYPE_INT && info.kind != KTYPE_POINTER)
		arg->problem =
			"only numbers and pointers are known at the entry of a 32-bit function";
	else if (info.size > 4)
		arg->problem = "it takes two words on the stack of a 32-bit program";
	*slot += err ? 1 : (info.size + 3) / 4;
}

static void place_one(struct session *s, struct btf *b, struct argument *arg, unsigned *reg,
		      unsigned *slot)
{
	struct type_info info;
	struct error *err = types_info(s, b, arg->type_id, &info);

	if (err || info.kind == KTYPE_VOID || !info.size) {
		arg->problem = "its type is not known";
		*reg += 1;
		return;
	}
	if (info.kind == KTYPE_OTHER && info.size <= 8) {
		arg->problem = "floating-point parameters are not supported";
		return;
	}

	if (info.kind == KTYPE_AGGREGATE && holds_floats(b, arg->type_id, info.size)) {
		unsigned words = integer_words(b, arg->type_id, 0, 0);

		arg->problem = "it holds floating-point numbers, which are passed in registers "
			       "that probes cannot read";
		*reg += (words & 1) + (words >> 1 & 1);
		return;
	}

	bool in_words = info.kind == KTYPE_AGGREGATE || info.kind == KTYPE_OTHER;
	unsigned n = registers_for(&info), words = (info.size + 7) / 8;

	if (n && *reg + n <= REGISTERS) {
		arg->number = *reg;
		arg->registers = n;
		*reg += n;
	} else {
		arg->number = REGISTERS + *slot;
		arg->registers = words;
		*slot += words;
	}
	arg->place = in_words ? PATH_REGISTERS : PATH_VALUE;
}

void calling_place(struct session *s, const struct kernel_function *f, arguments *ret)
{
	bool is_32 = btf_pointer_size(f->btf) == 4;
	unsigned reg = 0, slot = 0;
	struct type_info info;

	/* The address of a large result is a hidden first argument. */
	if (!types_info(s, f->btf, f->return_type, &info) && info.kind == KTYPE_AGGREGATE &&
	    (is_32 || info.size > 16))
		reg = slot = 1;
	if (!is_32)
		slot = 0;
	vec_each(&f->params, i)
	{
		const struct kernel_param *p = &f->params.data[i];
		struct argument arg = { .name = p->name, .type_id = p->type_id };

		if (is_32)
			place_one_32(s, f->btf, &arg, &slot);
		else
			place_one(s, f->btf, &arg, &reg, &slot);
		vec_push(s->arena, ret, arg);
	}
}

static void push_truncate(struct session *s, struct access *a, unsigned size, bool is_signed)
{
	struct access_step step = { .kind = ACCESS_TRUNCATE, .size = size, .is_signed = is_signed };

	if (size < 8)
		vec_push(s->arena, &a->steps, step);
}

struct error *calling_access(struct session *s, struct btf *btf, const struct argument *arg,
			       enum access_base base, const path_steps *path, bool address_of,
			       struct access *a)
{
	struct type_info info;
	struct path_start start = { .btf = btf,
				    .type_id = arg->type_id,
				    .place = arg->place,
				    .registers = arg->registers };
	struct error *err = types_info(s, btf, arg->type_id, &info);

	if (arg->problem)
		return error_create(s->arena, ERROR_SCRIPT, "parameter '$%s': %s", arg->name,
				    arg->problem);
	if (err)
		return err;
	a->base = base;
	a->number = arg->number;
	/* Callers leave the upper bits of a small argument undefined. */
	if (arg->place == PATH_ADDRESS)
		push_truncate(s, a, btf_pointer_size(btf), false);
	else if (info.kind == KTYPE_INT || info.kind == KTYPE_POINTER)
		push_truncate(s, a, info.size, info.is_signed);
	return member_follow(s, &start, path, address_of, a);
}

/* Places a result of 9 to 16 bytes: the low ones in rax, the others in rdx. */
static struct error *result_in_registers(struct session *s, const struct kernel_function *f,
					 const path_steps *path, bool address_of, struct access *a)
{
	static const unsigned registers[] = { 0, 1 }; /* numbered as in DWARF */
	struct access_expression *x = arena_new(s->arena, struct access_expression);
	struct path_start start = {
		.btf = f->btf, .type_id = f->return_type, .place = PATH_REGISTERS, .registers = 2
	};

	*x = (struct access_expression){ 0 };
	for (uint32_t i = 0; i < 2; i++) {
		struct access_operation read = { .kind = ACCESS_REGISTER, .number = registers[i] };

		vec_push(s->arena, &x->operations, read);
		vec_push(s->arena, &x->words, i);
	}
	a->base = ACCESS_EXPRESSION;
	a->expression = x;
	return member_follow(s, &start, path, address_of, a);
}

struct error *calling_return(struct session *s, const struct kernel_function *f,
			     const path_steps *path, bool address_of, struct access *a)
{
	struct type_info info;
	struct argument value = { .name = "return", .type_id = f->return_type };
	struct error *err = types_info(s, f->btf, f->return_type, &info);

	if (err)
		return err;
	if (info.kind == KTYPE_VOID)
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s' returns nothing: there is no '$return'", f->name);
	if (info.kind == KTYPE_OTHER ||
	    (info.kind == KTYPE_AGGREGATE && holds_floats(f->btf, f->return_type, info.size)))
		return error_create(s->arena, ERROR_SCRIPT,
				    "'%s' returns '%s': floating-point numbers are in registers "
				    "that probes cannot read",
				    f->name, types_str(s, f->btf, f->return_type));
	if (btf_pointer_size(f->btf) == 4 && info.kind == KTYPE_INT && info.size > 4)
		return error_create(
			s->arena, ERROR_SCRIPT,
			"'%s' returns '%s', which takes two registers in a 32-bit program", f->name,
			types_str(s, f->btf, f->return_type));
	if (btf_pointer_size(f->btf) == 4 && info.kind == KTYPE_AGGREGATE)
		value.place = PATH_ADDRESS;
	else if (info.kind == KTYPE_AGGREGATE && info.size <= 8)
		value.place = PATH_REGISTERS;
	else if (info.kind == KTYPE_AGGREGATE && info.size <= 16)
		return result_in_registers(s, f, path, address_of, a);
	else if (info.kind == KTYPE_AGGREGATE)
		value.place = PATH_ADDRESS;
	else if (info.kind != KTYPE_INT && info.kind != KTYPE_POINTER)
		return error_create(s->arena, ERROR_SCRIPT,
				    "'%s' returns '%s', which does not fit one register", f->name,
				    types_str(s, f->btf, f->return_type));
	value.registers = 1;
	return calling_access(s, f->btf, &value, ACCESS_RETURN, path, address_of, a);
}
