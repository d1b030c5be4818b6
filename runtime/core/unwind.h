/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steps from a function's registers to its caller's, by one rule of a table or by the
 * chain of frame pointers.
 */
#ifndef STP_UNWIND_H
#define STP_UNWIND_H

#include "arch_unwind.h"
#include "core/program_table.h"

struct stp_unwind {
	uint64_t regs[STP_UNWIND_REGISTERS]; /* the last one: address in the function */
	uint32_t known;			     /* a bit for each register */
	uint32_t saved; /* known ones of which regs has the address of the value */
	bool is_exact;	/* the instruction is about to run; it is not the one after a call */
	uint64_t slot;	/* place of the return address that was read */
	uint64_t cfa;	/* of the last step by a rule */
	bool (*read)(void *ctx, uint64_t addr, uint64_t *ret);
	void *ctx;
};

enum stp_unwind_result {
	STP_UNWIND_CALLER,    /* regs are the caller's */
	STP_UNWIND_OUTERMOST, /* there is no caller */
	/* Memory is missing, or a register whose value is lost. */
	STP_UNWIND_UNREADABLE,
	STP_UNWIND_ASTRAY, /* not a stack: it does not grow from caller to callee */
};

/*
 * Steps by the rule, unless that is NULL or begins at a stack pointer that is lost; then
 * out of a signal's handler by the signal's frame, or by frame pointer, which is a guess.
 */
enum stp_unwind_result stp_unwind_leave(struct stp_unwind *u, const struct stp_program_view *v,
					const struct stp_unwind_rule *rule, bool *guessed);

/*
 * A rule as most functions have it: the CFA follows from the stack pointer or the frame
 * pointer, and what is saved lies at fixed distances from it. A step by it takes a third
 * of the instructions, and follows these two registers alone.
 */
struct stp_unwind_lean {
	int32_t cfa;	   /* distances from the base */
	int32_t at_return; /* of the return address */
	int32_t at_bp;	   /* of the caller's frame pointer, if that is saved */
	uint8_t base;	   /* STP_UNWIND_SP or STP_UNWIND_BP */
	bool is_lean;
	bool saves_bp;
	bool needs_others; /* the rule reads other registers than these two */
};

/* Says what of a rule is so; NULL: there is none. */
void stp_unwind_lean_of(const struct stp_program_view *v, const struct stp_unwind_rule *rule,
			struct stp_unwind_lean *ret);

/* The registers that such steps follow. */
struct stp_unwind_three {
	uint64_t pc, sp, bp;
};

/*
 * Steps by such a rule. False: nothing is changed, stp_unwind_leave() says how the walk
 * goes on.
 */
static __attribute__((__always_inline__)) inline bool
stp_unwind_leave_lean(struct stp_unwind_three *at, const struct stp_unwind_lean *l,
		      bool (*read)(void *ctx, uint64_t addr, uint64_t *ret), void *ctx)
{
	uint64_t base = l->base == STP_UNWIND_SP ? at->sp : at->bp;
	uint64_t cfa = base + (uint64_t)(int64_t)l->cfa;
	uint64_t pc, bp = at->bp;

	if (cfa <= at->sp || !read(ctx, base + (uint64_t)(int64_t)l->at_return, &pc))
		return false;
	if (l->saves_bp && !read(ctx, base + (uint64_t)(int64_t)l->at_bp, &bp))
		return false;
	pc = ARCH_UNWIND_PLAIN(pc);
	if (!pc)
		return false;
	*at = (struct stp_unwind_three){ pc, cfa, bp };
	return true;
}

/*
 * Steps by a frame pointer, without a look at what the code is: each function of the
 * program has put its caller's there, with the return address after it.
 */
static __attribute__((__always_inline__)) inline enum stp_unwind_result
stp_unwind_leave_record(struct stp_unwind_three *at,
			bool (*read)(void *ctx, uint64_t addr, uint64_t *ret), void *ctx)
{
	uint64_t record = at->bp, pc, bp;

	if (!record)
		return STP_UNWIND_OUTERMOST;
	if (record < at->sp || record % sizeof(uint64_t))
		return STP_UNWIND_ASTRAY;
	if (!read(ctx, record, &bp) || !read(ctx, record + sizeof(uint64_t), &pc))
		return STP_UNWIND_UNREADABLE;
	pc = ARCH_UNWIND_PLAIN(pc);
	if (!pc)
		return STP_UNWIND_OUTERMOST;
	*at = (struct stp_unwind_three){ pc, record + 2 * sizeof(uint64_t), bp };
	return STP_UNWIND_CALLER;
}

/* Takes the three registers out of a walk. False: they are not all known. */
bool stp_unwind_take(struct stp_unwind *u, struct stp_unwind_three *ret);
/* Puts a caller's back; its other registers are unknown. */
void stp_unwind_put(struct stp_unwind *u, const struct stp_unwind_three *at);

/*
 * Returns the address to look up in tables. A call may be a function's last instruction;
 * the address after it belongs to another function.
 */
static inline uint64_t stp_unwind_place_of(const struct stp_unwind *u)
{
	return u->regs[STP_UNWIND_RETURN] - !u->is_exact;
}

#endif
