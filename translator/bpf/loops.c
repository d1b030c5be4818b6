/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loops that the verifier follows once. It compares the values of registers at a loop's
 * end with those it has seen there: they must not grow with each round. So everything
 * that a loop changes must have a value unknown to the verifier when the loop begins: a
 * 0 that the verifier does not know is added. If a comparison in the loop tells the
 * verifier a value, it would count on from there, round by round: then the 0 is added in
 * each round. The same happens where paths join after several branches.
 */
#include "base/session.h"
#include "bpf/link.h"

void loops_add_unknown(struct linking *l, instructions *code, int zero, uint16_t registers)
{
	if (!registers)
		return;
	code_add(l, code, INSN(BPF_ALU | BPF_MOV | BPF_K, zero, 0, 0, 0));
	code_add(l, code, TO_NUMBER(zero));
	for (int n = 0; n < 10; n++)
		if (registers >> n & 1)
			code_add(l, code, INSN(BPF_ALU64 | BPF_ADD | BPF_X, n, zero, 0, 0));
}

struct loop {
	size_t head;
	bool *has; /* its instructions */
	uint16_t changed;
	bool compares; /* what it carries from round to round, with constants */
	size_t inner;  /* place where the next round begins */
};
typedef VEC(struct loop) loops;

static bool leads_on(const struct instruction *in)
{
	return !code_is_exit(&in->i) && !code_is_goto(&in->i);
}

/* Adds to a loop the instructions that lead to one of its instructions. */
static void gather(struct linking *l, const instructions *code, struct loop *loop, size_t from)
{
	VEC(size_t) open = { 0 };

	vec_push(l->s->arena, &open, from);
	while (open.count) {
		size_t at = open.data[--open.count];

		if (loop->has[at])
			continue;
		loop->has[at] = true;
		if (at && leads_on(&code->data[at - 1]))
			vec_push(l->s->arena, &open, at - 1);
		for (size_t i = 0; i < code->count; i++)
			if (code->data[i].target == (long)at)
				vec_push(l->s->arena, &open, i);
	}
}

static struct loop *loop_at(struct linking *l, loops *all, size_t head, size_t n)
{
	struct loop loop = { .head = head };

	vec_each(all, i)
		if (all->data[i].head == head)
			return &all->data[i];
	loop.has = arena_alloc(l->s->arena, n);
	memset(loop.has, 0, n);
	loop.has[head] = true;
	vec_push(l->s->arena, all, loop);
	return &all->data[all->count - 1];
}

/* Returns what may follow an instruction, the first or the second; -1: nothing. */
static long follower(const instructions *code, size_t at, unsigned which)
{
	const struct instruction *in = &code->data[at];
	long next = leads_on(in) && at + 1 < code->count ? (long)at + 1 : -1;
	long target = in->target < (long)code->count ? in->target : -1;

	return which ? target : next;
}

/*
 * Walks the code depth first: an edge back to an instruction on the current path ends a
 * loop.
 */
static loops find(struct linking *l, const instructions *code)
{
	size_t n = code->count, depth = 1;
	size_t *way = arena_alloc(l->s->arena, (n + 1) * sizeof(*way));
	uint8_t *seen = arena_alloc(l->s->arena, n); /* next follower, plus 1; 4: done */
	loops ret = { 0 };

	memset(seen, 0, n);
	way[0] = 0;
	seen[0] = 1;
	while (depth) {
		size_t at = way[depth - 1];
		long to;

		if (seen[at] == 3) {
			seen[at] = 4;
			depth--;
			continue;
		}
		to = follower(code, at, seen[at]++ - 1);
		if (to >= 0 && seen[to] && seen[to] < 4) {
			gather(l, code, loop_at(l, &ret, (size_t)to, n), at);
		} else if (to >= 0 && !seen[to]) {
			seen[to] = 1;
			way[depth++] = (size_t)to;
		}
	}
	vec_each(&ret, k)
		for (size_t i = 0; i < n; i++)
			if (ret.data[k].has[i])
				ret.data[k].changed |= code_sets(&code->data[i]);
	return ret;
}

static const struct loop *of_head(const loops *all, size_t head)
{
	vec_each(all, i)
		if (all->data[i].head == head)
			return &all->data[i];
	return NULL;
}

void loops_bound(struct linking *l, struct function *f)
{
	instructions old = f->code, out = { 0 };
	loops all = find(l, &old);
	size_t *map = arena_alloc(l->s->arena, (old.count + 1) * sizeof(*map));

	for (size_t i = 0; i < old.count; i++) {
		map[i] = out.count;
		if (of_head(&all, i)) {
			code_add_jump(l, &out, INSN(OP_MAY_GOTO, 0, 0, 0, 0), (long)old.count);
			out.data[out.count - 1].of = old.data[i].of;
		}
		vec_push(l->s->arena, &out, old.data[i]);
	}
	map[old.count] = out.count;
	for (size_t i = 0; i < out.count; i++)
		if (out.data[i].target >= 0)
			out.data[i].target = (long)map[out.data[i].target];
	f->code = out;
}

static int first_of(uint16_t registers)
{
	int n = 0;

	while (n < 10 && !(registers >> n & 1))
		n++;
	return n;
}

/* Like loops_add_unknown(), when no register is free: saves one on the stack. */
static void add_unknown_to(struct linking *l, instructions *out, uint16_t registers, int zero)
{
	code_add(l, out, STORE(10, SAVED_AT, zero));
	loops_add_unknown(l, out, zero, registers);
	code_add(l, out, LOAD(zero, 10, SAVED_AT));
}

/*
 * Returns the registers that may hold copies of others, these included: what a comparison
 * tells the verifier of a copy, it knows of all.
 */
static uint16_t copies_of(const instructions *code, const struct loop *loop, uint16_t registers)
{
	uint16_t before;

	do {
		before = registers;
		for (size_t i = 0; i < code->count; i++) {
			const struct bpf_insn *in = &code->data[i].i;

			if (loop->has[i] && (registers >> in->src_reg & 1) &&
			    (in->code == (BPF_ALU64 | BPF_MOV | BPF_X) ||
			     in->code == (BPF_ALU | BPF_MOV | BPF_X)))
				registers |= (uint16_t)(1u << in->dst_reg);
		}
	} while (registers != before);
	return registers;
}

static bool is_branch(const struct bpf_insn *in)
{
	return code_is_jump(in) && !code_is_goto(in) && in->code != OP_MAY_GOTO;
}

static bool compares(const instructions *code, const struct loop *loop, uint16_t carried)
{
	uint16_t copies = copies_of(code, loop, carried);

	for (size_t i = 0; i < code->count; i++) {
		const struct bpf_insn *in = &code->data[i].i;

		if (loop->has[i] && is_branch(in) && BPF_SRC(in->code) == BPF_K &&
		    (copies >> in->dst_reg & 1))
			return true;
	}
	return false;
}

static void begin_loop(struct linking *l, instructions *out, struct loop *loop, uint16_t live)
{
	uint16_t changed = loop->changed & live;
	int free = first_of((uint16_t)~live);

	loop->inner = out->count;
	/* A loop that contains the function's beginning needs no code before it. */
	if (changed && (!loop->has[0] || !loop->head)) {
		if (free < 10) {
			loops_add_unknown(l, out, free, changed);
		} else {
			add_unknown_to(l, out, changed & ~1, 0);
			if (changed & 1)
				add_unknown_to(l, out, 1, 1);
		}
	}
	if (!loop->compares)
		loop->inner = out->count;
}

/*
 * Returns the registers of which the verifier may know something after an instruction, by
 * a comparison with a number.
 */
static uint16_t known_after(const struct bpf_insn *in, uint16_t known)
{
	unsigned class = BPF_CLASS(in->code);
	uint16_t dst = (uint16_t)(1u << in->dst_reg);

	if (is_branch(in))
		return BPF_SRC(in->code) == BPF_K ? known | dst : known;
	if (class == BPF_LDX)
		return known & (uint16_t)~dst;
	if ((class == BPF_ALU || class == BPF_ALU64) && BPF_SRC(in->code) == BPF_X &&
	    (known >> in->src_reg & 1))
		return known | dst;
	return known;
}

/*
 * After a join of branches, the verifier goes on once for each set of values that it has
 * learned on the way: there may be as many as ways, twice as many with each branch. So it
 * forgets them after this number of branches.
 */
#define BRANCHES_MOST 8

void loops_settle(struct linking *l, struct function *f)
{
	instructions old = f->code, out = { 0 };
	loops all = find(l, &old);
	uint16_t *live, known = 0;
	unsigned branches = 0;
	int free;
	bool *is_target = code_targets(l, &old);
	size_t *map = arena_alloc(l->s->arena, (old.count + 1) * sizeof(*map));

	f->loops = all.count > 0;
	code_live(l, f, &live);
	for (size_t i = 0; i < old.count; i++) {
		map[i] = out.count;
		free = first_of((uint16_t)~live[i]);
		if (is_target[i] && branches >= BRANCHES_MOST && free < 10 && !of_head(&all, i)) {
			loops_add_unknown(l, &out, free, known & live[i]);
			known = 0;
			branches = 0;
		}
		branches += is_branch(&old.data[i].i);
		known = known_after(&old.data[i].i, known);
		vec_each(&all, k)
			if (all.data[k].head == i) {
				all.data[k].compares =
					compares(&old, &all.data[k], all.data[k].changed & live[i]);
				begin_loop(l, &out, &all.data[k], live[i]);
			}
		vec_push(l->s->arena, &out, old.data[i]);
	}
	map[old.count] = out.count;
	for (size_t i = 0; i < old.count; i++) {
		struct instruction *in;
		const struct loop *loop;
		long to = old.data[i].target;

		/*
		 * The instruction itself comes after the code that was added before it.
		 */
		in = &out.data[map[i + 1] - 1];
		if (to < 0)
			continue;
		loop = of_head(&all, (size_t)to);
		in->target = (long)(loop && loop->has[i] ? loop->inner : map[to]);
	}
	f->code = out;
}
