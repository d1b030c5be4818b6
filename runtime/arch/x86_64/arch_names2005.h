/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers until 2.6.25; compat/names2005.h alone includes this file. */
#ifndef STP_ARCH_NAMES2005_H
#define STP_ARCH_NAMES2005_H

#define rax	 ax
#define rbx	 bx
#define rcx	 cx
#define rdx	 dx
#define rsi	 si
#define rdi	 di
#define rbp	 bp
#define rsp	 sp
#define rip	 ip
#define orig_rax orig_ax
#define eflags	 flags

#endif
