/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See rename.h. The kernel takes a module's name from struct module, which the file holds in a section of its own; where in it differs little between
 * kernels, and the old name tells.
 */
#include "staprun/rename.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "staprun/say.h"

#define SECTION	 ".gnu.linkonce.this_module"
#define FILE_MAX (256 << 20)
/* struct module begins with its state and a list. */
#define NAME_WITHIN 256

static char *read_file(int fd, size_t *size)
{
	struct stat st;
	char *buf;

	if (fstat(fd, &st) || st.st_size <= 0 || st.st_size > FILE_MAX)
		return NULL;
	*size = (size_t)st.st_size;
	buf = malloc(*size);
	if (buf && pread(fd, buf, *size, 0) == st.st_size)
		return buf;
	free(buf);
	return NULL;
}

/* The name in struct module, with room for another; NULL: not found. */
static char *find_place(char *image, size_t size, const struct modinfo_section *s, const char *name)
{
	size_t len = strlen(name) + 1, most;

	if (s->offset > size || s->size > size - s->offset || s->size < NAME_WITHIN + MODULE_NAME_SIZE)
		return NULL;
	most = NAME_WITHIN;
	for (size_t at = 0; at < most; at += 8)
		if (!memcmp(image + s->offset + at, name, len))
			return image + s->offset + at;
	return NULL;
}

void *rename_module(struct load *l, size_t *size)
{
	struct modinfo_section section;
	char *image = read_file(l->fd, size), *place = NULL;
	char name[MODULE_NAME_SIZE] = "";

	if (image && modinfo_find_section(l->fd, SECTION, &section))
		place = find_place(image, *size, &section, l->name);
	if (!place) {
		say_error("%s: the module cannot be renamed: its name is not where kernels have it", l->path);
		free(image);
		return NULL;
	}
	snprintf(name, sizeof(name), "%.*s_%d", MODULE_NAME_SIZE - 14, l->name, (int)getpid());
	memcpy(place, name, sizeof(name));
	memcpy(l->name, name, sizeof(name));
	return image;
}
