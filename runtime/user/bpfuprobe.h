/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links of programs to breakpoints, many at once: the kind uprobe.multi. */
#ifndef STP_USER_BPFUPROBE_H
#define STP_USER_BPFUPROBE_H

#include <stdint.h>

/* Defined here because the headers of some distributions are too old. */
#define BPFUPROBE_MULTI	 48
#define BPFUPROBE_RETURN 1u

/* The part of union bpf_attr that the kernel reads for such a link. */
struct bpfuprobe_multi {
	uint32_t program, target, attach_type, flags;
	uint64_t path, offsets, semaphores, cookies;
	uint32_t count, multi_flags, pid, unused;
};

/* Returns the link's descriptor, or -errno. */
int bpfuprobe_link(const struct bpfuprobe_multi *m);

#endif
