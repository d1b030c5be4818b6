/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records the files in which stacks of programs ended early because the script has no
 * table for them. Each file is reported once, when the run ends. Linked together with
 * program_stack.c.
 */
#ifndef STP_KERNEL_PROGRAM_CUT_H
#define STP_KERNEL_PROGRAM_CUT_H

#include "api.h"

/* Notes the file mapped at the address. False: it is unknown. Called in hits. */
bool program_cut_note(struct stp_ctx *c, uint64_t address);
/* Reports the files as warnings. Called when no more hits can come. */
void program_cut_report(void);

#endif
