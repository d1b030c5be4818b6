/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See outfile.h. */
#include "lib/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/trust.h"

#define OUTFILE_LINKS_MOST 40	 /* as many as in the kernel */
#define OUTFILE_TRIES	   16	 /* another process may create and remove the file */
#define FIFO_PAUSE_US	   10000 /* between two checks for a reader of a FIFO */

struct outfile_walk {
	struct outfile *f;
	char rest[PATH_MAX]; /* of the path, below f->dir */
	unsigned links;
	mode_t mode;
};

const char *outfile_error(const struct outfile *f, int error)
{
	return f->why[0] ? f->why : strerror(-error);
}

/* ---- owners of directories and files ---- */

/* True: no other user can make, remove or rename files there. */
static bool outfile_is_private(const struct stat *dir)
{
	return trust_check(dir, trust_user()) == TRUST_OURS;
}

static int outfile_check_link(struct outfile_walk *w, const struct stat *link, const char *name)
{
	struct stat dir;

	if (trust_is_owner(link->st_uid, trust_user()))
		return 0;
	if (fstat(w->f->dir, &dir))
		return -errno;
	if (outfile_is_private(&dir))
		return 0;
	snprintf(w->f->why, sizeof(w->f->why),
		 "the link '%.100s' is user %u's, in a directory where others can make links: name "
		 "the file "
		 "that is meant",
		 name, (unsigned)link->st_uid);
	return -ELOOP;
}

static int outfile_check_file(struct outfile *f, const struct stat *st)
{
	struct stat dir;

	if (S_ISDIR(st->st_mode))
		return -EISDIR;
	if (fstat(f->dir, &dir))
		return -errno;
	if (outfile_is_private(&dir))
		return 0;
	if (S_ISREG(st->st_mode) && st->st_nlink > 1) {
		snprintf(f->why, sizeof(f->why),
			 "it has %lu names (hard links), and others could have made them: remove "
			 "it, or name "
			 "another file",
			 (unsigned long)st->st_nlink);
		return -EPERM;
	}
	if (!(dir.st_mode & S_IWOTH) || st->st_uid == geteuid() || st->st_uid == dir.st_uid)
		return 0;
	snprintf(
		f->why, sizeof(f->why),
		"it is user %u's, in a directory where everybody can make files: name another file",
		(unsigned)st->st_uid);
	return -EACCES;
}

/* ---- one writer ---- */

/* Returns the process that holds the lock, or 0. */
static long outfile_locker(const struct stat *st)
{
	FILE *f = fopen("/proc/locks", "re");
	char line[256];
	long ret = 0;

	while (f && !ret && fgets(line, sizeof(line), f)) {
		unsigned major, minor;
		unsigned long inode;
		long pid;

		if (sscanf(line, "%*s FLOCK %*s WRITE %ld %x:%x:%lu", &pid, &major, &minor,
			   &inode) == 4 &&
		    inode == st->st_ino && makedev(major, minor) == st->st_dev)
			ret = pid;
	}
	if (f)
		fclose(f);
	return ret;
}

/* Locks the file. File systems without locks are accepted. */
static int outfile_lock(struct outfile *f)
{
	struct stat st;
	long pid;

	if (!flock(f->fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
		return 0;
	pid = fstat(f->fd, &st) ? 0 : outfile_locker(&st);
	if (pid > 0)
		snprintf(f->why, sizeof(f->why), "it is being written by another run (process %ld)",
			 pid);
	else
		snprintf(f->why, sizeof(f->why), "it is being written by another run");
	return -EBUSY;
}

/* ---- the file itself ---- */

static bool outfile_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* True: the file still has this name. Another run may have renamed or removed it. */
static bool outfile_has_name(const struct outfile *f, const struct stat *st)
{
	struct stat now;

	return !fstatat(f->dir, f->base, &now, AT_SYMLINK_NOFOLLOW) && outfile_is_same(&now, st);
}

/* Uses the opened file. -EAGAIN: it has changed in the meantime. */
static int outfile_take(struct outfile *f)
{
	struct stat st;
	int rc;

	if (fstat(f->fd, &st))
		return -errno;
	if (S_ISREG(st.st_mode)) {
		rc = outfile_lock(f);
		if (rc)
			return outfile_has_name(f, &st) ? rc : -EAGAIN;
		if (!outfile_has_name(f, &st))
			return -EAGAIN;
		if (ftruncate(f->fd, 0))
			return -errno;
	}
	return fcntl(f->fd, F_SETFL, 0) ? -errno : 0;
}

static int outfile_keep(struct outfile *f, int fd)
{
	int rc;

	if (fd < 0)
		return -errno;
	f->fd = fd;
	rc = outfile_take(f);
	if (!rc)
		return 0;
	close(f->fd);
	f->fd = -1;
	return rc;
}

static int outfile_make(struct outfile *f, mode_t mode)
{
	int rc = outfile_keep(
		f, openat(f->dir, f->base,
			  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, mode));

	return rc == -EEXIST ? -EAGAIN : rc;
}

/* Opens an existing file after examining it: opening some devices has side effects. */
static int outfile_reuse(struct outfile *f, const struct stat *st)
{
	int rc = outfile_check_file(f, st);
	struct stat now;
	int fd;

	if (rc)
		return rc;
	f->is_fifo = S_ISFIFO(st->st_mode);
	fd = openat(f->dir, f->base, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return errno == ELOOP || errno == ENOENT ? -EAGAIN : -errno;
	if (!fstat(fd, &now) && outfile_is_same(st, &now))
		return outfile_keep(f, fd);
	close(fd);
	return -EAGAIN;
}

/* ---- the path to it ---- */

static int outfile_enter(struct outfile *f, int dir)
{
	if (dir < 0)
		return -errno;
	if (f->dir >= 0)
		close(f->dir);
	f->dir = dir;
	return 0;
}

static int outfile_begin_at(struct outfile *f, const char *path)
{
	return outfile_enter(f, open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

static bool outfile_is_procfs(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* Replaces a link's name with its text in the path. */
static int outfile_follow(struct outfile_walk *w, int link, const char *name)
{
	char target[PATH_MAX], rest[PATH_MAX];
	struct stat st;
	ssize_t len;
	int rc = fstat(link, &st) ? -errno : outfile_check_link(w, &st, name);

	if (rc)
		return rc;
	len = readlinkat(link, "", target, sizeof(target) - 1);
	if (len < 0)
		return -errno;
	target[len] = 0;
	memcpy(rest, w->rest, sizeof(rest));
	if (++w->links > OUTFILE_LINKS_MOST)
		return -ELOOP;
	if (snprintf(w->rest, sizeof(w->rest), "%s%s%s", target, *rest ? "/" : "", rest) >=
	    (int)sizeof(w->rest))
		return -ENAMETOOLONG;
	return *target == '/' ? outfile_begin_at(w->f, "/") : 0;
}

/*
 * Goes one step down. Links in /proc lead to open files and directories, not to names:
 * the kernel follows those.
 */
static int outfile_step(struct outfile_walk *w, const char *name)
{
	int fd = openat(w->f->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), rc;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return fd < 0 ? -errno : -EIO;
	if (S_ISLNK(st.st_mode) && !outfile_is_procfs(fd)) {
		rc = outfile_follow(w, fd, name);
		close(fd);
		return rc;
	}
	if (S_ISLNK(st.st_mode)) {
		close(fd);
		fd = openat(w->f->dir, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	} else if (!S_ISDIR(st.st_mode)) {
		close(fd);
		return -ENOTDIR;
	}
	return outfile_enter(w->f, fd);
}

/* Removes the first name from the path. True: it was the last one. */
static int outfile_next_name(struct outfile_walk *w, char name[NAME_MAX + 1], bool *last)
{
	const char *s = w->rest + strspn(w->rest, "/");
	size_t len = strcspn(s, "/");

	if (!len)
		return -EISDIR;
	if (len > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(name, s, len);
	name[len] = 0;
	*last = !s[len];
	memmove(w->rest, s + len, strlen(s + len) + 1);
	return *last && (!strcmp(name, ".") || !strcmp(name, "..")) ? -EISDIR : 0;
}

/*
 * Opens "/dev/stdout" and the like: such a file has no name here, and its writers know
 * about each other.
 */
static int outfile_reopen(struct outfile *f, const char *name)
{
	f->fd = openat(f->dir, name, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return f->fd < 0 || fcntl(f->fd, F_SETFL, 0) ? -errno : 0;
}

/* Opens the last name of the path. 1: it is a link, and the walk continues. */
static int outfile_finish(struct outfile_walk *w, const char *name)
{
	struct outfile *f = w->f;
	int fd = openat(f->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), rc;
	struct stat st;

	memcpy(f->base, name, strlen(name) + 1);
	if (fd < 0)
		return errno == ENOENT ? outfile_make(f, w->mode) : -errno;
	if (fstat(fd, &st))
		rc = -errno;
	else if (!S_ISLNK(st.st_mode))
		rc = outfile_reuse(f, &st);
	else if (outfile_is_procfs(fd))
		rc = outfile_reopen(f, name);
	else
		rc = outfile_follow(w, fd, name) ?: 1;
	close(fd);
	return rc;
}

static int outfile_walk(struct outfile_walk *w)
{
	for (;;) {
		char name[NAME_MAX + 1];
		bool last;
		int rc = outfile_next_name(w, name, &last);

		if (rc)
			return rc;
		if (!last && !strcmp(name, "."))
			continue;
		rc = last ? outfile_finish(w, name) : outfile_step(w, name);
		if (rc < 0 || (last && !rc))
			return rc;
	}
}

/* Tries once. dir -1: the path is used as it is. */
static int outfile_try(struct outfile *f, int dir, const char *path, mode_t mode)
{
	struct outfile_walk w = { .f = f, .mode = mode };
	int rc;

	*f = (struct outfile){ .fd = -1, .dir = -1 };
	if (!*path)
		return -ENOENT;
	if (snprintf(w.rest, sizeof(w.rest), "%s", path) >= (int)sizeof(w.rest))
		return -ENAMETOOLONG;
	rc = dir < 0 ? outfile_begin_at(f, path) : outfile_enter(f, fcntl(dir, F_DUPFD_CLOEXEC, 0));
	if (!rc)
		rc = outfile_walk(&w);
	if (rc && f->dir >= 0) {
		close(f->dir);
		f->dir = -1;
	}
	return rc;
}

static int outfile_retry(struct outfile *f, int dir, const char *path, mode_t mode)
{
	int rc = -EAGAIN;

	for (int i = 0; rc == -EAGAIN && i < OUTFILE_TRIES; i++)
		rc = outfile_try(f, dir, path, mode);
	return rc;
}

int outfile_open(struct outfile *f, const char *path, mode_t mode)
{
	return outfile_retry(f, -1, path, mode);
}

int outfile_open_waiting(struct outfile *f, const char *path, mode_t mode, bool (*ends)(void))
{
	int rc;

	while ((rc = outfile_open(f, path, mode)) == -ENXIO && f->is_fifo) {
		if (ends && ends())
			return -EINTR;
		usleep(FIFO_PAUSE_US);
	}
	return rc;
}

int outfile_open_at(struct outfile *f, int dir, const char *base, mode_t mode)
{
	return outfile_retry(f, dir, base, mode);
}
