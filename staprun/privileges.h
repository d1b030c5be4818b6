/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What staprun may do, and when it stops being able to. While it is privileged it reads
 * no environment, runs nothing, and looks up no name in PATH. The parent keeps what
 * removing the module takes; the child that becomes stapio keeps nothing.
 */
#ifndef STAPRUN_PRIVILEGES_H
#define STAPRUN_PRIVILEGES_H

#include <linux/capability.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * First of all: descriptors 0-2 are open, the environment
 * is put aside (*environment), limits are high enough.
 */
bool privileges_prepare(char ***environment);
/* The program may load modules for a user who is not root. */
bool privileges_are_there(void);

/*
 * For what is done with the user's rights and no more,
 * such as opening the user's files. Nothing for root.
 */
struct privileges_aside {
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];
	uid_t euid;
	gid_t egid;
};
bool privileges_put_aside(struct privileges_aside *ret);
bool privileges_take_back(const struct privileges_aside *aside);

/* In the child: the invoking user, no capability, the user's limits. */
bool privileges_drop(void);
/*
 * In the parent: CAP_SYS_MODULE to remove the module, CAP_KILL to pass signals on; where
 * the user is not root but the file has capabilities, also what opening the module's
 * files takes.
 */
bool privileges_reduce(void);

#endif
