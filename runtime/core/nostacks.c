/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks and places in programs, in probes that have none: all probes of
 * --runtime=user, and begin, end, error and timers of --runtime=bpf. Other points of the
 * latter are refused when they are translated, if their scripts use one of these
 * (translator/sem/check.c).
 */
#include "api/point.h"
#include "core/port.h"
#include "core/session.h"

bool stp_program_place(struct stp_ctx *c, uint64_t address, bool is_return,
		       struct stp_program_place *ret)
{
	*ret = (struct stp_program_place){ 0 };
	return false;
}

void stp_program_stack(struct stp_ctx *c, const uint64_t start[3], struct stp_program_stack *ret)
{
	*ret = (struct stp_program_stack){ .end = STP_STACK_NONE };
}

uint32_t stp_program_text(struct stp_ctx *c, char *dst, const struct stp_program_stack *s,
			  uint32_t most)
{
	dst[0] = 0;
	return 0;
}
