/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The place of the running program, beside which the others are installed. */
#ifndef LIB_SELFPATH_H
#define LIB_SELFPATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The running program, for exec(3) alone. */
#define SELFPATH_EXE "/proc/self/exe"

/*
 * Writes the directory of the running program, with a slash at its end. False: /proc does
 * not tell, or the path leaves less than NAME_MAX bytes of room.
 */
bool selfpath_dir(char dir[PATH_MAX]);
/*
 * Finds the first of n places, each relative to that directory, where a program lies, and
 * writes its path. False: none.
 */
bool selfpath_find(const char *const *places, size_t n, char path[PATH_MAX]);

#endif
