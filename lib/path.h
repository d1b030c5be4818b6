/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files and directories. */
#ifndef LIB_PATH_H
#define LIB_PATH_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct error;

bool path_exists(const char *path);
/* Returns the path without links and dots; NULL: it is not there. */
const char *path_canonical(struct arena *a, const char *path);
/*
 * Resolves the path as a process with another root directory does ("/proc/12/root"; "":
 * our own root): links lead nowhere outside of that root. A file that we see under the
 * same name is returned by that name; any other name begins with the root.
 */
const char *path_canonical_in(struct arena *a, const char *root, const char *path);
/*
 * Returns the path of the file of that name in the first directory below the root that
 * has one, as processes there name it. dirs: as in PATH, or NULL; NULL: none has.
 */
const char *path_search(struct arena *a, const char *root, const char *dirs, const char *name);
/* Returns where the path leads by its links, whether that is there or not. */
const char *path_leads_to(struct arena *a, const char *path);
/* Returns the link's text; NULL: path is no link. */
const char *path_link(struct arena *a, const char *path);
/*
 * Turns a name that the kernel gives in /proc into one that counts from the process's
 * root. The kernel's names begin at the root of the process's mounts; after chroot() the
 * process's own root lies deeper.
 */
const char *path_behind_root(struct arena *a, const char *root, const char *name);
bool path_is_same_file(const char *a, const char *b);
struct error *path_read(struct arena *a, const char *path, char **text, size_t *len);
/* Writes the file. It appears when it is whole: readers never see half of it. */
struct error *path_write(struct arena *a, const char *path, const char *text, size_t len);
/* The same, for the user alone. */
struct error *path_write_private(struct arena *a, const char *path, const char *text, size_t len);
struct error *path_write_program(struct arena *a, const char *path, const char *text, size_t len);
struct error *path_copy(struct arena *a, const char *from, const char *to);
struct error *path_copy_program(struct arena *a, const char *from, const char *to);
/* Makes the directory and its parents; new ones get mode. */
struct error *path_make_dirs(struct arena *a, const char *path, unsigned mode);
void path_remove_tree(const char *path);
/* Returns the directory in which temporary files are made: TMPDIR, or /tmp. */
const char *path_tmp_base(void);

#endif
