/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_BPFCLANG_H
#define STAP_BPFCLANG_H

#include <stdbool.h>

struct arena;

#define BPFCLANG_OLDEST 19 /* clang whose frames may be larger than the kernel's */

/* Returns the name of the clang that compiles handlers of --runtime=bpf; NULL: none. */
const char *bpfclang_find(struct arena *a);
/* True: this user may run them here, and the kernel supports them. */
bool bpfclang_serves(struct arena *a);

#endif
