/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef __KERNEL__
#include <string.h>
#else
#include <linux/string.h>
#endif

#include "core/env.h"
#include "core/unwind.h"

#define BIT_OF(reg) (1u << (reg))

static bool is_known(const struct stp_unwind *u, unsigned reg)
{
	return u->known & BIT_OF(reg);
}

/*
 * Reads a saved register only when it is needed, because most of them never are.
 */
static __attribute__((__noinline__)) bool bring(struct stp_unwind *u, unsigned reg)
{
	if (!is_known(u, reg))
		return false;
	u->saved &= ~BIT_OF(reg);
	if (u->read(u->ctx, u->regs[reg], &u->regs[reg]))
		return true;
	u->known &= ~BIT_OF(reg);
	return false;
}

/* True: u->regs has the value of a register. */
static inline bool has_value(struct stp_unwind *u, unsigned reg)
{
	return (u->known & ~u->saved & BIT_OF(reg)) || bring(u, reg);
}

static bool find_cfa(struct stp_unwind *u, const struct stp_unwind_rule *rule)
{
	if (!has_value(u, rule->base))
		return false;
	u->cfa = u->regs[rule->base] + (uint64_t)(int64_t)rule->offset;
	switch (rule->cfa) {
	case STP_CFA_MEMORY:
		if (!u->read(u->ctx, u->cfa, &u->cfa))
			return false;
		u->cfa += (uint64_t)(int64_t)rule->offset2;
		return true;
	case STP_CFA_PLT:
		if ((int64_t)(u->regs[STP_UNWIND_RETURN] % ARCH_PLT_ENTRY) >= rule->offset2)
			u->cfa += sizeof(uint64_t);
		return true;
	default:
		return true;
	}
}

/* Registers that a function has saved: a bit and an address for each. */
struct saved {
	uint32_t lost, found;
	uint64_t at[STP_UNWIND_REGISTERS];
};

/*
 * Finds the places of saved registers. Called before registers change, because places are
 * computed from registers.
 */
static void find_saved(struct stp_unwind *u, const struct stp_unwind_place *places, unsigned n,
		       struct saved *ret)
{
	ret->lost = ret->found = 0;
	for (unsigned i = 0; i < n; i++) {
		const struct stp_unwind_place *place = &places[i];
		bool at_cfa = place->from == STP_FROM_CFA;

		if (place->from == STP_FROM_LOST || (!at_cfa && !has_value(u, place->from))) {
			ret->lost |= BIT_OF(place->reg);
			continue;
		}
		ret->at[place->reg] =
			(at_cfa ? u->cfa : u->regs[place->from]) + (uint64_t)(int64_t)place->offset;
		ret->found |= BIT_OF(place->reg);
	}
}

/* Reads the return address from its place. */
static bool read_return_at(struct stp_unwind *u, uint64_t at)
{
	uint64_t *address = &u->regs[STP_UNWIND_RETURN];

	u->slot = ARCH_UNWIND_CALL(u->cfa, at);
	if (!u->read(u->ctx, at, address))
		return false;
	*address = ARCH_UNWIND_PLAIN(*address);
	u->known |= BIT_OF(STP_UNWIND_RETURN);
	return true;
}

/*
 * Reads the return address from the place where it is saved. False: it cannot be read, so
 * there is no caller.
 */
static bool read_return(struct stp_unwind *u, const struct saved *saved)
{
	if (saved->lost & BIT_OF(STP_UNWIND_RETURN))
		return false;
	return !(saved->found & BIT_OF(STP_UNWIND_RETURN)) ||
	       read_return_at(u, saved->at[STP_UNWIND_RETURN]);
}

/* Notes the places of the other registers. */
static void note_saved(struct stp_unwind *u, const struct saved *saved)
{
	uint32_t found = saved->found & ~BIT_OF(STP_UNWIND_RETURN);

	for (uint32_t rest = found; rest; rest &= rest - 1)
		u->regs[__builtin_ctz(rest)] = saved->at[__builtin_ctz(rest)];
	u->known = (u->known & ~saved->lost) | found;
	u->saved = (u->saved & u->known) | found;
}

/*
 * Drops the registers that a call does not preserve; the return address may be in a
 * register.
 */
static void leave_function(struct stp_unwind *u)
{
	/* Without such a register nothing is done, but compilers check the number. */
	const unsigned link = ARCH_UNWIND_LINK ? __builtin_ctz(ARCH_UNWIND_LINK | 1u << 31) : 0;
	bool has_link = ARCH_UNWIND_LINK && has_value(u, link);

	u->known &= ARCH_CALLEE_KEEPS;
	if (has_link) {
		u->regs[STP_UNWIND_RETURN] = ARCH_UNWIND_PLAIN(u->regs[link]);
		u->known |= BIT_OF(STP_UNWIND_RETURN);
	}
}

static bool are_at_cfa(const struct stp_unwind_place *places, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (places[i].from != STP_FROM_CFA)
			return false;
	return true;
}

/*
 * Does all of the above for places relative to the CFA, which nearly all are: then a
 * register that is written does not change the other places. False: the return address
 * cannot be read.
 */
static inline bool restore_at_cfa(struct stp_unwind *u, const struct stp_unwind_place *places,
				  unsigned n)
{
	uint32_t found = 0;

	leave_function(u);
	for (unsigned i = 0; i < n; i++) {
		uint64_t at = u->cfa + (uint64_t)(int64_t)places[i].offset;

		if (places[i].reg == STP_UNWIND_RETURN) {
			if (!read_return_at(u, at))
				return false;
			continue;
		}
		u->regs[places[i].reg] = at;
		found |= BIT_OF(places[i].reg);
	}
	u->known |= found;
	u->saved = (u->saved & u->known) | found;
	return true;
}

/* The same for places of any kind. */
static __attribute__((__noinline__)) bool
restore_any(struct stp_unwind *u, const struct stp_unwind_place *places, unsigned n)
{
	struct saved saved STP_UNSET;

	find_saved(u, places, n, &saved);
	leave_function(u);
	if (!read_return(u, &saved))
		return false;
	note_saved(u, &saved);
	return true;
}

/*
 * Each step moves up the stack, so the walk ends. A signal's frame may be on a separate
 * stack, and the interrupted code anywhere; callers count their steps. The first function
 * may have left the stack as it was, with its return address in a register.
 */
static bool has_progressed(const struct stp_unwind *u, const struct stp_unwind_rule *rule)
{
	return rule->is_signal || u->cfa > u->regs[STP_UNWIND_SP] ||
	       (u->cfa == u->regs[STP_UNWIND_SP] && (u->known & ARCH_UNWIND_LINK));
}

static enum stp_unwind_result unwind_step(struct stp_unwind *u, const struct stp_program_view *v,
					  const struct stp_unwind_rule *rule)
{
	const struct stp_unwind_place *places = &v->places[rule->places];
	unsigned n = rule->nplaces;

	if (rule->cfa == STP_CFA_END)
		return STP_UNWIND_OUTERMOST;
	if (rule->cfa == STP_CFA_UNKNOWN || !find_cfa(u, rule))
		return STP_UNWIND_UNREADABLE;
	if (!has_progressed(u, rule))
		return STP_UNWIND_ASTRAY;
	if (likely(are_at_cfa(places, n))) {
		if (!restore_at_cfa(u, places, n))
			return STP_UNWIND_UNREADABLE;
	} else if (!restore_any(u, places, n)) {
		return STP_UNWIND_UNREADABLE;
	}
	if (!is_known(u, STP_UNWIND_RETURN))
		return STP_UNWIND_OUTERMOST;
	u->regs[STP_UNWIND_SP] = u->cfa;
	u->known |= BIT_OF(STP_UNWIND_SP);
	u->saved &= ~BIT_OF(STP_UNWIND_SP);
	u->is_exact = rule->is_signal;
	return u->regs[STP_UNWIND_RETURN] ? STP_UNWIND_CALLER : STP_UNWIND_OUTERMOST;
}

/* ---- common rules ---- */

static bool are_of_sp_or_bp(const struct stp_unwind_place *places, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (places[i].from < STP_UNWIND_REGISTERS && places[i].from != STP_UNWIND_SP &&
		    places[i].from != STP_UNWIND_BP)
			return false;
	return true;
}

void stp_unwind_lean_of(const struct stp_program_view *v, const struct stp_unwind_rule *rule,
			struct stp_unwind_lean *ret)
{
	const struct stp_unwind_place *places = rule ? &v->places[rule->places] : NULL;
	bool has_return = false, has_cfa;

	*ret = (struct stp_unwind_lean){ 0 };
	if (!rule || rule->cfa == STP_CFA_END || rule->cfa == STP_CFA_UNKNOWN)
		return;
	has_cfa = rule->base == STP_UNWIND_SP || rule->base == STP_UNWIND_BP;
	ret->needs_others = !has_cfa || !are_of_sp_or_bp(places, rule->nplaces);
	if (!has_cfa || rule->cfa != STP_CFA_REGISTER || rule->is_signal ||
	    !are_at_cfa(places, rule->nplaces))
		return;
	ret->base = rule->base;
	ret->cfa = rule->offset;
	for (unsigned i = 0; i < rule->nplaces; i++) {
		int32_t at;

		if (__builtin_add_overflow(rule->offset, places[i].offset, &at))
			return;
		if (places[i].reg == STP_UNWIND_RETURN) {
			ret->at_return = at;
			has_return = true;
		} else if (places[i].reg == STP_UNWIND_BP) {
			ret->at_bp = at;
			ret->saves_bp = true;
		}
	}
	ret->is_lean = has_return;
}

bool stp_unwind_take(struct stp_unwind *u, struct stp_unwind_three *ret)
{
	if (!has_value(u, STP_UNWIND_SP) || !has_value(u, STP_UNWIND_BP))
		return false;
	*ret = (struct stp_unwind_three){ u->regs[STP_UNWIND_RETURN], u->regs[STP_UNWIND_SP],
					  u->regs[STP_UNWIND_BP] };
	return true;
}

void stp_unwind_put(struct stp_unwind *u, const struct stp_unwind_three *at)
{
	u->regs[STP_UNWIND_RETURN] = at->pc;
	u->regs[STP_UNWIND_SP] = at->sp;
	u->regs[STP_UNWIND_BP] = at->bp;
	u->known = BIT_OF(STP_UNWIND_RETURN) | BIT_OF(STP_UNWIND_SP) | BIT_OF(STP_UNWIND_BP);
	u->saved = 0;
	u->is_exact = false;
}

/* Steps without a table. This works for functions with a frame pointer. */
static enum stp_unwind_result unwind_by_frame_pointer(struct stp_unwind *u)
{
	uint64_t bp, saved, address;

	if (!has_value(u, STP_UNWIND_BP))
		return STP_UNWIND_UNREADABLE;
	bp = u->regs[STP_UNWIND_BP];
	if (bp < u->regs[STP_UNWIND_SP] || bp % sizeof(uint64_t))
		return STP_UNWIND_ASTRAY;
	if (!u->read(u->ctx, bp, &saved) || !u->read(u->ctx, bp + 8, &address))
		return STP_UNWIND_UNREADABLE;
	u->regs[STP_UNWIND_BP] = saved;
	u->regs[STP_UNWIND_RETURN] = ARCH_UNWIND_PLAIN(address);
	u->regs[STP_UNWIND_SP] = bp + 16;
	u->known = BIT_OF(STP_UNWIND_BP) | BIT_OF(STP_UNWIND_RETURN);
	if (ARCH_RECORD_ENDS_FRAME)
		u->known |= BIT_OF(STP_UNWIND_SP);
	u->saved = 0;
	u->slot = bp + 8;
	u->is_exact = false;
	/*
	 * If there is no address at a guessed place, this is not necessarily the
	 * outermost function.
	 */
	return address ? STP_UNWIND_CALLER : STP_UNWIND_ASTRAY;
}

/* False: the rule is relative to the stack pointer, which is unknown. */
static bool has_base(const struct stp_unwind *u, const struct stp_unwind_rule *rule)
{
	return rule->base != STP_UNWIND_SP || is_known(u, STP_UNWIND_SP);
}

/* True: a signal's handler returns to this code, which has no rule. */
static bool is_signal_return(const struct stp_unwind *u)
{
	uint64_t code;

	return ARCH_SIGNAL_RETURN && is_known(u, STP_UNWIND_SP) &&
	       u->read(u->ctx, u->regs[STP_UNWIND_RETURN], &code) && code == ARCH_SIGNAL_RETURN;
}

static enum stp_unwind_result step_from_signal(struct stp_unwind *u)
{
	static const struct stp_unwind_place places[] = { ARCH_SIGNAL_PLACES };
	static const struct stp_program_view view = { .places = places };
	static const struct stp_unwind_rule rule = {
		ARCH_SIGNAL_CFA,
		.is_signal = true,
		.nplaces = sizeof(places) / sizeof(*places),
	};

	return unwind_step(u, &view, &rule);
}

enum stp_unwind_result stp_unwind_leave(struct stp_unwind *u, const struct stp_program_view *v,
					const struct stp_unwind_rule *rule, bool *guessed)
{
	*guessed = false;
	if (rule && has_base(u, rule))
		return unwind_step(u, v, rule);
	if (is_signal_return(u))
		return step_from_signal(u);
	*guessed = true;
	return unwind_by_frame_pointer(u);
}
