/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See confine.h. */
#include "stapio/confine.h"

#include <errno.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WRITES                                                                                     \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                           \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |                           \
	 LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |                               \
	 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |                             \
	 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_EXECUTE)
#define ALLOWED                                                                                    \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |                          \
	 LANDLOCK_ACCESS_FS_MAKE_REG)

void confine_init(struct confine *c)
{
	const struct landlock_ruleset_attr attr = { .handled_access_fs = WRITES };

	c->ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
}

/*
 * Allows a directory. One that cannot be allowed stays forbidden: creating a file there
 * reports the error.
 */
void confine_allow(struct confine *c, int dir)
{
	const struct landlock_path_beneath_attr rule = { .allowed_access = ALLOWED,
							 .parent_fd = dir };

	if (c->ruleset >= 0)
		syscall(SYS_landlock_add_rule, c->ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

int confine_enter(struct confine *c)
{
	int rc;

	if (c->ruleset < 0)
		return -ENOSYS;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0,
	      0); /* the filter of system calls has set it, if there is one */
	rc = syscall(SYS_landlock_restrict_self, c->ruleset, 0) ? -errno : 0;
	close(c->ruleset);
	c->ruleset = -1;
	return rc;
}
