/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the kernel's source files, for kernels without debuginfo. The table
 * (drift/data/sourcefiles.def) is of one kernel, FILES_OF; functions seldom move. To make
 * it anew: tools/drift-files.sh.
 */
#ifndef STAP_DRIFT_SOURCEFILES_H
#define STAP_DRIFT_SOURCEFILES_H

#include <stdbool.h>

#include "lib/hashmap.h"

struct session;

#define FILES_OF "6.1"

/*
 * Adds to *ret, as keys, the names of the functions in files whose path matches;
 * "sys_NAME" stands for all entry points of a system call. Returns false when there is no
 * such file.
 */
bool sourcefiles_functions(struct session *s, const char *pattern, struct hashmap *ret);
/*
 * Returns whether the names have the function, given by its name in the kernel's tables.
 */
bool sourcefiles_has(struct session *s, const struct hashmap *names, const char *function);

#endif
