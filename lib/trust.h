/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose a file, a directory or a socket is. Every program here does what files say and
 * believes what sockets answer; this decides, for all of them, whether somebody else
 * could have put the words there.
 *
 * A file or directory is trusted when root or the user owns it and nobody else may write
 * it. A socket is trusted when the kernel says that the process at its other end is
 * root's or the user's: anybody may take any name in the abstract namespace.
 */
#ifndef LIB_TRUST_H
#define LIB_TRUST_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

struct ucred;

/* Who may own a file, and write it, beside root. */
struct trust {
	uid_t user;
	gid_t group;
	uid_t system; /* owns the root directory: user namespaces give root other numbers */
};

enum trust_fault {
	TRUST_OURS,
	TRUST_ABSENT, /* there is no such file, or it cannot be looked at: errno */
	TRUST_OWNER,  /* another user owns it */
	TRUST_WRITE,  /* everybody may write it */
	TRUST_GROUP,  /* members of another group may write it */
};

/* Nobody but root. */
#define TRUST_ROOT ((struct trust){ 0 })
/* The user of this process, and no group but root's. */
struct trust trust_user(void);
/* The same, and members of the user's own group. */
struct trust trust_user_and_group(void);

/* True: files of that owner are root's or the user's. */
bool trust_is_owner(uid_t owner, struct trust whom);
/* Checks the owner and the mode of a file or directory. */
enum trust_fault trust_check(const struct stat *st, struct trust whom);
/* Checks what is open there, with its access control list. */
enum trust_fault trust_check_open(int fd, struct trust whom);
/*
 * Checks the file or directory, and the directories and links on the way to it: whoever
 * may write such a directory can put something else in its place, unless it is sticky.
 * real becomes its path without links: a later look there finds what was checked. On a
 * fault real is the path that has it; for TRUST_ABSENT it is `path`.
 */
enum trust_fault trust_check_path(const char *path, struct trust whom, char real[PATH_MAX]);
/* Returns "belongs to another user" or another verb for a message about the path. */
const char *trust_reason(enum trust_fault fault);
/* Returns the command that mends it: "chown root" or "chmod go-w". */
const char *trust_remedy(enum trust_fault fault);

/*
 * Returns the process at the other end of a socket: it has connected, or listens. Its
 * number is 0 where it is in a namespace that this process does not see.
 */
bool trust_peer(int fd, struct ucred *ret);
/* True: it is a process of the user's or root's, and has that number; pid 0: any. */
bool trust_socket(int fd, uid_t user, pid_t pid);

#endif
