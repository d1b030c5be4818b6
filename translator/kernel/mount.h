/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In containers, what belongs to the running kernel is their host's, to be mounted. */
#ifndef STAP_MOUNT_H
#define STAP_MOUNT_H

struct session;

/*
 * Returns the sentence that names the mount by which the file would be here, or NULL:
 * this is no container, or the kernel is another than the running one. A link that leads
 * nowhere says what is to be mounted.
 */
const char *mount_lacking(struct session *s, const char *release, const char *path);

#endif
