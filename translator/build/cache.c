/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/optioncommand.h"
#include "base/options.h"
#include "base/session.h"
#include "base/tmpdir.h"
#include "lib/digest.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/trust.h"
#include "lib/userdir.h"
#include "lib/vec.h"

enum {
	KEY_DIGITS = 32,     /* 128 bits: no two texts will ever meet */
	TRIM_PAUSE = 600,    /* seconds between two checks of the cache's size */
	KEEP_SECONDS = 3600, /* used this recently: another process may still be using it */
};

static const char *const entry_kinds[] = { "modules", "kernels", "programs", "runtimes" };

void build_key_text(struct strbuf *key, const char *text)
{
	strbuf_addf(key, "%zu:", strlen(text));
	strbuf_adds(key, text);
	strbuf_addc(key, '\n');
}

void build_key_file(struct strbuf *key, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		strbuf_addf(key, "%s: none\n", path);
	else
		strbuf_addf(key, "%s: %lld %lld.%09ld\n", path, (long long)st.st_size,
			    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

void build_key_tree(struct strbuf *key, const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		const char *child = arena_printf(key->arena, "%s/%s", path, names[i]->d_name);
		struct stat st;

		if (names[i]->d_name[0] == '.' || stat(child, &st))
			; /* editors' files, "." and ".." */
		else if (S_ISDIR(st.st_mode))
			build_key_tree(key, child);
		else
			build_key_file(key, child);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

static struct error *temporary_root(struct session *s, const char **ret)
{
	const char *tmp;
	struct error *err = tmpdir_of(s, &tmp);

	if (!err)
		*ret = arena_printf(s->arena, "%s/cache", tmp);
	return err;
}

/*
 * Finds the cache's root. A home directory that is not writable only costs time; a cache
 * that somebody else could fill is refused.
 */
static struct error *cache_root(struct session *s, const char **ret)
{
	char at_fault[PATH_MAX];
	enum trust_fault fault;
	const char *dir;

	if (s->options->no_cache)
		return temporary_root(s, ret);
	dir = userdir_find(s->arena);
	if (!dir)
		return temporary_root(s, ret);
	dir = arena_printf(s->arena, "%s/cache", dir);
	if (path_make_dirs(s->arena, dir, 0700))
		return temporary_root(s, ret);
	dir = path_canonical(s->arena, dir);
	if (!dir)
		return temporary_root(s, ret);
	fault = trust_check_path(dir, trust_user_and_group(), at_fault);
	if (fault && strcmp(at_fault, dir))
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "the cache %s is below %s, where another user could replace "
				    "it: choose another place: "
				    "SYSTEMTAP_DIR=DIR stap …, or stap --disable-cache …",
				    dir, at_fault);
	if (fault)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "the cache %s belongs to another user, or others may write to "
				    "it: remove it, "
				    "or choose another place: SYSTEMTAP_DIR=DIR stap …, or stap "
				    "--disable-cache …",
				    dir);
	*ret = access(dir, W_OK | X_OK) ? NULL : dir;
	return *ret ? NULL : temporary_root(s, ret);
}

struct error *build_cache_entry(struct session *s, const char *kind, const struct strbuf *key,
				const char **ret)
{
	const char *root = NULL;
	struct error *err = cache_root(s, &root);

	/* Its parts are read one by one, so a new entry is built elsewhere first. */
	if (!err && s->options->poison_cache && !strcmp(kind, "kernels"))
		err = temporary_root(s, &root);
	if (!err)
		*ret = arena_printf(s->arena, "%s/%s/%.*s", root, kind, KEY_DIGITS,
				    digest_hex(s->arena, key->s, key->len));
	return err;
}

bool build_cache_has(struct session *s, const char *file)
{
	return !s->options->poison_cache && path_exists(file);
}

void build_cache_touch(const char *entry)
{
	utimensat(AT_FDCWD, entry, NULL, 0);
}

struct old_entry {
	const char *path;
	unsigned long long bytes;
	time_t used;
};

static unsigned long long tree_bytes(struct arena *a, const char *dir)
{
	unsigned long long sum = 0;
	DIR *d = opendir(dir);
	struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d)))
		if (!fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode))
			sum += (unsigned long long)st.st_blocks * 512;
	if (d)
		closedir(d);
	return sum;
}

static int by_use(const void *a, const void *b)
{
	const struct old_entry *x = a, *y = b;

	return (x->used > y->used) - (x->used < y->used);
}

static void remove_oldest(struct arena *a, const char *root)
{
	VEC(struct old_entry) entries = { 0 };
	unsigned long long sum = 0;

	for (size_t k = 0; k < sizeof(entry_kinds) / sizeof(*entry_kinds); k++) {
		const char *kind = arena_printf(a, "%s/%s", root, entry_kinds[k]);
		DIR *d = opendir(kind);
		struct dirent *e;
		struct stat st;

		while (d && (e = readdir(d))) {
			struct old_entry old = { arena_printf(a, "%s/%s", kind, e->d_name), 0, 0 };

			if (e->d_name[0] == '.' || lstat(old.path, &st) || !S_ISDIR(st.st_mode))
				continue;
			old.bytes = tree_bytes(a, old.path);
			old.used = st.st_mtime;
			sum += old.bytes;
			vec_push(a, &entries, old);
		}
		if (d)
			closedir(d);
	}
	if (sum <= BUILD_CACHE_MOST)
		return;
	vec_sort(&entries, by_use);
	for (size_t i = 0; i < entries.count && sum > BUILD_CACHE_MOST / 4 * 3; i++) {
		if (entries.data[i].used > time(NULL) - KEEP_SECONDS)
			break;
		STAP_PROBE1(stap, cache__clean, entries.data[i].path);
		path_remove_tree(entries.data[i].path);
		sum -= entries.data[i].bytes;
	}
}

/* Trims the cache from time to time. `entry` is ROOT/KIND/KEY. */
static void trim_sometimes(struct arena *a, const char *entry)
{
	char *root = arena_strdup(a, entry);
	const char *stamp;
	struct stat st;
	int fd;

	for (int i = 0; i < 2; i++)
		*strrchr(root, '/') = 0;
	stamp = arena_printf(a, "%s/.looked-at", root);
	if (!stat(stamp, &st) && st.st_mtime > time(NULL) - TRIM_PAUSE && st.st_mtime <= time(NULL))
		return;
	fd = open(stamp, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0) {
		futimens(fd, NULL);
		close(fd);
	}
	remove_oldest(a, root);
}

struct error *build_cache_make(struct session *s, const char *entry)
{
	struct error *err = path_make_dirs(s->arena, entry, 0700);

	if (!err)
		trim_sometimes(s->arena, entry);
	return err;
}

/* Removes old entries now. */
struct error *build_cache_clean(struct session *s, int *status)
{
	const char *root = NULL;
	struct error *err = cache_root(s, &root);

	if (!err)
		remove_oldest(s->arena, root);
	return err;
}
