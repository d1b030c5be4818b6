/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --status: the state of loaded modules. */
#ifndef STAPRUN_STATUS_H
#define STAPRUN_STATUS_H

#include <stdbool.h>

struct caller;
struct kmodule;

/*
 * Writes a module's state and books to standard output, as uapi/status.h describes; name
 * NULL: those of all modules that the caller may see. `globals`: also the values of a
 * module's globals. Prints errors.
 */
bool status_write(const char *name, const struct caller *c, bool globals);
/*
 * Writes the values of the module's globals to the descriptor, if the module was made
 * with stap --globals, and its state and books.
 */
void status_write_values(const struct kmodule *m, int fd);
/* Implements --switch. Prints errors. */
bool status_switch(const char *name, const char *request, const struct caller *c);

#endif
