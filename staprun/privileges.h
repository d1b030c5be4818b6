/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The privileges of staprun, and the times at which it drops them. While it is
 * privileged, it does not read the environment, run programs, or search PATH. The parent
 * keeps the privileges that it needs to remove the module; the child that becomes stapio
 * keeps none.
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
/* True: staprun may load modules for a user who is not root. */
bool privileges_are_there(void);
/* True: it may give programs of --runtime=bpf what they need. */
bool privileges_are_for_programs(void);
/*
 * True: its caller could do that, too, because the capabilities are the caller's own:
 * staprun is neither set-uid nor has it any by its file.
 */
bool privileges_are_callers(void);

/*
 * Privileges that are suspended during an action with only the user's rights, such as
 * opening the user's files. Root suspends nothing.
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

/*
 * Gives the child the identity of the invoking user: no capabilities, the user's limits.
 */
bool privileges_drop(void);
/*
 * Reduces the parent's privileges to CAP_SYS_MODULE, to remove the module, and CAP_KILL,
 * to pass signals on. If the user is not root but the file has capabilities, it also
 * keeps those needed to open the module's files.
 */
bool privileges_reduce(void);
/*
 * Becomes the user for good, like privileges_drop(), but leaves CAP_BPF and CAP_PERFMON
 * to the program that is executed next. Root's programs have root's capabilities.
 */
bool privileges_become_program(bool is_root);

#endif
