/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The System V ABI, AMD64 supplement, 3.2.3: six integer registers, then the stack in 8-byte slots. An
 * aggregate of at most 16 bytes takes one or two registers when that many are left, else it goes to the stack
 * whole, as larger ones do. Floating point does not occur in the kernel.
 */
#include "probe/arguments.h"

#include "base/error.h"
#include "base/session.h"

#define REGISTERS 6

/* How many registers the argument would take; 0: it goes to the stack. */
static unsigned registers_for(const struct kernel_type_info *info)
{
	unsigned words = (info->size + 7) / 8;

	return words <= 2 ? words : 0;
}

static void place_one(struct session *s, struct btf *b, struct argument *arg, unsigned *reg, unsigned *slot)
{
	struct kernel_type_info info;
	struct error *err = kernel_type_info(s, b, arg->type_id, &info);

	if (err || info.kind == KTYPE_VOID || !info.size) {
		arg->problem = "its type is not known";
		*reg += 1;
		return;
	}
	if (info.kind == KTYPE_OTHER && info.size <= 8) {
		arg->problem = "floating-point parameters are not supported";
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

void arguments_place(struct session *s, const struct kernel_function *f, arguments *ret)
{
	unsigned reg = 0, slot = 0;
	struct kernel_type_info info;

	/* A large result's address is a hidden first argument. */
	if (!kernel_type_info(s, f->btf, f->return_type, &info) && info.kind == KTYPE_AGGREGATE &&
	    info.size > 16)
		reg = 1;
	vec_each(&f->params, i)
	{
		const struct kernel_param *p = &f->params.data[i];
		struct argument arg = { .name = p->name, .type_id = p->type_id };

		place_one(s, f->btf, &arg, &reg, &slot);
		vec_push(s->arena, ret, arg);
	}
}

/* Callers leave the upper bits of a small argument as they are. */
static void push_truncate(struct session *s, struct access *a, const struct kernel_type_info *info)
{
	if (info->kind != KTYPE_INT || info->size >= 8)
		return;

	struct access_step step = { .kind = ACCESS_TRUNCATE,
				    .size = info->size,
				    .is_signed = info->is_signed };

	vec_push(s->arena, &a->steps, step);
}

struct error *arguments_access(struct session *s, struct btf *btf, const struct argument *arg,
			       enum access_base base, const path_steps *path, bool address_of,
			       struct access *a)
{
	struct kernel_type_info info;
	struct path_start start = {
		.btf = btf, .type_id = arg->type_id, .place = arg->place, .registers = arg->registers
	};
	struct error *err = kernel_type_info(s, btf, arg->type_id, &info);

	if (arg->problem)
		return error_create(s->arena, ERROR_SCRIPT, "parameter '$%s': %s", arg->name, arg->problem);
	if (err)
		return err;
	a->base = base;
	a->number = arg->number;
	push_truncate(s, a, &info);
	return path_follow(s, &start, path, address_of, a);
}

struct error *arguments_return(struct session *s, const struct kernel_function *f, const path_steps *path,
			       bool address_of, struct access *a)
{
	struct kernel_type_info info;
	struct argument value = { .name = "return", .type_id = f->return_type };
	struct error *err = kernel_type_info(s, f->btf, f->return_type, &info);

	if (err)
		return err;
	if (info.kind == KTYPE_VOID)
		return error_create(s->arena, ERROR_ABSENT, "'%s' returns nothing: there is no '$return'",
				    f->name);
	if (info.kind == KTYPE_AGGREGATE && info.size <= 8)
		value.place = PATH_REGISTERS;
	else if (info.kind != KTYPE_INT && info.kind != KTYPE_POINTER)
		return error_create(s->arena, ERROR_SCRIPT,
				    "'%s' returns '%s', which does not fit one register", f->name,
				    kernel_type_str(s, f->btf, f->return_type));
	value.registers = 1;
	return arguments_access(s, f->btf, &value, ACCESS_RETURN, path, address_of, a);
}
