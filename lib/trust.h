/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides whether a file, a directory or a socket can be trusted. Every program here
 * follows files and believes the answers of sockets. For all of them, this file decides
 * whether another user could have written the contents.
 *
 * A file or directory is trusted when root or the user owns it and nobody else may write
 * it. A socket is trusted when the kernel says that the process at its other end is owned
 * by root or the user: anybody may take any name in the abstract namespace.
 */
#ifndef LIB_TRUST_H
#define LIB_TRUST_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

struct ucred;

/* The user and group that may own and write a file, besides root. */
struct trust {
	uid_t user;
	gid_t group;
	uid_t system; /* owns the root directory: user namespaces give root other numbers */
};

enum trust_fault {
	TRUST_OURS,
	TRUST_ABSENT, /* there is no such file, or it cannot be examined: errno */
	TRUST_OWNER,  /* another user owns it */
	TRUST_WRITE,  /* everybody may write it */
	TRUST_GROUP,  /* members of another group may write it */
};

/* Trusts root only. */
#define TRUST_ROOT ((struct trust){ 0 })
/* Trusts the user of this process, and no group but root's. */
struct trust trust_user(void);
/* The same, and also members of the user's own group. */
struct trust trust_user_and_group(void);

/* True: the owner is root or the user. */
bool trust_is_owner(uid_t owner, struct trust whom);
/* Checks the owner and the mode of a file or directory. */
enum trust_fault trust_check(const struct stat *st, struct trust whom);
/* Checks an open file or directory, and its access control list. */
enum trust_fault trust_check_open(int fd, struct trust whom);
/*
 * Checks the file or directory, and the directories and links that lead to it: anybody
 * who may write such a directory can replace the file, unless the directory is sticky.
 * `real` is set to the path without links, so that a later access by it finds the file
 * that was checked. On a fault, `real` is the path at fault; for TRUST_ABSENT it is
 * `path`.
 */
enum trust_fault trust_check_path(const char *path, struct trust whom, char real[PATH_MAX]);
/* Returns "belongs to another user" or another verb for a message about the path. */
const char *trust_reason(enum trust_fault fault);
/* Returns the command that repairs the fault: "chown root" or "chmod go-w". */
const char *trust_remedy(enum trust_fault fault);

/*
 * Returns the process at the other end of a socket, which has connected or listens. Its
 * number is 0 if it is in a namespace that this process does not see.
 */
bool trust_peer(int fd, struct ucred *ret);
/* True: the peer is a process of the user or root with that number; pid 0: any. */
bool trust_socket(int fd, uid_t user, pid_t pid);

#endif
