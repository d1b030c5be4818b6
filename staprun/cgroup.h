/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control group that a run is restricted to: --cgroup and --container. */
#ifndef STAPRUN_CGROUP_H
#define STAPRUN_CGROUP_H

struct options;

/*
 * Opens the directory of the cgroup that --cgroup or --container of the options names,
 * with the user's rights. Returns its descriptor; 0: they name none; -1 after printing an
 * error. It reveals nothing about other users' processes except how often they ran there.
 *
 * A path begins at the root of the hierarchy, as in /proc/PID/cgroup, or where the
 * hierarchy is mounted. stap-container, without privileges, tells which cgroup a
 * container has.
 */
int cgroup_of_options(const struct options *o, char **environment);

#endif
