/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which functions the kernel's source files have, for where no debuginfo says it. The
 * table (drift/files.def) is of one kernel, FILES_OF; functions seldom move. To make it
 * anew: tools/drift-files.sh.
 */
#ifndef STAP_DRIFT_SOURCEFILES_H
#define STAP_DRIFT_SOURCEFILES_H

#include <stdbool.h>

#include "base/hashmap.h"

struct session;

#define FILES_OF "6.1"

/*
 * The names of the functions that files have whose path matches, as keys; "sys_NAME"
 * stands for all entry points of a system call. False: there is no such file.
 */
bool sourcefiles_functions(struct session *s, const char *pattern, struct hashmap *ret);
/* Whether the function, as the kernel's tables call it, is one of those. */
bool sourcefiles_has(struct session *s, const struct hashmap *names, const char *function);

#endif
