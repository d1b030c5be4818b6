/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points of system calls under names other than the library's: the names that programs
 * use, names and lists of names as strings, and calls that programs no longer make.
 */
#ifndef STAP_SEM_CALLPOINTS_H
#define STAP_SEM_CALLPOINTS_H

#include "ast/node.h"
#include "lib/vec.h"

struct session;

typedef VEC(const struct point *) call_points;

/*
 * Returns the point by the library's name of the call: syscall.mmap is syscall.mmap2,
 * because the kernel's names sometimes differ from the library's. NULL: there is none.
 */
const struct point *callpoints_by_library_name(struct session *s, const struct point *p);
/*
 * Appends tp_syscall.read.return for tp_syscall("read").return, and one for each name of
 * tp_syscall("a,~compat_b,c=d"); other points: p itself.
 */
void callpoints_spell(struct session *s, const struct point *p, call_points *ret);
/*
 * Prints a note at syscall.open that programs now make another call, unless the script
 * also has that one.
 */
void callpoints_note(struct session *s, const struct point *p);

#endif
