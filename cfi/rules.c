/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts the DW_CFA_… instructions, one after another, to rows. Everything that
 * compilers and the authors of the C library write is understood; at any other
 * instruction the function ends with a row that means "unknown". Expressions are not run
 * but recognised: only a handful of forms exist.
 */
#include "cfi/rules.h"

#include <dwarf.h>

#include "cfi/registers.h"

#define REMEMBERED_MOST 32

/* The state that a program changes: the rule of the current row. */
struct registers {
	enum stp_unwind_cfa cfa;
	uint64_t base;
	int64_t offset, offset2;
	struct {
		enum { KEEPS, SAVED, LOST } kind;
		uint64_t from; /* a register, or STP_FROM_CFA */
		int64_t offset;
	} of[STP_UNWIND_REGISTERS];
};

struct run {
	struct cfi *c;
	const struct cie *cie;
	struct registers now, initial;
	struct registers remembered[REMEMBERED_MOST];
	unsigned nremembered;
	uint64_t at, end;
	size_t first; /* the function's first row */
	bool is_odd;
};

/* ---- rules and rows ---- */

/* The size is a multiple of 4. */
static uint64_t hash_bytes(const void *data, size_t size)
{
	uint64_t h = 0xcbf29ce484222325ull;

	for (size_t i = 0; i < size; i += 4) {
		uint32_t word;

		memcpy(&word, (const uint8_t *)data + i, 4);
		h = (h ^ word) * 0x100000001b3ull;
	}
	return h ^ h >> 29;
}

static void hash_grow(struct cfi *c)
{
	c->hash_size = c->hash_size ? c->hash_size * 4 : 256;
	c->hash = arena_array(c->arena, uint32_t, c->hash_size);
	vec_each(&c->rules, i) {
		size_t place = hash_bytes(&c->rules.data[i], sizeof(c->rules.data[i]));

		while (c->hash[place & (c->hash_size - 1)])
			place++;
		c->hash[place & (c->hash_size - 1)] = (uint32_t)i + 1;
	}
}

uint32_t rules_index(struct cfi *c, const struct cfi_rule *rule)
{
	size_t place = hash_bytes(rule, sizeof(*rule));
	uint32_t *slot;

	if (c->rules.count * 2 >= c->hash_size)
		hash_grow(c);
	for (;; place++) {
		slot = &c->hash[place & (c->hash_size - 1)];
		if (!*slot)
			break;
		if (!memcmp(&c->rules.data[*slot - 1], rule, sizeof(*rule)))
			return *slot - 1;
	}
	vec_push(c->arena, &c->rules, *rule);
	*slot = (uint32_t)c->rules.count;
	return *slot - 1;
}

void rules_init(struct cfi *c, struct arena *a, const struct arch_unwind *arch)
{
	struct cfi_rule end = { .head.cfa = STP_CFA_END },
			unknown = { .head.cfa = STP_CFA_UNKNOWN };

	*c = (struct cfi){ .arena = a, .arch = arch };
	rules_index(c, &unknown);
	rules_index(c, &end);
}

static bool fits(int64_t offset)
{
	return offset >= INT32_MIN && offset <= INT32_MAX;
}

static void add_place(struct cfi_rule *rule, unsigned reg, uint64_t from, int64_t offset)
{
	rule->places[rule->head.nplaces++] = (struct stp_unwind_place){ .reg = (uint8_t)reg,
									.from = (uint8_t)from,
									.offset = (int32_t)offset };
}

/*
 * Makes the rule of the present state; a rule without the return address is useless and
 * counts as unknown.
 */
static uint32_t make_rule(struct run *r)
{
	const struct registers *now = &r->now;
	struct cfi_rule rule = { .head = { .cfa = now->cfa,
					   .base = (uint8_t)now->base,
					   .is_signal = r->cie->is_signal,
					   .offset = (int32_t)now->offset,
					   .offset2 = (int32_t)now->offset2 } };

	if (r->is_odd)
		return CFI_RULE_UNKNOWN;
	if (now->of[STP_UNWIND_RETURN].kind == LOST)
		return CFI_RULE_END;
	if (now->cfa <= STP_CFA_END || now->base >= STP_UNWIND_RETURN || !fits(now->offset) ||
	    !fits(now->offset2))
		return CFI_RULE_UNKNOWN;
	if (now->of[STP_UNWIND_RETURN].kind != SAVED && !r->c->arch->has_link)
		return CFI_RULE_UNKNOWN;
	for (unsigned i = 0; i < STP_UNWIND_REGISTERS; i++) {
		/* The stack pointer is the CFA. */
		if (i == r->c->arch->sp || now->of[i].kind == KEEPS)
			continue;
		if (!fits(now->of[i].offset))
			return CFI_RULE_UNKNOWN;
		if (now->of[i].kind == LOST)
			add_place(&rule, i, STP_FROM_LOST, 0);
		else
			add_place(&rule, i, now->of[i].from, now->of[i].offset);
	}
	return rules_index(r->c, &rule);
}

static void add_row(struct run *r)
{
	struct cfi_row row = { r->at, make_rule(r) };
	struct cfi_row *last =
		r->c->rows.count > r->first ? &r->c->rows.data[r->c->rows.count - 1] : NULL;

	if (last && last->at == row.at)
		*last = row;
	else if (!last || last->rule != row.rule)
		vec_push(r->c->arena, &r->c->rows, row);
}

/* ---- expressions ---- */

/*
 * Returns a register's slot; STP_UNWIND_REGISTERS: it has none, because it is never
 * needed.
 */
static uint64_t slot_of(const struct run *r, uint64_t reg)
{
	int slot = r->c->arch->slot(reg);

	return slot < 0 ? STP_UNWIND_REGISTERS : (uint64_t)slot;
}

static bool read_base(const struct run *r, struct cursor *c, uint64_t *slot, int64_t *offset)
{
	uint8_t op = (uint8_t)cursor_fixed(c, 1);

	if (op < DW_OP_breg0 || op > DW_OP_breg31)
		return false;
	*slot = slot_of(r, op - DW_OP_breg0);
	*offset = cursor_sleb(c);
	return *slot < STP_UNWIND_RETURN && !c->bad;
}

/*
 * Recognises the expression that linkers write for a PLT: the architecture's head, up to
 * the place in an entry, then (place >= N) * 8 is added.
 */
static bool is_plt(const struct arch_unwind *arch, const struct cursor *expression, int64_t *from)
{
	static const uint8_t tail[] = { DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus };
	const uint8_t *p = expression->at, *n = p + arch->plt_size;

	if (!arch->plt_size || cursor_left(expression) != arch->plt_size + 1 + sizeof(tail) ||
	    memcmp(p, arch->plt, arch->plt_size) || memcmp(n + 1, tail, sizeof(tail)) ||
	    *n < DW_OP_lit0 || *n > DW_OP_lit31)
		return false;
	*from = *n - DW_OP_lit0;
	return true;
}

static bool cfa_expression(struct run *r, struct cursor e)
{
	struct registers *now = &r->now;
	uint8_t op;

	now->offset2 = 0;
	if (is_plt(r->c->arch, &e, &now->offset2)) {
		now->cfa = STP_CFA_PLT;
		now->base = r->c->arch->sp;
		now->offset = 8;
		return true;
	}
	if (!read_base(r, &e, &now->base, &now->offset))
		return false;
	now->cfa = STP_CFA_REGISTER;
	if (!cursor_left(&e))
		return true;
	now->cfa = STP_CFA_MEMORY;
	if (cursor_fixed(&e, 1) != DW_OP_deref)
		return false;
	if (!cursor_left(&e))
		return true;
	op = (uint8_t)cursor_fixed(&e, 1);
	now->offset2 = (int64_t)cursor_uleb(&e);
	return op == DW_OP_plus_uconst && !e.bad && !cursor_left(&e);
}

/* ---- instructions ---- */

static void save(struct run *r, uint64_t reg, uint64_t from, int64_t offset)
{
	/* floating point registers and similar ones are never needed */
	if (reg >= STP_UNWIND_REGISTERS)
		return;
	r->now.of[reg].kind = SAVED;
	r->now.of[reg].from = from;
	r->now.of[reg].offset = offset;
}

static void set_kind(struct run *r, uint64_t reg, int kind)
{
	if (reg < STP_UNWIND_REGISTERS)
		r->now.of[reg].kind = kind;
}

static void restore(struct run *r, uint64_t reg)
{
	if (reg < STP_UNWIND_REGISTERS)
		r->now.of[reg] = r->initial.of[reg];
}

static int64_t scaled(const struct run *r, int64_t factored)
{
	return (int64_t)((uint64_t)factored * (uint64_t)r->cie->data_factor);
}

static void advance(struct run *r, uint64_t delta)
{
	uint64_t to = r->at + delta * r->cie->code_factor;

	add_row(r);
	if (to < r->at || to > r->end)
		r->is_odd = true;
	else
		r->at = to;
}

static void define_cfa(struct run *r, uint64_t base, int64_t offset)
{
	r->now.cfa = STP_CFA_REGISTER;
	r->now.base = base;
	r->now.offset = offset;
	r->now.offset2 = 0;
}

static void save_by_expression(struct run *r, struct cursor *c, uint64_t reg)
{
	uint64_t size = cursor_uleb(c), from = 0;
	struct cursor e = *c;
	int64_t offset = 0;

	cursor_skip(c, size);
	e.end = c->at;
	if (reg >= STP_UNWIND_REGISTERS)
		return;
	if (read_base(r, &e, &from, &offset) && !cursor_left(&e))
		save(r, reg, from, offset);
	else if (reg == STP_UNWIND_RETURN)
		r->is_odd = true;
	else
		set_kind(r, reg, LOST);
}

static void cfa_by_expression(struct run *r, struct cursor *c)
{
	uint64_t size = cursor_uleb(c);
	struct cursor e = *c;

	cursor_skip(c, size);
	e.end = c->at;
	if (!cfa_expression(r, e))
		r->now.cfa = STP_CFA_UNKNOWN;
}

/*
 * Handles a register whose value is computed, not saved: the value is lost, except the
 * stack pointer, which is the CFA.
 */
static void value_rule(struct run *r, uint64_t reg)
{
	if (reg == STP_UNWIND_RETURN)
		r->is_odd = true;
	set_kind(r, reg, LOST);
}

static void remember(struct run *r)
{
	if (r->nremembered == REMEMBERED_MOST)
		r->is_odd = true;
	else
		r->remembered[r->nremembered++] = r->now;
}

static void recall(struct run *r)
{
	if (r->nremembered)
		r->now = r->remembered[--r->nremembered];
	else
		r->is_odd = true;
}

/*
 * Runs an instruction about the CFA, with its operands after it. False: it is another
 * instruction.
 */
static bool run_cfa(struct run *r, struct cursor *c, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = slot_of(r, cursor_uleb(c));
		define_cfa(r, reg, (int64_t)cursor_uleb(c));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = slot_of(r, cursor_uleb(c));
		define_cfa(r, reg, scaled(r, cursor_sleb(c)));
		return true;
	case DW_CFA_def_cfa_register:
		r->now.base = slot_of(r, cursor_uleb(c));
		return true;
	case DW_CFA_def_cfa_offset:
		r->now.offset = (int64_t)cursor_uleb(c);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		r->now.offset = scaled(r, cursor_sleb(c));
		return true;
	case DW_CFA_def_cfa_expression:
		cfa_by_expression(r, c);
		return true;
	default:
		return false;
	}
}

/* Runs an instruction about a register. False: it is another instruction. */
static bool run_register(struct run *r, struct cursor *c, uint8_t op)
{
	struct cursor before = *c;
	uint64_t reg = slot_of(r, cursor_uleb(c));

	switch (op) {
	case DW_CFA_offset_extended:
		save(r, reg, STP_FROM_CFA, scaled(r, (int64_t)cursor_uleb(c)));
		return true;
	case DW_CFA_offset_extended_sf:
		save(r, reg, STP_FROM_CFA, scaled(r, cursor_sleb(c)));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		save(r, reg, STP_FROM_CFA, scaled(r, -(int64_t)cursor_uleb(c)));
		return true;
	case DW_CFA_restore_extended:
		restore(r, reg);
		return true;
	case DW_CFA_undefined:
		set_kind(r, reg, LOST);
		return true;
	case DW_CFA_same_value:
		set_kind(r, reg, KEEPS);
		return true;
	case DW_CFA_register:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
		cursor_uleb(c);
		value_rule(r, reg);
		return true;
	case DW_CFA_val_expression:
		cursor_skip(c, cursor_uleb(c));
		value_rule(r, reg);
		return true;
	case DW_CFA_expression:
		save_by_expression(r, c, reg);
		return true;
	default:
		*c = before;
		return false;
	}
}

/* Runs the remaining instructions. */
static void run_extended(struct run *r, struct cursor *c, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop:
		break;
	case DW_CFA_advance_loc1:
		advance(r, cursor_fixed(c, 1));
		break;
	case DW_CFA_advance_loc2:
		advance(r, cursor_fixed(c, 2));
		break;
	case DW_CFA_advance_loc4:
		advance(r, cursor_fixed(c, 4));
		break;
	case DW_CFA_remember_state:
		remember(r);
		break;
	case DW_CFA_restore_state:
		recall(r);
		break;
	case DW_CFA_GNU_args_size:
		cursor_uleb(c);
		break;
	case DW_CFA_GNU_window_save: /* the unwinder strips signatures from all addresses */
		r->is_odd |= !r->c->arch->signs;
		break;
	default: /* DW_CFA_set_loc, and those that no compiler writes */
		if (!run_cfa(r, c, op) && !run_register(r, c, op))
			r->is_odd = true;
	}
}

static void run_all(struct run *r, struct cursor *c)
{
	while (cursor_left(c) && !r->is_odd) {
		uint8_t byte = (uint8_t)cursor_fixed(c, 1), operand = byte & 0x3f;

		switch (byte & 0xc0) {
		case DW_CFA_advance_loc:
			advance(r, operand);
			break;
		case DW_CFA_offset:
			save(r, slot_of(r, operand), STP_FROM_CFA,
			     scaled(r, (int64_t)cursor_uleb(c)));
			break;
		case DW_CFA_restore:
			restore(r, slot_of(r, operand));
			break;
		default:
			run_extended(r, c, byte);
		}
		r->is_odd |= c->bad;
	}
}

void rules_run(struct cfi *c, const struct cie *cie, struct cursor *fde, uint64_t begin,
	       uint64_t end)
{
	struct run r = { .c = c, .cie = cie, .at = begin, .end = end, .first = c->rows.count };
	struct cursor shared = { cie->program, cie->program_end, false };
	struct cfi_function f = { begin, end, c->rows.count, 0 };

	run_all(&r, &shared);
	r.initial = r.now;
	r.nremembered = 0;
	run_all(&r, fde);
	add_row(&r);
	c->odd += r.is_odd;
	f.nrows = c->rows.count - f.row;
	vec_push(c->arena, &c->functions, f);
}
