/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps files. */
#include "formats/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/cleanup.h"
#include "lib/error.h"

static struct error *read_all(struct arena *a, const char *name, int fd, size_t size,
			      struct bytes *ret)
{
	uint8_t *data = arena_alloc(a, size + 1);
	size_t len = 0;

	while (len < size) {
		ssize_t n = pread(fd, data + len, size - len, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(a, "%s", name);
		if (!n)
			break;
		len += n;
	}
	*ret = (struct bytes){ name, data, len };
	return NULL;
}

struct error *file_map_fd(struct arena *a, const char *name, int fd, struct bytes *ret)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_errno(a, "%s", name);
	if (!S_ISREG(st.st_mode))
		return error_create(a, ERROR_ENVIRONMENT, "%s: not a regular file", name);
	if (!st.st_size) {
		*ret = (struct bytes){ name, (const uint8_t *)"", 0 };
		return NULL;
	}

	void *p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (p == MAP_FAILED)
		return read_all(a, name, fd, st.st_size, ret);
	*ret = (struct bytes){ name, p, st.st_size };
	return NULL;
}

struct error *file_map(struct arena *a, const char *path, struct bytes *ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_errno(a, "%s", path);
	return file_map_fd(a, arena_strdup(a, path), fd, ret);
}
