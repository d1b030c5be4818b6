/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a trace from a dump of a machine's memory: the unread records of a module and its
 * books, as if they came from raw files.
 */
#ifndef TRACE_SOURCE_VMCORE_VMCORE_H
#define TRACE_SOURCE_VMCORE_VMCORE_H

#include <stdbool.h>

struct join;
struct output;

/*
 * Opens the dump for join_run(). module: its name, or NULL if there is only one. False:
 * the dump cannot be read, which was reported.
 */
bool vmcore_open(struct join *j, const char *name, const char *module, struct output *o);

#endif
