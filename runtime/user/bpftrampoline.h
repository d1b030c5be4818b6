/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: points at functions of the kernel by fentry and fexit. The function
 * calls a piece of code that the kernel makes for it, and that calls the programs. This
 * is the way with the cheapest hits; each point has its own programs.
 */
#ifndef STP_USER_BPFTRAMPOLINE_H
#define STP_USER_BPFTRAMPOLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "user/bpfpoint.h"

/*
 * Points that are attached in this way, at most: each has a program and a link or two.
 * And kinds of programs: entries of functions of one type are one, returns another, each
 * with handlers that the kernel verifies (1 to 50 ms).
 */
#define BPFTRAMPOLINE_MOST  16
#define BPFTRAMPOLINE_KINDS 8

struct bpftarget;

struct bpftrampoline {
	struct bpfpoint hit, entry; /* entry: of a return that saves values */
};

/*
 * True: functions are to be attached in this way, as far as the kernel has it. It does
 * not suit kernels that preempt their own code: such a kernel takes the CPU from a
 * program, and then leaves out this program's hits of all other tasks on that CPU. (In a
 * flood on 7.2 this was every third hit; of kprobe.multi, one of 400 is skipped, for the
 * lock.)
 *
 * STAP_BPF_FUNCTIONS=fentry or kprobe.multi in the environment takes that way.
 */
bool bpftrampoline_is_wanted(void);
/* True: this way has all that the point needs; the kernel may still refuse it. */
bool bpftrampoline_suits(const struct stp_probe *p);
/* Attaches the point. False: another way must be taken. */
bool bpftrampoline_attach(struct bpftrampoline *t, const struct stp_probe *p,
			  const struct bpftarget *target, struct bpf_calls *calls);
/* Removing it: detach, bpfpoint_wait(), unload. */
void bpftrampoline_detach(struct bpftrampoline *t);
void bpftrampoline_unload(struct bpftrampoline *t);
uint64_t bpftrampoline_missed(const struct stp_probe *p, struct bpftrampoline *t);

#endif
