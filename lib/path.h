/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files and directories. */
#ifndef LIB_PATH_H
#define LIB_PATH_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct error;

bool path_exists(const char *path);
/* Returns the path with links and dots resolved. NULL: it does not exist. */
const char *path_canonical(struct arena *a, const char *path);
/*
 * Resolves the path as a process with another root directory does ("/proc/12/root"; "":
 * our own root): links never lead out of that root. If we see the same file under the
 * same name, that name is returned; any other name begins with the root.
 */
const char *path_canonical_in(struct arena *a, const char *root, const char *path);
/*
 * Searches directories below the root for a file of that name and returns the path of the
 * first one, as processes with that root name it, or NULL. `dirs` is a list as in PATH,
 * or NULL.
 */
const char *path_search(struct arena *a, const char *root, const char *dirs, const char *name);
/* Returns the path that its links lead to, whether that exists or not. */
const char *path_leads_to(struct arena *a, const char *path);
/* Returns the text of the link. NULL: the path is not a link. */
const char *path_link(struct arena *a, const char *path);
/*
 * Turns a name that the kernel shows in /proc into a name relative to the process's root.
 * The kernel's names begin at the root of the process's mounts; after chroot() the
 * process's own root is deeper.
 */
const char *path_behind_root(struct arena *a, const char *root, const char *name);
bool path_is_same_file(const char *a, const char *b);
struct error *path_read(struct arena *a, const char *path, char **text, size_t *len);
/* Writes the file. It appears when it is complete: readers never see a part of it. */
struct error *path_write(struct arena *a, const char *path, const char *text, size_t len);
/* The same, readable by the user alone. */
struct error *path_write_private(struct arena *a, const char *path, const char *text, size_t len);
struct error *path_write_program(struct arena *a, const char *path, const char *text, size_t len);
struct error *path_copy(struct arena *a, const char *from, const char *to);
struct error *path_copy_program(struct arena *a, const char *from, const char *to);
/* Creates the directory and its parents; new ones get `mode`. */
struct error *path_make_dirs(struct arena *a, const char *path, unsigned mode);
void path_remove_tree(const char *path);
/* Returns the directory for temporary files: TMPDIR, or /tmp. */
const char *path_tmp_base(void);

#endif
