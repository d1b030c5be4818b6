/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace out of a dump of a machine's memory: what the module had recorded and nobody
 * had read, and the books, as if they came from raw files.
 */
#ifndef TRACE_SOURCE_VMCORE_VMCORE_H
#define TRACE_SOURCE_VMCORE_VMCORE_H

#include <stdbool.h>

struct join;
struct output;

/*
 * Opens the dump for join_run(). module: its name, or NULL when there is only one. False:
 * it cannot be read, which has been reported.
 */
bool vmcore_open(struct join *j, const char *name, const char *module, struct output *o);

#endif
