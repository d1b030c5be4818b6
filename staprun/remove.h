/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes modules from the kernel. */
#ifndef STAPRUN_REMOVE_H
#define STAPRUN_REMOVE_H

#include <stdbool.h>
#include <sys/types.h>

struct caller;
struct kmodule;

/*
 * Removes the module that was found, and not a later one of the same name. Waits for
 * probes that are being removed, and for a few seconds while the module is in use. Prints
 * errors. The kernel removes only by name: a module of the same name that is loaded after
 * the last check and not yet started could be removed instead; a running one is held by
 * its reader.
 */
bool remove_module(const struct kmodule *m);
/* Removes a module that this process has just loaded, even if it is not one of stap's. */
bool remove_just_loaded(const char *name, uid_t owner);
/*
 * Implements -d: removes a module of stap's that the caller owns, after asking the
 * process that runs it to stop. Prints errors.
 */
bool remove_on_request(const char *name, const struct caller *c);
/* Removes all of the caller's modules that are not running. */
bool remove_all_left(const struct caller *c);
/*
 * Removes modules left by runs that were killed together with all processes that would
 * have removed the module. Prints nothing.
 */
void remove_forsaken(const struct caller *c);
/*
 * Finds a module for a new reader: it must be stap's, owned by the caller, and without a
 * reader. False: the error was printed.
 */
bool remove_find_free(struct kmodule *m, const char *name, const struct caller *c);

#endif
