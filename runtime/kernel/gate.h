/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The gate of --privilege=stapusr (api/script.h, own_only). Such a script reaches no
 * memory of the kernel, and memory and registers of its owner's processes alone, whatever
 * the translator has let through. Everything that reads for a script asks here: loads and
 * stores by access.c and stores.c, registers by regs.c, mappings and stacks of programs.
 */
#ifndef STP_KERNEL_GATE_H
#define STP_KERNEL_GATE_H

#include "api.h"

#define STP_GATE_OTHERS "processes of others are not for --privilege=stapusr"
#define STP_GATE_KERNEL "the kernel's memory is not for --privilege=stapusr"

/* True: the script may reach the current process. */
static __always_inline bool stp_gate_process(void)
{
	return likely(!stp_script.own_only) || stp_is_own_process();
}

/* True: the script may reach memory of the kernel, and learn where it lies. */
static __always_inline bool stp_gate_kernel(void)
{
	return likely(!stp_script.own_only);
}

static __always_inline bool stp_gate_space(enum stp_space space)
{
	return space == STP_USER ? stp_gate_process() : stp_gate_kernel();
}

#endif
