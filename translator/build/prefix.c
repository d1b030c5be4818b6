/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header that every compilation includes first, and its precompiled form. A
 * precompiled header must be the first thing in a compilation: so it starts with the
 * files that the kernel's own -include options name. gcc uses it in runs with the same
 * flags and macros. In all other runs, and until the precompiled header exists, gcc reads
 * prefix.h itself, which takes 0.35 s more for each object. clang must be told to use it,
 * and fails if flags differ. Making it takes 1.6 s, so nobody waits for it: a separate
 * process makes it when the first module is ready.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/session.h"
#include "base/tmpdir.h"
#include "build/recipe.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"

enum { NICENESS = 10 };

static const char *header_path(struct build *b)
{
	return arena_printf(b->s->arena, "%s/prefix.h", b->kernel_dir);
}

/* clang would use a NAME.h.pch or NAME.h.gch by itself. */
static const char *precompiled_path(struct build *b)
{
	if (b->compiler.is_clang)
		return arena_printf(b->s->arena, "%s/prefix.pch", b->kernel_dir);
	return arena_printf(b->s->arena, "%s.gch", header_path(b));
}

struct error *prefix_write(struct build *b, const struct recipe *r)
{
	const struct recipe_step *files = recipe_step(r, RECIPE_PREFIX);
	struct strbuf text;

	if (path_exists(header_path(b)))
		return NULL;
	if (!files || !recipe_step(r, RECIPE_COMPILE))
		return error_create(b->s->arena, ERROR_ABSENT, "the recipe is damaged");
	strbuf_init(&text, b->s->arena);
	vec_each(&files->argv, i)
		strbuf_addf(&text, "#include \"%s\"\n", files->argv.data[i]);
	strbuf_adds(&text, "#include \"api.h\"\n");
	return path_write(b->s->arena, header_path(b), text.s, text.len);
}

void prefix_add_whole(struct build *b, const char *flags, words *argv)
{
	bool is_taken = b->compiler.is_clang && !flags && path_exists(precompiled_path(b));

	vec_push(b->s->arena, argv, is_taken ? "-include-pch" : "-include");
	vec_push(b->s->arena, argv, is_taken ? precompiled_path(b) : header_path(b));
}

void prefix_add(struct build *b, const struct recipe *r, words *argv)
{
	const words *files = &recipe_step(r, RECIPE_PREFIX)->argv;

	if (path_exists(precompiled_path(b))) {
		prefix_add_whole(b, NULL, argv);
		return;
	}
	vec_each(files, i) {
		vec_push(b->s->arena, argv, "-include");
		vec_push(b->s->arena, argv, files->data[i]);
	}
}

/* Locks the kernel's directory: one process at a time makes the header. */
static bool lock_kernel(struct build *b)
{
	int fd = open(arena_printf(b->s->arena, "%s/prefix.lock", b->kernel_dir),
		      O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	return fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB);
}

static void precompile(struct build *b, const struct recipe *r)
{
	struct arena *a = b->s->arena;
	/* A process that was killed while making it has left this file. */
	const char *made = arena_printf(a, "%s/.prefix.gch", b->kernel_dir);
	const char *const more[] = { "-x", "c-header", "-o", made, header_path(b), NULL };
	const char *dir = recipe_dir(b, r);
	words argv = flags_with_runtime(b, r);
	struct process_result result;

	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		vec_push(a, &argv, more[i]);
	/*
	 * stap's own directory is removed with stap, so the compiler runs elsewhere.
	 * TMPDIR keeps the files of an interrupted compiler out of other directories.
	 */
	if (!strcmp(dir, b->work))
		dir = b->kernel_dir;
	setenv("TMPDIR", b->kernel_dir, 1);
	if (subprocess_run_tool(a, dir, (char *const *)argv.data, NULL, &result) || result.status ||
	    rename(made, precompiled_path(b)))
		unlink(made);
}

/* False: the cache is removed with stap, so others cannot use it. */
static bool is_kept(struct build *b)
{
	const char *tmp;

	return !tmpdir_of(b->s, &tmp) && strncmp(b->kernel_dir, tmp, strlen(tmp)) != 0;
}

void prefix_precompile(struct build *b, const struct recipe *r)
{
	pid_t child;

	if (path_exists(precompiled_path(b)) || !is_kept(b))
		return;
	child = fork();
	if (child > 0)
		waitpid(child, NULL, 0);
	if (child)
		return;
	/*
	 * The process becomes a child of init: the program that runs stap may not expect
	 * another child.
	 */
	if (fork())
		_exit(0);
	subprocess_leave(-1);
	(void)!nice(NICENESS); /* if this fails, it runs like any other process */
	if (lock_kernel(b) && !path_exists(precompiled_path(b)))
		precompile(b, r);
	_exit(0);
}
