/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place of a probe in its function. With -fcf-protection, functions begin with a
 * landing pad, over which the kernel single-steps at each hit. The instruction after it
 * is often one that the kernel emulates, in a fourth of the time. There, everything is
 * still as at the function's beginning: the registers, the stack, the return address.
 *
 * A jump to that instruction would be a hit without a call: from a loop, or from a part
 * of the function that the compiler has put elsewhere. Then the probe stays at the
 * beginning. Short jumps are searched among the instructions after the pad, long ones
 * among all bytes of the code. Calls of that instruction are fine: they are calls of the
 * function.
 *
 * Jump tables are not read. They lead to the beginning of a loop or a branch, which never
 * has an instruction at which probes are placed here: a loop does not begin with a push.
 */
#include "arch/arch.h"
#include "base/session.h"
#include "formats/file.h"
#include "program/executable.h"

struct landings {
	struct session *s;
	const struct executable *p;
	struct bytes file;
	executable_addresses jumped; /* addresses after pads to which a jump leads */
};

/* Returns the code at an address, and how many bytes of it the file has; NULL: none. */
static const uint8_t *code_at(const struct landings *l, uint64_t address, size_t *left)
{
	uint64_t offset;

	if (!executable_code_offset(l->p, address, &offset) || offset >= l->file.len)
		return NULL;
	*left = l->file.len - offset;
	return l->file.data + offset;
}

/* Returns the length of the pad at the address; 0: there is none. */
static unsigned pad_at(const struct landings *l, uint64_t address)
{
	size_t left;
	const uint8_t *code = code_at(l, address, &left);

	return code ? arch_of(l->s)->programs->pad(code, left) : 0;
}

static bool is_jumped_to(const struct landings *l, uint64_t address)
{
	vec_each(&l->jumped, i)
		if (l->jumped.data[i] == address)
			return true;
	return false;
}

static void see_jump(void *ctx, uint64_t to)
{
	struct landings *l = ctx;
	unsigned size = arch_of(l->s)->programs->pad_size;

	if (pad_at(l, to - size) == size && !is_jumped_to(l, to))
		vec_push(l->s->arena, &l->jumped, to);
}

static void find_jumps(struct landings *l)
{
	vec_each(&l->p->segments, i) {
		const struct executable_segment *g = &l->p->segments.data[i];
		size_t left;
		const uint8_t *code = g->is_code ? code_at(l, g->address, &left) : NULL;

		if (code)
			arch_of(l->s)->programs->jumps(code, g->size < left ? g->size : left,
						       g->address, see_jump, l);
	}
}

static struct landings *landings_read(struct session *s, struct executable *p)
{
	struct landings *l = p->landings;

	if (l)
		return l;
	l = p->landings = arena_new(s->arena, struct landings);
	*l = (struct landings){ .s = s, .p = p };
	if (!file_map(s->arena, p->path, &l->file))
		find_jumps(l);
	return l;
}

uint64_t landing_behind(struct session *s, struct executable *p, uint64_t function)
{
	struct landings *l = arch_of(s)->programs->pad ? landings_read(s, p) : NULL;
	uint64_t behind = l ? function + pad_at(l, function) : function;

	return behind != function && is_jumped_to(l, behind) ? function : behind;
}
