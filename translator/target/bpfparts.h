/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of variables' places that programs of --runtime=bpf cannot read. */
#ifndef STAP_TARGET_BPFPARTS_H
#define STAP_TARGET_BPFPARTS_H

struct session;
struct access;

/*
 * Returns the thing that the place needs and BPF programs lack. NULL: there is none, or a
 * module is made.
 */
const char *bpfparts_lacking(struct session *s, const struct access *a);

#endif
