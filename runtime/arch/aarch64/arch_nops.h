/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nops of programs that a kernel replaces with a call while they are probed: none. */
#ifndef STP_ARCH_NOPS_H
#define STP_ARCH_NOPS_H

static inline unsigned int arch_nop_rewritten(const uint8_t *file, const uint8_t *memory,
					      unsigned int left)
{
	return 0;
}

static inline unsigned int arch_nop_behind(const uint8_t *code, unsigned int left)
{
	return 0;
}

static inline unsigned int arch_nop_pad(const uint8_t *code, unsigned int left)
{
	return 0;
}

#endif
