/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls in the target's tables for which the tapset has no row: they get aliases
 * made from the kernel's own facts.
 */
#ifndef STAP_SEM_NEWCALLS_H
#define STAP_SEM_NEWCALLS_H

#include <stdbool.h>

struct point;
struct session;
struct unit;

/*
 * True: the point may mean such a call: its name begins with syscall, nd_syscall or
 * tp_syscall.
 */
bool newcalls_may(const struct point *p);
/*
 * Returns their aliases, made on first use; NULL where the kernel's tables cannot be
 * read.
 */
const struct unit *newcalls_unit(struct session *s);

#endif
