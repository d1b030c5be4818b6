/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See trust.h. */
#include "lib/trust.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <unistd.h>

#define TRUST_NO_GROUP 0 /* root's is allowed anyway */

/* ---- files and directories ---- */

static struct trust trust_of(uid_t user, gid_t group)
{
	struct stat root;

	return (struct trust){ .user = user,
			       .group = group,
			       .system = stat("/", &root) ? 0 : root.st_uid };
}

struct trust trust_user(void)
{
	return trust_of(geteuid(), TRUST_NO_GROUP);
}

struct trust trust_user_and_group(void)
{
	return trust_of(geteuid(), getegid());
}

bool trust_is_owner(uid_t owner, struct trust whom)
{
	return owner == 0 || owner == whom.user || owner == whom.system;
}

enum trust_fault trust_check(const struct stat *st, struct trust whom)
{
	if (!trust_is_owner(st->st_uid, whom))
		return TRUST_OWNER;
	if (st->st_mode & S_IWOTH)
		return TRUST_WRITE;
	if (st->st_mode & S_IWGRP && st->st_gid != 0 && st->st_gid != whom.group)
		return TRUST_GROUP;
	return TRUST_OURS;
}

/*
 * With an access control list, the group's bits are the upper bound for all entries, and
 * the group that stat() reports may have fewer rights.
 */
#define TRUST_LIST "system.posix_acl_access"

static enum trust_fault trust_check_list(const struct stat *st, ssize_t size, struct trust whom)
{
	enum trust_fault fault = trust_check(st, whom);

	return !fault && st->st_mode & S_IWGRP && size > 0 ? TRUST_GROUP : fault;
}

enum trust_fault trust_check_open(int fd, struct trust whom)
{
	struct stat st;

	if (fstat(fd, &st))
		return TRUST_ABSENT;
	return trust_check_list(&st, fgetxattr(fd, TRUST_LIST, NULL, 0), whom);
}

static enum trust_fault trust_check_at(const char *path, struct trust whom, struct stat *st)
{
	if (stat(path, st))
		return TRUST_ABSENT;
	return trust_check_list(st, getxattr(path, TRUST_LIST, NULL, 0), whom);
}

/*
 * The path to a file, one component at a time: `real` is the part that was checked,
 * without links and without a '/' at its end; `rest` is the remaining part.
 */
struct trust_walk {
	struct trust whom;
	char *real;
	char rest[2 * PATH_MAX];
	unsigned links;
};

#define TRUST_LINKS_MOST 40 /* as many as in the kernel */

/* Checks the current directory: nobody but its owner may replace an entry. */
static enum trust_fault trust_check_dir(const struct trust_walk *w)
{
	struct stat st;
	enum trust_fault fault = trust_check_at(*w->real ? w->real : "/", w->whom, &st);

	if (fault == TRUST_ABSENT || fault == TRUST_OWNER)
		return fault;
	return st.st_mode & S_ISVTX ? TRUST_OURS : fault;
}

/* Replaces a link's name, which begins at `name` in real, with the link's text. */
static enum trust_fault trust_follow(struct trust_walk *w, char *name)
{
	char leads[2 * PATH_MAX];
	ssize_t n = readlink(w->real, leads, PATH_MAX);
	size_t rest = strlen(w->rest);

	errno = n < 0 ? errno : ELOOP;
	if (n < 0 || ++w->links > TRUST_LINKS_MOST)
		return TRUST_ABSENT;
	errno = ENAMETOOLONG;
	if (n == PATH_MAX || (size_t)n + rest + 2 > sizeof(w->rest))
		return TRUST_ABSENT;
	memmove(w->rest + n + 1, w->rest, rest + 1);
	memcpy(w->rest, leads, (size_t)n);
	w->rest[n] = '/';
	*(*leads == '/' ? w->real : name) = 0;
	return TRUST_OURS;
}

/* Enters the entry with that name, len bytes. */
static enum trust_fault trust_step(struct trust_walk *w, const char *name, size_t len)
{
	char *end = w->real + strlen(w->real);
	struct stat st;

	if (len == 1 && *name == '.')
		return TRUST_OURS;
	if (len == 2 && name[0] == '.' && name[1] == '.') {
		end = strrchr(w->real, '/');
		*(end ? end : w->real) = 0;
		return TRUST_OURS;
	}
	errno = ENAMETOOLONG;
	if ((size_t)(end - w->real) + 1 + len >= PATH_MAX)
		return TRUST_ABSENT;
	sprintf(end, "/%.*s", (int)len, name);
	if (lstat(w->real, &st))
		return TRUST_ABSENT;
	if (!S_ISLNK(st.st_mode))
		return TRUST_OURS;
	return trust_is_owner(st.st_uid, w->whom) ? trust_follow(w, end) : TRUST_OWNER;
}

/* Starts the walk. False: errno is set. */
static bool trust_begin(struct trust_walk *w, const char *path)
{
	size_t n;

	*w->real = 0;
	if (*path != '/' && !getcwd(w->rest, PATH_MAX))
		return false;
	n = strlen(w->rest);
	errno = *path ? ENAMETOOLONG : ENOENT;
	if (!*path || strlen(path) >= PATH_MAX)
		return false;
	w->rest[n] = '/';
	strcpy(w->rest + n + 1, path);
	return true;
}

enum trust_fault trust_check_path(const char *path, struct trust whom, char real[PATH_MAX])
{
	struct trust_walk w = { .whom = whom, .real = real };
	enum trust_fault fault = trust_begin(&w, path) ? TRUST_OURS : TRUST_ABSENT;
	char name[NAME_MAX + 1];
	struct stat st;

	while (!fault && w.rest[strspn(w.rest, "/")]) {
		char *from = w.rest + strspn(w.rest, "/");
		size_t len = strcspn(from, "/");

		errno = ENAMETOOLONG;
		fault = len > NAME_MAX ? TRUST_ABSENT : trust_check_dir(&w);
		if (fault)
			break;
		memcpy(name, from, len);
		memmove(w.rest, from + len, strlen(from + len) + 1);
		fault = trust_step(&w, name, len);
	}
	if (!*real)
		strcpy(real, "/");
	if (!fault)
		fault = trust_check_at(real, whom, &st);
	if (fault == TRUST_ABSENT)
		snprintf(real, PATH_MAX, "%s", path);
	return fault;
}

const char *trust_reason(enum trust_fault fault)
{
	switch (fault) {
	case TRUST_OURS:
		return "is trusted";
	case TRUST_ABSENT:
		return strerror(errno);
	case TRUST_OWNER:
		return "belongs to another user";
	case TRUST_WRITE:
	case TRUST_GROUP:
		break;
	}
	return "may be written by other users";
}

const char *trust_remedy(enum trust_fault fault)
{
	return fault == TRUST_OWNER ? "chown root" : "chmod go-w";
}

/* ---- sockets ---- */

bool trust_peer(int fd, struct ucred *ret)
{
	socklen_t len = sizeof(*ret);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, ret, &len);
}

bool trust_socket(int fd, uid_t user, pid_t pid)
{
	struct ucred peer;

	return trust_peer(fd, &peer) && (peer.uid == user || peer.uid == 0) &&
	       (!pid || peer.pid == pid);
}
