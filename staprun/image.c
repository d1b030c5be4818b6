/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See image.h. */
#include "staprun/image.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/trust.h"
#include "staprun/privileges.h"

/* Without O_NONBLOCK, opening a FIFO would wait for its writer. */
#define FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

int image_open_root_dir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (!trust_check_open(fd, TRUST_ROOT))
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

/*
 * Checks the owner and mode of the user's file. Somebody who can write the file can run
 * code in the kernel: only root and the calling user may be able to do so.
 */
static const char *check_of_user(int fd)
{
	switch (trust_check_open(fd, (struct trust){ .user = getuid(), .group = getgid() })) {
	case TRUST_OWNER:
		return "it belongs neither to root nor to you";
	case TRUST_WRITE:
		return "everybody may write it (chmod go-w makes it acceptable)";
	case TRUST_GROUP:
		return "a group other than yours may write it (chmod go-w makes it acceptable)";
	case TRUST_ABSENT:
		return strerror(errno);
	default:
		return NULL;
	}
}

static const char *check_of_root(int fd)
{
	return trust_check_open(fd, TRUST_ROOT) ? "users other than root may write to it" : NULL;
}

/*
 * Reads the file. If it grows or shrinks meanwhile, the bytes read so far are the image.
 */
static const char *read_all(int fd, size_t max, struct image *ret)
{
	size_t room = 0;

	for (;;) {
		char *more = ret->data;
		ssize_t n;

		if (ret->size == room) {
			room = room ? 2 * room : 65536;
			more = realloc(ret->data, room);
		}
		if (!more)
			return strerror(ENOMEM);
		ret->data = more;
		n = read(fd, ret->data + ret->size, room - ret->size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return strerror(errno);
		ret->size += (size_t)n;
		if (ret->size > max)
			return "it is too large";
		if (!n)
			return ret->size ? NULL : "it is empty";
	}
}

static const char *read_checked(int fd, const char *(*check)(int fd), size_t max, struct image *ret)
{
	const char *wrong;
	struct stat st;

	*ret = (struct image){ 0 };
	if (fstat(fd, &st))
		wrong = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		wrong = "not a regular file";
	else
		wrong = check(fd);
	if (!wrong)
		wrong = read_all(fd, max, ret);
	close(fd);
	if (wrong)
		image_free(ret);
	return wrong;
}

const char *image_read_in(int dir, const char *name, size_t max, struct image *ret)
{
	struct open_how how = { .flags = FLAGS,
				.resolve =
					RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV };
	int fd;

	if (strchr(name, '/'))
		return "not a plain name";
	fd = (int)syscall(SYS_openat2, dir, name, &how, sizeof(how));
	if (fd < 0)
		return errno == ELOOP ? "a symbolic link" : strerror(errno);
	return read_checked(fd, check_of_root, max, ret);
}

const char *image_read_as_user(const char *path, size_t max, struct image *ret)
{
	int fd = privileges_open(path, FLAGS);

	if (fd < 0)
		return strerror(-fd);
	return read_checked(fd, check_of_user, max, ret);
}

void image_free(struct image *i)
{
	free(i->data);
	*i = (struct image){ 0 };
}
