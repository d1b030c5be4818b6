/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The gate of --privilege=stapusr (api/script.h, own_only). Such a script cannot access
 * memory of the kernel, and can access memory and registers only of its owner's
 * processes, whatever the translator has accepted. All code that reads for a script asks
 * here: loads and stores in access.c and stores.c, registers in regs.c, mappings and
 * stacks of programs.
 */
#ifndef STP_KERNEL_GATE_H
#define STP_KERNEL_GATE_H

#include "api.h"

#define STP_GATE_OTHERS "processes of others are not for --privilege=stapusr"
#define STP_GATE_KERNEL "the kernel's memory is not for --privilege=stapusr"

/* True: the script may access the current process. */
static __always_inline bool stp_gate_process(void)
{
	return likely(!stp_script.own_only) || stp_is_own_process();
}

/* True: the script may access memory of the kernel, and see its addresses. */
static __always_inline bool stp_gate_kernel(void)
{
	return likely(!stp_script.own_only);
}

static __always_inline bool stp_gate_space(enum stp_space space)
{
	return space == STP_USER ? stp_gate_process() : stp_gate_kernel();
}

#endif
