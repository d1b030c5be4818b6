/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that hold arguments, also for code without kernel headers. */
#ifndef STP_ARCH_ARGUMENTS_H
#define STP_ARCH_ARGUMENTS_H

/* Members of struct pt_regs that hold the arguments of functions. */
#define ARCH_FUNCTION_ARGS(R)                                                                      \
	R(regs[0]) R(regs[1]) R(regs[2]) R(regs[3]) R(regs[4]) R(regs[5]) R(regs[6]) R(regs[7])
/* The same for Go functions, from Go 1.18 on (ABIInternal). */
#define ARCH_GO_ARGS(R)                                                                            \
	ARCH_FUNCTION_ARGS(R)                                                                      \
	R(regs[8])                                                                                 \
	R(regs[9]) R(regs[10]) R(regs[11]) R(regs[12]) R(regs[13]) R(regs[14]) R(regs[15])

/* Members that hold the arguments of system calls, and of those of 32-bit programs. */
#define ARCH_SYSCALL_ARGS(R) R(orig_x0) R(regs[1]) R(regs[2]) R(regs[3]) R(regs[4]) R(regs[5])
#define ARCH_COMPAT_ARGS(R)  ARCH_SYSCALL_ARGS(R)

/* Registers that the kernel provides even at events where it provides no others. */
#define ARCH_TOLD_REGISTERS(R) R(pc) R(sp) R(regs[29]) R(pstate)

#endif
