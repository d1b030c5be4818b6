/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of print_regs() for struct pt_regs *r, by PRINT(format, …). */
#ifndef STP_ARCH_PRINT_H
#define STP_ARCH_PRINT_H

#define ARCH_TOLD_NAMES "rip, rsp and rbp"

#define ARCH_PRINT_REGISTERS(PRINT, r)                                                             \
	do {                                                                                       \
		PRINT("RIP: %016lx\nRSP: %016lx  EFLAGS: %08lx\n", r->ip, r->sp, r->flags);        \
		PRINT("RAX: %016lx RBX: %016lx RCX: %016lx\n", r->ax, r->bx, r->cx);               \
		PRINT("RDX: %016lx RSI: %016lx RDI: %016lx\n", r->dx, r->si, r->di);               \
		PRINT("RBP: %016lx R08: %016lx R09: %016lx\n", r->bp, r->r8, r->r9);               \
		PRINT("R10: %016lx R11: %016lx R12: %016lx\n", r->r10, r->r11, r->r12);            \
		PRINT("R13: %016lx R14: %016lx R15: %016lx\n", r->r13, r->r14, r->r15);            \
		PRINT("CS: %04lx SS: %04lx\n", (unsigned long)r->cs, (unsigned long)r->ss);        \
	} while (0)

#endif
