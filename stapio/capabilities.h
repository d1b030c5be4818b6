/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drops stapio's capabilities, which it does not need once its output is open. A process
 * of root gets all of them back at exec, so staprun cannot remove them for good without
 * also removing them from the commands of -c and system(). Therefore stapio drops its
 * own.
 */
#ifndef STAPIO_CAPABILITIES_H
#define STAPIO_CAPABILITIES_H

#include <stdbool.h>

/* True: files can be created and renamed in this directory without capabilities. */
bool capabilities_reach(int dir);
/*
 * Drops all capabilities, before any thread is created. any_directory: keeps the
 * permission to write to directories of other users, for a series of files in such a
 * directory. The caller then confines itself to that directory (confine.h). Returns 0 or
 * -errno.
 */
int capabilities_drop(bool any_directory);

#endif
