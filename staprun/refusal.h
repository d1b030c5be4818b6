/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains why the kernel refused a module, in words a user can act on. To add a reason:
 * a row in refusal.c.
 */
#ifndef STAPRUN_REFUSAL_H
#define STAPRUN_REFUSAL_H

struct load;

/* Prints the reason. error: errno of finit_module(); log: from kmsg_open(), or -1. */
void refusal_explain(const struct load *l, int error, int log);

#endif
