/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes modules out of the kernel. */
#ifndef STAPRUN_REMOVE_H
#define STAPRUN_REMOVE_H

#include <stdbool.h>
#include <sys/types.h>

struct caller;
struct kmodule;

/*
 * Removes the module that was found, and none of its name that came later. Waits for
 * probes that are being removed, and for a few seconds while the module is in use.
 * Prints what is wrong. The kernel removes by name alone: a module of the same name that
 * is loaded after the last check and has not been started yet could be removed in its
 * place; a running one is held by its reader.
 */
bool remove_module(const struct kmodule *m);
/*
 * Removes a module that this process has just loaded, and that need not be one of
 * stap's.
 */
bool remove_just_loaded(const char *name, uid_t owner);
/*
 * Serves -d: removes a module of stap's that is the caller's, and asks the process that
 * runs it to stop first. Prints what is wrong.
 */
bool remove_on_request(const char *name, const struct caller *c);
/* Removes all of the caller's modules that nobody runs. */
bool remove_all_left(const struct caller *c);
/*
 * Removes modules that are left from runs that were killed with all processes that would
 * have removed them. Prints nothing.
 */
void remove_forsaken(const struct caller *c);
/*
 * Finds a module for a new reader: one of stap's, the caller's, and without a reader.
 * False: the error has been printed.
 */
bool remove_find_free(struct kmodule *m, const char *name, const struct caller *c);

#endif
