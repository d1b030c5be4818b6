/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In containers, files of the running kernel belong to the host, and must be mounted. */
#ifndef STAP_MOUNT_H
#define STAP_MOUNT_H

struct session;

/*
 * Returns a sentence with the mount that would make the file available, or NULL: this is
 * not a container, or the kernel is not the running one. A dangling link shows the
 * directory to mount.
 */
const char *mount_lacking(struct session *s, const char *release, const char *path);

#endif
