/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls of the target's tables that the tapset has no
 * row for: aliases with what the kernel itself says about them.
 */
#ifndef STAP_SEM_NEWCALLS_H
#define STAP_SEM_NEWCALLS_H

#include <stdbool.h>

struct point;
struct session;
struct unit;

/* The point may mean one: its name begins with syscall, nd_syscall or tp_syscall. */
bool newcalls_may(const struct point *p);
/* Their aliases; NULL where the kernel's tables cannot be read. Made on first use. */
const struct unit *newcalls_unit(struct session *s);

#endif
