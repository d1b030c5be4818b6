/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts that take time to determine (the BTF inside a packed kernel, the index of the
 * tapset library), kept per user in $SYSTEMTAP_DIR/cache/facts or ~/.cache/stap/facts.
 * The directory and each file must belong to the user and be writable by no one else;
 * files appear by rename. Cached facts are checked like any other input, so that a
 * damaged file causes an error message, never a crash.
 */
#include "kernel/factcache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/options.h"
#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "lib/cleanup.h"
#include "lib/path.h"
#include "lib/trust.h"
#include "lib/userdir.h"

static const char *cache_dir(struct session *s)
{
	const char *dir = getenv("SYSTEMTAP_DIR"), *home = getenv("HOME");
	struct stat st;

	if (dir && *dir)
		dir = arena_printf(s->arena, "%s/cache/facts", dir);
	else if (home && *home)
		dir = arena_printf(s->arena, "%s/.cache/stap/facts", home);
	else
		return NULL;
	if (path_make_dirs(s->arena, dir, 0700) || lstat(dir, &st) < 0 || !S_ISDIR(st.st_mode) ||
	    trust_check(&st, trust_user()))
		return NULL;
	return dir;
}

const char *factcache_path(struct session *s, const char *name)
{
	const char *dir = s->options->no_cache ? NULL : cache_dir(s);

	return dir ? arena_printf(s->arena, "%s/%s", dir, name) : NULL;
}

static bool get_file(struct session *s, const char *path, struct bytes *ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 || trust_check_open(fd, trust_user()))
		return false;
	return !file_map_fd(s->arena, path, fd, ret);
}

/* Looks among the facts that root has collected for all users, too. */
bool factcache_get(struct session *s, const char *name, struct bytes *ret)
{
	const char *path = s->options->poison_cache ? NULL : factcache_path(s, name);

	if (!path)
		return false;
	return get_file(s, path, ret) ||
	       get_file(s, arena_printf(s->arena, "%s/cache/facts/%s", userdir_shared(), name),
			ret);
}

/* A failure to write is ignored: it only costs time later. */
void factcache_put(struct session *s, const char *name, const void *data, size_t len)
{
	const char *path = factcache_path(s, name);

	if (path)
		path_write(s->arena, path, data, len);
}

const char *factcache_stamp(struct session *s, const char *path)
{
	struct stat st = { 0 };

	if (stat(path, &st) < 0)
		return NULL;
	return arena_printf(
		s->arena, "%s-%llx-%llx", s->kernel->release, (unsigned long long)st.st_size,
		(unsigned long long)st.st_mtim.tv_sec * 1000000000ull + st.st_mtim.tv_nsec);
}
