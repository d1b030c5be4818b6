/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Constants that need not be hidden from the verifier, because nothing knows them at the
 * end of their block of code: arguments of calls, values that are stored or compared.
 */
#include "base/session.h"
#include "bpf/link.h"

static bool is_copied(const struct bpf_insn *i, int reg)
{
	unsigned class = BPF_CLASS(i->code);

	if (class != BPF_ALU && class != BPF_ALU64)
		return false;
	return i->dst_reg == reg || BPF_OP(i->code) == BPF_MOV;
}

/* True: from here on, the register's value does not get beyond the block. */
static bool stays(const struct function *f, const bool *is_target, const uint16_t *before,
		  const uint16_t *after, size_t at, int reg)
{
	for (; at < f->code.count; at++) {
		const struct instruction *in = &f->code.data[at];

		if (is_target[at])
			return !(before[at] >> reg & 1);
		if ((code_uses(in) >> reg & 1) && is_copied(&in->i, reg))
			return false;
		if (code_is_jump(&in->i) || code_is_exit(&in->i))
			return !(after[at] >> reg & 1);
		if (code_sets(in) >> reg & 1)
			return true;
	}
	return true;
}

void loadedconstants_reveal(struct linking *l, struct function *f)
{
	instructions old = f->code, out = { 0 };
	uint16_t *before, *after = code_live(l, f, &before);
	bool *is_target = code_targets(l, &old);
	size_t *map = arena_alloc(l->s->arena, (old.count + 1) * sizeof(*map));

	for (size_t i = 0; i < old.count; i++) {
		struct instruction in = old.data[i];
		unsigned n = in.hiding;

		map[i] = out.count;
		if (n && stays(f, is_target, before, after, i + n, in.i.dst_reg)) {
			in.hiding = 0;
			if (n == HIDING_NEGATIVE)
				in.i = INSN(BPF_ALU64 | BPF_MOV | BPF_K, in.i.dst_reg, 0, 0,
					    -(int64_t)in.i.imm);
			while (--n)
				map[++i] = out.count;
		}
		vec_push(l->s->arena, &out, in);
	}
	map[old.count] = out.count;
	for (size_t i = 0; i < out.count; i++)
		if (out.data[i].target >= 0)
			out.data[i].target = (long)map[out.data[i].target];
	f->code = out;
}
