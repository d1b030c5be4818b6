/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF expressions are run here, on a stack of operation numbers: what only moves the stack about is done, what computes becomes an operation.
 * Expressions come from files that may be damaged: every depth and every number is bounded.
 */
#include "dwarf/location.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session.h"
#include "dwarf/callsites.h"
#include "dwarf/file.h"
#include "dwarf/kernel.h"

#define REGISTER_SP    7
#define REGISTER_IP    16  /* the return address column of x86-64: what is fetched next */
#define MAX_STACK      64
#define MAX_OPERATIONS 512
#define MAX_CALLS      8   /* frame base, CFA, entry values: each is an expression of its own */
#define MAX_WORDS      64  /* of a value in pieces */

struct machine {
	struct session *s;
	const struct location_frame *f;
	struct location *ret;
	uint32_t stack[MAX_STACK];
	unsigned depth, calls;
	bool in_caller;      /* registers are those that the caller had when it called */
	bool is_value;       /* the top is the value, not its address */
	uint64_t piece_bits; /* placed so far */
	bool pieces;
	const char *problem;
};

static bool fail(struct machine *m, const char *why)
{
	if (!m->problem)
		m->problem = why;
	return false;
}

/* ---- operations ---- */

static uint32_t add(struct machine *m, struct access_operation op)
{
	struct access_expression *x = m->ret->expression;

	if (x->operations.count >= MAX_OPERATIONS) {
		fail(m, "its location is too long to be worked out");
		return 0;
	}
	vec_push(m->s->arena, &x->operations, op);
	return (uint32_t)x->operations.count - 1;
}

static bool push(struct machine *m, uint32_t op)
{
	if (m->depth == MAX_STACK)
		return fail(m, "its location needs too deep a stack");
	m->stack[m->depth++] = op;
	return true;
}

static bool push_new(struct machine *m, struct access_operation op)
{
	return push(m, add(m, op));
}

static bool push_constant(struct machine *m, int64_t number)
{
	return push_new(m, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = number });
}

static bool need(struct machine *m, unsigned n)
{
	return m->depth >= n || fail(m, "its location is malformed: the stack is empty");
}

/* The constant that an operation is, if it is one. */
static bool constant_of(const struct machine *m, uint32_t op, int64_t *ret)
{
	const struct access_operation *o = &m->ret->expression->operations.data[op];

	*ret = o->number;
	return o->kind == ACCESS_CONSTANT;
}

static uint32_t plus(struct machine *m, uint32_t a, int64_t offset)
{
	int64_t n;

	if (!offset)
		return a;
	if (constant_of(m, a, &n))
		return add(m, (struct access_operation){ .kind = ACCESS_CONSTANT,
							 .number = (int64_t)((uint64_t)n + (uint64_t)offset) });

	uint32_t b = add(m, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = offset });

	return add(m, (struct access_operation){ .kind = ACCESS_BINARY, .op = OP_ADD, .a = a, .b = b });
}

static bool push_callers_register(struct machine *m, uint64_t reg, int64_t offset);

static bool push_own_register(struct machine *m, uint64_t reg, int64_t offset)
{
	m->ret->is_unreadable |= reg > REGISTER_IP;
	if (reg > REGISTER_IP)
		return fail(m, "it is in a register that probes cannot read (floating point or vector)");
	return push(m, plus(m, add(m, (struct access_operation){ .kind = ACCESS_REGISTER, .number = (int64_t)reg }), offset));
}

/* The registers of 32-bit programs, as their DWARF counts them (the last is the instruction's address), are the low halves of ours. */
static const uint8_t registers_32[] = { 0, 2, 1, 3, 7, 6, 4, 5, REGISTER_IP };

static bool is_32(const struct machine *m)
{
	return m->f->file->address_size == 4;
}

static bool push_register(struct machine *m, uint64_t reg, int64_t offset)
{
	if (m->in_caller)
		return push_callers_register(m, reg, offset);
	if (is_32(m))
		reg = reg < sizeof(registers_32) ? registers_32[reg] : REGISTER_IP + 1;
	return push_own_register(m, reg, offset);
}

static bool binary(struct machine *m, enum op op)
{
	if (!need(m, 2))
		return false;
	m->depth--;
	m->stack[m->depth - 1] = add(m, (struct access_operation){ .kind = ACCESS_BINARY,
								   .op = op,
								   .a = m->stack[m->depth - 1],
								   .b = m->stack[m->depth] });
	return true;
}

/* Negation is 0 - a, the complement is -1 - a. */
static bool subtract_from(struct machine *m, int64_t number)
{
	uint32_t a;

	if (!need(m, 1))
		return false;
	a = m->stack[--m->depth];
	return push_constant(m, number) && push(m, a) && binary(m, OP_SUB);
}

static bool load(struct machine *m, uint64_t size)
{
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return fail(m, "its location is malformed: a load of an odd size");
	if (m->in_caller)
		return fail(m, "memory of the caller's is another one now");
	if (!need(m, 1))
		return false;
	m->stack[m->depth - 1] =
		add(m, (struct access_operation){ .kind = ACCESS_MEMORY, .a = m->stack[m->depth - 1], .size = (unsigned)size });
	return true;
}

static bool pick(struct machine *m, uint64_t n)
{
	if (n >= m->depth)
		return fail(m, "its location is malformed: the stack is empty");
	return push(m, m->stack[m->depth - 1 - n]);
}

/* The n topmost, the top going below the others. */
static bool rotate(struct machine *m, unsigned n)
{
	if (!need(m, n))
		return false;

	uint32_t top = m->stack[m->depth - 1], *base = &m->stack[m->depth - n];

	memmove(base + 1, base, (n - 1) * sizeof(*base));
	base[0] = top;
	return true;
}

/* ---- expressions inside of expressions ---- */

static bool run(struct machine *m, const Dwarf_Op *ops, size_t n, Dwarf_Attribute *attr);

static bool enter(struct machine *m)
{
	return ++m->calls <= MAX_CALLS || fail(m, "its location refers to itself");
}

static bool push_cfa(struct machine *m)
{
	bool ok = false;

	for (int i = 0; i < 2 && !ok; i++) {
		Dwarf_Frame *frame;
		Dwarf_Op *ops;
		size_t n;

		if (!m->f->file->cfi[i] || dwarf_cfi_addrframe(m->f->file->cfi[i], m->f->pc, &frame))
			continue;
		if (!dwarf_frame_cfa(frame, &ops, &n) && n && enter(m)) {
			ok = run(m, ops, n, NULL);
			m->calls--;
		}
		free(frame);
	}
	return ok || fail(m, "the frame is not known here: there is no unwind information for this address");
}

static bool push_frame_base(struct machine *m, int64_t offset)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!m->f->function || !dwarf_attr_integrate(m->f->function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, m->f->pc, &ops, &n, 1) != 1)
		return fail(m, "the function has no frame base");
	if (!enter(m) || !run(m, ops, n, &attr))
		return false;
	m->calls--;
	m->is_value = false; /* DW_OP_reg as a frame base means what the register holds */
	if (!need(m, 1))
		return false;
	m->stack[m->depth - 1] = plus(m, m->stack[m->depth - 1], offset);
	return true;
}

/* ---- what a register held when the function was entered ---- */

#define MAX_SITES 24

/* Where the frame keeps it, or the register itself. */
static bool push_kept_register(struct machine *m, Dwarf_Frame *frame, int reg)
{
	Dwarf_Op *ops, room[3];
	bool ok;
	size_t n;

	if (dwarf_frame_register(frame, reg, room, &ops, &n) || (!n && ops))
		return fail(m, "the caller's register is not kept");
	if (!n)
		return push_own_register(m, (uint64_t)reg, 0);
	m->is_value = false;
	ok = enter(m) && run(m, ops, n, NULL) && (m->is_value || load(m, 8));
	m->calls--;
	m->is_value = false;
	return ok;
}

static bool push_callers_register(struct machine *m, uint64_t reg, int64_t offset)
{
	bool ok = false;

	m->in_caller = false;
	if (reg == REGISTER_SP) { /* as the caller goes on */
		ok = push_cfa(m);
	} else if (reg < REGISTER_IP) {
		for (int i = 0; i < 2 && !ok; i++) {
			Dwarf_Frame *frame;

			if (!m->f->file->cfi[i] || dwarf_cfi_addrframe(m->f->file->cfi[i], m->f->pc, &frame))
				continue;
			ok = push_kept_register(m, frame, (int)reg);
			free(frame);
		}
	}
	m->in_caller = true;
	if (!ok)
		return fail(m, "the caller's register is not known here");
	m->stack[m->depth - 1] = plus(m, m->stack[m->depth - 1], offset);
	return true;
}

/* What the site passes; false: it does not say so in terms that are known here. The machine is left as it was. */
static bool value_at_site(struct machine *m, const struct call_site *site, unsigned reg, uint32_t *ret)
{
	unsigned depth = m->depth;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	bool ok;
	size_t n;

	if (!call_site_value(m->f->file, site, reg, &attr, &ops, &n))
		return false;
	m->in_caller = true;
	ok = enter(m) && run(m, ops, n, &attr) && m->depth == depth + 1;
	m->in_caller = m->is_value = false;
	m->calls--;
	*ret = ok ? m->stack[m->depth - 1] : 0;
	m->depth = depth;
	m->problem = NULL;
	return ok;
}

static uint32_t binary_of(struct machine *m, enum op op, uint32_t a, uint32_t b)
{
	return add(m, (struct access_operation){ .kind = ACCESS_BINARY, .op = op, .a = a, .b = b });
}

/*
 * Callers tell what they passed, and the return address tells which it was: the value is the sum of what each would have passed, times whether it was that one. So
 * nothing is read that only one of them has.
 */
static bool push_from_callers(struct machine *m, unsigned reg)
{
	struct access_operation back = { .kind = ACCESS_RETURN_ADDRESS }, given = { .kind = ACCESS_GIVEN };
	call_sites sites = { 0 };
	uint32_t any = 0, sum = 0, value;
	bool found = false;

	if (is_32(m) || m->f->file->is_kernel || !m->f->function)
		return false;
	call_sites_of(m->s, m->f->file, m->f->function, &sites);
	if (!sites.count || sites.count > MAX_SITES || !push_cfa(m))
		return false;
	back.a = plus(m, m->stack[--m->depth], -8);
	back.a = add(m, back);
	vec_each(&sites, i) {
		uint32_t is_it;

		if (!value_at_site(m, &sites.data[i], reg, &value) || !push_own_register(m, REGISTER_IP, (int64_t)(sites.data[i].returns_to - m->f->pc)))
			continue;
		is_it = binary_of(m, OP_EQ, back.a, m->stack[--m->depth]);
		value = binary_of(m, OP_MUL, is_it, value);
		any = found ? binary_of(m, OP_OR, any, is_it) : is_it;
		sum = found ? binary_of(m, OP_ADD, sum, value) : value;
		found = true;
	}
	given.a = any;
	given.b = sum;
	return found && push_new(m, given);
}

static bool push_entry_register(struct machine *m, const Dwarf_Op *ops, size_t n)
{
	const char *function = m->f->function ? dwarf_diename(m->f->function) : NULL;
	unsigned depth = m->depth, reg = n == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31 ? ops->atom - DW_OP_reg0 : 32;

	if (reg < REGISTER_IP && !m->in_caller && push_from_callers(m, reg))
		return true;
	m->depth = depth;
	m->problem = NULL;
	return fail(m, arena_printf(m->s->arena, "only what it was when '%s' was entered is known here, and that is gone; keep it from there, by thread, "
				    "as in: probe ….function(\"%s\").call { kept[tid()] = $… }", function ? function : "?", function ? function : "…"));
}

/* Where the function is entered it is what the register holds; later, what the caller tells. */
static bool push_entry_value(struct machine *m, const Dwarf_Op *op, Dwarf_Attribute *attr)
{
	Dwarf_Attribute inner;
	Dwarf_Op *ops;
	size_t n;

	if (!attr || dwarf_getlocation_attr(attr, op, &inner) || dwarf_getlocation(&inner, &ops, &n))
		return fail(m, "its location is malformed: an entry value without an expression");
	if (!m->f->is_entry)
		return push_entry_register(m, ops, n);
	if (!enter(m) || !run(m, ops, n, &inner))
		return false;
	m->calls--;
	m->is_value = false;
	return true;
}

/* ---- the end of an expression, or of a piece ---- */

static uint32_t resized(struct machine *m, uint32_t value, unsigned bytes)
{
	if (bytes >= 8)
		return value;
	return add(m, (struct access_operation){ .kind = ACCESS_CUT, .a = value, .size = bytes });
}

static uint32_t memory_word(struct machine *m, uint32_t address, unsigned offset, unsigned bytes)
{
	return add(m, (struct access_operation){ .kind = ACCESS_MEMORY, .a = plus(m, address, offset), .size = bytes });
}

static uint32_t shifted(struct machine *m, uint32_t value, unsigned shift)
{
	uint32_t by = add(m, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = shift });

	return add(m, (struct access_operation){ .kind = ACCESS_BINARY, .op = OP_SHL, .a = value, .b = by });
}

/* The next bits of the value; they do not reach over the word's end. */
static void place_bits(struct machine *m, uint32_t value, unsigned bits)
{
	struct access_expression *x = m->ret->expression;
	unsigned within = m->piece_bits % 64;
	uint32_t *last;

	if (!within) {
		vec_push(m->s->arena, &x->words, ACCESS_NO_WORD);
		vec_push(m->s->arena, &x->known, 0);
	}
	last = &x->words.data[x->words.count - 1];
	if (value != ACCESS_NO_WORD) {
		x->known.data[x->known.count - 1] |= (bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX) << within;
		value = within ? shifted(m, value, within) : value;
		*last = *last == ACCESS_NO_WORD ? value : add(m, (struct access_operation){ .kind = ACCESS_BINARY, .op = OP_OR, .a = *last, .b = value });
	}
	m->piece_bits += bits;
}

static void place_bytes(struct machine *m, uint64_t bytes)
{
	for (uint64_t at = 0; at < bytes;) {
		uint64_t room = 8 - m->piece_bits / 8 % 8, left = bytes - at;
		unsigned n = left < room ? (unsigned)left : (unsigned)room;

		if (n & (n - 1))
			n = n & 4 ? 4 : 2; /* loads are of 1, 2, 4 or 8 bytes */

		uint32_t word = !m->depth   ? ACCESS_NO_WORD
				: !m->is_value ? memory_word(m, m->stack[m->depth - 1], (unsigned)at, n)
				: at	       ? ACCESS_NO_WORD
					       : resized(m, m->stack[m->depth - 1], n);

		place_bits(m, word, n * 8);
		at += n;
	}
}

/* `n` bits of the word, from bit `shift` on. */
static uint32_t cut_bits(struct machine *m, uint32_t word, unsigned shift, unsigned n)
{
	uint32_t by = add(m, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = shift });
	uint32_t mask = add(m, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = n < 64 ? (int64_t)((1ull << n) - 1) : -1 });

	word = shift ? add(m, (struct access_operation){ .kind = ACCESS_BINARY, .op = OP_USHR, .a = word, .b = by }) : word;
	return add(m, (struct access_operation){ .kind = ACCESS_BINARY, .op = OP_AND, .a = word, .b = mask });
}

/* Up to *n bits of what is on the stack, from bit `from` on: of a value what is left of its word, of memory what is left of the byte. */
static uint32_t source_bits(struct machine *m, uint64_t from, unsigned *n)
{
	uint32_t top = m->depth ? m->stack[m->depth - 1] : ACCESS_NO_WORD;
	unsigned room = m->is_value ? 64 - from % 64 : 8 - from % 8;

	if (!m->depth)
		return ACCESS_NO_WORD;
	if (*n > room)
		*n = room;
	if (m->is_value)
		return from < 64 ? cut_bits(m, top, (unsigned)from, *n) : ACCESS_NO_WORD;
	return cut_bits(m, memory_word(m, top, (unsigned)(from / 8), 1), from % 8, *n);
}

/* A piece of so many bits, from bit `from` of the value or register on the stack, or of memory, or of nothing. */
static bool piece(struct machine *m, uint64_t bits, uint64_t from)
{
	m->pieces = true;
	if (m->ret->kind == LOCATION_POINTER) { /* a part that is a pointer to what has no address */
		m->ret->kind = LOCATION_VALUE;
		m->depth = 0;
	}
	if (!bits || bits > MAX_WORDS * 64 || from > MAX_WORDS * 64 || m->piece_bits + bits > MAX_WORDS * 64)
		return fail(m, "its location is malformed: a piece out of range");
	if (!(bits % 8) && !from && !(m->piece_bits % 8)) {
		place_bytes(m, bits / 8);
		bits = 0;
	}
	for (uint64_t at = 0; at < bits;) {
		uint64_t room = 64 - m->piece_bits % 64, left = bits - at;
		unsigned n = left < room ? (unsigned)left : (unsigned)room;
		uint32_t word = source_bits(m, from + at, &n);

		place_bits(m, word, n);
		at += n;
	}
	m->depth = 0;
	m->is_value = false;
	return true;
}

static bool implicit_value(struct machine *m, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	Dwarf_Block block;
	uint64_t value = 0;

	if (!attr || dwarf_getlocation_implicit_value(attr, op, &block))
		return fail(m, "its location is malformed: an implicit value without one");
	if (block.length > sizeof(value))
		return fail(m, "it is a constant of more than 8 bytes");
	memcpy(&value, block.data, block.length);
	m->is_value = true;
	return push_constant(m, (int64_t)value);
}

static bool implicit_pointer(struct machine *m, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	if (!attr || dwarf_getlocation_die(attr, op, &m->ret->target))
		return fail(m, "its location is malformed: a pointer to nothing");
	m->ret->kind = LOCATION_POINTER;
	m->ret->offset = (int64_t)op->number2;
	m->is_value = true;
	return push_constant(m, 0);
}

/* ---- one operation ---- */

static const struct {
	uint8_t atom;
	enum op op;
} arithmetic[] = {
	{ DW_OP_plus, OP_ADD }, { DW_OP_minus, OP_SUB }, { DW_OP_mul, OP_MUL },	 { DW_OP_div, OP_DIV }, { DW_OP_mod, OP_MOD },
	{ DW_OP_and, OP_AND },	{ DW_OP_or, OP_OR },	 { DW_OP_xor, OP_XOR },	 { DW_OP_shl, OP_SHL }, { DW_OP_shr, OP_USHR },
	{ DW_OP_shra, OP_SHR }, { DW_OP_eq, OP_EQ },	 { DW_OP_ne, OP_NE },	 { DW_OP_lt, OP_LT },	{ DW_OP_le, OP_LE },
	{ DW_OP_gt, OP_GT },	{ DW_OP_ge, OP_GE },
};

/* The sections of a kernel's module lie apart from each other. */
static bool push_symbol(struct machine *m, uint64_t address)
{
	struct access_operation symbol = { .kind = ACCESS_SYMBOL, .module = m->f->file->module_name };
	int64_t distance;
	struct error *err = dwarf_module_symbol(m->s, m->f->file, address, &symbol.symbol, &distance);

	return err ? fail(m, err->text) : push(m, plus(m, add(m, symbol), distance));
}

/* An address in the file is as far from the probed instruction as where it is loaded. */
static bool push_address(struct machine *m, uint64_t address)
{
	if (m->f->file->module_name)
		return push_symbol(m, address);
	return push_own_register(m, REGISTER_IP, (int64_t)(address - m->f->pc));
}

/* What is on the stack is moved, loaded from or changed. */
static bool step_on_stack(struct machine *m, const Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_neg:
		return subtract_from(m, 0);
	case DW_OP_not:
		return subtract_from(m, -1);
	case DW_OP_plus_uconst:
		if (!need(m, 1))
			return false;
		m->stack[m->depth - 1] = plus(m, m->stack[m->depth - 1], (int64_t)op->number);
		return true;
	case DW_OP_deref:
		return load(m, is_32(m) ? 4 : 8);
	case DW_OP_deref_size:
		return load(m, op->number);
	case DW_OP_dup:
		return pick(m, 0);
	case DW_OP_over:
		return pick(m, 1);
	case DW_OP_pick:
		return pick(m, op->number);
	case DW_OP_drop:
		if (!need(m, 1))
			return false;
		m->depth--;
		return true;
	case DW_OP_swap:
		return rotate(m, 2);
	case DW_OP_rot:
		return rotate(m, 3);
	/* Types of gcc's typed stack: integers are 64 bits wide here. */
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
		return need(m, 1);
	case DW_OP_nop:
	case DW_OP_GNU_uninit:
		return true;
	default:
		return fail(m, "its location uses a DWARF operation that is not supported here");
	}
}

/* What the location says of the whole: that it is the value itself, or a part of it. */
static bool step_to_result(struct machine *m, const Dwarf_Op *op, Dwarf_Attribute *attr)
{
	switch (op->atom) {
	case DW_OP_stack_value:
		m->is_value = true;
		return need(m, 1);
	case DW_OP_implicit_value:
		return implicit_value(m, attr, op);
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return implicit_pointer(m, attr, op);
	case DW_OP_piece:
		return op->number <= MAX_WORDS * 8 ? piece(m, op->number * 8, 0) : piece(m, 0, 0);
	case DW_OP_bit_piece:
		return piece(m, op->number, op->number2);
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		return fail(m, "it is thread-local");
	case DW_OP_GNU_parameter_ref:
		return fail(m, "it is an argument that only the caller knows");
	default:
		return step_on_stack(m, op);
	}
}

static bool step(struct machine *m, const Dwarf_Op *op, Dwarf_Attribute *attr)
{
	for (size_t i = 0; i < sizeof(arithmetic) / sizeof(arithmetic[0]); i++)
		if (arithmetic[i].atom == op->atom)
			return binary(m, arithmetic[i].op);
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push_constant(m, op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(m, op->atom - DW_OP_breg0, (int64_t)op->number);
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		m->is_value = true;
		return push_register(m, op->atom - DW_OP_reg0, 0);
	}
	switch (op->atom) {
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push_constant(m, (int64_t)op->number);
	case DW_OP_addr:
		return push_address(m, op->number);
	case DW_OP_regx:
		m->is_value = true;
		return push_register(m, op->number, 0);
	case DW_OP_bregx:
		return push_register(m, op->number, (int64_t)op->number2);
	case DW_OP_fbreg:
		return push_frame_base(m, (int64_t)op->number);
	case DW_OP_call_frame_cfa:
		return push_cfa(m);
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return push_entry_value(m, op, attr);
	default:
		return step_to_result(m, op, attr);
	}
}

static bool run(struct machine *m, const Dwarf_Op *ops, size_t n, Dwarf_Attribute *attr)
{
	for (size_t i = 0; i < n; i++)
		if (!step(m, &ops[i], attr) || m->problem)
			return false;
	return true;
}

/* ---- the whole ---- */

static bool conclude(struct machine *m)
{
	struct access_expression *x = m->ret->expression;

	if (m->pieces) {
		m->ret->kind = LOCATION_VALUE;
		return true;
	}
	if (!need(m, 1))
		return false;
	vec_push(m->s->arena, &x->words, m->stack[m->depth - 1]);
	if (m->ret->kind != LOCATION_POINTER)
		m->ret->kind = m->is_value ? LOCATION_VALUE : LOCATION_ADDRESS;
	return true;
}

static struct error *absent(struct session *s, const char *why)
{
	return error_create(s->arena, ERROR_ABSENT, "%s", why);
}

static struct error *constant_value(struct machine *m, Dwarf_Attribute *attr)
{
	Dwarf_Block block;
	Dwarf_Sword number;
	uint64_t value = 0;

	if (!dwarf_formblock(attr, &block)) {
		if (block.length > sizeof(value))
			return absent(m->s, "it is a constant of more than 8 bytes");
		memcpy(&value, block.data, block.length);
		number = (int64_t)value;
	} else if (dwarf_formsdata(attr, &number)) {
		return absent(m->s, "its constant value cannot be read");
	}
	push_constant(m, number);
	m->is_value = true;
	conclude(m);
	return NULL;
}

struct error *location_of(struct session *s, const struct location_frame *f, Dwarf_Die *variable, struct location *ret)
{
	struct machine m = { .s = s, .f = f, .ret = ret };
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	*ret = (struct location){ .expression = arena_new(s->arena, struct access_expression) };
	if (!dwarf_attr_integrate(variable, DW_AT_location, &attr)) {
		if (dwarf_attr_integrate(variable, DW_AT_const_value, &attr))
			return constant_value(&m, &attr);
		return absent(s, "the compiler optimised it out of the whole function");
	}
	if (dwarf_getlocation_addr(&attr, f->pc, &ops, &n, 1) != 1)
		return absent(s, "it is optimised out at this address");
	if (!n)
		return absent(s, "it is optimised out at this address");
	if (!run(&m, ops, n, &attr) || !conclude(&m) || m.problem)
		return absent(s, m.problem);
	return NULL;
}
