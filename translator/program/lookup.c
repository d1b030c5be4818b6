/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds programs by the names that users give: path, name in PATH, pattern, process,
 * build-id.
 */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/cleanup.h"
#include "lib/commandline.h"
#include "lib/confined.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "program/executable.h"

#define SCRIPT_LINE 256 /* bytes of a script's first line that the kernel reads */
#define SCRIPTS_MAX 4	/* interpreters that are scripts themselves */

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* ---- roots ---- */

/*
 * True: names mean the same to the process as to us: it has the same root directory and
 * mount namespace.
 */
static bool is_our_root(struct session *s, const char *process)
{
	return path_is_same_file(arena_printf(s->arena, "%s/root", process), "/") &&
	       path_is_same_file(arena_printf(s->arena, "%s/ns/mnt", process), "/proc/self/ns/mnt");
}

/*
 * Splits "/proc/12/root/bin/ls", which is /bin/ls as process 12 sees it: returns the
 * root, "" when it is ours; *rest is the path after it.
 */
static const char *split_root(struct session *s, const char *name, const char **rest)
{
	size_t proc = strlen("/proc/"),
	       pid = strspn(name + (strncmp(name, "/proc/", proc) ? 0 : proc), "0123456789");
	const char *process;

	*rest = name;
	if (!pid || strncmp(name, "/proc/", proc) ||
	    strncmp(name + proc + pid, "/root/", strlen("/root/")))
		return "";
	process = arena_strndup(s->arena, name, proc + pid);
	*rest = name + proc + pid + strlen("/root");
	return is_our_root(s, process) ? "" : arena_printf(s->arena, "%s/root", process);
}

/* ---- by name ---- */

static const char *find_in_path(struct session *s, const char *root, const char *name)
{
	const char *path = path_search(s->arena, root, getenv("PATH"), name);

	return path ? path_canonical_in(s->arena, root, path) : NULL;
}

/* Finds a program that is not in PATH as a file in the current directory. */
static const char *find_here(struct session *s, const char *name)
{
	const char *path = *name ? path_canonical(s->arena, name) : NULL;

	return path && is_file(path) ? path : NULL;
}

/*
 * Returns a script's interpreter: /usr/bin/python3 for "#!/usr/bin/python3 -u", python3
 * in PATH for "#!/usr/bin/env python3". NULL: it is not a script.
 */
static const char *interpreter(struct session *s, const char *root, const char *path)
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
	if (base && !strcmp(base, "/env") && (word = strtok_r(NULL, " \t", &rest)) != NULL &&
	    !strchr("-/", *word))
		return find_in_path(s, root, word);
	return word ? arena_strdup(s->arena, word) : NULL;
}

static struct error *read_in(struct session *s, const char *root, const char *path,
			     struct executable **ret)
{
	struct error *err = executable_read(s, path, ret);

	if (!err && *root)
		(*ret)->root = root;
	return err;
}

static struct error *open_path(struct session *s, const char *root, const char *path,
			       struct executable **ret)
{
	for (unsigned i = 0; i < SCRIPTS_MAX; i++) {
		const char *next = interpreter(s, root, path);

		if (!next)
			break;
		path = path_canonical_in(s->arena, root, next);
		if (!path)
			return error_create(s->arena, ERROR_ABSENT, "there is no program '%s%s'",
					    root, next);
	}
	return read_in(s, root, path, ret);
}

/* Finds a program as processes of another architecture see it. */
static const char *find_in_tree(struct session *s, const char *tree, const char *name)
{
	const char *path = *name == '/' ? path_canonical_in(s->arena, tree, name) : NULL;

	if (strchr(name, '/'))
		return path && is_file(path) ? path : NULL;
	return find_in_path(s, tree, name);
}

struct error *lookup_executable(struct session *s, const char *name, struct executable **ret)
{
	const char *rest, *root = split_root(s, name, &rest), *tree = executable_tree(s);
	const char *there = *tree && !*root ? find_in_tree(s, tree, name) : NULL;

	if (there)
		return open_path(s, tree, there, ret);

	const char *path = strchr(name, '/') ? path_canonical_in(s->arena, root, rest)
					     : find_in_path(s, "", name);

	if (!path && !strchr(name, '/'))
		path = find_here(s, name);
	if (path)
		return open_path(s, root, path, ret);
	return error_create(s->arena, ERROR_ABSENT,
			    strchr(name, '/') ? "there is no program '%s'"
					      : "there is no program '%s' in PATH, nor here",
			    name);
}

/* ---- by pattern ---- */

/* True for the name of a library, which need not be executable. */
static bool is_library(const char *path)
{
	const char *base = strrchr(path, '/');

	return strstr(base ? base : path, ".so") != NULL;
}

/* Adds the matching programs; other files (directories, text) are skipped. */
static void add_matching(struct session *s, const char *pattern, executables *ret)
{
	glob_t found = { 0 };

	if (!glob(pattern, 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *rest,
				*root = split_root(s, arena_strdup(s->arena, found.gl_pathv[i]),
						   &rest);
			const char *path = path_canonical_in(s->arena, root, rest);
			struct executable *file;
			bool known = false;

			if (!path || !is_file(path) || (access(path, X_OK) && !is_library(path)) ||
			    read_in(s, root, path, &file))
				continue;
			vec_each(ret, k)
				known |= ret->data[k] == file;
			if (!known)
				vec_push(s->arena, ret, file);
		}
	globfree(&found);
}

/* Adds matching programs of PATH, whose directories are searched below the tree. */
static void add_of_path(struct session *s, const char *tree, const char *pattern, executables *ret)
{
	for (const char *dirs = getenv("PATH"); dirs && *dirs;) {
		size_t len = strcspn(dirs, ":");

		if (len)
			add_matching(
				s,
				arena_printf(s->arena, "%s%.*s/%s", tree, (int)len, dirs, pattern),
				ret);
		dirs += len + (dirs[len] == ':');
	}
}

struct error *lookup_matching(struct session *s, const char *pattern, executables *ret)
{
	const char *tree = executable_tree(s);
	bool in_path = !strchr(pattern, '/');

	if (*tree && in_path)
		add_of_path(s, tree, pattern, ret);
	else if (*tree && *pattern == '/')
		add_matching(s, arena_printf(s->arena, "%s%s", tree, pattern), ret);
	if (!ret->count && in_path)
		add_of_path(s, "", pattern, ret);
	else if (!ret->count)
		add_matching(s, pattern, ret);
	return ret->count ? NULL
			  : error_create(s->arena, ERROR_ABSENT, "no program matches '%s'%s",
					 pattern, strchr(pattern, '/') ? "" : " in PATH");
}

/* ---- by process ---- */

static bool is_process(struct session *s, int64_t pid)
{
	return path_is_same_file("/proc", arena_printf(s->arena, "/proc/%lld/..", (long long)pid));
}

static struct error *absent_process(struct session *s, int64_t pid)
{
	return error_create(s->arena, ERROR_ABSENT, "there is no process %lld%s", (long long)pid,
			    confined_in(CONFINED_PID) ? "; " CONFINED_PID_HINT : "");
}

/* /proc may hide other users' processes (hidepid). */
struct error *lookup_process_exists(struct session *s, int64_t pid)
{
	bool is_hidden = pid <= INT_MAX && kill((pid_t)pid, 0) < 0 && errno == EPERM;

	return is_process(s, pid) || is_hidden ? NULL : absent_process(s, pid);
}

static struct error *no_process(struct session *s, int64_t pid)
{
	if (errno == EACCES)
		return error_errno(s->arena, "%s",
				   arena_printf(s->arena, "/proc/%lld/exe", (long long)pid));
	if (is_process(s, pid))
		return error_create(s->arena, ERROR_ABSENT,
				    "process %lld is the kernel's: it runs no program",
				    (long long)pid);
	return absent_process(s, pid);
}

struct error *lookup_process(struct session *s, int64_t pid, struct executable **ret)
{
	const char *process = arena_printf(s->arena, "/proc/%lld", (long long)pid);
	const char *exe = arena_printf(s->arena, "%s/exe", process);
	const char *root = arena_printf(s->arena, "%s/root", process);
	const char *name = path_link(s->arena, exe), *path;
	struct error *err;

	if (!name)
		return no_process(s, pid);
	path = arena_printf(s->arena, "%s%s", root, path_behind_root(s->arena, root, name));
	if (path_is_same_file(name, exe))
		path = name;
	else if (!path_is_same_file(path, exe))
		path = exe;
	err = executable_read(s, path, ret);
	if (!err) {
		(*ret)->process = pid;
		(*ret)->root = is_our_root(s, process) ? "" : root;
	}
	return err;
}

/* ---- by option ---- */

const char *lookup_of_command(struct session *s)
{
	char *name = s->options->command ? commandline_program(s->options->command) : NULL;
	const char *ret = name && *name ? arena_strdup(s->arena, name) : NULL;

	free(name);
	return ret;
}

struct error *lookup_target(struct session *s, struct executable **ret)
{
	const char *command = lookup_of_command(s);

	if (s->options->target_pid)
		return lookup_process(s, s->options->target_pid, ret);
	if (command)
		return lookup_executable(s, command, ret);
	return error_create(s->arena, ERROR_ABSENT,
			    "'process' is the target's program; give it with -c CMD or -x PID");
}

/* ---- by build-id ---- */

static bool has_build_id(struct session *s, const char *path, const char *id)
{
	_cleanup_close_ int fd = is_file(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	const void *found;
	struct strbuf digits;
	ssize_t len;
	Elf *elf;

	if (fd < 0)
		return false;
	strbuf_init(&digits, s->arena);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	len = elf ? dwelf_elf_gnu_build_id(elf, &found) : -1;
	if (len > 0)
		strbuf_addhex(&digits, found, (size_t)len);
	elf_end(elf);
	return !strcmp(digits.s, id);
}

static const char *find_build_id(struct session *s, const char *id, const char *dirs)
{
	const char *path = NULL;

	while (!path && dirs && *dirs) {
		size_t len = strcspn(dirs, ":");
		glob_t found = { 0 };

		if (len &&
		    !glob(arena_printf(s->arena, "%s%.*s/*", executable_tree(s), (int)len, dirs),
			  GLOB_NOSORT, NULL, &found))
			for (size_t i = 0; i < found.gl_pathc && !path; i++)
				if (has_build_id(s, found.gl_pathv[i], id))
					path = path_canonical(s->arena, found.gl_pathv[i]);
		globfree(&found);
		dirs += len + (dirs[len] == ':');
	}
	return path;
}

struct error *lookup_build_id(struct session *s, const char *id, struct executable **ret)
{
	const char *link = arena_printf(s->arena, "/usr/lib/debug/.build-id/%.2s/%s", id, id + 2);
	const char *path = has_build_id(s, link, id) ? path_canonical(s->arena, link) : NULL;

	if (!path)
		path = find_build_id(s, id, getenv("PATH"));
	if (!path)
		path = find_build_id(s, id, arch_of(s)->programs->library_dirs);
	if (path)
		return executable_read(s, path, ret);
	return error_create(s->arena, ERROR_ABSENT,
			    "no program with build-id %s is linked below /usr/lib/debug/.build-id, "
			    "in PATH or among the libraries",
			    id);
}
