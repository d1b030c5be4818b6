/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steps from a function's registers to its caller's, by one rule of a table or by the
 * chain of frame pointers.
 */
#ifndef STP_UNWIND_H
#define STP_UNWIND_H

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
 * Returns the address to look up in tables. A call may be a function's last instruction;
 * the address after it belongs to another function.
 */
static inline uint64_t stp_unwind_place_of(const struct stp_unwind *u)
{
	return u->regs[STP_UNWIND_RETURN] - !u->is_exact;
}

#endif
