/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --runtime=bpf: where the running kernel has members that the runtime itself reads. */
#ifndef STP_USER_BPFTYPES_H
#define STP_USER_BPFTYPES_H

#include <stddef.h>

#define BPFTYPES_FOLDER "/sys/kernel/btf/"

struct btf_type;
size_t bpftypes_bytes(const struct btf_type *t); /* of a type in the kernel's file */
/* Fills in bpf_shared.layout. Members that are not found stay 0. */
void bpftypes_read(void);

#endif
