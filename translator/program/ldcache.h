/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_LDCACHE_H
#define STAP_LDCACHE_H

#include <stdbool.h>

#define LDCACHE_FILE "/etc/ld.so.cache"

struct session;

/*
 * Returns the path of the library of that name in the dynamic linker's cache, or, for
 * another architecture, in the usual directories of its tree; NULL: it is not there.
 */
const char *ldcache_find(struct session *s, const char *name, bool is_32);

#endif
