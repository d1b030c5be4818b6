/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds libraries that are not where old scripts expect them: in /lib64 and /usr/lib of
 * systems without a directory for each architecture, under glibc's old file names
 * ("libc-2.8.so"), and in separate files that glibc 2.34 joined into libc.so.6, leaving
 * empty files. "libx.so" is a name for compilers: programs have "libx.so.1".
 */
#include <fnmatch.h>
#include <glob.h>
#include <gnu/libc-version.h>
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "lib/glob.h"
#include "lib/path.h"
#include "program/executable.h"
#include "program/ldcache.h"

static const struct name {
	const char *old; /* a pattern */
	const char *now; /* NULL: the loader, whose name depends on the machine */
	/* the glibc that joined it to libc; NULL: only the file's name differs */
	const char *since;
} names[] = {
	{ "libpthread[.-]*so*", "libc.so.6", "2.34" },
	{ "libdl[.-]*so*", "libc.so.6", "2.34" },
	{ "librt[.-]*so*", "libc.so.6", "2.34" },
	{ "libutil[.-]*so*", "libc.so.6", "2.34" },
	{ "libanl[.-]*so*", "libc.so.6", "2.34" },
	{ "libc-[0-9]*.so", "libc.so.6", NULL },
	{ "libm-[0-9]*.so", "libm.so.6", NULL },
	{ "libresolv-[0-9]*.so", "libresolv.so.2", NULL },
	{ "ld-[0-9]*.so", NULL, NULL },
	{ "libc.so", "libc.so.6", NULL },
	{ "glibc.so*", "libc.so.6", NULL },
	{ "libm.so", "libm.so.6", NULL },
};

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_library_name(const char *base)
{
	return (!strncmp(base, "lib", 3) || !strncmp(base, "ld-", 3) ||
		!strncmp(base, "glibc", 5)) &&
	       strstr(base, ".so");
}

/* Returns the "…/libx.so.N" with the highest N. */
static const char *with_version(struct session *s, const char *name)
{
	const char *found = NULL;
	glob_t files;

	if (!strchr(name, '/') || !fnmatch("*.so.*", name, 0) ||
	    glob(arena_printf(s->arena, "%s.[0-9]*", name), 0, NULL, &files))
		return NULL;
	for (size_t i = 0; i < files.gl_pathc; i++)
		if (!found || strverscmp(files.gl_pathv[i], found) > 0)
			found = files.gl_pathv[i];
	found = arena_strdup(s->arena, found);
	globfree(&files);
	return found;
}

static const char *path_here(struct session *s, const char *name)
{
	const char *tree = executable_tree(s);

	return *tree && *name == '/' ? path_canonical_in(s->arena, tree, name)
				     : path_canonical(s->arena, name);
}

bool librarydrift_is_remainder(const struct executable *file)
{
	bool is_remainder = false;

	vec_each(&file->symbols, i) {
		const struct executable_symbol *f = &file->symbols.data[i];

		if (!f->is_exported)
			continue;
		if (!strstr(f->name, "_version_placeholder"))
			return false;
		is_remainder = true;
	}
	return is_remainder;
}

/* True: the path, or one that the pattern matches, is a library that has functions. */
static bool is_present(struct session *s, const char *name)
{
	const char *path = glob_is(name) ? NULL : path_here(s, name);
	struct executable *file;
	bool found = false;
	glob_t files;

	if (path)
		return !executable_read(s, path, &file) && !librarydrift_is_remainder(file);
	if (!glob_is(name) ||
	    glob(arena_printf(s->arena, "%s%s", executable_tree(s), name), 0, NULL, &files))
		return false;
	for (size_t i = 0; !found && i < files.gl_pathc; i++)
		found = !executable_read(s, arena_strdup(s->arena, files.gl_pathv[i]), &file) &&
			!librarydrift_is_remainder(file);
	globfree(&files);
	return found;
}

const char *librarydrift_now(struct session *s, const char *name)
{
	const char *base = base_of(name), *found = base;

	if (!is_library_name(base) || (strchr(name, '/') && is_present(s, name)))
		return NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!fnmatch(names[i].old, base, 0) &&
		    (!names[i].since || strverscmp(gnu_get_libc_version(), names[i].since) >= 0)) {
			found = names[i].now ? names[i].now : arch_of(s)->programs->loader;
			break;
		}
	if (found == base && path_here(s, name))
		return NULL;
	name = found == base ? with_version(s, name) : NULL;
	return name ? name : ldcache_find(s, found, false);
}
