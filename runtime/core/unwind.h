/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a function's registers to its caller's, by one
 * rule of a table or by the chain of frame pointers.
 */
#ifndef STP_UNWIND_H
#define STP_UNWIND_H

#include "core/program_table.h"

struct stp_unwind {
	uint64_t regs[STP_UNWIND_REGISTERS]; /* the last: where the function is */
	uint32_t known;     /* a bit for each of them */
	bool is_exact;      /* that is an instruction about to run, not the one behind a call */
	uint64_t slot;      /* where the return address was read */
	bool (*read)(void *ctx, uint64_t addr, uint64_t *ret);
	void *ctx;
};

enum stp_unwind_result {
	STP_UNWIND_CALLER,     /* there is one: regs are its */
	STP_UNWIND_OUTERMOST,  /* nobody called */
	/* memory that is not there, or a register that nobody knows any more */
	STP_UNWIND_UNREADABLE,
	STP_UNWIND_ASTRAY,     /* the stack does not grow from caller to callee: this is none */
};

enum stp_unwind_result stp_unwind_step(struct stp_unwind *u, const struct stp_program_view *v,
				       const struct stp_unwind_rule *rule);
/* Where there is no table: what the function has if it keeps a frame pointer. */
enum stp_unwind_result stp_unwind_step_by_frame_pointer(struct stp_unwind *u);

/*
 * What to look tables up with: a call may be a function's last
 * instruction, and what is behind it is another function's.
 */
static inline uint64_t stp_unwind_place_of(const struct stp_unwind *u)
{
	return u->regs[STP_UNWIND_RETURN] - !u->is_exact;
}

#endif
