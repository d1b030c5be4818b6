/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache that root has filled for all users of this machine (stap-prep --share): the
 * files of a kernel in the user's cache begin as copies of those.
 */
#ifndef STAP_SHAREDCACHE_H
#define STAP_SHAREDCACHE_H

struct session;

/*
 * Copies the shared files to the kernel's entry of the user's cache, which exists, unless
 * that has files already. Failures only cost time: what is missing is made.
 */
void sharedcache_inherit(struct session *s, const char *entry);

#endif
