/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking a module out of the kernel. */
#ifndef STAPRUN_REMOVE_H
#define STAPRUN_REMOVE_H

#include <stdbool.h>
#include <sys/types.h>

struct caller;

/* As long as it is the owner's: by now another may have loaded one of that name. Tries for a few seconds while it is in use. Prints what is wrong. */
bool remove_module(const char *name, uid_t owner);
/* -d: only a module of stap's, and of the caller's; who runs it is asked to stop first. Prints what is wrong. */
bool remove_on_request(const char *name, const struct caller *c);
/* All of the caller's that nobody runs. */
bool remove_all_left(const struct caller *c);
/* It is one of stap's, the caller's, and nobody reads it; otherwise it has been said. */
bool remove_is_free(const char *name, const struct caller *c);

#endif
