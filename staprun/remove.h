/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking a module out of the kernel. */
#ifndef STAPRUN_REMOVE_H
#define STAPRUN_REMOVE_H

#include <stdbool.h>
#include <sys/types.h>

struct caller;
struct loaded;

/*
 * The module that was found, and none of its name that came later. Waits for probes that
 * are being removed, and for a few seconds while it is in use. Prints what is wrong. The
 * kernel removes by name alone: between the last look and that, a module of the name that
 * has not been started yet could be hit; one that runs is held by itself.
 */
bool remove_module(const struct loaded *m);
/* One that the caller of staprun has just loaded, and that need not be one of stap's. */
bool remove_just_loaded(const char *name, uid_t owner);
/*
 * -d: only a module of stap's, and of the caller's; who
 * runs it is asked to stop first. Prints what is wrong.
 */
bool remove_on_request(const char *name, const struct caller *c);
/* All of the caller's that nobody runs. */
bool remove_all_left(const struct caller *c);
/*
 * What runs have left behind that were killed with all that would have removed it. Says
 * nothing.
 */
void remove_forsaken(const struct caller *c);
/*
 * Finds it for who wants to read it: it is one of stap's, the caller's, and nobody reads
 * it; otherwise it has been said.
 */
bool remove_find_free(struct loaded *m, const char *name, const struct caller *c);

#endif
