/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef __KERNEL__
#include <string.h>
#else
#include <linux/string.h>
#endif

#include "arch_unwind.h"
#include "core/unwind.h"

#define BIT_OF(reg) (1u << (reg))

static bool is_known(const struct stp_unwind *u, unsigned reg)
{
	return u->known & BIT_OF(reg);
}

static bool find_cfa(const struct stp_unwind *u, const struct stp_unwind_rule *rule, uint64_t *ret)
{
	if (!is_known(u, rule->base))
		return false;
	*ret = u->regs[rule->base] + (uint64_t)(int64_t)rule->offset;
	switch (rule->cfa) {
	case STP_CFA_MEMORY:
		if (!u->read(u->ctx, *ret, ret))
			return false;
		*ret += (uint64_t)(int64_t)rule->offset2;
		return true;
	case STP_CFA_PLT:
		if ((int64_t)(u->regs[STP_UNWIND_RETURN] % ARCH_PLT_ENTRY) >= rule->offset2)
			*ret += sizeof(uint64_t);
		return true;
	default:
		return true;
	}
}

/*
 * Loads the caller's value of a register that the function has saved. False for the
 * return address: there is no caller without.
 */
static bool load_saved(const struct stp_unwind *u, const struct stp_unwind_place *place,
		       uint64_t cfa, struct stp_unwind *caller)
{
	uint64_t address = place->from == STP_FROM_CFA ? cfa : 0;
	bool ok = place->from != STP_FROM_LOST;

	if (place->from < STP_UNWIND_RETURN) {
		ok = is_known(u, place->from);
		address = u->regs[place->from];
	}
	address += (uint64_t)(int64_t)place->offset;
	ok = ok && u->read(u->ctx, address, &caller->regs[place->reg]);
	caller->known =
		ok ? caller->known | BIT_OF(place->reg) : caller->known & ~BIT_OF(place->reg);
	if (place->reg == STP_UNWIND_RETURN) {
		caller->slot = address;
		caller->regs[STP_UNWIND_RETURN] =
			ARCH_UNWIND_PLAIN(caller->regs[STP_UNWIND_RETURN]);
	}
	return ok || place->reg != STP_UNWIND_RETURN;
}

/*
 * Each step leaves a part of the stack behind: so the walk ends. A signal's frame may lie
 * on a stack of its own, and the interrupted code anywhere; callers count their steps.
 * The first function may have left the stack as it was, with its return address in a
 * register.
 */
static bool has_progressed(const struct stp_unwind *u, const struct stp_unwind_rule *rule,
			   uint64_t cfa)
{
	return rule->is_signal || cfa > u->regs[STP_UNWIND_SP] ||
	       (cfa == u->regs[STP_UNWIND_SP] && (u->known & ARCH_UNWIND_LINK));
}

/* Takes the return address from its register, where the function has not saved it. */
static void take_link(const struct stp_unwind *u, struct stp_unwind *caller)
{
	if (!(u->known & ARCH_UNWIND_LINK))
		return;
	caller->regs[STP_UNWIND_RETURN] =
		ARCH_UNWIND_PLAIN(u->regs[__builtin_ctz(ARCH_UNWIND_LINK | 1u << 31)]);
	caller->known |= BIT_OF(STP_UNWIND_RETURN);
}

enum stp_unwind_result stp_unwind_step(struct stp_unwind *u, const struct stp_program_view *v,
				       const struct stp_unwind_rule *rule)
{
	struct stp_unwind caller = *u;
	uint64_t cfa;

	if (rule->cfa == STP_CFA_END)
		return STP_UNWIND_OUTERMOST;
	if (rule->cfa == STP_CFA_UNKNOWN || !find_cfa(u, rule, &cfa))
		return STP_UNWIND_UNREADABLE;
	if (!has_progressed(u, rule, cfa))
		return STP_UNWIND_ASTRAY;
	caller.known = u->known & ARCH_CALLEE_KEEPS;
	take_link(u, &caller);
	for (unsigned i = 0; i < rule->nplaces; i++)
		if (!load_saved(u, &v->places[rule->places + i], cfa, &caller))
			return STP_UNWIND_UNREADABLE;
	if (!is_known(&caller, STP_UNWIND_RETURN))
		return STP_UNWIND_OUTERMOST;
	caller.regs[STP_UNWIND_SP] = cfa;
	caller.known |= BIT_OF(STP_UNWIND_SP);
	caller.is_exact = rule->is_signal;
	*u = caller;
	return u->regs[STP_UNWIND_RETURN] ? STP_UNWIND_CALLER : STP_UNWIND_OUTERMOST;
}

enum stp_unwind_result stp_unwind_step_by_frame_pointer(struct stp_unwind *u)
{
	uint64_t bp = u->regs[STP_UNWIND_BP], saved, address;

	if (!is_known(u, STP_UNWIND_BP))
		return STP_UNWIND_UNREADABLE;
	if (bp < u->regs[STP_UNWIND_SP] || bp % sizeof(uint64_t))
		return STP_UNWIND_ASTRAY;
	if (!u->read(u->ctx, bp, &saved) || !u->read(u->ctx, bp + 8, &address))
		return STP_UNWIND_UNREADABLE;
	u->regs[STP_UNWIND_BP] = saved;
	u->regs[STP_UNWIND_RETURN] = ARCH_UNWIND_PLAIN(address);
	u->regs[STP_UNWIND_SP] = bp + 16;
	u->known = BIT_OF(STP_UNWIND_BP) | BIT_OF(STP_UNWIND_SP) | BIT_OF(STP_UNWIND_RETURN);
	u->slot = bp + 8;
	u->is_exact = false;
	/*
	 * Finding no address at a guessed place does not make this function the outermost
	 * one.
	 */
	return address ? STP_UNWIND_CALLER : STP_UNWIND_ASTRAY;
}
