/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --runtime=bpf: where the running kernel has members that the runtime itself reads. */
#ifndef STP_USER_BPFTYPES_H
#define STP_USER_BPFTYPES_H

/*
 * Fills in bpf_shared.layout. Returns 0, or -errno with the set-up's error: a member is
 * missing.
 */
int bpftypes_read(void);

#endif
