/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Privileges of staprun, and when they are given up. While it is privileged, it reads no
 * environment, runs nothing, and looks up no name in PATH. The parent keeps what
 * removing the module takes; the child that becomes stapio keeps nothing.
 */
#ifndef STAPRUN_PRIVILEGES_H
#define STAPRUN_PRIVILEGES_H

#include <linux/capability.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Prepares the process, before anything else: descriptors 0-2 are open afterwards, the
 * environment is put aside (*environment), limits are high enough.
 */
bool privileges_prepare(char ***environment);
/* True: the program may load modules for a user who is not root. */
bool privileges_are_there(void);

/*
 * Privileges that are put aside while something is done with the user's rights and no
 * more, such as opening the user's files. Root puts nothing aside.
 */
struct privileges_aside {
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];
	uid_t euid;
	gid_t egid;
};
bool privileges_put_aside(struct privileges_aside *ret);
bool privileges_take_back(const struct privileges_aside *aside);
/* Opens a file with the user's rights. Returns a descriptor, or -errno. */
int privileges_open(const char *path, int flags);

/* Makes the child the invoking user's: no capability, the user's limits. */
bool privileges_drop(void);
/*
 * Reduces the parent's privileges to CAP_SYS_MODULE to remove the module and CAP_KILL to
 * pass signals on; when the user is not root but the file has capabilities, also to what
 * opening the module's files takes.
 */
bool privileges_reduce(void);

#endif
