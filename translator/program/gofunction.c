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
#include "formats/file.h"
#include "program/executable.h"

#define MAX_CODE (1 << 20) /* limit of a function's size in bytes */

/* Returns the code at an address, and how many bytes of it the file has; NULL: none. */
static const uint8_t *code_at(struct session *s, struct executable *p, uint64_t address,
			      size_t *left)
{
	uint64_t offset;

	if (!p->code) {
		struct bytes *file = arena_new(s->arena, struct bytes);

		if (file_map(s->arena, p->path, file))
			*file = (struct bytes){ 0 };
		p->code = file;
	}
	if (!executable_code_offset(p, address, &offset) || offset >= p->code->len)
		return NULL;
	*left = p->code->len - offset;
	return p->code->data + offset;
}

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
	const uint8_t *code = go ? code_at(s, p, address, &left) : NULL;

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
	uint64_t function;
	executable_addresses *ret;
};

static void see(void *ctx, size_t at)
{
	struct returns *r = ctx;

	vec_push(r->s->arena, r->ret, r->function + at);
}

const char *gofunction_returns(struct session *s, struct executable *p, uint64_t address,
			       uint64_t end, executable_addresses *ret)
{
	struct returns r = { s, address, ret };
	const struct arch_go *go = go_of(s, p);
	size_t left;
	const uint8_t *code = go ? code_at(s, p, address, &left) : NULL;
	const char *why;

	if (!go)
		return "its instructions are not known on this architecture";
	if (!end)
		end = next_symbol(p, address);
	if (!code || end <= address || end - address > left || end - address > MAX_CODE)
		return "where its code ends is not known";
	why = go->returns(code, end - address, see, &r);
	return why || ret->count ? why : "it has no instruction that returns";
}
