/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operands of markers, as the compiler wrote them for the assembler of x86:
 *
 *   [[-]SIZE@] $NUMBER | $SYMBOL | %REGISTER | SYMBOL
 *            | [DISPLACEMENT] ( [%BASE] [, %INDEX [, SCALE]] )
 *
 * A displacement is a sum of numbers and at most one symbol. (%rip) is relative to
 * nothing but the symbol.
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sdt/sdt.h"

#define REGISTER_SP 7
#define REGISTER_IP 16 /* in DWARF */

struct operand {
	struct arena *a;
	const struct sdt_file *f;
	const struct sdt_mark *m;
	const char *text, *at;
	unsigned size;              /* of the value; 0: unknown */
	bool is_signed;
	const char *symbol;
	int64_t number;             /* of the displacement */
	struct access_expression *x;
	struct error *err;
};

static bool fail(struct operand *o, const char *why)
{
	if (!o->err)
		o->err = error_create(o->a, ERROR_ENVIRONMENT, "the operand '%s' %s", o->text, why);
	return false;
}

/* ---- registers ---- */

struct reg {
	unsigned number; /* in DWARF */
	unsigned size;
	unsigned shift;
};

/* The eight old registers, in DWARF's order: 64, 32, 16 and 8 bits. */
static const char *const old_registers[][4] = {
	{ "rax", "eax", "ax", "al" },  { "rdx", "edx", "dx", "dl" },  { "rcx", "ecx", "cx", "cl" },
	{ "rbx", "ebx", "bx", "bl" },  { "rsi", "esi", "si", "sil" }, { "rdi", "edi", "di", "dil" },
	{ "rbp", "ebp", "bp", "bpl" }, { "rsp", "esp", "sp", "spl" },
};
static const char *const high_halves[] = { "ah", "dh", "ch", "bh" };

static bool text_is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(text, word, len);
}

/* Reads r8 … r15, with d, w, b or l for a part of it. */
static bool new_register(const char *name, size_t len, struct reg *ret)
{
	static const struct {
		const char *suffix;
		unsigned size;
	} sizes[] = { { "", 8 }, { "d", 4 }, { "w", 2 }, { "b", 1 }, { "l", 1 } };
	unsigned number = 0;
	size_t at = 1;

	if (*name != 'r')
		return false;
	for (; at < len && at < 3 && isdigit((unsigned char)name[at]); at++)
		number = number * 10 + (unsigned)(name[at] - '0');
	if (number < 8 || number > 15)
		return false;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (text_is(name + at, len - at, sizes[i].suffix)) {
			*ret = (struct reg){ number, sizes[i].size, 0 };
			return true;
		}
	return false;
}

static bool find_register(const char *name, size_t len, struct reg *ret)
{
	for (unsigned i = 0; i < sizeof(old_registers) / sizeof(old_registers[0]); i++)
		for (unsigned width = 0; width < 4; width++)
			if (text_is(name, len, old_registers[i][width])) {
				*ret = (struct reg){ i, 8u >> width, 0 };
				return true;
			}
	for (unsigned i = 0; i < sizeof(high_halves) / sizeof(high_halves[0]); i++)
		if (text_is(name, len, high_halves[i])) {
			*ret = (struct reg){ i, 1, 8 };
			return true;
		}
	if (text_is(name, len, "rip") || text_is(name, len, "eip")) {
		*ret = (struct reg){ REGISTER_IP, *name == 'r' ? 8 : 4, 0 };
		return true;
	}
	return new_register(name, len, ret);
}

/* Reads %NAME. */
static bool read_register(struct operand *o, struct reg *ret)
{
	const char *name = ++o->at;

	while (isalnum((unsigned char)*o->at))
		o->at++;
	if (find_register(name, (size_t)(o->at - name), ret))
		return true;
	if (*o->at == ':')
		return fail(o, "is in a segment of its own, which probes cannot find");
	return fail(o,
		    "is in a register that probes cannot read (floating point, vector or unknown)");
}

/* ---- operations ---- */

static uint32_t add(struct operand *o, struct access_operation op)
{
	vec_push(o->a, &o->x->operations, op);
	return (uint32_t)o->x->operations.count - 1;
}

static uint32_t constant(struct operand *o, int64_t number)
{
	return add(o, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = number });
}

static uint32_t binary(struct operand *o, enum op op, uint32_t a, uint32_t b)
{
	return add(o, (struct access_operation){ .kind = ACCESS_BINARY, .op = op, .a = a, .b = b });
}

static uint32_t register_value(struct operand *o, const struct reg *r)
{
	uint32_t value =
		add(o, (struct access_operation){ .kind = ACCESS_REGISTER, .number = r->number });

	if (r->shift)
		value = binary(o, OP_USHR, value, constant(o, r->shift));
	if (r->size < 8)
		value = add(o, (struct access_operation){
				       .kind = ACCESS_CUT, .a = value, .size = r->size });
	return value;
}

/*
 * Returns the address of the displacement's symbol. It is as far from the marker as in
 * the file: programs are loaded anywhere.
 */
static bool symbol_address(struct operand *o, uint32_t *ret)
{
	static const struct reg ip = { REGISTER_IP, 8, 0 };
	uint64_t address;
	struct error *err = sdt_symbol(o->a, o->f, o->symbol, &address);

	if (err)
		return fail(o, arena_printf(o->a, "cannot be worked out: %s", err->text));
	address += (uint64_t)o->number - o->m->pc;
	*ret = register_value(o, &ip);
	*ret = binary(o, OP_ADD, *ret, constant(o, (int64_t)address));
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
		return fail(o, "has a number that is none, or too large");
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
		return fail(o, "is not understood");
	if (negative || o->symbol)
		return fail(o, "has more than one symbol, or subtracts one");
	if (*o->at == '@')
		return fail(o, "needs a relocation that is known to the linker alone");
	o->symbol = arena_strndup(o->a, begin, (size_t)(o->at - begin));
	return true;
}

/* Reads [±] TERM { ± TERM }; an empty text is 0. */
static bool read_displacement(struct operand *o)
{
	bool first = true;

	while (*o->at && *o->at != '(') {
		bool negative = *o->at == '-';

		if (*o->at == '-' || *o->at == '+')
			o->at++;
		else if (!first)
			return fail(o, "is not understood");
		if (!(isdigit((unsigned char)*o->at) ? read_number(o, negative)
						     : read_symbol(o, negative)))
			return false;
		first = false;
	}
	return true;
}

/* ---- forms ---- */

static void skip(struct operand *o)
{
	o->at += strspn(o->at, " \t");
}

static bool read_scale(struct operand *o, unsigned *ret)
{
	if (!*o->at || !strchr("1248", *o->at))
		return fail(o, "has a scale that is none");
	*ret = (unsigned)(*o->at++ - '0');
	return true;
}

/* Reads ( [%BASE] [, %INDEX [, SCALE]] ); also "(,1)", which has no index. */
static bool read_address(struct operand *o, struct reg *base, struct reg *index, unsigned *scale)
{
	o->at++;
	skip(o);
	if (*o->at == '%' && !read_register(o, base))
		return false;
	for (skip(o); *o->at == ','; skip(o)) {
		o->at++;
		skip(o);
		if (*o->at == '%' ? index->size || !read_register(o, index) : !read_scale(o, scale))
			return fail(o, "is not understood");
	}
	if (*o->at++ != ')' || *o->at)
		return fail(o, "is not understood");
	if (index->size && (index->number == REGISTER_IP || index->number == REGISTER_SP))
		return fail(o, "has an index that is none");
	return true;
}

/* Adds a part of an address, from left to right; the first one becomes *sum. */
static void plus(struct operand *o, bool *any, uint32_t *sum, uint32_t value)
{
	*sum = *any ? binary(o, OP_ADD, *sum, value) : value;
	*any = true;
}

static bool memory(struct operand *o, uint32_t *ret)
{
	struct reg base = { 0 }, index = { 0 };
	unsigned scale = 1;
	uint32_t part;
	bool any = false;

	if (*o->at == '(' && !read_address(o, &base, &index, &scale))
		return false;
	if (!base.size && !index.size && !o->symbol)
		return fail(o, "is an address that the program has no part in");
	if (base.size && base.number == REGISTER_IP && (!o->symbol || index.size))
		return fail(o, "is relative to an instruction that is not known");
	if (o->symbol && !symbol_address(o, &part))
		return false;
	if (o->symbol)
		plus(o, &any, ret, part);
	else if (o->number)
		plus(o, &any, ret, constant(o, o->number));
	if (base.size && base.number != REGISTER_IP)
		plus(o, &any, ret, register_value(o, &base));
	if (index.size) {
		part = register_value(o, &index);
		plus(o, &any, ret, scale > 1 ? binary(o, OP_MUL, part, constant(o, scale)) : part);
	}
	if (!o->f->is_64)
		*ret = add(o,
			   (struct access_operation){ .kind = ACCESS_CUT, .a = *ret, .size = 4 });
	*ret = add(o,
		   (struct access_operation){ .kind = ACCESS_MEMORY, .a = *ret, .size = o->size });
	return true;
}

static bool immediate(struct operand *o, uint32_t *ret)
{
	o->at++;
	if (!*o->at || !read_displacement(o))
		return fail(o, "is not understood");
	if (*o->at)
		return fail(o, "is not understood");
	if (o->symbol)
		return symbol_address(o, ret);
	*ret = constant(o, o->number);
	return true;
}

static bool in_register(struct operand *o, uint32_t *ret)
{
	struct reg r;

	if (!read_register(o, &r))
		return false;
	if (*o->at)
		return fail(o, "is not understood");
	if (!o->size || o->size > r.size)
		o->size = r.size;
	*ret = register_value(o, &r);
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
		return fail(o, "is a floating-point number, which scripts have no type for");
	if (letters != end || end - digits != 1 || !strchr("1248", *digits))
		return fail(o, "has a size that no number of a script has");
	o->size = (unsigned)(*digits - '0');
	o->is_signed = *o->at == '-';
	o->at = letters + 1;
	return true;
}

static bool read_operand(struct operand *o, uint32_t *ret)
{
	if (!read_size(o))
		return false;
	if (*o->at == '%')
		return in_register(o, ret);
	if (!o->size)
		o->size = o->f->is_64 ? 8 : 4;
	if (*o->at == '$')
		return immediate(o, ret);
	return read_displacement(o) && memory(o, ret);
}

struct error *sdt_argument(struct arena *a, const struct sdt_file *f, const struct sdt_mark *m,
			   uint64_t n, struct access *ret)
{
	struct operand o = { .a = a, .f = f, .m = m };
	uint32_t value;

	if (n == 0 || n > m->arguments.count)
		return error_create(a, ERROR_ABSENT, "marker '%s' has %zu argument%s", m->name,
				    m->arguments.count, m->arguments.count == 1 ? "" : "s");
	if (f->machine != EM_X86_64 && f->machine != EM_386)
		return error_create(
			a, ERROR_ENVIRONMENT,
			"%s is for another machine: its markers' operands are not understood",
			f->path);
	o.text = o.at = m->arguments.data[n - 1];
	o.x = arena_new(a, struct access_expression);
	if (!read_operand(&o, &value))
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
