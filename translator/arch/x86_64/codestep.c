/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Effects of one instruction: see struct arch_step. An effect that is not certain is the
 * worse one: a register may have been written, memory may not.
 */
#include "arch/x86_64/codestep.h"

#include "arch/arch.h"
#include "arch/x86_64/length.h"
#include "formats/file.h"

enum { AX, CX, DX, BX, SP, BP, SI, DI, NONE = -1 };

/* Bits of `written`, by the processor's numbers. */
#define BIT(reg)     (UINT64_C(1) << (reg))
#define VECTORS	     BIT(16)
#define ALL	     (BIT(17) - 1)
#define CALLS_CHANGE (ALL & ~(BIT(BX) | BIT(SP) | BIT(BP) | 0xf000))

struct reader {
	const uint8_t *code; /* at the opcode, without prefixes */
	size_t left;
	bool is_16, is_repeated, is_wide;
	unsigned r, x, b; /* 8: the register's number has a fourth bit */
	unsigned number, rm;
	bool is_memory;
	struct arch_step *ret;
};

/* DWARF's number of a register. */
static int dwarf_number(int reg)
{
	static const uint8_t numbers[] = { 0, 2, 1, 3, 7, 6, 4, 5 };

	return reg < 0 || reg > DI ? reg : numbers[reg];
}

static unsigned size_of(const struct reader *r)
{
	return r->is_wide ? 8 : r->is_16 ? 2 : 4;
}

static uint8_t peek(const struct reader *r, size_t at)
{
	return at < r->left ? r->code[at] : 0;
}

static int64_t signed_at(const struct reader *r, size_t at, unsigned size)
{
	if (at + size > r->left)
		return 0;
	return size == 1 ? (int8_t)r->code[at] : (int32_t)bytes_le32(r->code + at);
}

/* Reads ModRM and what follows it, at `at`. Returns the first byte after them. */
static size_t read_operand(struct reader *r, size_t at)
{
	uint8_t modrm = peek(r, at++), mod = modrm >> 6, sib;
	unsigned low = modrm & 7;
	unsigned wide = mod == 1 ? 1 : mod == 2 ? 4 : 0;

	r->number = (modrm >> 3 & 7) | r->r;
	r->rm = low | r->b;
	r->is_memory = mod != 3;
	r->ret->base = NONE;
	if (!r->is_memory)
		return at;
	if (low == 4) {
		sib = peek(r, at++);
		low = sib & 7;
		r->ret->is_indexed = (sib >> 3 & 7) != 4 || r->x;
	}
	if (mod == 0 && low == 5)
		wide = 4;
	else
		r->ret->base = dwarf_number((int)(low | r->b));
	r->ret->distance = wide ? signed_at(r, at, wide) : 0;
	return at + wide;
}

static void store(struct reader *r, unsigned size)
{
	if (!r->is_memory) {
		r->ret->written |= BIT(r->rm);
		return;
	}
	r->ret->memory = STEP_STORES;
	r->ret->size = size;
}

/* Notes that a register becomes another one and a distance. */
static void become(struct reader *r, unsigned reg, int from, int64_t distance)
{
	struct step_pointer *p = reg == SP ? &r->ret->stack : reg == BP ? &r->ret->frame : NULL;

	r->ret->written |= BIT(reg);
	if (p)
		*p = (struct step_pointer){ .is_set = true,
					    .from = dwarf_number(from),
					    .distance = distance };
}

static void push(struct reader *r)
{
	r->ret->memory = STEP_STORES;
	r->ret->base = dwarf_number(SP);
	r->ret->is_indexed = false;
	r->ret->distance = -8;
	r->ret->size = 8;
	become(r, SP, SP, -8);
}

static void jump(struct reader *r, enum step_flow flow, int64_t distance)
{
	r->ret->flow = flow;
	r->ret->target = r->ret->next + (uint64_t)distance;
}

/* ---- 0f ---- */

static bool is_vector_store(uint8_t op, const struct reader *r)
{
	/* f3 0f 7e is a load. */
	return op == 0x11 || op == 0x13 || op == 0x17 || op == 0x29 || op == 0x2b || op == 0x7f ||
	       op == 0xd6 || op == 0xe7 || (op == 0x7e && !r->is_repeated);
}

/* Sizes of the stores among them; `mandatory` is the last of the prefixes 66, f2, f3. */
static unsigned vector_size(uint8_t op, uint8_t mandatory, unsigned whole, const struct reader *r)
{
	if (op == 0x11 && mandatory == 0xf3)
		return 4;
	if (op == 0x7e)
		return r->is_wide ? 8 : 4;
	return (op == 0x11 && mandatory == 0xf2) || op == 0x13 || op == 0x17 || op == 0xd6 ? 8
											   : whole;
}

static void vector_step(struct reader *r, uint8_t op, uint8_t mandatory, unsigned whole)
{
	if (is_vector_store(op, r) && r->is_memory)
		store(r, vector_size(op, mandatory, whole, r));
	else
		r->ret->written |= VECTORS | BIT(r->number) | (r->is_memory ? 0 : BIT(r->rm));
}

static void two_byte_step(struct reader *r, uint8_t mandatory)
{
	uint8_t op = peek(r, 1);

	if ((op & 0xf0) == 0x80) {
		jump(r, STEP_BRANCHES, signed_at(r, 2, 4));
		return;
	}
	if (op == 0x0b) {
		r->ret->flow = STEP_ENDS;
		return;
	}
	read_operand(r, op == 0x38 || op == 0x3a ? 3 : 2);
	if (op == 0x0d || op == 0xa3 || (op >= 0x18 && op <= 0x1f))
		return;
	if ((op & 0xf0) == 0x90)
		store(r, 1);
	else if ((op & 0xf0) == 0x40 || op == 0xaf || op == 0xb6 || op == 0xb7 ||
		 (op >= 0xbc && op <= 0xbf) || op == 0xb8)
		r->ret->written |= BIT(r->number);
	else if (op == 0xc3)
		store(r, size_of(r));
	else if ((op >= 0x10 && op <= 0x17) || (op >= 0x28 && op <= 0x2f) ||
		 (op >= 0x50 && op <= 0x7f) || op == 0xc6 || op >= 0xd0)
		vector_step(r, op, mandatory, 16);
	else
		r->ret->written |= ALL & ~(BIT(SP) | BIT(BP));
}

/* Instructions of AVX: 0f's own map, whose stores are where those of SSE are. */
static void avx_step(struct reader *r)
{
	static const uint8_t mandatory[] = { 0, 0x66, 0xf3, 0xf2 };
	bool is_short = peek(r, 0) == 0xc5;
	uint8_t first = peek(r, 1), last = peek(r, is_short ? 1 : 2);

	if (peek(r, 0) == 0x62 || (!is_short && (first & 0x1f) != 1)) {
		r->ret->written |= ALL & ~(BIT(SP) | BIT(BP));
		return;
	}
	r->r = first & 0x80 ? 0 : 8;
	r->x = is_short || first & 0x40 ? 0 : 8;
	r->b = is_short || first & 0x20 ? 0 : 8;
	r->is_wide = !is_short && last & 0x80;
	r->is_repeated = (last & 3) == 2;
	read_operand(r, is_short ? 3 : 4);
	vector_step(r, peek(r, is_short ? 2 : 3), mandatory[last & 3], last & 4 ? 32 : 16);
}

/* ---- one byte ---- */

/* Arithmetic: the destination is the operand (0, 1), the register (2, 3) or rax. */
static void arithmetic_step(struct reader *r, uint8_t op)
{
	bool is_compare = (op & 0x38) == 0x38;

	if ((op & 7) > 3) {
		r->ret->written |= is_compare ? 0 : BIT(AX);
		return;
	}
	read_operand(r, 1);
	if (is_compare)
		return;
	if (op & 2)
		r->ret->written |= BIT(r->number);
	else
		store(r, op & 1 ? size_of(r) : 1);
}

/* Arithmetic with a constant; the stack pointer's is followed. */
static void constant_step(struct reader *r, uint8_t op)
{
	size_t at = read_operand(r, 1);
	unsigned what = r->number & 7;
	int64_t number = signed_at(r, at, op == 0x81 ? 4 : 1);

	if (what == 7)
		return;
	if (!r->is_memory && r->rm == SP && r->is_wide && (what == 0 || what == 5))
		become(r, SP, SP, what ? -number : number);
	else
		store(r, op & 1 ? size_of(r) : 1);
}

static void move_step(struct reader *r, uint8_t op)
{
	unsigned to, from;

	read_operand(r, 1);
	to = op & 2 ? r->number : r->rm;
	from = op & 2 ? r->rm : r->number;
	if (r->is_memory && op & 2)
		r->ret->written |= BIT(r->number);
	else if (r->is_memory)
		store(r, op & 1 ? size_of(r) : 1);
	else if (r->is_wide && op & 1)
		become(r, to, (int)from, 0);
	else
		r->ret->written |= BIT(to);
}

static void address_step(struct reader *r)
{
	read_operand(r, 1);
	if (r->ret->is_indexed || r->ret->base < 0) {
		r->ret->written |= BIT(r->number);
		return;
	}
	r->ret->memory = STEP_TAKES_ADDRESS;
	r->ret->written |= BIT(r->number);
	if (r->number == SP || r->number == BP) {
		struct step_pointer *p = r->number == SP ? &r->ret->stack : &r->ret->frame;

		*p = (struct step_pointer){ .is_set = true,
					    .from = r->ret->base,
					    .distance = r->ret->distance };
	}
}

/* f6, f7, fe, ff */
static void group_step(struct reader *r, uint8_t op)
{
	unsigned what;

	read_operand(r, 1);
	what = r->number & 7;
	if (op >= 0xfe && what >= 2) {
		if (what == 6)
			push(r);
		else if (what == 2)
			r->ret->flow = STEP_CALLS;
		else
			r->ret->flow = STEP_IS_LOST;
	} else if (op >= 0xfe || what == 2 || what == 3) {
		store(r, op & 1 ? size_of(r) : 1);
	} else if (what > 3) {
		r->ret->written |= BIT(AX) | BIT(DX);
	}
}

/* x87: stores to memory have sizes of their own. */
static void float_step(struct reader *r, uint8_t op)
{
	unsigned what;

	read_operand(r, 1);
	what = r->number & 7;
	r->ret->written |= !r->is_memory && op == 0xdf ? BIT(AX) : 0;
	if (!r->is_memory)
		return;
	if ((op == 0xd9 || op == 0xdb || op == 0xdd) && (what == 2 || what == 3))
		store(r, op == 0xdd ? 8 : 4);
	else if (op == 0xdb && what == 7)
		store(r, 10);
}

/* Returns false if the opcode is not one of these. */
static bool flow_step(struct reader *r, uint8_t op)
{
	if ((op & 0xf0) == 0x70 || (op & 0xfc) == 0xe0) {
		r->ret->written |= (op & 0xfc) == 0xe0 ? BIT(CX) : 0;
		jump(r, STEP_BRANCHES, signed_at(r, 1, 1));
	} else if (op == 0xeb || op == 0xe9) {
		jump(r, STEP_JUMPS, signed_at(r, 1, op == 0xeb ? 1 : 4));
	} else if (op == 0xe8) {
		r->ret->flow = STEP_CALLS;
	} else if (op == 0xc2 || op == 0xc3 || op == 0xf4) {
		r->ret->flow = STEP_ENDS;
	} else {
		return false;
	}
	return true;
}

/* Instructions without ModRM. */
static bool plain_step(struct reader *r, uint8_t op)
{
	unsigned reg = (op & 7) | r->b;

	if ((op & 0xf8) == 0x50 || op == 0x68 || op == 0x6a || op == 0x9c) {
		push(r);
	} else if ((op & 0xf8) == 0x58 || op == 0x9d) {
		if (op != 0x9d)
			become(r, reg, NONE, 0);
		if (op == 0x9d || reg != SP)
			become(r, SP, SP, 8);
	} else if (op == 0xc9) {
		become(r, SP, BP, 8);
		become(r, BP, NONE, 0);
	} else if ((op & 0xf8) == 0x90) {
		if (reg)
			become(r, reg, NONE, 0);
		r->ret->written |= reg ? BIT(AX) : 0;
	} else if ((op & 0xf0) == 0xb0) {
		become(r, reg, NONE, 0);
	} else if (op == 0x98 || op == 0x99) {
		r->ret->written |= op == 0x98 ? BIT(AX) : BIT(DX);
	} else if ((op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf)) {
		r->is_memory = true;
		store(r, 0); /* through rdi */
		r->ret->base = NONE;
		r->ret->written |= BIT(AX) | BIT(SI) | BIT(DI) | BIT(CX);
	} else {
		return op == 0xa8 || op == 0xa9;
	}
	return true;
}

/* Instructions with ModRM. */
static bool operand_step(struct reader *r, uint8_t op)
{
	if (op < 0x40)
		arithmetic_step(r, op);
	else if (op >= 0x80 && op <= 0x83)
		constant_step(r, op);
	else if (op >= 0x88 && op <= 0x8b)
		move_step(r, op);
	else if (op == 0x8d)
		address_step(r);
	else if (op >= 0xd8 && op <= 0xdf)
		float_step(r, op);
	else if (op == 0xf6 || op == 0xf7 || op >= 0xfe)
		group_step(r, op);
	else if (op == 0x63 || op == 0x69 || op == 0x6b || op == 0x84 || op == 0x85)
		r->ret->written |= (read_operand(r, 1), op < 0x84 ? BIT(r->number) : 0);
	else if (op == 0x86 || op == 0x87 || op == 0xc6 || op == 0xc7 || op == 0xc0 || op == 0xc1 ||
		 (op >= 0xd0 && op <= 0xd3)) {
		read_operand(r, 1);
		store(r, op & 1 ? size_of(r) : 1);
		r->ret->written |= op < 0xc0 ? BIT(r->number) : 0;
	} else
		return false;
	return true;
}

/* ---- all ---- */

/* Reads the prefixes. Returns the last that belongs to the opcode. */
static uint8_t read_prefixes(struct reader *r)
{
	uint8_t mandatory = 0;

	for (; r->left; r->code++, r->left--) {
		uint8_t c = *r->code;

		r->is_16 |= c == 0x66;
		r->is_repeated |= c == 0xf3;
		if (c == 0x66 || c == 0xf2 || c == 0xf3)
			mandatory = c;
		else if (c != 0x2e && c != 0x36 && c != 0x3e && c != 0x26 && c != 0x64 &&
			 c != 0x65 && c != 0x67 && c != 0xf0)
			break;
	}
	if ((peek(r, 0) & 0xf0) == 0x40) {
		r->is_wide = *r->code & 8;
		r->r = *r->code & 4 ? 8 : 0;
		r->x = *r->code & 2 ? 8 : 0;
		r->b = *r->code & 1 ? 8 : 0;
		r->code++;
		r->left--;
	}
	return mandatory;
}

/* A pointer that was written in an unknown way is not known any more. */
static void forget(uint64_t written, unsigned reg, struct step_pointer *p)
{
	if (written & BIT(reg) && !p->is_set)
		*p = (struct step_pointer){ .is_set = true, .from = NONE };
}

static uint64_t by_dwarf(uint64_t written)
{
	uint64_t ret = 0;

	for (int i = 0; i < 16; i++)
		if (written & BIT(i))
			ret |= BIT(dwarf_number(i));
	return ret | (written & VECTORS ? STEP_VECTORS : 0);
}

bool codestep_read(const uint8_t *code, size_t left, uint64_t address, struct arch_step *ret)
{
	size_t len = length_of(code, left);
	struct reader r = { .code = code, .left = len, .ret = ret };
	uint8_t mandatory, op;

	*ret = (struct arch_step){ .next = address + len, .base = NONE };
	if (!len)
		return false;
	mandatory = read_prefixes(&r);
	op = peek(&r, 0);
	if (op == 0x0f)
		two_byte_step(&r, mandatory);
	else if (op == 0xc4 || op == 0xc5 || op == 0x62)
		avx_step(&r);
	else if (!flow_step(&r, op) && !plain_step(&r, op) && !operand_step(&r, op))
		ret->written |= ALL;
	if (ret->flow == STEP_CALLS)
		ret->written |= CALLS_CHANGE;
	forget(ret->written, SP, &ret->stack);
	forget(ret->written, BP, &ret->frame);
	ret->written = by_dwarf(ret->written);
	return true;
}
