/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: `if (@defined($x->y)) … else …`, and the same with ?:, are decided by
 * the kernel that runs the program. That is possible if the kernel of the translation has
 * the member, and all that the other branch names: there is code for both.
 */
#ifndef STAP_TARGET_KERNELCHOICE_H
#define STAP_TARGET_KERNELCHOICE_H

struct node;
struct session;

/* Before @defined is folded; n may be any node. */
void kernelchoice_defer(struct session *s, struct node *n);

#endif
