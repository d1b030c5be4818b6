/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions: the registers that they use, the places they lead to. */
#include "base/session.h"
#include "bpf/link.h"
#include "lib/error.h"
#include "runtime/uapi/bpfimage.h"

#define FAR 10000 /* longer jumps may get too long for 16 bits: the kernel adds code */

void code_add(struct linking *l, instructions *code, struct bpf_insn i)
{
	struct instruction in = { .i = i, .target = -1 };

	if (code->count)
		in.of = code->data[code->count - 1].of;
	vec_push(l->s->arena, code, in);
}

void code_add_jump(struct linking *l, instructions *code, struct bpf_insn i, long target)
{
	code_add(l, code, i);
	code->data[code->count - 1].target = target;
}

void code_add_address(struct linking *l, instructions *code, int reg, uint64_t address)
{
	if (address <= UINT32_MAX) {
		code_add(l, code, INSN(BPF_ALU | BPF_MOV | BPF_K, reg, 0, 0, address));
		return;
	}
	code_add(l, code, INSN(BPF_LD | BPF_IMM | BPF_DW, reg, 0, 0, address));
	code_add(l, code, INSN(0, 0, 0, 0, address >> 32));
}

void code_add_hidden(struct linking *l, instructions *code, const struct bpf_insn *i)
{
	bool is_negative = i->code == (BPF_ALU64 | BPF_MOV | BPF_K) && i->imm < 0;

	code_add(l, code,
		 INSN(BPF_ALU | BPF_MOV | BPF_K, i->dst_reg, 0, 0,
		      is_negative ? 0u - (uint32_t)i->imm : (uint32_t)i->imm));
	code->data[code->count - 1].hiding = is_negative ? HIDING_NEGATIVE : HIDING_NEGATIVE - 1;
	code_add(l, code, TO_NUMBER(i->dst_reg));
	if (is_negative)
		code_add(l, code, INSN(BPF_ALU64 | BPF_NEG, i->dst_reg, 0, 0, 0));
}

bool code_is_jump(const struct bpf_insn *i)
{
	unsigned class = BPF_CLASS(i->code), op = BPF_OP(i->code);

	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_CALL && op != BPF_EXIT;
}

bool code_is_exit(const struct bpf_insn *i)
{
	return i->code == (BPF_JMP | BPF_EXIT);
}

bool code_is_goto(const struct bpf_insn *i)
{
	return i->code == (BPF_JMP | BPF_JA) || i->code == OP_GOTO_LONG;
}

int code_base(const struct bpf_insn *i)
{
	switch (BPF_CLASS(i->code)) {
	case BPF_LDX:
		return i->imm == BPFIMAGE_IN_NAME ? -1 : i->src_reg;
	case BPF_ST:
	case BPF_STX:
		return i->dst_reg;
	default:
		return -1;
	}
}

/* ---- registers ---- */

#define REG(n)	(uint16_t)(1u << (n))
#define CALLERS 0x3f /* r0 to r5, which a call may change */

uint16_t code_arguments(const struct function *f)
{
	return (uint16_t)((1u << (f->nargs + 1)) - 2);
}

static bool is_atomic(const struct bpf_insn *i)
{
	return BPF_CLASS(i->code) == BPF_STX && BPF_MODE(i->code) == 0xc0;
}

static bool is_compare_exchange(const struct bpf_insn *i)
{
	return is_atomic(i) && i->imm == (0xf0 | BPF_FETCH);
}

static bool is_call(const struct bpf_insn *i)
{
	return i->code == (BPF_JMP | BPF_CALL);
}

static uint16_t jump_uses(const struct instruction *in)
{
	if (is_call(&in->i)) /* the called helpers have no arguments */
		return in->callee ? code_arguments(in->callee) : 0;
	if (code_is_exit(&in->i))
		return REG(0);
	if (code_is_goto(&in->i) || in->i.code == OP_MAY_GOTO)
		return 0;
	return REG(in->i.dst_reg) | (BPF_SRC(in->i.code) == BPF_X ? REG(in->i.src_reg) : 0);
}

uint16_t code_uses(const struct instruction *in)
{
	const struct bpf_insn *i = &in->i;
	bool is_move = BPF_OP(i->code) == BPF_MOV;

	switch (BPF_CLASS(i->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return (is_move ? 0 : REG(i->dst_reg)) |
		       (BPF_SRC(i->code) == BPF_X && BPF_OP(i->code) != BPF_END &&
					BPF_OP(i->code) != BPF_NEG
				? REG(i->src_reg)
				: 0);
	case BPF_LDX:
		return REG(i->src_reg);
	case BPF_ST:
		return REG(i->dst_reg);
	case BPF_STX:
		return REG(i->dst_reg) | REG(i->src_reg) | (is_compare_exchange(i) ? REG(0) : 0);
	case BPF_JMP:
	case BPF_JMP32:
		return jump_uses(in);
	default:
		return 0;
	}
}

uint16_t code_sets(const struct instruction *in)
{
	const struct bpf_insn *i = &in->i;

	switch (BPF_CLASS(i->code)) {
	case BPF_ALU:
	case BPF_ALU64:
	case BPF_LDX:
		return REG(i->dst_reg);
	case BPF_LD:
		return i->code ? REG(i->dst_reg) : 0;
	case BPF_STX:
		return is_compare_exchange(i)		      ? REG(0)
		       : is_atomic(i) && (i->imm & BPF_FETCH) ? REG(i->src_reg)
							      : 0;
	case BPF_JMP:
		return is_call(i) ? CALLERS : 0;
	default:
		return 0;
	}
}

static void find_live(const instructions *code, uint16_t *before, uint16_t *after)
{
	size_t n = code->count;
	bool changed = true;

	memset(after, 0, (n + 1) * sizeof(*after));
	memset(before, 0, (n + 1) * sizeof(*before));
	while (changed) {
		changed = false;
		for (size_t i = n; i-- > 0;) {
			const struct instruction *in = &code->data[i];
			uint16_t out = 0, live;

			if (!code_is_exit(&in->i) && !code_is_goto(&in->i))
				out = before[i + 1];
			if (in->target >= 0)
				out |= before[in->target];
			live = (uint16_t)(code_uses(in) | (out & ~code_sets(in)));
			changed |= live != before[i];
			after[i] = out;
			before[i] = live;
		}
	}
}

/* Returns the registers that have a value after an instruction, given those before it. */
static uint16_t ready_after(const struct instruction *in, uint16_t ready)
{
	return is_call(&in->i) ? (ready & ~CALLERS) | REG(0) : ready | code_sets(in);
}

/*
 * Keeps those live registers that have a value on each path: the verifier allows no other
 * to be read, but on some path of the compiler's code a value may not matter.
 */
static void leave_ready(struct linking *l, const struct function *f, uint16_t *before,
			uint16_t *after)
{
	const instructions *code = &f->code;
	size_t n = code->count;
	uint16_t *ready = arena_alloc(l->s->arena, (n + 1) * sizeof(*ready));
	bool changed = true;

	for (size_t i = 0; i <= n; i++)
		ready[i] = i ? 0x3ff : code_arguments(f);
	while (changed) {
		changed = false;
		for (size_t i = 0; i < n; i++) {
			const struct instruction *in = &code->data[i];
			uint16_t out = ready_after(in, ready[i]);
			size_t next = code_is_exit(&in->i) || code_is_goto(&in->i) ? n : i + 1;
			size_t to = in->target >= 0 ? (size_t)in->target : n;

			changed |= (ready[next] & out) != ready[next];
			ready[next] &= out;
			changed |= (ready[to] & out) != ready[to];
			ready[to] &= out;
		}
	}
	for (size_t i = 0; i < n; i++) {
		after[i] &= ready_after(&code->data[i], ready[i]);
		before[i] &= ready[i];
	}
}

static uint16_t *new_sets(struct linking *l, const instructions *code)
{
	return arena_alloc(l->s->arena, (code->count + 1) * sizeof(uint16_t));
}

uint16_t *code_live(struct linking *l, const struct function *f, uint16_t **before)
{
	uint16_t *after = new_sets(l, &f->code), *first = new_sets(l, &f->code);

	find_live(&f->code, first, after);
	leave_ready(l, f, first, after);
	if (before)
		*before = first;
	return after;
}

static void add_zeros(struct linking *l, instructions *code, uint16_t registers)
{
	for (int n = 0; n < 10; n++)
		if (registers >> n & 1)
			code_add(l, code, INSN(BPF_ALU64 | BPF_MOV | BPF_K, n, 0, 0, 0));
}

void code_define(struct linking *l, struct function *f)
{
	instructions old = f->code, out = { 0 };
	uint16_t *after = new_sets(l, &old), *before = new_sets(l, &old);
	size_t *map = arena_alloc(l->s->arena, (old.count + 1) * sizeof(*map));

	find_live(&old, before, after);
	add_zeros(l, &out, before[0] & ~code_arguments(f));
	for (size_t i = 0; i < old.count; i++) {
		map[i] = out.count;
		vec_push(l->s->arena, &out, old.data[i]);
		if (is_call(&old.data[i].i))
			add_zeros(l, &out, after[i] & CALLERS & ~REG(0));
	}
	map[old.count] = out.count;
	for (size_t i = 0; i < out.count; i++)
		if (out.data[i].target >= 0)
			out.data[i].target = (long)map[out.data[i].target];
	f->code = out;
}

/* Kinds of values that the verifier tells apart, and the registers that may have them. */
enum kind { KIND_NONE, KIND_NUMBER, KIND_ADDRESS, KINDS };
struct kinds {
	uint16_t of[KINDS];
};

static void set_kind(struct kinds *k, uint16_t registers, enum kind kind)
{
	for (int n = 0; n < KINDS; n++)
		k->of[n] &= (uint16_t)~registers;
	k->of[kind] |= registers;
}

static void copy_kinds(struct kinds *k, int to, int from)
{
	for (int n = 0; n < KINDS; n++)
		k->of[n] = (uint16_t)((k->of[n] & ~REG(to)) | (k->of[n] >> from & 1) << to);
}

/* Returns the kinds after an instruction. */
static struct kinds kinds_after(const struct instruction *in, struct kinds k)
{
	const struct bpf_insn *i = &in->i;
	bool adds = i->code == (BPF_ALU64 | BPF_ADD | BPF_K) ||
		    i->code == (BPF_ALU64 | BPF_SUB | BPF_K);

	if (i->code == (BPF_ALU64 | BPF_MOV | BPF_X) && i->off == CAST) {
		set_kind(&k, REG(i->dst_reg), i->imm == CAST_TO_ARENA ? KIND_ADDRESS : KIND_NUMBER);
	} else if (i->code == (BPF_ALU64 | BPF_MOV | BPF_X) && i->src_reg < 10) {
		copy_kinds(&k, i->dst_reg, i->src_reg);
	} else if (is_call(i)) {
		set_kind(&k, CALLERS, KIND_NONE);
		set_kind(&k, REG(0), KIND_NUMBER);
	} else if (!adds) {
		bool is_pointer =
			i->code == (BPF_ALU64 | BPF_MOV | BPF_X) || BPF_CLASS(i->code) == BPF_LD;

		set_kind(&k, code_sets(in), is_pointer ? KIND_ADDRESS : KIND_NUMBER);
	}
	return k;
}

static bool add_kinds(struct kinds *to, const struct kinds *from)
{
	bool changed = false;

	for (int n = 0; n < KINDS; n++) {
		changed |= (to->of[n] | from->of[n]) != to->of[n];
		to->of[n] |= from->of[n];
	}
	return changed;
}

/* Registers that may have values of several kinds before each instruction. */
static uint16_t *find_mixed(struct linking *l, const struct function *f)
{
	const instructions *code = &f->code;
	size_t n = code->count;
	struct kinds *at = arena_alloc(l->s->arena, (n + 1) * sizeof(*at));
	uint16_t *ret = new_sets(l, code);
	bool changed = true;

	memset(at, 0, (n + 1) * sizeof(*at));
	set_kind(&at[0], 0x3ff, KIND_NONE);
	set_kind(&at[0], code_arguments(f), KIND_NUMBER);
	while (changed) {
		changed = false;
		for (size_t i = 0; i < n; i++) {
			const struct instruction *in = &code->data[i];
			struct kinds after = kinds_after(in, at[i]);
			size_t next = code_is_exit(&in->i) || code_is_goto(&in->i) ? n : i + 1;
			size_t to = in->target >= 0 ? (size_t)in->target : n;

			changed |= add_kinds(&at[next], &after);
			changed |= add_kinds(&at[to], &after);
		}
	}
	for (size_t i = 0; i <= n; i++)
		ret[i] = (at[i].of[KIND_NONE] & at[i].of[KIND_NUMBER]) |
			 (at[i].of[KIND_NONE] & at[i].of[KIND_ADDRESS]) |
			 (at[i].of[KIND_NUMBER] & at[i].of[KIND_ADDRESS]);
	return ret;
}

/* Those registers of find_mixed() whose value comes from another block of code. */
static uint16_t *find_carried(struct linking *l, const struct function *f)
{
	bool *is_target = code_targets(l, &f->code);
	uint16_t *ret = find_mixed(l, f);

	for (size_t i = 1; i < f->code.count; i++)
		if (!is_target[i])
			ret[i] = ret[i - 1] & ~code_sets(&f->code.data[i - 1]);
	return ret;
}

void code_end_values(struct linking *l, struct function *f)
{
	instructions old = f->code, out = { 0 };
	uint16_t *carried = find_carried(l, f);
	size_t *map = arena_alloc(l->s->arena, (old.count + 1) * sizeof(*map));

	for (size_t i = 0; i < old.count; i++) {
		const struct instruction *in = &old.data[i];

		map[i] = out.count;
		if (is_call(&in->i) && in->callee)
			add_zeros(l, &out,
				  carried[i] & CALLERS & ~REG(0) & ~code_arguments(in->callee));
		vec_push(l->s->arena, &out, *in);
	}
	map[old.count] = out.count;
	for (size_t i = 0; i < out.count; i++)
		if (out.data[i].target >= 0)
			out.data[i].target = (long)map[out.data[i].target];
	f->code = out;
}

bool *code_targets(struct linking *l, const instructions *code)
{
	bool *ret = arena_alloc(l->s->arena, code->count + 1);

	memset(ret, 0, code->count + 1);
	for (size_t i = 0; i < code->count; i++)
		if (code->data[i].target >= 0)
			ret[code->data[i].target] = true;
	return ret;
}

/* ---- jumps ---- */

/* Replaces conditional jumps that may lead too far with short ones over a long jump. */
static void lengthen(struct linking *l, instructions *code)
{
	instructions old = *code, out = { 0 };
	size_t *map = arena_alloc(l->s->arena, (old.count + 1) * sizeof(*map));

	if (old.count < FAR)
		return;
	for (size_t i = 0; i < old.count; i++) {
		struct instruction in = old.data[i];
		long away = in.target - (long)i;

		map[i] = out.count;
		if (in.target >= 0 && !code_is_goto(&in.i) && (away > FAR || away < -FAR)) {
			struct bpf_insn jump = in.i;

			jump.off = 1;
			code_add(l, &out, jump);
			code_add(l, &out, INSN(BPF_JMP | BPF_JA, 0, 0, 1, 0));
			in.i = INSN(OP_GOTO_LONG, 0, 0, 0, 0);
		} else if (in.target >= 0 && code_is_goto(&in.i) && (away > FAR || away < -FAR)) {
			in.i = INSN(OP_GOTO_LONG, 0, 0, 0, 0);
		}
		if (in.target >= 0)
			in.target = -2 - in.target;
		vec_push(l->s->arena, &out, in);
	}
	map[old.count] = out.count;
	for (size_t i = 0; i < out.count; i++)
		if (out.data[i].target <= -2)
			out.data[i].target = (long)map[-2 - out.data[i].target];
	*code = out;
}

/*
 * Removes jumps to the next instruction. The kernel would do it, and copy all code after
 * each of them.
 */
static void drop_jumps(struct linking *l, instructions *code)
{
	instructions old = *code, out = { 0 };
	size_t *map = arena_alloc(l->s->arena, (old.count + 1) * sizeof(*map));

	for (size_t i = 0; i < old.count; i++) {
		map[i] = out.count;
		if (!code_is_goto(&old.data[i].i) || old.data[i].target != (long)i + 1)
			vec_push(l->s->arena, &out, old.data[i]);
		else
			old.data[i + 1].is_begin |= old.data[i].is_begin;
	}
	map[old.count] = out.count;
	for (size_t i = 0; i < out.count; i++)
		if (out.data[i].target >= 0)
			out.data[i].target = (long)map[out.data[i].target];
	*code = out;
}

void code_resolve(struct linking *l, instructions *code)
{
	drop_jumps(l, code);
	lengthen(l, code);
	for (size_t i = 0; i < code->count; i++) {
		struct instruction *in = &code->data[i];
		long off = in->target - (long)i - 1;

		if (in->target < 0)
			continue;
		if (in->i.code == OP_GOTO_LONG) {
			in->i.off = 0;
			in->i.imm = (__s32)off;
		} else {
			in->i.off = (__s16)off;
		}
	}
}
