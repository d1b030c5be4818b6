/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory of the running program, next to which the others are installed. */
#ifndef LIB_SELFPATH_H
#define LIB_SELFPATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The running program; only for exec(3). */
#define SELFPATH_EXE "/proc/self/exe"

/*
 * Writes the directory of the running program, with a slash at its end. False: /proc does
 * not show it, or less than NAME_MAX bytes of room are left after the path.
 */
bool selfpath_dir(char dir[PATH_MAX]);
/*
 * Searches n paths, each relative to that directory, for a program, and writes the path
 * of the first one found. False: there is none.
 */
bool selfpath_find(const char *const *places, size_t n, char path[PATH_MAX]);

#endif
