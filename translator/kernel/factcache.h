/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache of facts that take time to make and that may be lost, kept per user as single
 * files. A file's name identifies its contents. The reader must check by the contents
 * whether it is still valid, unless the name depends on that. With --disable-cache there
 * is no cache.
 */
#ifndef STAP_KERNEL_FACTCACHE_H
#define STAP_KERNEL_FACTCACHE_H

#include <stdbool.h>
#include <stddef.h>

struct bytes;
struct session;

/* Returns NULL if there is no cache. */
const char *factcache_path(struct session *s, const char *name);
/* Maps the file. False: there is none, or another user may have written it. */
bool factcache_get(struct session *s, const char *name, struct bytes *ret);
/* Writes the file; readers never see half of it. */
void factcache_put(struct session *s, const char *name, const void *data, size_t len);
/* Returns "RELEASE-size-mtime" of a file, for names; NULL if there is no such file. */
const char *factcache_stamp(struct session *s, const char *path);

#endif
