/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What costs time to make and nothing to lose, kept per user as single files. A name says
 * what the content is about; whether it is still true the reader has to see from the
 * content, or have made part of the name. --disable-cache: there is none.
 */
#ifndef STAP_KERNEL_FACTCACHE_H
#define STAP_KERNEL_FACTCACHE_H

#include <stdbool.h>
#include <stddef.h>

struct bytes;
struct session;

/* NULL: there is no cache. */
const char *factcache_path(struct session *s, const char *name);
/* Maps the file; false when there is none, or when someone else may have written it. */
bool factcache_get(struct session *s, const char *name, struct bytes *ret);
/* Readers never see half of it. */
void factcache_put(struct session *s, const char *name, const void *data, size_t len);
/* "RELEASE-size-mtime" of a file, for names; NULL when there is no such file. */
const char *factcache_stamp(struct session *s, const char *path);

#endif
