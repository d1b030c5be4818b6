/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of Go. Their stacks are small at first. If a function finds too little room,
 * the stack is copied to a larger one, and the function starts again. Return addresses
 * are copied with it, and Go's runtime reads them. The kernel's way to probe returns is
 * to replace the return address, which would end the program. So probes on returns are
 * placed at the return instructions.
 */
#include "arch/arch.h"
#include "base/session.h"
#include "program/executable.h"

#define MAX_CODE (1 << 20) /* limit of a function's size in bytes */

bool gofunction_is(const struct executable *p, uint64_t address)
{
	return p->is_go && address >= p->go_begin && address < p->go_end;
}

static const struct arch_go *go_of(struct session *s, const struct executable *p)
{
	return p->is_32 ? NULL : arch_of(s)->programs->go;
}

uint64_t gofunction_behind_check(struct session *s, struct executable *p, uint64_t address)
{
	const struct arch_go *go = go_of(s, p);
	size_t left;
	const uint8_t *code = go ? executable_code(s, p, address, &left) : NULL;

	return code ? address + go->check(code, left) : address;
}

static uint64_t next_symbol(const struct executable *p, uint64_t address)
{
	uint64_t next = 0;

	vec_each(&p->symbols, i) {
		uint64_t at = p->symbols.data[i].address;

		if (at > address && (!next || at < next))
			next = at;
	}
	return next;
}

struct returns {
	struct session *s;
	uint64_t begin, end;
	const char *why; /* there may be others */
	executable_addresses *ret;
};

static void see(void *ctx, enum leave how, uint64_t at, uint64_t to)
{
	struct returns *r = ctx;

	if (how == LEAVE_RETURNS)
		vec_push(r->s->arena, r->ret, at);
	if (r->why)
		return;
	if (how == LEAVE_ANYWHERE)
		r->why = "it jumps to an address out of a register, which may be another "
			 "function's";
	if (how == LEAVE_JUMPS && (to < r->begin || to >= r->end))
		r->why = "it goes on in another function, by a jump";
}

const char *gofunction_returns(struct session *s, struct executable *p, uint64_t address,
			       uint64_t end, executable_addresses *ret)
{
	struct returns r = { s, address, end ? end : next_symbol(p, address), NULL, ret };
	const struct arch_go *go = go_of(s, p);
	size_t left;
	const uint8_t *code = go ? executable_code(s, p, address, &left) : NULL;

	if (!go)
		return "its instructions are not known on this architecture";
	if (!code || r.end <= address || r.end - address > left || r.end - address > MAX_CODE)
		return "where its code ends is not known";
	if (!arch_of(s)->programs->leaves(code, r.end - address, address, see, &r))
		return "it has an instruction that is not known here";
	return r.why || ret->count ? r.why : "it has no instruction that returns";
}
