/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables that the kernel exports to modules. If its symbol table has only functions
 * (no CONFIG_KALLSYMS_ALL), they are found as in any other module.
 */
#ifndef STAP_KERNEL_EXPORTS_H
#define STAP_KERNEL_EXPORTS_H

struct session;
struct writer;

/*
 * Writes a declaration of the variable, if one is needed. Returns a comma and the
 * initializer of the member `exported`, which is 0 in kernels that do not export the
 * variable. "": none is needed.
 */
const char *exports_member(struct session *s, struct writer *w, const char *symbol);

#endif
