/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the kernel's source files, for kernels without debuginfo. The table,
 * tapset/sourcefiles.txt, is of one kernel; functions seldom move. It is read only for
 * points that need it. To make it again: tools/drift-files.sh.
 *
 *   # comment
 *   kernel 6.1
 *   fs/attr.c: in_group_or_capable notify_change
 *   	setattr_copy
 *   end 1
 *
 * A line that begins with a tab has more functions of the file before it. The last line
 * counts the files.
 */
#ifndef STAP_DRIFT_SOURCEFILES_H
#define STAP_DRIFT_SOURCEFILES_H

#include <stdbool.h>

#include "lib/hashmap.h"

struct error;
struct session;

struct source_functions {
	const char *release;  /* the table's kernel, as "6.1" */
	struct hashmap names; /* the keys; none: no such file */
};

/*
 * Sets *ret to the functions of files whose path matches; "sys_NAME" means all entry
 * points of a system call. Returns an error if the table is missing or damaged.
 */
struct error *sourcefiles_functions(struct session *s, const char *pattern,
				    struct source_functions *ret);
/*
 * Returns whether the names have the function, given by its name in the kernel's tables.
 */
bool sourcefiles_has(struct session *s, const struct hashmap *names, const char *function);

#endif
