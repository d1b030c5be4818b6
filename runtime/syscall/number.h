/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arguments of a system call that are numbers, inline, because most handlers need nothing
 * else. They are in the registers with which the task entered the kernel.
 */
#ifndef STP_SYSCALL_NUMBER_H
#define STP_SYSCALL_NUMBER_H

#ifdef __KERNEL__
#include <linux/sched/task_stack.h>

#include "arch_call.h"
#else
#include "arch_arguments.h"
#include "arch_bpf.h"
#endif
#include "api/ctx.h"
#include "api/script.h"
#include "probe/points.h"

/*
 * stp_call_row() returns the row of the running probe's call, or NULL; stp_call_regs()
 * the registers with which the task entered the kernel; stp_call_is_32() whether the
 * caller is a 32-bit program.
 */
#ifdef __KERNEL__
static __always_inline const struct stp_call *stp_call_row(const struct stp_ctx *c)
{
	return ((const struct stp_point_function *)c->probe->point)->call;
}

#define stp_call_regs(c)      ((const struct pt_regs *)task_pt_regs(current))
#define stp_call_is_32(point) arch_call_is_32((point)->is_compat)
#else
const struct stp_call *script_call(uint32_t probe); /* generated */

static __always_inline const struct stp_call *stp_call_row(const struct stp_ctx *c)
{
	return script_call(c->probe->index);
}

#define stp_call_regs(c)      ((const struct pt_regs *)(c)->regs)
#define stp_call_is_32(point) ((point)->is_compat)
#endif

/* Returns the offset in struct pt_regs of a caller's argument. */
static __always_inline unsigned stp_call_register(bool is_compat, unsigned n)
{
#define MEMBER(name) offsetof(struct pt_regs, name),
	static const uint16_t registers[2][STP_CALL_ARGS] = {
		[false] = { ARCH_SYSCALL_ARGS(MEMBER) },
		[true] = { ARCH_COMPAT_ARGS(MEMBER) },
	};
#undef MEMBER

	return registers[is_compat][n];
}

/* Cuts v to the width of a type, and extends its sign. */
static __always_inline uint64_t stp_call_typed(uint64_t v, bool is_compat, unsigned type)
{
	/* The upper halves of a 32-bit caller's registers are zero. */
	static const struct {
		uint64_t mask, sign;
	} widths[2][STP_CALL_TYPES] = {
		[false] = { [STP_CALL_INT] = { UINT32_MAX, 1u << 31 },
			    [STP_CALL_UINT] = { UINT32_MAX, 0 },
			    [STP_CALL_LONG] = { UINT64_MAX, 0 },
			    [STP_CALL_ULONG] = { UINT64_MAX, 0 },
			    [STP_CALL_SHORT] = { UINT16_MAX, 0 } },
		[true] = { [STP_CALL_INT] = { UINT32_MAX, 1u << 31 },
			   [STP_CALL_UINT] = { UINT32_MAX, 0 },
			   [STP_CALL_LONG] = { UINT32_MAX, 1u << 31 },
			   [STP_CALL_ULONG] = { UINT32_MAX, 0 },
			   [STP_CALL_SHORT] = { UINT16_MAX, 0 } },
	};

	return ((v & widths[is_compat][type].mask) ^ widths[is_compat][type].sign) -
	       widths[is_compat][type].sign;
}

static __always_inline uint64_t stp_call_number(const struct pt_regs *r, unsigned type,
						bool is_compat, unsigned n)
{
	return stp_call_typed(
		*(const unsigned long *)((const char *)r + stp_call_register(is_compat, n)),
		is_compat, type);
}

static inline int64_t stp_shown_number(struct stp_ctx *c, int64_t n)
{
	const struct stp_point_function *p = c->probe->point;
	const struct stp_call *call = stp_call_row(c);

	if (unlikely(!call || (uint64_t)n >= call->nargs))
		return 0;
	return (int64_t)stp_call_number(stp_call_regs(c), call->types[n], stp_call_is_32(p),
					(unsigned)n);
}

#endif
