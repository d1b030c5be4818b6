/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --runtime=bpf: properties of the running kernel that no type tells. */
#ifndef STP_USER_BPFKERNEL_H
#define STP_USER_BPFKERNEL_H

#include <stdbool.h>

/*
 * Mounts a file system of that type for this process alone: returns its descriptor, or
 * -1.
 */
int bpfkernel_mount(const char *type);
/*
 * True: the kernel takes the CPU from code of its own, if that has not turned this off
 * (preempt=full or lazy). If it is not known, this is true.
 */
bool bpfkernel_preempts(void);

/* True: the running kernel is of this release, or a later one. */
bool bpfkernel_is_from(unsigned major, unsigned minor);

/*
 * True: of several links of kprobe.multi at a function's return, the kernel calls the
 * newest first.
 */
bool bpfkernel_returns_newest_first(void);

#endif
