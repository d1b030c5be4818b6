/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers as print_regs() prints them: text before, digits, name, member of struct
 * pt_regs, text behind.
 */
#ifndef STP_ARCH_PRINT_H
#define STP_ARCH_PRINT_H

#define ARCH_TOLD_NAMES "pc, sp and x29"

/* clang-format off */
#define ARCH_PRINTED_REGISTERS(R)                                                                  \
	R("pc : ", 16, "pc", pc, "\n")                                                             \
	R("sp : ", 16, "sp", sp, " ")                                                              \
	R("pstate: ", 8, "pstate", pstate, "\n")                                                   \
	R("x0 : ", 16, "x0", regs[0], " ")                                                         \
	R("x1 : ", 16, "x1", regs[1], " ")                                                         \
	R("x2 : ", 16, "x2", regs[2], "\n")                                                        \
	R("x3 : ", 16, "x3", regs[3], " ")                                                         \
	R("x4 : ", 16, "x4", regs[4], " ")                                                         \
	R("x5 : ", 16, "x5", regs[5], "\n")                                                        \
	R("x6 : ", 16, "x6", regs[6], " ")                                                         \
	R("x7 : ", 16, "x7", regs[7], " ")                                                         \
	R("x8 : ", 16, "x8", regs[8], "\n")                                                        \
	R("x9 : ", 16, "x9", regs[9], " ")                                                         \
	R("x10: ", 16, "x10", regs[10], " ")                                                       \
	R("x11: ", 16, "x11", regs[11], "\n")                                                      \
	R("x12: ", 16, "x12", regs[12], " ")                                                       \
	R("x13: ", 16, "x13", regs[13], " ")                                                       \
	R("x14: ", 16, "x14", regs[14], "\n")                                                      \
	R("x15: ", 16, "x15", regs[15], " ")                                                       \
	R("x16: ", 16, "x16", regs[16], " ")                                                       \
	R("x17: ", 16, "x17", regs[17], "\n")                                                      \
	R("x18: ", 16, "x18", regs[18], " ")                                                       \
	R("x19: ", 16, "x19", regs[19], " ")                                                       \
	R("x20: ", 16, "x20", regs[20], "\n")                                                      \
	R("x21: ", 16, "x21", regs[21], " ")                                                       \
	R("x22: ", 16, "x22", regs[22], " ")                                                       \
	R("x23: ", 16, "x23", regs[23], "\n")                                                      \
	R("x24: ", 16, "x24", regs[24], " ")                                                       \
	R("x25: ", 16, "x25", regs[25], " ")                                                       \
	R("x26: ", 16, "x26", regs[26], "\n")                                                      \
	R("x27: ", 16, "x27", regs[27], " ")                                                       \
	R("x28: ", 16, "x28", regs[28], " ")                                                       \
	R("x29: ", 16, "x29", regs[29], "\n")                                                      \
	R("x30: ", 16, "x30", regs[30], "\n")
/* clang-format on */

#endif
