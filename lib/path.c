/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/path.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/cleanup.h"
#include "lib/error.h"
#include "lib/fullwrite.h"

bool path_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* Reads until the end, whatever the size is: files in /proc and pipes report 0. */
static struct error *read_fd(struct arena *a, int fd, const char *path, size_t size, char **text,
			     size_t *len)
{
	size_t used = 0;
	char *buf;

	size = size ? size : 4096;
	buf = arena_alloc(a, size + 1);
	for (;;) {
		ssize_t n = read(fd, buf + used, size - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(a, "%s", path);
		used += (size_t)n;
		if (n == 0)
			break;
		if (used == size) {
			char extra, *bigger;

			n = read(fd, &extra, 1);
			if (n <= 0)
				break;
			bigger = arena_alloc(a, size * 2 + 1);
			memcpy(bigger, buf, used);
			bigger[used++] = extra;
			buf = bigger;
			size *= 2;
		}
	}
	buf[used] = 0;
	*text = buf;
	*len = used;
	return NULL;
}

const char *path_canonical(struct arena *a, const char *path)
{
	char *real = realpath(path, NULL);
	const char *copy = real ? arena_strdup(a, real) : NULL;

	free(real);
	return copy;
}

bool path_is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

#define LINKS_MOST 40 /* as in the kernel */

const char *path_link(struct arena *a, const char *path)
{
	char text[PATH_MAX];
	ssize_t len = readlink(path, text, sizeof(text));

	return len > 0 && (size_t)len < sizeof(text) ? arena_strndup(a, text, (size_t)len) : NULL;
}

static const char *parent_of(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_strndup(a, path, (size_t)(slash - path)) : "";
}

/*
 * Resolves part by part, as the kernel does for a process with this root; `rest` is the
 * remaining path.
 */
static const char *resolve_in(struct arena *a, const char *root, const char *rest)
{
	const char *done = "", *target;
	unsigned links = 0;

	while (*(rest += strspn(rest, "/"))) {
		const char *part = arena_strndup(a, rest, strcspn(rest, "/"));
		const char *next = arena_printf(a, "%s/%s", done, part);

		rest += strlen(part);
		if (!strcmp(part, "."))
			continue;
		if (!strcmp(part, "..")) {
			done = parent_of(a, done);
			continue;
		}
		target = path_link(a, arena_printf(a, "%s%s", root, next));
		if (!target) {
			done = next;
			continue;
		}
		if (++links > LINKS_MOST)
			return NULL;
		done = *target == '/' ? "" : done;
		rest = arena_printf(a, "%s%s", target, rest);
	}
	return done;
}

const char *path_canonical_in(struct arena *a, const char *root, const char *path)
{
	const char *inside = *root ? resolve_in(a, root, path) : NULL, *whole;

	if (!*root)
		return path_canonical(a, path);
	if (!inside)
		return NULL;
	whole = arena_printf(a, "%s%s", root, inside);
	if (!path_exists(whole))
		return NULL;
	return path_is_same_file(whole, inside) ? inside : whole;
}

const char *path_search(struct arena *a, const char *root, const char *dirs, const char *name)
{
	while (dirs && *dirs) {
		size_t len = strcspn(dirs, ":");
		const char *path = arena_printf(a, "%.*s/%s", (int)len, dirs, name);
		const char *there = len ? path_canonical_in(a, root, path) : NULL;
		struct stat st;

		if (there && !stat(there, &st) && S_ISREG(st.st_mode))
			return path;
		dirs += len + (dirs[len] == ':');
	}
	return NULL;
}

const char *path_leads_to(struct arena *a, const char *path)
{
	return resolve_in(a, "", path);
}

const char *path_behind_root(struct arena *a, const char *root, const char *name)
{
	const char *directory = *root ? path_link(a, root) : NULL;
	size_t len = directory ? strlen(directory) : 0;

	return len > 1 && !strncmp(name, directory, len) && name[len] == '/' ? name + len : name;
}

struct error *path_read(struct arena *a, const char *path, char **text, size_t *len)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return error_errno(a, "%s", path);
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return error_errno(a, "%s", path);
	}
	return read_fd(a, fd, path, (size_t)st.st_size, text, len);
}

static struct error *write_all(struct arena *a, int fd, const char *path, const char *text,
			       size_t len)
{
	return fullwrite(fd, text, len) ? NULL : error_errno(a, "%s", path);
}

static const char *directory_of(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	return !slash ? "." : slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
}

/*
 * Writes to a file with a temporary name in the same directory. Needed if the file system
 * does not support unnamed files, or if an existing file is replaced.
 */
static struct error *write_beside(struct arena *a, const char *path, const char *text, size_t len,
				  mode_t mode)
{
	char *tmp = arena_printf(a, "%s.XXXXXX", path);
	_cleanup_close_ int fd = mkostemp(tmp, O_CLOEXEC);
	struct error *err;

	if (fd < 0)
		return error_errno(a, "%s", tmp);
	err = write_all(a, fd, tmp, text, len);
	if (!err && fchmod(fd, mode))
		err = error_errno(a, "%s", tmp);
	if (!err && rename(tmp, path))
		err = error_errno(a, "%s", path);
	if (err)
		unlink(tmp);
	return err;
}

/*
 * Writes to a file without a name and gives it its name when it is whole, so that nothing
 * is left over when this process is killed. False: that is impossible here.
 */
static bool write_unnamed(struct arena *a, const char *path, const char *text, size_t len,
			  mode_t mode)
{
	_cleanup_close_ int fd =
		open(directory_of(a, path), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	return fd >= 0 && !write_all(a, fd, path, text, len) && !fchmod(fd, mode) &&
	       !linkat(AT_FDCWD, arena_printf(a, "/proc/self/fd/%d", fd), AT_FDCWD, path,
		       AT_SYMLINK_FOLLOW);
}

static struct error *write_whole(struct arena *a, const char *path, const char *text, size_t len,
				 mode_t mode)
{
	return !path_exists(path) && write_unnamed(a, path, text, len, mode)
		       ? NULL
		       : write_beside(a, path, text, len, mode);
}

struct error *path_write(struct arena *a, const char *path, const char *text, size_t len)
{
	return write_whole(a, path, text, len, 0644);
}

struct error *path_write_private(struct arena *a, const char *path, const char *text, size_t len)
{
	return write_whole(a, path, text, len, 0600);
}

struct error *path_write_program(struct arena *a, const char *path, const char *text, size_t len)
{
	return write_whole(a, path, text, len, 0755);
}

static struct error *copy(struct arena *a, const char *from, const char *to, mode_t mode)
{
	struct error *err;
	char *text;
	size_t len;

	err = path_read(a, from, &text, &len);
	return err ? err : write_whole(a, to, text, len, mode);
}

struct error *path_copy(struct arena *a, const char *from, const char *to)
{
	return copy(a, from, to, 0644);
}

struct error *path_copy_program(struct arena *a, const char *from, const char *to)
{
	return copy(a, from, to, 0755);
}

struct error *path_make_dirs(struct arena *a, const char *path, unsigned mode)
{
	char *copy = arena_strdup(a, path);

	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(copy, mode) && errno != EEXIST)
			return error_errno(a, "%s", copy);
		*slash = '/';
	}
	if (mkdir(copy, mode) && errno != EEXIST)
		return error_errno(a, "%s", copy);
	return NULL;
}

static int remove_entry(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	return remove(path);
}

void path_remove_tree(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *path_tmp_base(void)
{
	const char *base = getenv("TMPDIR");

	return base && *base == '/' ? base : "/tmp";
}
