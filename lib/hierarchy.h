/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hierarchy of control groups, for staprun and stap-container. */
#ifndef LIB_HIERARCHY_H
#define LIB_HIERARCHY_H

#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define HIERARCHY_MOUNT "mount -t cgroup2 cgroup2 /sys/fs/cgroup"

/* Finds the mount point of the version 2 hierarchy. False: it is not mounted. */
static inline bool hierarchy_find(char path[PATH_MAX])
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	const struct mntent *m = NULL;

	while (mounts && (m = getmntent(mounts)) && strcmp(m->mnt_type, "cgroup2"))
		;
	if (m)
		snprintf(path, PATH_MAX, "%s", m->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return m;
}

#endif
