/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads files that security decisions depend on. Each file is opened once, checked while
 * open, and read into memory. So the checked bytes are the bytes that are used, even if
 * the path changes.
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
 * Opens a directory that only root can have written to. Returns -1 with errno; EPERM:
 * others may write to it.
 */
int image_open_root_dir(const char *path);
/*
 * Reads a file of that directory, by a name without '/'. It must not be a symbolic link,
 * and only root may have been able to write it. Returns NULL or an error text.
 */
const char *image_read_in(int dir, const char *name, size_t max, struct image *ret);
/*
 * Reads a file by the user's path, with no more rights than the user's. It must belong to
 * root or the user, and no others may write it. Returns NULL or an error text.
 */
const char *image_read_as_user(const char *path, size_t max, struct image *ret);
void image_free(struct image *i);

#endif
