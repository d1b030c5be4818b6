/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs by what the user calls them: path, name in PATH, pattern, process, build-id. */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/session.h"
#include "debuginfo/executable.h"

#define SCRIPT_LINE 256 /* as the kernel reads of a script's first line */
#define SCRIPTS_MAX 4   /* interpreters that are scripts themselves */

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static const char *canonical(struct session *s, const char *path)
{
	char *real = realpath(path, NULL);
	const char *copy = real ? arena_strdup(s->arena, real) : NULL;

	free(real);
	return copy;
}

/* ---- by name ---- */

static const char *find_in_path(struct session *s, const char *name)
{
	for (const char *dirs = getenv("PATH"); dirs && *dirs;) {
		size_t len = strcspn(dirs, ":");
		const char *path = arena_printf(s->arena, "%.*s/%s", (int)len, dirs, name);

		if (len && is_file(path))
			return canonical(s, path);
		dirs += len + (dirs[len] == ':');
	}
	return NULL;
}

/* "#!/usr/bin/python3 -u" is /usr/bin/python3; of "#!/usr/bin/env python3" it is python3 in PATH. NULL: no script. */
static const char *interpreter(struct session *s, const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	char line[SCRIPT_LINE], *word, *rest, *base;
	ssize_t len = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);

	if (len < 2 || memcmp(line, "#!", 2))
		return NULL;
	line[len] = 0;
	line[strcspn(line, "\n")] = 0;
	word = strtok_r(line + 2, " \t", &rest);
	if (!word)
		return NULL;
	base = strrchr(word, '/');
	if (base && !strcmp(base, "/env") && (word = strtok_r(NULL, " \t", &rest)) != NULL && !strchr("-/", *word))
		return find_in_path(s, word);
	return word ? arena_strdup(s->arena, word) : NULL;
}

static struct error *open_path(struct session *s, const char *path, struct executable **ret)
{
	for (unsigned i = 0; i < SCRIPTS_MAX; i++) {
		const char *next = interpreter(s, path);

		if (!next)
			break;
		path = canonical(s, next);
		if (!path)
			return error_create(s->arena, ERROR_ABSENT, "there is no program '%s'", next);
	}
	return executable_read(s, path, ret);
}

struct error *executable_open(struct session *s, const char *name, struct executable **ret)
{
	const char *path = strchr(name, '/') ? canonical(s, name) : find_in_path(s, name);

	if (path)
		return open_path(s, path, ret);
	return error_create(s->arena, ERROR_ABSENT, strchr(name, '/') ? "there is no program '%s'" : "there is no program '%s' in PATH", name);
}

/* ---- by pattern ---- */

/* What is no program (a directory, text) is not meant. */
static void add_matching(struct session *s, const char *pattern, executables *ret)
{
	glob_t found = { 0 };

	if (!glob(pattern, 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *path = is_file(found.gl_pathv[i]) ? canonical(s, found.gl_pathv[i]) : NULL;
			struct executable *file;
			bool known = false;

			if (!path || access(path, X_OK) || executable_read(s, path, &file))
				continue;
			vec_each(ret, k)
				known |= ret->data[k] == file;
			if (!known)
				vec_push(s->arena, ret, file);
		}
	globfree(&found);
}

struct error *executable_open_matching(struct session *s, const char *pattern, executables *ret)
{
	if (strchr(pattern, '/')) {
		add_matching(s, pattern, ret);
	} else {
		for (const char *dirs = getenv("PATH"); dirs && *dirs;) {
			size_t len = strcspn(dirs, ":");

			if (len)
				add_matching(s, arena_printf(s->arena, "%.*s/%s", (int)len, dirs, pattern), ret);
			dirs += len + (dirs[len] == ':');
		}
	}
	return ret->count ? NULL : error_create(s->arena, ERROR_ABSENT, "no program matches '%s'%s", pattern, strchr(pattern, '/') ? "" : " in PATH");
}

/* ---- by process ---- */

static struct error *no_process(struct session *s, int64_t pid)
{
	if (errno == EACCES)
		return error_errno(s->arena, "%s", arena_printf(s->arena, "/proc/%lld/exe", (long long)pid));
	if (is_same_file("/proc", arena_printf(s->arena, "/proc/%lld/..", (long long)pid)))
		return error_create(s->arena, ERROR_ABSENT, "process %lld is the kernel's: it runs no program", (long long)pid);
	return error_create(s->arena, ERROR_ABSENT, "there is no process %lld", (long long)pid);
}

struct error *executable_open_process(struct session *s, int64_t pid, struct executable **ret)
{
	const char *exe = arena_printf(s->arena, "/proc/%lld/exe", (long long)pid);
	const char *root = arena_printf(s->arena, "/proc/%lld/root", (long long)pid);
	char name[PATH_MAX];
	ssize_t len = readlink(exe, name, sizeof(name) - 1);
	const char *path;
	struct error *err;

	if (len < 0)
		return no_process(s, pid);
	name[len] = 0;
	path = arena_printf(s->arena, "%s%s", root, name);
	if (is_same_file(name, exe))
		path = arena_strdup(s->arena, name);
	else if (!is_same_file(path, exe))
		path = exe;
	err = executable_read(s, path, ret);
	if (!err) {
		(*ret)->process = pid;
		(*ret)->root = is_same_file(root, "/") ? "" : root;
	}
	return err;
}

/* ---- by build-id ---- */

static bool has_build_id(const char *path, const char *id)
{
	_cleanup_close_ int fd = is_file(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	const unsigned char *bytes;
	const void *found;
	ssize_t len;
	Elf *elf;
	bool is_it;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	len = elf ? dwelf_elf_gnu_build_id(elf, &found) : -1;
	is_it = len > 0 && (size_t)len * 2 == strlen(id);
	bytes = is_it ? found : NULL;
	for (ssize_t i = 0; is_it && i < len; i++) {
		char digits[3];

		snprintf(digits, sizeof(digits), "%02x", bytes[i]);
		is_it = !memcmp(digits, id + 2 * i, 2);
	}
	elf_end(elf);
	return is_it;
}

static const char *find_build_id(struct session *s, const char *id, const char *dirs)
{
	const char *path = NULL;

	while (!path && dirs && *dirs) {
		size_t len = strcspn(dirs, ":");
		glob_t found = { 0 };

		if (len && !glob(arena_printf(s->arena, "%.*s/*", (int)len, dirs), GLOB_NOSORT, NULL, &found))
			for (size_t i = 0; i < found.gl_pathc && !path; i++)
				if (has_build_id(found.gl_pathv[i], id))
					path = canonical(s, found.gl_pathv[i]);
		globfree(&found);
		dirs += len + (dirs[len] == ':');
	}
	return path;
}

struct error *executable_open_build_id(struct session *s, const char *id, struct executable **ret)
{
	const char *link = arena_printf(s->arena, "/usr/lib/debug/.build-id/%.2s/%s", id, id + 2);
	const char *path = has_build_id(link, id) ? canonical(s, link) : NULL;

	if (!path)
		path = find_build_id(s, id, getenv("PATH"));
	if (!path)
		path = find_build_id(s, id, LIBRARY_DIRECTORIES);
	if (path)
		return executable_read(s, path, ret);
	return error_create(s->arena, ERROR_ABSENT, "no program with build-id %s is linked below /usr/lib/debug/.build-id, in PATH or among the libraries", id);
}
