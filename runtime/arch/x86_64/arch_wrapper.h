/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wrappers: code that ftrace calls directly at a function's entry. It runs the hit of the
 * entry, calls the function itself, runs the hit of the return, and returns to the
 * function's caller:
 *
 *   caller ─▶ function ─▶ wrapper ─▶ hit of the entry
 *                                 ─▶ rest of the function
 *                                 ─▶ hit of the return
 *   caller ◀───────────── wrapper
 *
 * While the function runs, its stack holds, from the top: the caller's address, the
 * address of the rest of the function, the address of the wrapper's second half. All
 * arguments must be in registers. probe/function/wrappers.c registers wrappers, and finds
 * the calls that still run when they are removed.
 *
 * The function is entered by a return: an indirect call would need a landing pad there.
 * The kernel's unwinder knows each step as a call of a function: the rest of the function
 * has called the wrapper, and the wrapper the function.
 */
#ifndef STP_ARCH_WRAPPER_H
#define STP_ARCH_WRAPPER_H

#include <linux/linkage.h>
#include <linux/objtool.h>

#include <asm/ibt.h>
#include <asm/ptrace.h>

/* Bytes of the stack between the wrapper's address and the caller's. */
#define ARCH_WRAPPER_FRAME 8

/* Members of struct pt_regs in assembler; the checks are below. */
#define WRAPPER_REGS "168"
#define WRAPPER_BP   "32(%rsp)"
#define WRAPPER_R9   "64(%rsp)"
#define WRAPPER_R8   "72(%rsp)"
#define WRAPPER_AX   "80(%rsp)"
#define WRAPPER_CX   "88(%rsp)"
#define WRAPPER_DX   "96(%rsp)"
#define WRAPPER_SI   "104(%rsp)"
#define WRAPPER_DI   "112(%rsp)"
#define WRAPPER_IP   "128(%rsp)"
#define WRAPPER_CS   "136(%rsp)"
#define WRAPPER_SP   "152(%rsp)"
static_assert(sizeof(struct pt_regs) == 168 && offsetof(struct pt_regs, bp) == 32 &&
		      offsetof(struct pt_regs, r9) == 64 && offsetof(struct pt_regs, ax) == 80 &&
		      offsetof(struct pt_regs, di) == 112 && offsetof(struct pt_regs, ip) == 128 &&
		      offsetof(struct pt_regs, cs) == 136 && offsetof(struct pt_regs, sp) == 152,
	      "see WRAPPER_REGS");

/* Lets objtool know that the return address is at the top of the stack again. */
#ifdef UNWIND_HINT_TYPE_UNDEFINED
#define WRAPPER_RETURNS UNWIND_HINT(UNWIND_HINT_TYPE_FUNC, 0, 0, 0) "\n\t" ASM_RET "\n\t"
#else
#define WRAPPER_RETURNS UNWIND_HINT(0, 0, UNWIND_HINT_TYPE_FUNC, 0) "\n\t" ASM_RET "\n\t"
#endif

/* clang-format off */
/* Takes the registers from below the addresses; `from` is where `ip` is. */
#define WRAPPER_TAKES_PLACE(from, sp)                                                              \
	"mov %rbp, " WRAPPER_BP "\n\t"                                                             \
	"movq $" __stringify(__KERNEL_CS) ", " WRAPPER_CS "\n\t"                                   \
	"mov " from "(%rsp), %rax\n\t"                                                             \
	"mov %rax, " WRAPPER_IP "\n\t"                                                             \
	"lea " sp "(%rsp), %rax\n\t"                                                               \
	"mov %rax, " WRAPPER_SP "\n\t"                                                             \
	"mov %rsp, %rcx\n\t"

/* Calls the hit of the entry, whose registers ftrace passes as fourth argument. */
#define ARCH_WRAPPER_ENTRY(hit)                                                                    \
	"sub $" WRAPPER_REGS ", %rsp\n\t"                                                          \
	"mov %rdi, " WRAPPER_DI "\n\t"                                                             \
	"mov %rsi, " WRAPPER_SI "\n\t"                                                             \
	"mov %rdx, " WRAPPER_DX "\n\t"                                                             \
	"mov %rcx, " WRAPPER_CX "\n\t"                                                             \
	"mov %r8, " WRAPPER_R8 "\n\t"                                                              \
	"mov %r9, " WRAPPER_R9 "\n\t"                                                              \
	WRAPPER_TAKES_PLACE("168", "176")                                                          \
	"call " #hit "\n\t"                                                                        \
	"mov " WRAPPER_DI ", %rdi\n\t"                                                             \
	"mov " WRAPPER_SI ", %rsi\n\t"                                                             \
	"mov " WRAPPER_DX ", %rdx\n\t"                                                             \
	"mov " WRAPPER_CX ", %rcx\n\t"                                                             \
	"mov " WRAPPER_R8 ", %r8\n\t"                                                              \
	"mov " WRAPPER_R9 ", %r9\n\t"                                                              \
	"add $" WRAPPER_REGS ", %rsp\n\t"

/* A function of C that the wrapper calls with all registers in use. */
#define ARCH_WRAPPER_CALLS notrace __attribute__((no_caller_saved_registers))

/* Defines the wrapper. It counts the call until the function has returned. */
#define ARCH_WRAPPER(name, entry, hit)                                                             \
	void name(void);                                                                           \
	extern const unsigned long name##_places[];                                                \
	asm(".pushsection .text." #name ", \"ax\", @progbits\n\t"                                  \
	    ".balign 16\n\t"                                                                       \
	    ".type " #name "_enter, @function\n"                                                   \
	    #name "_enter:\n\t"                                                                    \
	    "push 8(%rsp)\n\t" /* the rest of the function */                                      \
	    WRAPPER_RETURNS                                                                        \
	    ".size " #name "_enter, . - " #name "_enter\n\t"                                       \
	    ".balign 16\n\t"                                                                       \
	    ".type " #name ", @function\n"                                                         \
	    #name ":\n\t"                                                                          \
	    ASM_ENDBR                                                                              \
	    entry                                                                                  \
	    "call stp_wrappers_begin\n\t"                                                          \
	    "call " #name "_enter\n"                                                               \
	    ".L" #name "_back:\n\t"                                                                \
	    "sub $" WRAPPER_REGS ", %rsp\n\t"                                                      \
	    "mov %rax, " WRAPPER_AX "\n\t"                                                         \
	    "mov %rdx, " WRAPPER_DX "\n\t"                                                         \
	    "call stp_wrappers_end\n\t"                                                            \
	    WRAPPER_TAKES_PLACE("176", "184")                                                      \
	    "call " #hit "\n\t"                                                                    \
	    "mov " WRAPPER_AX ", %rax\n\t"                                                         \
	    "mov " WRAPPER_DX ", %rdx\n\t"                                                         \
	    "add $176, %rsp\n"                                                                     \
	    ".L" #name "_return:\n\t"                                                              \
	    WRAPPER_RETURNS                                                                        \
	    ".size " #name ", . - " #name "\n\t"                                                   \
	    ".popsection\n\t"                                                                      \
	    ".pushsection .rodata." #name "_places, \"a\", @progbits\n\t"                          \
	    ".balign 8\n"                                                                          \
	    #name "_places:\n\t"                                                                   \
	    ".quad .L" #name "_back - " #name ", .L" #name "_return - " #name "\n\t"               \
	    ".popsection\n\t");
/* clang-format on */

#endif
