/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers as print_regs() prints them: text before, digits, name, member of struct
 * pt_regs, text behind.
 */
#ifndef STP_ARCH_PRINT_H
#define STP_ARCH_PRINT_H

#define ARCH_TOLD_NAMES "rip, rsp and rbp"

/* clang-format off */
#define ARCH_PRINTED_REGISTERS(R)                                                                  \
	R("RIP: ", 16, "rip", ip, "\n")                                                            \
	R("RSP: ", 16, "rsp", sp, "  ")                                                            \
	R("EFLAGS: ", 8, "rflags", flags, "\n")                                                    \
	R("RAX: ", 16, "rax", ax, " ")                                                             \
	R("RBX: ", 16, "rbx", bx, " ")                                                             \
	R("RCX: ", 16, "rcx", cx, "\n")                                                            \
	R("RDX: ", 16, "rdx", dx, " ")                                                             \
	R("RSI: ", 16, "rsi", si, " ")                                                             \
	R("RDI: ", 16, "rdi", di, "\n")                                                            \
	R("RBP: ", 16, "rbp", bp, " ")                                                             \
	R("R08: ", 16, "r8", r8, " ")                                                              \
	R("R09: ", 16, "r9", r9, "\n")                                                             \
	R("R10: ", 16, "r10", r10, " ")                                                            \
	R("R11: ", 16, "r11", r11, " ")                                                            \
	R("R12: ", 16, "r12", r12, "\n")                                                           \
	R("R13: ", 16, "r13", r13, " ")                                                            \
	R("R14: ", 16, "r14", r14, " ")                                                            \
	R("R15: ", 16, "r15", r15, "\n")                                                           \
	R("CS: ", 4, "xcs", cs, " ")                                                               \
	R("SS: ", 4, "xss", ss, "\n")
/* clang-format on */

#endif
