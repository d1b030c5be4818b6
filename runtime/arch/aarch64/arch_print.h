/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of print_regs() for struct pt_regs *r, by PRINT(format, …). */
#ifndef STP_ARCH_PRINT_H
#define STP_ARCH_PRINT_H

#define ARCH_TOLD_NAMES "pc, sp and x29"

#define ARCH_PRINT_THREE(PRINT, r, n)                                                              \
	PRINT("x%-2d: %016llx x%-2d: %016llx x%-2d: %016llx\n", n, (r)->regs[n], (n) + 1,          \
	      (r)->regs[(n) + 1], (n) + 2, (r)->regs[(n) + 2])

#define ARCH_PRINT_REGISTERS(PRINT, r)                                                             \
	do {                                                                                       \
		PRINT("pc : %016llx\nsp : %016llx pstate: %08llx\n", (r)->pc, (r)->sp,             \
		      (r)->pstate);                                                                \
		for (int i_ = 0; i_ < 30; i_ += 3)                                                 \
			ARCH_PRINT_THREE(PRINT, r, i_);                                            \
		PRINT("x30: %016llx\n", (r)->regs[30]);                                            \
	} while (0)

#endif
