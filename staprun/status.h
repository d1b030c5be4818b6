/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --status: what modules that are loaded do. */
#ifndef STAPRUN_STATUS_H
#define STAPRUN_STATUS_H

#include <stdbool.h>

struct caller;
struct kmodule;

/*
 * Writes a module's state and books to standard output, as uapi/status.h describes; name
 * NULL: those of all modules that the caller may see. With `globals` the values of a
 * module's globals, too. Prints what is wrong.
 */
bool status_write(const char *name, const struct caller *c, bool globals);
/*
 * Writes the values of the module's globals to the descriptor, where stap --globals has
 * made it.
 */
void status_write_values(const struct kmodule *m, int fd);
/* Serves --switch. Prints what is wrong. */
bool status_switch(const char *name, const char *request, const struct caller *c);

#endif
