/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions by which a function returns. A breakpoint there needs no other return
 * address on the stack, which ends programs whose exceptions look for the caller: the
 * unwind tables know nothing of the kernel's.
 *
 * A function that goes on in another one, by a jump at its end, returns from there: its
 * instructions are not all known. Such a jump through a register looks like that of a
 * switch, but the function's frame is gone by then.
 *
 * Compilers put parts of functions elsewhere: NAME.cold is a part of NAME.
 */
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "program/executable.h"

#define MAX_CODE  (1 << 20) /* bytes of a part */
#define MAX_PARTS 32

struct sites {
	struct session *s;
	struct executable *p;
	code_ranges parts;
	const char *why; /* not all are known */
	bool calls;
	executable_addresses *ret;
};

/* ---- parts ---- */

/* Returns the symbol whose code, of known size, contains the address; or NULL. */
static const struct executable_symbol *symbol_around(const struct executable *p, uint64_t address)
{
	vec_each(&p->symbols, i) {
		const struct executable_symbol *symbol = &p->symbols.data[i];

		if (address >= symbol->address && address - symbol->address < symbol->size)
			return symbol;
	}
	return NULL;
}

/* True: the symbol is that of a part of the function that begins at the address. */
static bool is_part_of(const struct executable *p, uint64_t address, const char *part)
{
	const char *end = strstr(part, ".cold");

	for (size_t i = 0; end && i < p->symbols.count; i++) {
		const struct executable_symbol *symbol = &p->symbols.data[i];

		if (symbol->address == address && strlen(symbol->name) == (size_t)(end - part) &&
		    !strncmp(symbol->name, part, (size_t)(end - part)))
			return true;
	}
	return false;
}

/* True: the address is in the function; a part that is found by its symbol is added. */
static bool is_inside(struct sites *f, uint64_t address)
{
	const struct executable_symbol *symbol;

	vec_each(&f->parts, i)
		if (address >= f->parts.data[i].begin && address < f->parts.data[i].end)
			return true;
	symbol = symbol_around(f->p, address);
	if (!symbol || f->parts.count == MAX_PARTS ||
	    !is_part_of(f->p, f->parts.data[0].begin, symbol->name))
		return false;

	struct code_range part = { symbol->address, symbol->address + symbol->size };

	vec_push(f->s->arena, &f->parts, part);
	return true;
}

/*
 * True: the address is behind a part's last instruction, and nothing begins there. Code
 * that is never reached has such a jump: clang -O0 puts it behind calls that throw.
 */
static bool is_behind(struct sites *f, uint64_t address)
{
	size_t left;
	const uint8_t *code = executable_code(f->s, f->p, address, &left);

	vec_each(&f->parts, i)
		if (address == f->parts.data[i].end)
			return code && !symbol_around(f->p, address) &&
			       arch_of(f->s)->programs->is_filler(code, left);
	return false;
}

/* ---- instructions ---- */

static void see(void *ctx, enum leave how, uint64_t at, uint64_t to)
{
	struct sites *f = ctx;
	const char *why = NULL;

	switch (how) {
	case LEAVE_RETURNS:
		if (!returns_of(f->s, f->p, at))
			why = "its stack is not known where it returns";
		vec_push(f->s->arena, f->ret, at);
		break;
	case LEAVE_CALLS:
		f->calls = true;
		break;
	case LEAVE_JUMPS:
		if (!is_inside(f, to) && !is_behind(f, to))
			why = "it goes on in another function, by a jump";
		break;
	case LEAVE_BY_INDEX:
	case LEAVE_ANYWHERE:
		if (returns_of(f->s, f->p, at))
			why = "it jumps to an address out of a register or memory";
		break;
	}
	f->calls |= why != NULL;
	f->why = f->why ? f->why : why;
}

static const char *read_part(struct sites *f, struct code_range part)
{
	const struct arch_programs *arch = arch_of(f->s)->programs;
	size_t left;
	const uint8_t *code = executable_code(f->s, f->p, part.begin, &left);
	uint64_t size = part.end - part.begin;

	if (!code || part.end <= part.begin || size > left || size > MAX_CODE)
		return "where its code ends is not known";
	return arch->leaves(code, size, part.begin, see, f)
		       ? f->why
		       : "it has an instruction that is not known here";
}

const char *returnsites_find(struct session *s, struct executable *p, const code_ranges *parts,
			     executable_addresses *ret, bool *calls)
{
	struct sites f = { .s = s, .p = p, .ret = ret };
	const char *why = NULL;

	*calls = true;
	if (p->is_32 || !arch_of(s)->programs->leaves)
		return "instructions of this architecture are not read";
	vec_each(parts, i)
		vec_push(s->arena, &f.parts, parts->data[i]);
	for (size_t i = 0; i < f.parts.count && !why; i++) /* parts are added */
		why = read_part(&f, f.parts.data[i]);
	if (!f.parts.count)
		return "where its code ends is not known";
	*calls = f.calls || (why && !f.why);
	return why;
}
