/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first build for a kernel. Only kbuild knows how its modules are compiled, and it is
 * slow, so it gets an empty module. As soon as that is compiled the flags are known, and
 * the objects are compiled while kbuild links and checks. No header is precompiled for
 * them: that takes as long as reading it five times.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/session.h"
#include "build/recipe.h"
#include "kernel/kernel.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/subprocess.h"
#include "lib/terminal.h"

#define EMPTY_NAME "stap_empty"

enum { LOOK_EVERY_MS = 10 };

/* Tells a user at a terminal why this takes time; the line is removed at the end. */
static void show_progress(const struct build *b, bool begins)
{
	if (terminal_draws(STDERR_FILENO) && begins)
		fprintf(stderr, "stap: building for kernel %s through kbuild, for the first time",
			b->s->kernel->release);
	else if (terminal_draws(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

static bool is_compiled(struct build *empty)
{
	char *text;
	size_t len;

	return !path_read(empty->s->arena,
			  arena_printf(empty->s->arena, "%s/.script.o.cmd", empty->work), &text,
			  &len) &&
	       memchr(text, '\n', len);
}

/* Waits until the compiler's command is known, or kbuild has ended. */
static void await_compiler(struct build *empty, const struct subprocess *kbuild)
{
	struct pollfd end = { .fd = kbuild->output }; /* POLLHUP alone */

	while (!is_compiled(empty) && poll(&end, 1, LOOK_EVERY_MS) <= 0)
		;
}

/* Prepares a module without a script, in its own directory. */
static struct error *empty_build(const struct build *b, struct build *ret)
{
	*ret = *b;
	ret->name = EMPTY_NAME;
	ret->objects = (words){ 0 };
	ret->work = arena_printf(b->s->arena, "%s/empty", b->work);
	return path_make_dirs(b->s->arena, ret->work, 0700);
}

static struct error *build_empty(struct build *b, struct build *empty, struct recipe *ret)
{
	struct subprocess kbuild;
	struct recipe compiler;
	const char *said = "";
	struct error *err = kbuild_start_empty(empty, &kbuild), *failed;

	if (err)
		return err;
	await_compiler(empty, &kbuild);
	failed = record_compiler(empty, &compiler);
	if (!failed)
		failed = compile_objects(b, &compiler);
	err = kbuild_wait(empty, &kbuild, &said);
	if (!err)
		err = record_recipe(empty, said, ret);
	if (!err)
		err = recipe_store(b, ret);
	return err ? err : failed;
}

struct error *firstbuild_run(struct build *b, struct recipe *ret)
{
	struct build empty;
	struct error *err = kbuild_check(b);

	if (!err)
		err = empty_build(b, &empty);
	if (err)
		return err;
	show_progress(b, true);
	err = build_empty(b, &empty, ret);
	show_progress(b, false);
	return err;
}
