/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Libraries of a program: those that it is linked with, directly and through others,
 * found in the same way as by the dynamic linker; those that a process has mapped; those
 * of the system; plugins.
 */
#include <fnmatch.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arch/arch.h"
#include "base/session.h"
#include "lib/cleanup.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/path.h"
#include "program/executable.h"
#include "program/ldcache.h"

#define LIBRARIES_MAX 1024 /* of one program */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Resolves symbolic links, but not out of another root. */
static const char *canonical(struct session *s, const char *root, const char *path)
{
	const char *real = path_canonical_in(s->arena, root, path);
	struct stat st;

	return real && !stat(real, &st) && S_ISREG(st.st_mode) ? real : NULL;
}

/* Returns the root directory of a program and its libraries. */
static const char *root_of(struct session *s, const struct executable *p)
{
	return *p->root ? p->root : executable_tree(s);
}

static void add_once(struct session *s, struct executable *file, executables *ret)
{
	vec_each(ret, i)
		if (ret->data[i] == file)
			return;
	if (ret->count < LIBRARIES_MAX)
		vec_push(s->arena, ret, file);
}

/* ---- linked ---- */

/*
 * Replaces $ORIGIN in a run path with the directory of the file that has the run path, as
 * seen from the process's root.
 */
static const char *expand_origin(struct session *s, const char *root, const char *dir, size_t len,
				 const char *of)
{
	static const char *const names[] = { "${ORIGIN}", "$ORIGIN" };

	if (!strncmp(of, root, strlen(root)))
		of += strlen(root);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (len >= strlen(names[i]) && !strncmp(dir, names[i], strlen(names[i])))
			return arena_printf(s->arena, "%.*s%.*s", (int)(base_name(of) - of - 1), of,
					    (int)(len - strlen(names[i])), dir + strlen(names[i]));
	return arena_strndup(s->arena, dir, len);
}

/* Skips a library of the other word size, as the dynamic linker does. */
static struct executable *find_in(struct session *s, const struct executable *p,
				  const struct executable *of, const char *dirs, const char *name)
{
	const char *root = root_of(s, p);

	while (dirs && *dirs) {
		size_t len = strcspn(dirs, ":");
		const char *dir = expand_origin(s, root, dirs, len, of->path);
		const char *path =
			*dir ? canonical(s, root, arena_printf(s->arena, "%s/%s", dir, name))
			     : NULL;
		struct executable *file;

		if (path && !executable_read(s, path, &file) && file->is_32 == p->is_32)
			return file;
		dirs += len + (dirs[len] == ':');
	}
	return NULL;
}

/*
 * True: the process has our /etc/ld.so.cache. In another mount namespace, the other
 * directories are often the same as here.
 */
static bool has_our_cache(struct session *s, const struct executable *p)
{
	const char *root = root_of(s, p);

	return !*root ||
	       path_is_same_file(arena_printf(s->arena, "%s%s", root, LDCACHE_FILE), LDCACHE_FILE);
}

static struct executable *find_linked(struct session *s, const struct executable *p,
				      const struct executable *of, const char *name)
{
	struct executable *file = find_in(s, p, of, of->run_path, name);
	const char *cached = file || !has_our_cache(s, p) ? NULL : ldcache_find(s, name, p->is_32);

	if (cached && (cached = canonical(s, p->root, cached)) != NULL &&
	    !executable_read(s, cached, &file) && file->is_32 == p->is_32)
		return file;
	return file ? file : find_in(s, p, of, arch_of(s)->programs->library_dirs, name);
}

static void add_linked(struct session *s, const struct executable *p, executables *ret)
{
	const struct executable *of = p;

	for (size_t at = 0; of; of = at < ret->count ? ret->data[at++] : NULL)
		vec_each(&of->needed, i) {
			struct executable *file = find_linked(s, p, of, of->needed.data[i]);

			if (file)
				add_once(s, file, ret);
		}
}

/* ---- loaded ---- */

/* Code that a process has mapped. */
struct mapping {
	uint64_t start, end, offset;
	const char *name; /* from the kernel */
};
typedef VEC(struct mapping) mappings;

/* Lines: 7f3c…-7f3c… r-xp 00028000 fe:01 1234   /usr/lib/libc.so.6 */
static void read_mappings(struct session *s, const struct executable *p, mappings *ret)
{
	_cleanup_fclose_ FILE *maps =
		fopen(arena_printf(s->arena, "/proc/%lld/maps", (long long)p->process), "re");
	char line[4608];

	while (maps && fgets(line, sizeof(line), maps)) {
		const char *name = strchr(line, '/');
		struct mapping m;
		char access[5];

		if (!name ||
		    sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64, &m.start, &m.end, access,
			   &m.offset) != 4 ||
		    access[2] != 'x')
			continue;
		m.name = arena_strndup(s->arena, name, strcspn(name, "\n"));
		vec_push(s->arena, ret, m);
	}
}

/*
 * The program itself is recognised by its link in /proc, which has the same name even if
 * its file has been removed.
 */
static struct executable *mapped_file(struct session *s, const struct executable *p,
				      const struct mapping *m)
{
	const char *exe = path_link(
		s->arena, arena_printf(s->arena, "/proc/%lld/exe", (long long)p->process));
	const char *path =
		exe && !strcmp(exe, m->name)
			? p->path
			: canonical(s, p->root, path_behind_root(s->arena, p->root, m->name));
	struct executable *file;

	return path && !executable_read(s, path, &file) ? file : NULL;
}

static void add_mapped(struct session *s, const struct executable *p, executables *ret)
{
	mappings list = { 0 };

	read_mappings(s, p, &list);
	vec_each(&list, i) {
		struct executable *file = mapped_file(s, p, &list.data[i]);

		if (file && file != p)
			add_once(s, file, ret);
	}
}

struct error *library_at(struct session *s, const struct executable *p, uint64_t address,
			 struct executable **file, uint64_t *linked)
{
	mappings list = { 0 };

	read_mappings(s, p, &list);
	vec_each(&list, i) {
		const struct mapping *m = &list.data[i];

		if (address < m->start || address >= m->end)
			continue;
		*file = mapped_file(s, p, m);
		if (*file && executable_address(*file, address - m->start + m->offset, linked))
			return NULL;
	}
	return error_create(s->arena, ERROR_ABSENT, "process %lld has no code of a file at %#llx",
			    (long long)p->process, (unsigned long long)address);
}

/* ---- all libraries ---- */

void library_list(struct session *s, const struct executable *p, executables *ret)
{
	add_linked(s, p, ret);
	if (p->process)
		add_mapped(s, p, ret);
}

static bool is_called(const struct executable *file, const char *pattern)
{
	const char *last = base_name(file->path);

	if (strchr(pattern, '/'))
		return !fnmatch(pattern, file->path, 0);
	return !fnmatch(pattern, last, 0);
}

/* ---- plugins: libraries that the program may load while it runs ---- */

/* Adds the files of a directory that match; NULL: the pattern is a path. */
static void add_files(struct session *s, const struct executable *p, const char *dir,
		      const char *pattern, executables *ret)
{
	const char *root = root_of(s, p);
	const char *path = dir ? arena_printf(s->arena, "%s/%s", dir, pattern) : pattern;
	glob_t found = { 0 };

	if (*path == '/')
		path = arena_printf(s->arena, "%s%s", root, path);
	if (!glob(path, 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *name = found.gl_pathv[i];
			const char *file_path =
				canonical(s, root, *name == '/' ? name + strlen(root) : name);
			struct executable *file;

			if (file_path && !executable_read(s, file_path, &file) &&
			    file->is_32 == p->is_32)
				add_once(s, file, ret);
		}
	globfree(&found);
}

static void add_of_dirs(struct session *s, const struct executable *p, const char *dirs,
			const char *pattern, executables *ret)
{
	while (dirs && *dirs) {
		size_t len = strcspn(dirs, ":");

		if (len)
			add_files(s, p, expand_origin(s, root_of(s, p), dirs, len, p->path),
				  pattern, ret);
		dirs += len + (dirs[len] == ':');
	}
}

/*
 * Finds files that the program is not linked with: by their path, or in the directories
 * that dlopen() searches, next to the program, and in the current directory.
 */
static void add_plugins(struct session *s, const struct executable *p, const char *pattern,
			executables *ret)
{
	const char *const places[] = { p->run_path, getenv("LD_LIBRARY_PATH"), "$ORIGIN", ".",
				       arch_of(s)->programs->library_dirs };

	if (strchr(pattern, '/')) {
		add_files(s, p, NULL, pattern, ret);
		return;
	}
	for (size_t i = 0; !ret->count && i < sizeof(places) / sizeof(places[0]); i++)
		add_of_dirs(s, p, places[i], pattern, ret);
}

static struct error *find_matching(struct session *s, const struct executable *p,
				   const char *pattern, executables *ret)
{
	executables all = { 0 };

	library_list(s, p, &all);
	vec_each(&all, i)
		if (is_called(all.data[i], pattern))
			vec_push(s->arena, ret, all.data[i]);
	if (!ret->count)
		add_plugins(s, p, pattern, ret);
	return ret->count
		       ? NULL
		       : error_create(s->arena, ERROR_ABSENT,
				      "%s uses no library that matches '%s', nor is there such a "
				      "file where it would load one from",
				      p->path, pattern);
}

/*
 * Searches by the last part of the name: the directory in an old script is not where the
 * library is today.
 */
static struct executable *find_by_name(struct session *s, const struct executable *p,
				       const char *name)
{
	executables all = { 0 }, plugins = { 0 };
	struct executable *file;

	if (p->process)
		add_mapped(s, p, &all);
	add_linked(s, p, &all);
	vec_each(&all, i)
		if (!strcmp(base_name(all.data[i]->path), name))
			return all.data[i];
	file = find_linked(s, p, p, name);
	for (size_t i = 0; !file && i < all.count; i++)
		file = find_linked(s, p, all.data[i], name);
	if (!file)
		add_plugins(s, p, name, &plugins);
	return plugins.count ? plugins.data[0] : file;
}

struct error *library_find(struct session *s, const struct executable *p, const char *name,
			   executables *ret)
{
	const char *path = strchr(name, '/') ? canonical(s, root_of(s, p), name) : NULL;
	struct executable *file = NULL;
	struct error *err;

	if (glob_is(name))
		return find_matching(s, p, name, ret);
	/*
	 * As with programs, a library that is not in the target's tree is searched on
	 * this machine.
	 */
	if (!path && !*p->root && *executable_tree(s) && strchr(name, '/'))
		path = canonical(s, "", name);
	err = path ? executable_read(s, path, &file) : NULL;
	if (err)
		return err;
	if (!file)
		file = find_by_name(s, p, base_name(name));
	if (!file)
		return error_create(
			s->arena, ERROR_ABSENT,
			"there is no library '%s'; give its file name or path, as in libc.so.6",
			name);
	vec_push(s->arena, ret, file);
	return NULL;
}
