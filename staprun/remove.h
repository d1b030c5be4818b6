/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking a module out of the kernel. */
#ifndef STAPRUN_REMOVE_H
#define STAPRUN_REMOVE_H

#include <stdbool.h>

/* Tries for a few seconds while the module is in use. Prints what is wrong. */
bool remove_module(const char *name);
/* -d: only a module of stap's; who runs it is asked to stop first. Prints what is wrong. */
bool remove_on_request(const char *name);
/* All that nobody runs. */
bool remove_all_left(void);
/* It is one of stap's, and nobody reads it; otherwise it has been said. */
bool remove_is_free(const char *name);

#endif
