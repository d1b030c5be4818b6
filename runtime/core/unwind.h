/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes a caller's registers from those of a function, by a rule of a table or by the
 * chain of frame pointers.
 */
#ifndef STP_UNWIND_H
#define STP_UNWIND_H

#include "arch_unwind.h"
#include "core/program_table.h"

struct stp_unwind {
	uint64_t regs[STP_UNWIND_REGISTERS]; /* the last one: address in the function */
	uint32_t known;			     /* a bit for each register */
	uint32_t saved; /* known registers for which regs has the address of the value */
	bool is_exact;	/* the address is the next instruction to run, not a return address */
	uint64_t slot;	/* place of the return address that was read */
	uint64_t cfa;	/* of the last step by a rule */
	bool (*read)(void *ctx, uint64_t addr, uint64_t *ret);
	void *ctx;
};

enum stp_unwind_result {
	STP_UNWIND_CALLER,    /* regs are the caller's */
	STP_UNWIND_OUTERMOST, /* there is no caller */
	/* Memory is missing, or the value of a register is lost. */
	STP_UNWIND_UNREADABLE,
	STP_UNWIND_ASTRAY, /* not a stack: the addresses do not ascend towards the callers */
};

/*
 * Unwinds by the rule. If the rule is NULL or needs a lost stack pointer, unwinds a
 * signal handler by the signal's frame, or other functions by the frame pointer, which is
 * a guess.
 */
enum stp_unwind_result stp_unwind_leave(struct stp_unwind *u, const struct stp_program_view *v,
					const struct stp_unwind_rule *rule, bool *guessed);

/*
 * The most common kind of rule: the CFA is computed from the stack pointer or the frame
 * pointer, and saved registers are at fixed distances from it. Such a step takes a third
 * of the instructions, and follows only these two registers.
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

/* Describes the part of a rule that has this form; NULL: there is no rule. */
void stp_unwind_lean_of(const struct stp_program_view *v, const struct stp_unwind_rule *rule,
			struct stp_unwind_lean *ret);

/* The registers that these steps follow. */
struct stp_unwind_three {
	uint64_t pc, sp, bp;
};

/*
 * Unwinds by such a rule. False: nothing was changed, and stp_unwind_leave() must do the
 * step.
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
 * Unwinds by a frame pointer, without checking the code: each function of the program has
 * saved its caller's frame pointer there, followed by the return address.
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

/* Copies the three registers from a walk. False: not all of them are known. */
bool stp_unwind_take(struct stp_unwind *u, struct stp_unwind_three *ret);
/* Stores the caller's registers in the walk; its other registers are unknown. */
void stp_unwind_put(struct stp_unwind *u, const struct stp_unwind_three *at);

/*
 * Returns the address to look up in tables. A call may be the last instruction of a
 * function; the address after it then belongs to another function.
 */
static inline uint64_t stp_unwind_place_of(const struct stp_unwind *u)
{
	return u->regs[STP_UNWIND_RETURN] - !u->is_exact;
}

#endif
