/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "user/bpfcode.h"

unsigned bpfcode_put(struct bpfcode *c, struct bpf_insn i)
{
	if (c->n < BPFCODE_MOST)
		c->in[c->n] = i;
	return c->n++;
}

void bpfcode_number(struct bpfcode *c, int reg, uint64_t n, int source)
{
	bpfcode_put(c, INSN(BPF_LD | BPF_IMM | BPF_DW, reg, source, 0, (uint32_t)n));
	bpfcode_put(c, INSN(0, 0, 0, 0, n >> 32));
}

void bpfcode_land(struct bpfcode *c, unsigned jump)
{
	if (jump < BPFCODE_MOST)
		c->in[jump].off = (int16_t)(c->n - jump - 1);
}

void bpfcode_back(struct bpfcode *c, struct bpf_insn jump, unsigned to)
{
	jump.off = (int16_t)((int)to - (int)c->n - 1);
	bpfcode_put(c, jump);
}

void bpfcode_end(struct bpfcode *c)
{
	bpfcode_put(c, SET(0, 0));
	bpfcode_put(c, EXIT);
}

void bpfcode_end_unless(struct bpfcode *c, struct bpf_insn jump)
{
	unsigned on = bpfcode_put(c, jump);

	bpfcode_end(c);
	bpfcode_land(c, on);
}
