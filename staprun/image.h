/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that decide something: each is opened once, judged by what is open, and read into
 * memory. What is checked and what is used are then the same bytes, whatever becomes of
 * the path.
 */
#ifndef STAPRUN_IMAGE_H
#define STAPRUN_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

struct image {
	char *data; /* malloc */
	size_t size;
};

/*
 * A directory that only root can have filled; -1
 * with errno: EPERM when others may write it.
 */
int image_open_root_dir(const char *path);
/*
 * A file in it, by a name without '/', not a symbolic link,
 * that only root can have written; NULL or what is wrong.
 */
const char *image_read_in(int dir, const char *name, size_t max, struct image *ret);
/*
 * By the user's path, with no more rights than the user's; of root
 * or the user, and no others may write it. NULL, or what is wrong.
 */
const char *image_read_as_user(const char *path, size_t max, struct image *ret);
void image_free(struct image *i);

#endif
