/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions of programs that handlers perform in place of the processor: none. */
#ifndef STP_ARCH_INSTRUCTION_H
#define STP_ARCH_INSTRUCTION_H

struct arch_instruction {
	unsigned int length; /* 0: none */
};

static inline struct arch_instruction arch_instruction_read(const uint8_t *code, unsigned int left)
{
	return (struct arch_instruction){ 0 };
}

static inline bool arch_instruction_moves_stack(const struct arch_instruction *i)
{
	return false;
}

static inline void arch_instruction_do(const struct arch_instruction *i, struct pt_regs *regs)
{
}

#endif
