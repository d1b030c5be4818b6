/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that hold arguments, also for code without kernel headers. */
#ifndef STP_ARCH_ARGUMENTS_H
#define STP_ARCH_ARGUMENTS_H

/* Members of struct pt_regs that hold the arguments of functions. */
#define ARCH_FUNCTION_ARGS(R) R(di) R(si) R(dx) R(cx) R(r8) R(r9)
/* The same for Go functions, from Go 1.17 on (ABIInternal). */
#define ARCH_GO_ARGS(R) R(ax) R(bx) R(cx) R(di) R(si) R(r8) R(r9) R(r10) R(r11)

/* Members that hold the arguments of system calls, and of those of 32-bit programs. */
#define ARCH_SYSCALL_ARGS(R) R(di) R(si) R(dx) R(r10) R(r8) R(r9)
#define ARCH_COMPAT_ARGS(R)  R(bx) R(cx) R(dx) R(si) R(di) R(bp)

/* Registers that the kernel provides even at events where it provides no others. */
#define ARCH_TOLD_REGISTERS(R) R(ip) R(sp) R(bp) R(cs)

#endif
