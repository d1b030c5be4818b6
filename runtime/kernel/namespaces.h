/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of processes, users and groups in the script's namespaces: those of staprun -N,
 * or of staprun itself. Needs stp_namespaces_part.
 */
#ifndef STP_KERNEL_NAMESPACES_H
#define STP_KERNEL_NAMESPACES_H

#include <linux/pid.h>

extern unsigned int stp_namespaces_of; /* staprun -N; 0: not given */

/*
 * Returns the number of a task, which is read fault-safely by its address. 0: it has no
 * number there.
 */
int64_t stp_ns_pid(struct stp_ctx *c, uint64_t task, enum pid_type type);
/* Returns the process id of the current task's parent. */
int64_t stp_ns_parent(struct stp_ctx *c);
/*
 * Convert a number of the initial namespace. A number that is not mapped becomes the
 * overflow id, 65534, as in the kernel's own calls.
 */
int64_t stp_ns_user(uint32_t uid);
int64_t stp_ns_group(uint32_t gid);

#endif
