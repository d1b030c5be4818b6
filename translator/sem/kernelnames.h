/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names to which embedded C outside of functions gives one meaning in the kernel, and
 * another elsewhere: macros and functions that it defines below a test of __KERNEL__,
 * with an #else.
 */
#ifndef STAP_KERNELNAMES_H
#define STAP_KERNELNAMES_H

#include <stdbool.h>

struct program;

/*
 * Returns whether the C code of a function uses such a name, and no branch mentions
 * __bpf__.
 */
bool kernelnames_used(const struct program *p, const char *code);

#endif
