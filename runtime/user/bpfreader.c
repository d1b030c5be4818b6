/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/bpf.h>
#include <stdint.h>
#include <string.h>

#include "bpf/arena.h"
#include "user/bpfreader.h"

#define BEGIN_MOST INT16_MAX /* a jump leads there */
#define DATA_MOST  (BPF_FRAMES_AT - BPF_ARENA_AT - BPFIMAGE_DATA_FROM)

/* Takes this much of what is left; NULL: there is less. */
static char *take(char **at, size_t *left, uint64_t bytes)
{
	char *ret = *at;

	if (bytes > *left)
		return NULL;
	*at += bytes;
	*left -= (size_t)bytes;
	return ret;
}

bool bpfreader_find(const char *file, size_t size, size_t *at, size_t *bytes)
{
	struct bpfimage_end end;
	uint64_t parts_end = bpfimage_parts_end(file, size, &end);

	if (!parts_end || bpfimage_damage(file, size, parts_end, &end) >= 0)
		return false;
	*at = (size_t)(parts_end - bpfimage_padded(end.facts) - bpfimage_padded(end.handlers));
	*bytes = end.handlers;
	return true;
}

static bool are_places_right(const struct bpfparts *p)
{
	if (p->head->texts && p->texts[p->head->texts - 1])
		return false;
	for (uint32_t i = 0; i < p->head->places; i++)
		if (p->places[i].text >= p->head->texts)
			return false;
	return true;
}

bool bpfreader_read(void *bytes, size_t size, struct bpfparts *ret)
{
	const struct bpfimage *h = bytes;
	char *at = bytes;
	struct bpfparts p = { .head = h };

	if (!take(&at, &size, sizeof(*h)) || h->magic != BPFIMAGE_MAGIC || h->data > DATA_MOST ||
	    h->uses & ~(BPFIMAGE_USES_STACK | BPFIMAGE_USES_SYMBOLS | BPFIMAGE_USES_NAME) ||
	    h->begin > BEGIN_MOST || h->begin > h->instructions)
		return false;
	p.instructions =
		(void *)take(&at, &size, (uint64_t)h->instructions * sizeof(struct bpf_insn));
	p.functions = (void *)take(&at, &size, (uint64_t)h->functions * sizeof(*p.functions));
	p.types = take(&at, &size, bpfimage_padded(h->types));
	p.data = take(&at, &size, bpfimage_padded(h->data));
	p.places = (void *)take(&at, &size, (uint64_t)h->places * sizeof(*p.places));
	p.texts = take(&at, &size, h->texts);
	if (!p.instructions || !p.functions || !p.types || !p.data || !p.places || !p.texts ||
	    !are_places_right(&p))
		return false;
	*ret = p;
	return true;
}

void bpfreader_set_maps(const struct bpfparts *parts, const int maps[BPFIMAGE_MAPS])
{
	for (uint32_t i = 0; i < parts->head->instructions; i++) {
		struct bpf_insn *in = &parts->instructions[i];

		if (in->code != (BPF_LD | BPF_IMM | BPF_DW))
			continue;
		if ((in->src_reg == BPF_PSEUDO_MAP_FD || in->src_reg == BPF_PSEUDO_MAP_VALUE) &&
		    (uint32_t)in->imm < BPFIMAGE_MAPS)
			in->imm = maps[in->imm];
		i++; /* the upper half of the number */
	}
}

void bpfreader_set_name(const struct bpfparts *parts, uint32_t at)
{
	for (uint32_t i = 0; i < parts->head->instructions; i++) {
		struct bpf_insn *in = &parts->instructions[i];

		if (in->code == (BPF_LD | BPF_IMM | BPF_DW))
			i++;
		if (in->code != (BPF_LDX | BPF_MEM | BPF_DW) || in->imm != BPFIMAGE_IN_NAME)
			continue;
		in->off = (int16_t)(in->off + (int)at);
		in->imm = 0;
	}
}

void bpfreader_leave_out(struct bpf_insn *instructions, uint32_t n, int32_t helper)
{
	for (uint32_t i = 0; i < n; i++) {
		struct bpf_insn *in = &instructions[i];

		if (in->code == (BPF_LD | BPF_IMM | BPF_DW))
			i++;
		else if (in->code == (BPF_JMP | BPF_CALL) && !in->src_reg && in->imm == helper)
			*in = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = -1 };
	}
}

const char *bpfreader_place(const struct bpfparts *parts, size_t instruction)
{
	const char *ret = "";

	for (uint32_t i = 0; i < parts->head->places; i++) {
		if (parts->places[i].instruction > instruction)
			break;
		ret = parts->texts + parts->places[i].text;
	}
	return ret;
}
