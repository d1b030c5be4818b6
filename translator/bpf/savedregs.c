/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers 6 to 9 around calls of merged functions. A register is stored only if it has
 * changed since it was stored or loaded, and loaded only if it is used before the next
 * call, after which it would be loaded again.
 */
#include "base/session.h"
#include "bpf/link.h"

#define KEPT 0x3c0 /* registers 6 to 9 */

static bool is_merged_call(const struct instruction *in)
{
	return in->callee && in->callee->merged;
}

static bool leads_on(const struct instruction *in)
{
	return !code_is_exit(&in->i) && !code_is_goto(&in->i);
}

/* Returns the registers whose values an instruction changes: a cast keeps an address. */
static uint16_t changed_by(const struct instruction *in)
{
	bool is_cast = in->i.code == (BPF_ALU64 | BPF_MOV | BPF_X) && in->i.off == CAST &&
		       in->i.dst_reg == in->i.src_reg;

	return is_cast ? 0 : code_sets(in);
}

/* Finds the registers whose words certainly have their values before each instruction. */
static uint16_t *find_current(struct linking *l, const struct function *f, const uint16_t *live)
{
	size_t n = f->code.count;
	uint16_t *ret = arena_alloc(l->s->arena, (n + 1) * sizeof(*ret));
	bool changed = true;

	for (size_t i = 0; i <= n; i++)
		ret[i] = i ? KEPT : 0;
	while (changed) {
		changed = false;
		for (size_t i = 0; i < n; i++) {
			const struct instruction *in = &f->code.data[i];
			uint16_t out =
				is_merged_call(in) ? live[i] & KEPT : ret[i] & ~changed_by(in);
			size_t next = leads_on(in) ? i + 1 : n;
			size_t to = in->target >= 0 ? (size_t)in->target : n;

			changed |= (ret[next] & out) != ret[next] || (ret[to] & out) != ret[to];
			ret[next] &= out;
			ret[to] &= out;
		}
	}
	return ret;
}

/* Returns the registers that must have their values before an instruction. */
static uint16_t needed_before(const struct instruction *in, const struct saved *saved)
{
	if (is_merged_call(in))
		return code_arguments(in->callee) | saved->stored;
	return (uint16_t)(code_uses(in) | (saved->needed & ~code_sets(in)));
}

static void find_needed(const struct function *f, const uint16_t *live, struct saved *saved)
{
	size_t n = f->code.count;
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = n; i-- > 0;) {
			const struct instruction *in = &f->code.data[i];
			size_t to = in->target >= 0 ? (size_t)in->target : n;
			uint16_t out = 0;

			if (leads_on(in) && i + 1 < n)
				out = needed_before(in + 1, &saved[i + 1]);
			if (to < n)
				out |= needed_before(&f->code.data[to], &saved[to]);
			out &= live[i];
			changed |= out != saved[i].needed;
			saved[i].needed = out;
		}
	}
}

struct saved *savedregs_find(struct linking *l, const struct function *f)
{
	size_t n = f->code.count;
	uint16_t *live = code_live(l, f, NULL), *current = find_current(l, f, live);
	struct saved *ret = arena_alloc(l->s->arena, (n + 1) * sizeof(*ret));

	for (size_t i = 0; i < n; i++) {
		bool is_call = is_merged_call(&f->code.data[i]);

		ret[i] = (struct saved){ is_call ? live[i] & KEPT & ~current[i] : 0, 0 };
	}
	find_needed(f, live, ret);
	return ret;
}
