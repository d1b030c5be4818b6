/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The build cache: $SYSTEMTAP_DIR/cache, by default ~/.systemtap/cache. It holds entries,
 * KIND/KEY/, each a directory of files. The key is a hash of a text that names everything
 * the files depend on, so no entry is ever out of date, only unused: entries that have
 * not been used for long are removed when the cache outgrows BUILD_CACHE_MOST. Its
 * modules are loaded into the kernel, so it must belong to the user, and no one else may
 * write to it. With --disable-cache all of it is in the session's temporary directory.
 *
 *   modules/KEY/NAME.ko      pass 4's results
 *   kernels/KEY/…            files made once for a kernel: facts, recipe, runtime
 *                            objects, precompiled header; or copied: sharedcache.h
 *   programs/KEY/NAME        --runtime=user's results
 *   runtimes/KEY/runtime.o   --runtime=user's runtime
 */
#ifndef STAP_BUILD_CACHE_H
#define STAP_BUILD_CACHE_H

#include <stdbool.h>

#include "lib/strbuf.h"

struct error;
struct session;

#define BUILD_CACHE_MOST (256ull << 20)

/* Finds the directory of an entry, whether it exists or not. */
struct error *build_cache_entry(struct session *s, const char *kind, const struct strbuf *key,
				const char **ret);
/* Creates the entry, and sometimes removes old ones. */
struct error *build_cache_make(struct session *s, const char *entry);
/* True: the entry has the file, and it may be used: --poison-cache makes it again. */
bool build_cache_has(struct session *s, const char *file);
/* Notes that the entry was just used. */
void build_cache_touch(const char *entry);

/*
 * Add to a key the identity of a file (path, size, time of change), even if there is no
 * such file, or of all files in a tree.
 */
void build_key_file(struct strbuf *key, const char *path);
void build_key_tree(struct strbuf *key, const char *path);
/* Adds a text of any length. */
void build_key_text(struct strbuf *key, const char *text);

#endif
