/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes to target variables, in guru mode: to memory,
 * to bits of it, to registers of the probed code.
 */
#include <inttypes.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"

const char *targetwrite_open(struct emitter *e, struct node *n)
{
	ptrdiff_t load = targetplace_load(n->access);

	return load < 0 ? NULL : targetvar_emit_steps(e, n, NULL, 0, (size_t)load);
}

const char *targetwrite_old(struct emitter *e, struct node *n, const char *address)
{
	size_t from = address ? (size_t)targetplace_load(n->access) : 0;

	return targetvar_emit_steps(e, n, address, from, n->access->steps.count);
}

static const char *with_bits(struct emitter *e, const struct access_step *bits, const char *whole,
			     const char *value)
{
	uint64_t mask = (bits->bit_size < 64 ? UINT64_C(1) << bits->bit_size : 0) - 1;

	return emit_value(e, TYPE_LONG,
			  "(int64_t)(((uint64_t)%s & ~(UINT64_C(%#" PRIx64
			  ") << %u)) | (((uint64_t)%s & UINT64_C(%#" PRIx64 ")) << %u))",
			  whole, mask, bits->bit_offset, value, mask, bits->bit_offset);
}

static void store_in_memory(struct emitter *e, struct node *n, const char *address,
			    const char *value)
{
	size_t load = (size_t)targetplace_load(n->access);
	unsigned size = n->access->steps.data[load].size;
	const char *space = n->access->user ? "STP_USER" : "STP_KERNEL";

	if (load + 1 < n->access->steps.count) {
		const char *whole = emit_value(e, TYPE_LONG, "(int64_t)stp_load(c, %s, %s, %u)",
					       space, address, size);

		emit_check(e, n->loc);
		value = with_bits(e, &n->access->steps.data[load + 1], whole, value);
	}
	writer_line(e->w, "stp_store(c, %s, %s, %u, %s);", space, address, size, value);
}

/*
 * Returns the value as compilers leave it in registers: its type extends it to 32 bits,
 * and zeros extend it to 64.
 */
static const char *in_register(struct emitter *e, const struct access *a, const char *value)
{
	const struct access_step *cut = a->steps.count ? &a->steps.data[0] : NULL;

	if (!cut || cut->size >= 8)
		return value;
	return arena_printf(e->s->arena, "(uint32_t)(%sint%u_t)%s", cut->is_signed ? "" : "u",
			    cut->size * 8, value);
}

static void store_in_register(struct emitter *e, const struct access *a, const char *value)
{
	value = in_register(e, a, value);
	if (a->base == ACCESS_RETURN)
		writer_line(e->w, "stp_set_retval(c, %s);", value);
	else if (a->base == ACCESS_EXPRESSION)
		writer_line(
			e->w, "stp_set_register(c, %" PRId64 ", %s);",
			a->expression->operations.data[a->expression->words.data[a->number]].number,
			value);
	else
		writer_line(e->w, "stp_set_%s(c, %" PRId64 ", %s);",
			    a->base == ACCESS_ARG ? "arg" : "syscall_arg", a->number, value);
}

void targetwrite_store(struct emitter *e, struct node *n, const char *address, const char *value)
{
	if (address)
		store_in_memory(e, n, address, value);
	else
		store_in_register(e, n->access, value);
	emit_check(e, n->loc);
}
