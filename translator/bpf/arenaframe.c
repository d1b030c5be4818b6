/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames in the arena: for variables whose address is taken, so that other functions
 * reach them like any other memory, and for variables that would not fit on the kernel's
 * stack. A frame has a place of its own, because handlers run one at a time; only a
 * function that may call itself has its frames on a stack in the arena, and the end of
 * the last one in a word of the kernel's stack. The verifier looks through a whole
 * function each time that it has met new accesses to the kernel's stack: so there should
 * be few of them.
 */
#include "base/session.h"
#include "bpf/link.h"
#include "runtime/bpf/arena.h"

#define SMALL_FRAME 32 /* bytes that stay on the kernel's stack: it has room for 8 such functions */

static bool takes_frame(const struct bpf_insn *i)
{
	return i->code == (BPF_ALU64 | BPF_MOV | BPF_X) && i->src_reg == 10;
}

void arenaframe_measure(struct function *f)
{
	f->in_arena = f->merged;
	for (size_t i = 0; i < f->code.count; i++) {
		const struct bpf_insn *in = &f->code.data[i].i;
		int off = code_base(in) == 10 ? in->off : 0;

		if (takes_frame(in)) {
			f->in_arena = true;
			if (i + 1 < f->code.count)
				off = f->code.data[i + 1].i.imm; /* the offset added to it */
		}
		if (-off > f->frame)
			f->frame = -off;
	}
	f->frame = (f->frame + 7) / 8 * 8;
	/*
	 * At the end of a loop the verifier also compares values on its stack: loops.c.
	 */
	f->in_arena |= f->loops || f->frame > SMALL_FRAME;
	f->in_arena &= f->frame > 0;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t place(struct linking *l, struct function *f);

/* Returns where the frames end of all functions that one reaches that may call itself. */
static uint64_t place_reached(struct linking *l, struct function *f, unsigned mark)
{
	uint64_t ret = BPF_FRAMES_AT;

	f->mark = mark;
	vec_each(&f->callees, i) {
		struct function *callee = f->callees.data[i];

		if (!callee->is_cyclic)
			ret = later(ret, place(l, callee));
		else if (callee->mark != mark)
			ret = later(ret, place_reached(l, callee, mark));
	}
	return ret;
}

/* A frame lies behind those of all functions that may run before the function ends. */
static uint64_t place(struct linking *l, struct function *f)
{
	if (!f->ends) {
		f->ends = place_reached(l, f, ++l->marks);
		if (!f->is_cyclic)
			f->ends += (uint64_t)(f->merged	    ? mergecalls_bytes(f)
					      : f->in_arena ? f->frame
							    : 0);
	}
	return f->ends;
}

void arenaframe_place(struct linking *l, struct function *f)
{
	place(l, f);
}

void arenaframe_add_end(struct linking *l, instructions *code, const struct function *f, int reg)
{
	if (f->is_cyclic) {
		code_add(l, code, LOAD(reg, 10, FRAME_END_AT));
		return;
	}
	code_add_address(l, code, reg, f->ends);
	code_add(l, code, TO_ARENA(reg));
}

/*
 * Code that turns addresses into numbers on the way of a branch, and goes on to its
 * target: the way without the jump keeps the addresses. It is written behind the next
 * instruction that leads elsewhere.
 */
struct detour {
	size_t jump; /* in the new code */
	uint16_t numbers;
	long target; /* in the old code */
};

/* State of the pass over a function's code. */
struct settling {
	struct linking *l;
	struct function *f;
	instructions out;
	int held; /* register that holds the end of the frame; -1: none */
	VEC(struct detour) detours;
};

/* Returns a register that holds the end of the frame; `busy` ones have other values. */
static int frame_end(struct settling *s, uint16_t busy)
{
	int reg = 0;

	if (s->held >= 0 && !(busy >> s->held & 1))
		return s->held;
	while (reg < 10 && (busy >> reg & 1))
		reg++;
	if (reg == 10)
		return -1;
	arenaframe_add_end(s->l, &s->out, s->f, reg);
	s->held = reg;
	return reg;
}

/* Turns an access to the stack into one to the frame; `busy` registers hold values. */
static void add_in_frame(struct settling *s, struct instruction in, uint16_t busy)
{
	int base = frame_end(s, busy), scratch;

	if (BPF_CLASS(in.i.code) == BPF_LDX) {
		if (base < 0) {
			base = in.i.dst_reg;
			arenaframe_add_end(s->l, &s->out, s->f, base);
		}
		in.i.src_reg = base & 15;
		vec_push(s->l->s->arena, &s->out, in);
		return;
	}
	if (base >= 0) {
		in.i.dst_reg = base & 15;
		vec_push(s->l->s->arena, &s->out, in);
		return;
	}
	scratch = BPF_CLASS(in.i.code) == BPF_STX && in.i.src_reg == 9 ? 8 : 9;
	code_add(s->l, &s->out, STORE(10, SAVED_AT, scratch));
	arenaframe_add_end(s->l, &s->out, s->f, scratch);
	in.i.dst_reg = scratch & 15;
	vec_push(s->l->s->arena, &s->out, in);
	code_add(s->l, &s->out, LOAD(scratch, 10, SAVED_AT));
}

/* ---- casts ---- */

static bool is_cast(const struct bpf_insn *i)
{
	return i->code == (BPF_ALU64 | BPF_MOV | BPF_X) && i->off == CAST &&
	       i->imm == CAST_TO_ARENA;
}

static bool keeps_address(const struct bpf_insn *i)
{
	return i->code == (BPF_ALU64 | BPF_ADD | BPF_K) || i->code == (BPF_ALU64 | BPF_SUB | BPF_K);
}

static bool is_move(const struct bpf_insn *i)
{
	return i->code == (BPF_ALU64 | BPF_MOV | BPF_X) && !i->off;
}

/*
 * Returns the registers that must be numbers for an instruction: the verifier cuts what
 * is computed from an address off at 32 bits, and takes numbers only for arguments and
 * results.
 */
static uint16_t takes_numbers(const struct function *f, const struct instruction *in)
{
	const struct bpf_insn *i = &in->i;
	uint16_t dst = (uint16_t)(1u << i->dst_reg), src = (uint16_t)(1u << i->src_reg);

	if (code_is_exit(i))
		return 1;
	if (i->code == (BPF_JMP | BPF_CALL))
		return in->callee ? code_arguments(in->callee) : 0;
	switch (BPF_CLASS(i->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return keeps_address(i) || is_move(i) || is_cast(i) ? 0 : code_uses(in);
	case BPF_STX:
		if (BPF_MODE(i->code) == 0xc0) /* register 0 if it compares, too */
			return (src | 1) & code_uses(in);
		return dst == 1u << 10 && !f->in_arena ? src : 0;
	default:
		return 0;
	}
}

/*
 * Returns the registers that are addresses in the arena after an instruction, given those
 * before it.
 */
static uint16_t cast_after(const struct function *f, const struct instruction *in, uint16_t cast)
{
	const struct bpf_insn *i = &in->i;
	uint16_t dst = (uint16_t)(1u << i->dst_reg);

	if (f->merged &&
	    (i->code == OP_MAY_GOTO || in->is_wait || (in->callee && in->callee->merged)))
		return 0; /* all registers are read from memory */
	if (i->code == (BPF_JMP | BPF_CALL))
		return cast & 0x3c0;
	if (is_cast(i))
		return cast | dst;
	if (keeps_address(i))
		return cast;
	if (is_move(i) && (cast >> i->src_reg & 1))
		return cast | dst;
	return cast & ~code_sets(in);
}

/* The same, with the casts of the instruction itself. */
static uint16_t cast_with_access(const struct function *f, const struct instruction *in,
				 uint16_t cast)
{
	int base = code_base(&in->i);

	cast &= ~takes_numbers(f, in);
	if (base >= 0 && base != 10)
		cast |= (uint16_t)(1u << base);
	return cast_after(f, in, cast);
}

/*
 * At a join of paths a register may be an address on one path, and a number on the other.
 * Then the address becomes a number at the end of the first path, because the verifier
 * would follow the code from there twice. `before` has, for each jump, the registers that
 * become numbers before it, or on a branch's way to its target; `after` those of the last
 * instruction before a jump's target.
 */
struct numbers {
	uint16_t *before, *after;
};

static bool leads_on(const struct instruction *in)
{
	return !code_is_exit(&in->i) && !code_is_goto(&in->i);
}

/* True: what becomes a number for its target does so on the way there only. */
static bool detours(const struct function *f, const struct instruction *in)
{
	return in->target >= 0 && leads_on(in) && in->i.code != OP_MAY_GOTO &&
	       !leads_on(&f->code.data[f->code.count - 1]);
}

/* Finds the registers that are certainly addresses before each instruction. */
static void find_casts(const struct function *f, const struct numbers *numbers, uint16_t *ret)
{
	size_t n = f->code.count;
	bool changed = true;

	for (size_t i = 0; i <= n; i++)
		ret[i] = i ? 0x3ff : 0;
	while (changed) {
		changed = false;
		for (size_t i = 0; i < n; i++) {
			const struct instruction *in = &f->code.data[i];
			uint16_t now = cast_with_access(f, in, ret[i]);
			uint16_t to_target = now & ~numbers->before[i];
			uint16_t to_next = detours(f, in) ? now : to_target;
			size_t to = in->target >= 0 ? (size_t)in->target : n;

			to_next &= ~numbers->after[i];
			if (leads_on(in) && (ret[i + 1] & to_next) != ret[i + 1]) {
				ret[i + 1] &= to_next;
				changed = true;
			}
			if ((ret[to] & to_target) != ret[to]) {
				ret[to] &= to_target;
				changed = true;
			}
		}
	}
}

/* Finds what becomes a number, given the addresses. True: that has changed. */
static bool find_numbers(const struct function *f, const uint16_t *cast, const uint16_t *live,
			 const bool *is_target, struct numbers *numbers)
{
	bool changed = false;

	for (size_t i = 0; i < f->code.count; i++) {
		const struct instruction *in = &f->code.data[i];
		uint16_t before = 0, after = 0, now = cast_with_access(f, in, cast[i]);

		if (in->target >= 0)
			before = cast[i] & now & ~cast[in->target] & live[in->target];
		if (is_target[i + 1] && leads_on(in))
			after = (detours(f, in) ? now : now & ~before) & ~cast[i + 1] & live[i + 1];
		changed |= before != numbers->before[i] || after != numbers->after[i];
		numbers->before[i] = before;
		numbers->after[i] = after;
	}
	return changed;
}

#define ROUNDS 40 /* of finding one from the other: each makes the other smaller */

static uint16_t *settle_casts(struct linking *l, const struct function *f, struct numbers *numbers)
{
	size_t bytes = (f->code.count + 1) * sizeof(uint16_t);
	uint16_t *ret = arena_alloc(l->s->arena, bytes), *live;
	bool *is_target = code_targets(l, &f->code);

	numbers->before = arena_alloc(l->s->arena, bytes);
	numbers->after = arena_alloc(l->s->arena, bytes);
	memset(numbers->before, 0, bytes);
	memset(numbers->after, 0, bytes);
	code_live(l, f, &live);
	for (unsigned round = 0; round < ROUNDS; round++) {
		find_casts(f, numbers, ret);
		if (!find_numbers(f, ret, live, is_target, numbers))
			return ret;
	}
	/* Only addresses may become numbers: that would cut off half of a number. */
	find_casts(f, numbers, ret);
	for (size_t i = 0; i < f->code.count; i++) {
		numbers->before[i] &= ret[i];
		numbers->after[i] &= cast_with_access(f, &f->code.data[i], ret[i]);
	}
	return ret;
}

uint16_t *arenaframe_casts(struct linking *l, const struct function *f)
{
	size_t bytes = (f->code.count + 1) * sizeof(uint16_t);
	uint16_t *ret = arena_alloc(l->s->arena, bytes), *none = arena_alloc(l->s->arena, bytes);

	memset(none, 0, bytes);
	find_casts(f, &(struct numbers){ none, none }, ret);
	return ret;
}

static void add_numbers(struct settling *s, uint16_t registers)
{
	for (int n = 0; n < 10; n++)
		if (registers >> n & 1)
			code_add(s->l, &s->out, TO_NUMBER(n));
}

static void settle_one(struct settling *s, struct instruction in, uint16_t cast, uint16_t busy)
{
	int base = code_base(&in.i);

	add_numbers(s, cast & takes_numbers(s->f, &in));
	if (base == 10 && s->f->in_arena) {
		add_in_frame(s, in, busy | code_uses(&in));
		return;
	}
	if (takes_frame(&in.i)) {
		if (s->f->is_cyclic)
			arenaframe_add_end(s->l, &s->out, s->f, in.i.dst_reg);
		else
			code_add_address(s->l, &s->out, in.i.dst_reg, s->f->ends);
		code_add(s->l, &s->out, TO_NUMBER(in.i.dst_reg));
		return;
	}
	if (base >= 0 && base != 10 && !(cast >> base & 1))
		code_add(s->l, &s->out, TO_ARENA(base));
	vec_push(s->l->s->arena, &s->out, in);
	if (in.target >= 0)
		s->out.data[s->out.count - 1].target = -2 - in.target;
}

/* True: registers are not the same after it, or it may be reached from elsewhere. */
static bool ends_held(const struct settling *s, const struct instruction *in)
{
	return s->held >= 0 && ((code_sets(in) >> s->held & 1) ||
				(s->f->merged && (in->i.code == OP_MAY_GOTO || in->is_wait ||
						  (in->callee && in->callee->merged))));
}

/* Lets the jump that was added last take a detour. */
static void add_detour(struct settling *s, uint16_t numbers)
{
	struct instruction *jump = &s->out.data[s->out.count - 1];
	struct detour d = { s->out.count - 1, numbers, -2 - jump->target };

	vec_push(s->l->s->arena, &s->detours, d);
}

/* Writes the detours; those of the same numbers and target are one. */
static void write_detours(struct settling *s)
{
	vec_each(&s->detours, i) {
		const struct detour d = s->detours.data[i];
		size_t k = 0;

		while (s->detours.data[k].numbers != d.numbers ||
		       s->detours.data[k].target != d.target)
			k++;
		if (k < i) {
			s->out.data[d.jump].target = s->out.data[s->detours.data[k].jump].target;
			continue;
		}
		s->out.data[d.jump].target = (long)s->out.count;
		add_numbers(s, d.numbers);
		code_add_jump(s->l, &s->out, GOTO, -2 - d.target);
	}
	s->detours.count = 0;
}

void arenaframe_settle(struct linking *l, struct function *f)
{
	struct settling s = { .l = l, .f = f, .held = -1 };
	instructions old = f->code;
	size_t *map = arena_alloc(l->s->arena, (old.count + 1) * sizeof(*map));
	struct numbers numbers;
	uint16_t *live = code_live(l, f, NULL), *cast = settle_casts(l, f, &numbers);
	bool *is_target = code_targets(l, &old);

	for (size_t i = 0; i < old.count; i++) {
		map[i] = s.out.count;
		if (is_target[i])
			s.held = -1;
		if (detours(f, &old.data[i])) {
			settle_one(&s, old.data[i], cast[i], live[i]);
			if (numbers.before[i])
				add_detour(&s, numbers.before[i]);
		} else {
			add_numbers(&s, numbers.before[i]);
			settle_one(&s, old.data[i], cast[i] & ~numbers.before[i], live[i]);
		}
		add_numbers(&s, numbers.after[i]);
		if (!leads_on(&old.data[i]))
			write_detours(&s);
		if (ends_held(&s, &old.data[i]))
			s.held = -1;
	}
	map[old.count] = s.out.count;
	for (size_t i = 0; i < s.out.count; i++)
		if (s.out.data[i].target <= -2)
			s.out.data[i].target = (long)map[-2 - s.out.data[i].target];
	f->code = s.out;
}
