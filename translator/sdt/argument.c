/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arguments of markers: [[-]SIZE@] OPERAND, as the compiler wrote it for the assembler.
 * The operand depends on the architecture (arch.h: marker); the common parts are here.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "lib/error.h"
#include "sdt/operand.h"

bool sdt_operand_fail(struct operand *o, const char *why)
{
	if (!o->err)
		o->err = error_create(o->a, ERROR_ENVIRONMENT, "the operand '%s' %s", o->text, why);
	return false;
}

/* ---- operations ---- */

uint32_t sdt_operand_add(struct operand *o, struct access_operation op)
{
	vec_push(o->a, &o->x->operations, op);
	return (uint32_t)o->x->operations.count - 1;
}

uint32_t sdt_operand_constant(struct operand *o, int64_t number)
{
	return sdt_operand_add(
		o, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = number });
}

uint32_t sdt_operand_binary(struct operand *o, enum op op, uint32_t a, uint32_t b)
{
	return sdt_operand_add(
		o, (struct access_operation){ .kind = ACCESS_BINARY, .op = op, .a = a, .b = b });
}

uint32_t sdt_operand_register(struct operand *o, const struct operand_register *r)
{
	uint32_t value = sdt_operand_add(
		o, (struct access_operation){ .kind = ACCESS_REGISTER, .number = r->number });

	if (r->shift)
		value = sdt_operand_binary(o, OP_USHR, value, sdt_operand_constant(o, r->shift));
	if (r->size < 8)
		value = sdt_operand_add(o, (struct access_operation){ .kind = ACCESS_CUT,
								      .a = value,
								      .size = r->size });
	return value;
}

/*
 * Returns the address of the displacement's symbol. Its distance from the marker is the
 * same as in the file, wherever the program is loaded.
 */
bool sdt_operand_symbol(struct operand *o, uint32_t *ret)
{
	const struct operand_register ip = { o->arch->registers->ip, 8, 0 };
	uint64_t address;
	struct error *err = sdt_symbol(o->a, o->f, o->symbol, &address);

	if (err)
		return sdt_operand_fail(o,
					arena_printf(o->a, "cannot be worked out: %s", err->text));
	address += (uint64_t)o->number - o->m->pc;
	*ret = sdt_operand_register(o, &ip);
	*ret = sdt_operand_binary(o, OP_ADD, *ret, sdt_operand_constant(o, (int64_t)address));
	return true;
}

/* ---- displacements ---- */

static bool is_symbol_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static bool read_number(struct operand *o, bool negative)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(o->at, &end, 0);
	if (errno || is_symbol_char(*end))
		return sdt_operand_fail(o, "has an invalid number, or one that is too large");
	o->at = end;
	o->number = (int64_t)((uint64_t)o->number + (negative ? 0 - value : value));
	return true;
}

static bool read_symbol(struct operand *o, bool negative)
{
	const char *begin = o->at;

	while (is_symbol_char(*o->at))
		o->at++;
	if (o->at == begin)
		return sdt_operand_fail(o, "is not understood");
	if (negative || o->symbol)
		return sdt_operand_fail(o, "has more than one symbol, or subtracts one");
	if (*o->at == '@')
		return sdt_operand_fail(o, "needs a relocation that is known to the linker alone");
	o->symbol = arena_strndup(o->a, begin, (size_t)(o->at - begin));
	return true;
}

/* Reads [±] TERM { ± TERM }; an empty text is 0. */
bool sdt_operand_displacement(struct operand *o)
{
	bool first = true;

	while (*o->at && *o->at != '(') {
		bool negative = *o->at == '-';

		if (*o->at == '-' || *o->at == '+')
			o->at++;
		else if (!first)
			return sdt_operand_fail(o, "is not understood");
		if (!(isdigit((unsigned char)*o->at) ? read_number(o, negative)
						     : read_symbol(o, negative)))
			return false;
		first = false;
	}
	return true;
}

/* Reads [-]SIZE@. */
static bool read_size(struct operand *o)
{
	const char *digits = o->at + (*o->at == '-'), *end = digits + strspn(digits, "0123456789");
	const char *letters = end + strspn(end, "abcdefghijklmnopqrstuvwxyz");

	if (end == digits || *letters != '@')
		return true;
	if (*end == 'f')
		return sdt_operand_fail(
			o, "is a floating-point number, which scripts have no type for");
	if (letters != end || end - digits != 1 || !strchr("1248", *digits))
		return sdt_operand_fail(o, "has a size that no number of a script has");
	o->size = (unsigned)(*digits - '0');
	o->is_signed = *o->at == '-';
	o->at = letters + 1;
	return true;
}

struct error *sdt_argument(struct arena *a, const struct sdt_file *f, const struct sdt_mark *m,
			   uint64_t n, struct access *ret)
{
	struct operand o = { .a = a, .f = f, .m = m, .arch = arch_of_machine(f->machine) };
	uint32_t value;

	if (n == 0 || n > m->arguments.count)
		return error_create(a, ERROR_ABSENT, "marker '%s' has %zu argument%s", m->name,
				    m->arguments.count, m->arguments.count == 1 ? "" : "s");
	if (!o.arch)
		return error_create(
			a, ERROR_ENVIRONMENT,
			"%s is for another machine: its markers' operands are not understood",
			f->path);
	o.text = o.at = m->arguments.data[n - 1];
	o.x = arena_new(a, struct access_expression);
	if (!read_size(&o) || !o.arch->marker->read(&o, &value))
		return o.err;
	vec_push(a, &o.x->words, value);
	*ret = (struct access){
		.base = ACCESS_EXPRESSION, .expression = o.x, .user = true, .c_type = "long"
	};
	if (o.size < 8)
		vec_push(a, &ret->steps,
			 ((struct access_step){ .kind = ACCESS_TRUNCATE,
						.size = o.size,
						.is_signed = o.is_signed }));
	return NULL;
}
