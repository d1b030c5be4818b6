/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lib/trust.c: files, directories and links on the way, and sockets, of the user
 * and of others.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "unit.h"

#include "lib/trust.c"

#define OTHER 12345

static char dir[64] = "/tmp/stap-trust-XXXXXX";

static struct stat mode(uid_t uid, gid_t gid, mode_t bits)
{
	return (struct stat){ .st_uid = uid, .st_gid = gid, .st_mode = S_IFREG | bits };
}

static void owners(void)
{
	const struct trust me = { .user = 7, .group = 8 }, alone = { .user = 7 };
	struct stat st = mode(7, 9, 0644);

	CHECK_LONG(trust_check(&st, me), TRUST_OURS);
	CHECK_LONG(trust_check(&st, TRUST_ROOT), TRUST_OWNER);
	st = mode(0, 0, 0664);
	CHECK_LONG(trust_check(&st, me), TRUST_OURS);
	CHECK_LONG(trust_check(&st, TRUST_ROOT), TRUST_OURS);
	st = mode(7, 8, 0664);
	CHECK_LONG(trust_check(&st, me), TRUST_OURS);
	CHECK_LONG(trust_check(&st, alone), TRUST_GROUP);
	st = mode(7, 9, 0664);
	CHECK_LONG(trust_check(&st, me), TRUST_GROUP);
	st = mode(7, 8, 0646);
	CHECK_LONG(trust_check(&st, me), TRUST_WRITE);
	st = mode(9, 8, 0600);
	CHECK_LONG(trust_check(&st, me), TRUST_OWNER);
	CHECK_LONG(trust_check(&st, (struct trust){ .user = 7, .system = 9 }), TRUST_OURS);
}

/* Checks a path; where: the end of the path that is named. */
#define CHECK_PATH(path, fault, where)                                                             \
	do {                                                                                       \
		char real_[PATH_MAX];                                                              \
		const char *where_ = where;                                                        \
		CHECK_LONG(trust_check_path(path, trust_user(), real_), fault);                    \
		CHECK(strlen(real_) >= strlen(where_));                                            \
		CHECK_TEXT(real_ + strlen(real_) - strlen(where_), where_);                        \
	} while (0)

static void make(const char *file, mode_t bits)
{
	int fd = open(file, O_CREAT | O_WRONLY, 0600);

	CHECK(fd >= 0);
	close(fd);
	CHECK(!chmod(file, bits));
}

static void paths(void)
{
	char real[PATH_MAX], long_name[400];

	CHECK(!mkdir("a", 0755) && !mkdir("a/b", 0755));
	make("a/b/file", 0644);
	CHECK_PATH("a/b/file", TRUST_OURS, "/a/b/file");
	CHECK_PATH("./a//b/../b/./file", TRUST_OURS, "/a/b/file");
	CHECK_PATH("a/b/", TRUST_OURS, "/a/b");
	CHECK_PATH("/", TRUST_OURS, "/");
	CHECK_PATH("a/none", TRUST_ABSENT, "a/none");
	CHECK_LONG(errno, ENOENT);
	CHECK_PATH("a/none/more", TRUST_ABSENT, "a/none/more");
	CHECK_PATH("", TRUST_ABSENT, "");
	CHECK_LONG(trust_check_path("a/b/file", trust_user(), real), TRUST_OURS);
	CHECK(*real == '/');
	CHECK(!chmod("a/b/file", 0646));
	CHECK_PATH("a/b/file", TRUST_WRITE, "/a/b/file");
	CHECK(!chmod("a/b/file", 0644));
	/*
	 * Anyone who can write to a directory on the path can replace what is below it.
	 */
	CHECK(!chmod("a", 0777));
	CHECK_PATH("a/b/file", TRUST_WRITE, "/a");
	CHECK(!chmod("a", 01777));
	CHECK_PATH("a/b/file", TRUST_OURS, "/a/b/file");
	CHECK_PATH("a", TRUST_WRITE, "/a"); /* anybody may add a file there */
	CHECK(!chmod("a", 0755));
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = 0;
	CHECK_PATH(long_name, TRUST_ABSENT, "x");
	CHECK_LONG(errno, ENAMETOOLONG);
}

/*
 * The group's bits are the most that an access control list gives: here, to a user who is
 * named, though the file is of root's group, which may read it.
 */
static void lists(void)
{
	static const struct {
		uint16_t tag, may;
		uint32_t id;
	} entries[] = { { 1, 6, UINT32_MAX },
			{ 2, 6, 1000 },
			{ 4, 4, UINT32_MAX },
			{ 16, 6, UINT32_MAX },
			{ 32, 4, UINT32_MAX } };
	char list[4 + sizeof(entries)] = { 2 };
	int fd;

	memcpy(list + 4, entries, sizeof(entries));
	make("shared", 0644);
	if (setxattr("shared", TRUST_LIST, list, sizeof(list), 0)) {
		CHECK(errno == EOPNOTSUPP);
		unlink("shared");
		return;
	}
	CHECK(getuid() || !chown("shared", 0, 0));
	fd = open("shared", O_RDONLY | O_CLOEXEC);
	CHECK_PATH("shared", TRUST_GROUP, "/shared");
	CHECK_LONG(trust_check_open(fd, trust_user()), TRUST_GROUP);
	/* The chmod that mends it takes the right from the user who is named, too. */
	CHECK(!chmod("shared", 0644));
	CHECK_PATH("shared", TRUST_OURS, "/shared");
	CHECK_LONG(trust_check_open(fd, trust_user()), TRUST_OURS);
	close(fd);
	unlink("shared");
}

static void links(void)
{
	CHECK(!symlink("../a/b", "a/link") && !symlink("link/file", "a/second"));
	CHECK_PATH("a/link/file", TRUST_OURS, "/a/b/file");
	CHECK_PATH("a/second", TRUST_OURS, "/a/b/file");
	CHECK(!symlink("round", "a/round"));
	CHECK_PATH("a/round", TRUST_ABSENT, "a/round");
	CHECK_LONG(errno, ELOOP);
	CHECK(!chmod("a/b/file", 0666));
	CHECK_PATH("a/second", TRUST_WRITE, "/a/b/file");
	CHECK(!chmod("a/b/file", 0644));
	CHECK(!unlink("a/round"));
}

static void of_others(void)
{
	if (geteuid())
		return;
	CHECK(!chown("a/b/file", OTHER, 0));
	CHECK_PATH("a/second", TRUST_OWNER, "/a/b/file");
	CHECK(!chown("a/b/file", 0, 0) && !chown("a/b", OTHER, 0));
	CHECK_PATH("a/b/file", TRUST_OWNER, "/a/b");
	/* The sticky bit does not keep a directory's owner from anything. */
	CHECK(!chmod("a/b", 01755));
	CHECK_PATH("a/b/file", TRUST_OWNER, "/a/b");
	CHECK(!chmod("a/b", 0755) && !chown("a/b", 0, 0));
	/* A link of another user's leads where that user likes. */
	CHECK(!chmod("a", 01777) && !lchown("a/link", OTHER, 0));
	CHECK_PATH("a/second", TRUST_OWNER, "/a/link");
	CHECK(!chown("a/b/file", 0, OTHER) && !chmod("a/b/file", 0664));
	CHECK_PATH("a/b/file", TRUST_GROUP, "/a/b/file");
}

static void end_of_paths(void)
{
	CHECK(!unlink("a/link") && !unlink("a/second") && !unlink("a/b/file") && !rmdir("a/b") &&
	      !rmdir("a"));
}

/* ---- sockets ---- */

/* Forks a process of that user, which listens at the name until *stop is closed. */
static pid_t listen_as(uid_t uid, const struct sockaddr_un *a, int *stop)
{
	int ready[2], end[2];
	char byte;
	pid_t pid;

	CHECK(!pipe(ready) && !pipe(end));
	pid = fork();
	if (!pid) {
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);

		close(end[1]);
		if ((uid && setresuid(uid, uid, uid)) ||
		    bind(fd, (const struct sockaddr *)a, sizeof(*a)) || listen(fd, 4))
			_exit(1);
		close(ready[1]);
		_exit(read(end[0], &byte, 1) != 0);
	}
	close(ready[1]);
	CHECK_LONG(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	close(end[0]);
	*stop = end[1];
	return pid;
}

static void check_socket(uid_t uid, bool is_ours)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), stop, status;
	struct ucred peer;
	pid_t pid;

	snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1, "stap-trust-%d-%u", (int)getpid(), uid);
	pid = listen_as(uid, &a, &stop);
	CHECK(!connect(fd, (struct sockaddr *)&a, sizeof(a)));
	CHECK(trust_peer(fd, &peer));
	CHECK_LONG(peer.uid, uid);
	CHECK_LONG(peer.pid, pid);
	CHECK(trust_socket(fd, geteuid(), pid) == is_ours);
	CHECK(trust_socket(fd, geteuid(), 0) == is_ours);
	CHECK(!trust_socket(fd, geteuid(), pid + 1));
	CHECK(trust_socket(fd, uid, pid));
	close(fd);
	close(stop);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
}

static void sockets(void)
{
	struct ucred peer;

	check_socket(geteuid(), true);
	if (!geteuid())
		check_socket(OTHER, false);
	CHECK(!trust_peer(STDIN_FILENO, &peer));
	CHECK(!trust_socket(-1, geteuid(), 0));
}

int main(void)
{
	if (!unit_enter(dir))
		return 1;
	RUN(owners);
	RUN(paths);
	RUN(lists);
	RUN(links);
	RUN(of_others);
	RUN(end_of_paths);
	RUN(sockets);
	unit_leave(dir);
	return unit_end();
}
