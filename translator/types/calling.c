/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/calling.h"

#include "arch/arch.h"
#include "base/session.h"
#include "formats/btf.h"
#include "kernel/functions.h"
#include "lib/error.h"
#include "types/member.h"
#include "types/types.h"

#define IN_MEMORY 64 /* a size in bytes: results of this size are in no registers */

void calling_place_32(struct session *s, struct btf *b, struct argument *arg, unsigned *slot,
		      const char *too_long)
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
		arg->problem = too_long;
	*slot += err ? 1 : (info.size + 3) / 4;
}

void calling_place(struct session *s, const struct kernel_function *f, arguments *ret)
{
	struct calling_state at = { .is_32 = btf_pointer_size(f->btf) == 4 };
	const struct arch_calling *arch = arch_of(s)->calling;
	struct type_info info;

	if (!types_info(s, f->btf, f->return_type, &info) && info.kind == KTYPE_AGGREGATE) {
		info.size = f->returns_by_address ? IN_MEMORY : info.size;
		arch->place_result(&info, &at);
	}
	vec_each(&f->params, i) {
		const struct kernel_param *p = &f->params.data[i];
		struct argument arg = { .name = p->name, .type_id = p->type_id };

		arch->place(s, f->btf, &arg, &at);
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

/* Places a result in registers, its low bytes in the first one. */
static struct error *result_in_registers(struct session *s, const struct kernel_function *f,
					 const unsigned *registers, unsigned count,
					 const path_steps *path, bool address_of, struct access *a)
{
	struct access_expression *x = arena_new(s->arena, struct access_expression);
	struct path_start start = { .btf = f->btf,
				    .type_id = f->return_type,
				    .place = PATH_REGISTERS,
				    .registers = count };

	*x = (struct access_expression){ 0 };
	for (uint32_t i = 0; i < count; i++) {
		struct access_operation read = { .kind = ACCESS_REGISTER, .number = registers[i] };

		vec_push(s->arena, &x->operations, read);
		vec_push(s->arena, &x->words, i);
	}
	a->base = ACCESS_EXPRESSION;
	a->expression = x;
	return member_follow(s, &start, path, address_of, a);
}

/* Returns the register that has a larger result's address at the entry alone, or 0. */
static unsigned place_at_entry(struct session *s, const struct kernel_function *f)
{
	const struct arch_calling *calling = arch_of(s)->calling;

	if (calling->place_of_result || !f->loses_place || btf_pointer_size(f->btf) != 8)
		return calling->place_of_result;
	return calling->arguments[0];
}

/* Places a larger result, whose address the caller gives in a register. */
static struct error *result_in_memory(struct session *s, const struct kernel_function *f,
				      const path_steps *path, bool address_of, struct access *a)
{
	struct access_operation read = { .kind = ACCESS_REGISTER, .number = place_at_entry(s, f) };
	struct access_expression *x = arena_new(s->arena, struct access_expression);
	struct path_start start = {
		.btf = f->btf, .type_id = f->return_type, .place = PATH_ADDRESS, .registers = 1
	};

	*x = (struct access_expression){ 0 };
	vec_push(s->arena, &x->operations, read);
	vec_push(s->arena, &x->words, 0);
	a->base = ACCESS_EXPRESSION;
	a->expression = x;
	a->place_at_entry = true;
	return member_follow(s, &start, path, address_of, a);
}

/* Lists the registers of a result with floating-point numbers; 0: they are not known. */
static unsigned mixed_registers(struct session *s, const struct kernel_function *f,
				const struct type_info *info, unsigned ret[2])
{
	const struct arch_calling *calling = arch_of(s)->calling;

	return info->kind == KTYPE_AGGREGATE && calling->mixed_result && !f->returns_by_address &&
			       btf_pointer_size(f->btf) == 8 &&
			       calling->holds_floats(f->btf, f->return_type, info->size)
		       ? calling->mixed_result(f->btf, f->return_type, info->size, ret)
		       : 0;
}

struct error *calling_return(struct session *s, const struct kernel_function *f,
			     const path_steps *path, bool address_of, struct access *a)
{
	struct type_info info;
	struct argument value = { .name = "return", .type_id = f->return_type };
	const struct arch_registers *registers = arch_of(s)->registers;
	struct error *err = types_info(s, f->btf, f->return_type, &info);
	unsigned mixed[2], n = err ? 0 : mixed_registers(s, f, &info, mixed);

	if (err)
		return err;
	if (n)
		return result_in_registers(s, f, mixed, n, path, address_of, a);
	if (f->returns_by_address)
		info.size = IN_MEMORY;
	if (info.kind == KTYPE_VOID)
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s' returns nothing: there is no '$return'", f->name);
	if (info.kind == KTYPE_OTHER && info.size <= 8 && registers->vector_count &&
	    btf_pointer_size(f->btf) == 8)
		return result_in_registers(s, f, &registers->vectors, 1, path, address_of, a);
	if (info.kind == KTYPE_OTHER ||
	    (info.kind == KTYPE_AGGREGATE &&
	     arch_of(s)->calling->holds_floats(f->btf, f->return_type, info.size)))
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
		return result_in_registers(s, f, arch_of(s)->calling->results, 2, path, address_of,
					   a);
	else if (info.kind == KTYPE_AGGREGATE && place_at_entry(s, f))
		return result_in_memory(s, f, path, address_of, a);
	else if (info.kind == KTYPE_AGGREGATE)
		value.place = PATH_ADDRESS;
	else if (info.kind != KTYPE_INT && info.kind != KTYPE_POINTER)
		return error_create(s->arena, ERROR_SCRIPT,
				    "'%s' returns '%s', which does not fit one register", f->name,
				    types_str(s, f->btf, f->return_type));
	value.registers = 1;
	return calling_access(s, f->btf, &value, ACCESS_RETURN, path, address_of, a);
}
