/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operands of markers, in the syntax of the assembler:
 *
 *   NUMBER | SYMBOL | REGISTER                x0 … x30, w0 … w30, xzr, wzr, sp
 *   [ BASE [, NUMBER] ] | [ BASE, INDEX [, lsl|sxtw|uxtw [NUMBER]] ]
 *
 * Numbers may have '#' before them.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "lib/error.h"
#include "lib/word.h"
#include "sdt/operand.h"

#define SP   31 /* in DWARF */
#define ZERO 99

static void skip(struct operand *o)
{
	o->at += strspn(o->at, " \t");
}

static bool text_is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(text, word, len);
}

/* True for all names of registers, including those that probes cannot read. */
static bool is_register(const char *name, size_t len)
{
	if (len < 2 || len > 3 || !strchr("xwbhsdqv", *name))
		return false;
	return isdigit((unsigned char)name[1]) && (len == 2 || isdigit((unsigned char)name[2]));
}

/* Finds x0 … x30, w0 … w30, sp, wsp, xzr and wzr. */
static bool find_register(const char *name, size_t len, struct operand_register *ret)
{
	unsigned number = 0;

	if (text_is(name, len, "sp") || text_is(name, len, "wsp")) {
		*ret = (struct operand_register){ SP, *name == 'w' ? 4 : 8, 0 };
		return true;
	}
	if (len < 2 || len > 3 || (*name != 'x' && *name != 'w'))
		return false;
	ret->size = *name == 'w' ? 4 : 8;
	ret->shift = 0;
	ret->number = ZERO;
	if (len == 3 && !memcmp(name + 1, "zr", 2))
		return true;
	for (size_t i = 1; i < len; i++) {
		if (!isdigit((unsigned char)name[i]))
			return false;
		number = number * 10 + (unsigned)(name[i] - '0');
	}
	ret->number = number;
	return number <= 30;
}

static bool read_register(struct operand *o, struct operand_register *ret)
{
	size_t len = word_length(o->at);

	if (!find_register(o->at, len, ret))
		return sdt_operand_fail(o, "is in a register that probes cannot read (floating "
					   "point, vector or unknown)");
	o->at += len;
	return true;
}

static uint32_t value_of(struct operand *o, const struct operand_register *r)
{
	return r->number == ZERO ? sdt_operand_constant(o, 0) : sdt_operand_register(o, r);
}

static bool number_at(struct operand *o, int64_t *ret)
{
	char *end;

	o->at += *o->at == '#';
	errno = 0;
	*ret = strtoll(o->at, &end, 0);
	if (end == o->at || errno)
		return sdt_operand_fail(o, "has an invalid number, or one that is too large");
	o->at = end;
	return true;
}

/* Sign-extends a number of four bytes. */
static uint32_t widen(struct operand *o, uint32_t low)
{
	uint32_t sign = sdt_operand_constant(o, INT64_C(1) << 31);

	return sdt_operand_binary(o, OP_SUB, sdt_operand_binary(o, OP_XOR, low, sign), sign);
}

/* Reads the part after an index: ", lsl 3", ", sxtw" and so on. */
static bool read_extension(struct operand *o, const struct operand_register *index, uint32_t *part)
{
	size_t len;
	int64_t shift = 0;
	bool is_signed;

	skip(o);
	if (*o->at != ',')
		return index->size == 8 || sdt_operand_fail(o, "has an invalid index");
	o->at++;
	skip(o);
	len = word_length(o->at);
	is_signed = text_is(o->at, len, "sxtw") || text_is(o->at, len, "sxtx");
	if (!is_signed && !text_is(o->at, len, "lsl") && !text_is(o->at, len, "uxtw"))
		return sdt_operand_fail(o, "is not understood");
	o->at += len;
	skip(o);
	if (*o->at != ']' && !number_at(o, &shift))
		return false;
	if (shift < 0 || shift > 4)
		return sdt_operand_fail(o, "has an invalid scale");
	if (index->size == 4 && is_signed)
		*part = widen(o, *part);
	if (shift)
		*part = sdt_operand_binary(o, OP_MUL, *part, sdt_operand_constant(o, 1 << shift));
	return true;
}

/* Reads [BASE], [BASE, NUMBER] or [BASE, INDEX …]. */
static bool memory(struct operand *o, uint32_t *ret)
{
	struct operand_register base, index;
	uint32_t part;
	int64_t number;

	o->at++;
	skip(o);
	if (!read_register(o, &base))
		return false;
	*ret = value_of(o, &base);
	skip(o);
	if (*o->at == ',') {
		o->at++;
		skip(o);
		if (isalpha((unsigned char)*o->at)) {
			if (!read_register(o, &index))
				return false;
			part = value_of(o, &index);
			if (!read_extension(o, &index, &part))
				return false;
		} else {
			if (!number_at(o, &number))
				return false;
			part = sdt_operand_constant(o, number);
		}
		*ret = sdt_operand_binary(o, OP_ADD, *ret, part);
		skip(o);
	}
	if (*o->at++ != ']' || *o->at)
		return sdt_operand_fail(o, "is not understood");
	*ret = sdt_operand_add(
		o, (struct access_operation){ .kind = ACCESS_MEMORY, .a = *ret, .size = o->size });
	return true;
}

static bool in_register(struct operand *o, const struct operand_register *r, uint32_t *ret)
{
	if (*o->at)
		return sdt_operand_fail(o, "is not understood");
	if (!o->size || o->size > r->size)
		o->size = r->size;
	*ret = value_of(o, r);
	return true;
}

static bool read_operand(struct operand *o, uint32_t *ret)
{
	struct operand_register r;
	size_t len = word_length(o->at);

	if (find_register(o->at, len, &r)) {
		o->at += len;
		return in_register(o, &r, ret);
	}
	if (is_register(o->at, len))
		return read_register(o, &r);
	if (!o->size)
		o->size = o->f->is_64 ? 8 : 4;
	if (*o->at == '[')
		return memory(o, ret);
	o->at += *o->at == '#';
	if (!*o->at || !sdt_operand_displacement(o) || *o->at)
		return sdt_operand_fail(o, "is not understood");
	if (o->symbol)
		return sdt_operand_symbol(o, ret);
	*ret = sdt_operand_constant(o, o->number);
	return true;
}

const struct arch_marker aarch64_marker = { .read = read_operand };
