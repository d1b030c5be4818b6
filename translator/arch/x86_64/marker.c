/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operands of markers, in the syntax of the assembler (AT&T's):
 *
 *   $NUMBER | $SYMBOL | %REGISTER | SYMBOL
 *   [DISPLACEMENT] ( [%BASE] [, %INDEX [, SCALE]] )
 *
 * A displacement is a sum of numbers and at most one symbol. (%rip) adds nothing to the
 * symbol.
 */
#include <ctype.h>
#include <string.h>

#include "arch/arch.h"
#include "lib/error.h"
#include "sdt/operand.h"

#define REGISTER_SP 7
#define REGISTER_IP 16 /* in DWARF */

/* ---- registers ---- */

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
static bool new_register(const char *name, size_t len, struct operand_register *ret)
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
			*ret = (struct operand_register){ number, sizes[i].size, 0 };
			return true;
		}
	return false;
}

static bool find_register(const char *name, size_t len, struct operand_register *ret)
{
	for (unsigned i = 0; i < sizeof(old_registers) / sizeof(old_registers[0]); i++)
		for (unsigned width = 0; width < 4; width++)
			if (text_is(name, len, old_registers[i][width])) {
				*ret = (struct operand_register){ i, 8u >> width, 0 };
				return true;
			}
	for (unsigned i = 0; i < sizeof(high_halves) / sizeof(high_halves[0]); i++)
		if (text_is(name, len, high_halves[i])) {
			*ret = (struct operand_register){ i, 1, 8 };
			return true;
		}
	if (text_is(name, len, "rip") || text_is(name, len, "eip")) {
		*ret = (struct operand_register){ REGISTER_IP, *name == 'r' ? 8 : 4, 0 };
		return true;
	}
	return new_register(name, len, ret);
}

/* Reads %NAME. */
static bool read_register(struct operand *o, struct operand_register *ret)
{
	const char *name = ++o->at;

	while (isalnum((unsigned char)*o->at))
		o->at++;
	if (find_register(name, (size_t)(o->at - name), ret))
		return true;
	if (*o->at == ':')
		return sdt_operand_fail(o, "is in a segment of its own, which probes cannot find");
	return sdt_operand_fail(
		o, "is in a register that probes cannot read (floating point, vector or unknown)");
}

/* ---- forms ---- */

static void skip(struct operand *o)
{
	o->at += strspn(o->at, " \t");
}

static bool read_scale(struct operand *o, unsigned *ret)
{
	if (!*o->at || !strchr("1248", *o->at))
		return sdt_operand_fail(o, "has an invalid scale");
	*ret = (unsigned)(*o->at++ - '0');
	return true;
}

/* Reads ( [%BASE] [, %INDEX [, SCALE]] ); also "(,1)", which has no index. */
static bool read_address(struct operand *o, struct operand_register *base,
			 struct operand_register *index, unsigned *scale)
{
	o->at++;
	skip(o);
	if (*o->at == '%' && !read_register(o, base))
		return false;
	for (skip(o); *o->at == ','; skip(o)) {
		o->at++;
		skip(o);
		if (*o->at == '%' ? index->size || !read_register(o, index) : !read_scale(o, scale))
			return sdt_operand_fail(o, "is not understood");
	}
	if (*o->at++ != ')' || *o->at)
		return sdt_operand_fail(o, "is not understood");
	if (index->size && (index->number == REGISTER_IP || index->number == REGISTER_SP))
		return sdt_operand_fail(o, "has an invalid index");
	return true;
}

/* Adds a part of an address, from left to right; the first one becomes *sum. */
static void plus(struct operand *o, bool *any, uint32_t *sum, uint32_t value)
{
	*sum = *any ? sdt_operand_binary(o, OP_ADD, *sum, value) : value;
	*any = true;
}

static bool memory(struct operand *o, uint32_t *ret)
{
	struct operand_register base = { 0 }, index = { 0 };
	unsigned scale = 1;
	uint32_t part;
	bool any = false;

	if (*o->at == '(' && !read_address(o, &base, &index, &scale))
		return false;
	if (!base.size && !index.size && !o->symbol)
		return sdt_operand_fail(o, "is an address that the program has no part in");
	if (base.size && base.number == REGISTER_IP && (!o->symbol || index.size))
		return sdt_operand_fail(o, "is relative to an instruction that is not known");
	if (o->symbol && !sdt_operand_symbol(o, &part))
		return false;
	if (o->symbol)
		plus(o, &any, ret, part);
	else if (o->number)
		plus(o, &any, ret, sdt_operand_constant(o, o->number));
	if (base.size && base.number != REGISTER_IP)
		plus(o, &any, ret, sdt_operand_register(o, &base));
	if (index.size) {
		part = sdt_operand_register(o, &index);
		plus(o, &any, ret,
		     scale > 1 ? sdt_operand_binary(o, OP_MUL, part, sdt_operand_constant(o, scale))
			       : part);
	}
	if (!o->f->is_64)
		*ret = sdt_operand_add(
			o, (struct access_operation){ .kind = ACCESS_CUT, .a = *ret, .size = 4 });
	*ret = sdt_operand_add(
		o, (struct access_operation){ .kind = ACCESS_MEMORY, .a = *ret, .size = o->size });
	return true;
}

static bool immediate(struct operand *o, uint32_t *ret)
{
	o->at++;
	if (!*o->at || !sdt_operand_displacement(o))
		return sdt_operand_fail(o, "is not understood");
	if (*o->at)
		return sdt_operand_fail(o, "is not understood");
	if (o->symbol)
		return sdt_operand_symbol(o, ret);
	*ret = sdt_operand_constant(o, o->number);
	return true;
}

static bool in_register(struct operand *o, uint32_t *ret)
{
	struct operand_register r;

	if (!read_register(o, &r))
		return false;
	if (*o->at)
		return sdt_operand_fail(o, "is not understood");
	if (!o->size || o->size > r.size)
		o->size = r.size;
	*ret = sdt_operand_register(o, &r);
	return true;
}

static bool read_operand(struct operand *o, uint32_t *ret)
{
	if (*o->at == '%')
		return in_register(o, ret);
	if (!o->size)
		o->size = o->f->is_64 ? 8 : 4;
	if (*o->at == '$')
		return immediate(o, ret);
	return sdt_operand_displacement(o) && memory(o, ret);
}

const struct arch_marker x86_64_marker = { .read = read_operand };
