/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loaded modules that the caller may read and end: the caller's own, or all of them. */
#ifndef STAPRUN_OWNERSHIP_H
#define STAPRUN_OWNERSHIP_H

#include <stdbool.h>

struct caller;
struct kmodule;
struct kmodule_state;

/* Finds such a module by its name. False: the error was printed. */
bool ownership_find(struct kmodule *m, const char *name, const struct caller *c);
/*
 * Calls fn for all such modules for which is_meant() returns true; NULL: for all. Returns
 * true if all calls did. Also returns false, after printing an error, if not all modules
 * could be found.
 */
bool ownership_each(const struct caller *c, bool (*is_meant)(const struct kmodule_state *s),
		    bool (*fn)(const struct kmodule *m, void *ctx), void *ctx);

#endif
