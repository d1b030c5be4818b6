/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/x86_64/leaves.h"

#include "arch/arch.h"
#include "arch/x86_64/length.h"
#include "formats/file.h"

struct instruction {
	const uint8_t *code; /* behind prefixes */
	uint8_t rex;	     /* 0: none */
	bool is_notrack;     /* the compiler says that the jump is one of a table */
	uint64_t at, next;
};

static void read_prefixes(struct instruction *i, const uint8_t *code)
{
	while (*code == 0x66 || *code == 0xf2 || *code == 0xf3 || *code == 0x2e || *code == 0x3e ||
	       (*code & 0xf0) == 0x40) {
		i->is_notrack |= *code == 0x3e;
		i->rex = (*code & 0xf0) == 0x40 ? *code : i->rex;
		code++;
	}
	i->code = code;
}

/* True: it jumps to the fixed address *to. */
static bool is_jump(const struct instruction *i, uint64_t *to)
{
	uint8_t op = *i->code;

	if (op == 0xeb || (op & 0xf0) == 0x70 || (op & 0xfc) == 0xe0) {
		*to = i->next + (uint64_t)(int8_t)i->code[1];
		return true;
	}
	if (op != 0xe9 && (op != 0x0f || (i->code[1] & 0xf0) != 0x80))
		return false;
	*to = i->next + (uint64_t)(int32_t)bytes_le32(i->code + (op == 0xe9 ? 1 : 2));
	return true;
}

/*
 * Returns the register that the instruction computes by an addition of two registers; -1:
 * it is another instruction.
 */
static int sum_of(const struct instruction *i)
{
	uint8_t op = i->code ? *i->code : 0;

	if ((op != 0x01 && op != 0x03) || i->code[1] >> 6 != 3)
		return -1;
	return op == 0x01 ? (i->code[1] & 7) | (i->rex & 1) << 3
			  : (i->code[1] >> 3 & 7) | (i->rex & 4) << 1;
}

/*
 * True: it jumps to an address from a register or memory, by *how. Jumps that are
 * certainly those of a switch are left out: they are marked, or distances from a table
 * are added just before.
 */
static bool is_jump_anywhere(const struct instruction *i, const struct instruction *before,
			     enum leave *how)
{
	uint8_t modrm = i->code[1];
	bool is_register = modrm >> 6 == 3;

	if (*i->code != 0xff || ((modrm >> 3 & 7) != 4 && (modrm >> 3 & 7) != 5) || i->is_notrack)
		return false;
	*how = !is_register && (modrm & 7) == 4 && i->code[2] >> 6 == 3 ? LEAVE_BY_INDEX
									: LEAVE_ANYWHERE;
	return !is_register || sum_of(before) != ((modrm & 7) | (i->rex & 1) << 3);
}

static bool is_call(const struct instruction *i)
{
	return *i->code == 0xe8 || (*i->code == 0xff && (i->code[1] >> 3 & 7) == 2);
}

bool leaves_find(const uint8_t *code, size_t len, uint64_t address,
		 void (*see)(void *ctx, enum leave how, uint64_t at, uint64_t to), void *ctx)
{
	struct instruction before = { 0 };

	for (size_t at = 0; at < len;) {
		struct instruction i = { .at = address + at };
		size_t size = length_of(code + at, len - at);
		enum leave how;
		uint64_t to;

		if (!size)
			return false;
		i.next = i.at + size;
		read_prefixes(&i, code + at);
		if (*i.code == 0xc3 || *i.code == 0xc2)
			see(ctx, LEAVE_RETURNS, i.at, 0);
		else if (is_call(&i))
			see(ctx, LEAVE_CALLS, i.at, 0);
		else if (is_jump(&i, &to))
			see(ctx, LEAVE_JUMPS, i.at, to);
		else if (is_jump_anywhere(&i, &before, &how))
			see(ctx, how, i.at, 0);
		before = i;
		at += size;
	}
	return true;
}

/* Instructions that do nothing, int3, and zeros at the end of a section. */
bool leaves_is_filler(const uint8_t *code, size_t left)
{
	size_t at = 0;

	while (at < left && (code[at] == 0x66 || code[at] == 0x2e))
		at++;
	if (left - at < 2)
		return left == 0;
	return code[at] == 0x90 || code[at] == 0xcc || (code[at] == 0x0f && code[at + 1] == 0x1f) ||
	       (!code[at] && !code[at + 1]);
}
