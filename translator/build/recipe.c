/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays the recorded commands, without make and without a shell. */
#include "build/recipe.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "base/process.h"
#include "base/session.h"
#include "base/strbuf.h"

static const char *const kind_names[RECIPE_KINDS] = {
	[RECIPE_DIR] = "dir",	    [RECIPE_PREFIX] = "prefix", [RECIPE_COMPILE] = "compile", [RECIPE_OBJECT] = "object",
	[RECIPE_LINK] = "link",	    [RECIPE_MODPOST] = "modpost", [RECIPE_MODULE] = "module",
	[RECIPE_MODULE_OBJECT] = "module_object", [RECIPE_FINAL] = "final",
};

/* ---- the file ---- */

static struct error *parse_step(struct build *b, char *line, struct recipe *ret)
{
	struct arena *a = b->s->arena;
	struct recipe_step step = { .kind = RECIPE_KINDS };
	char *save, *word = strtok_r(line, "\t", &save);

	for (unsigned k = 0; word && k < RECIPE_KINDS; k++)
		if (!strcmp(word, kind_names[k]))
			step.kind = k;
	if (step.kind == RECIPE_KINDS)
		return error_create(a, ERROR_ABSENT, "the recipe is damaged");
	while ((word = strtok_r(NULL, "\t", &save)))
		vec_push(a, &step.argv, word);
	vec_push(a, &ret->steps, step);
	return NULL;
}

struct error *recipe_load(struct build *b, struct recipe *ret)
{
	char *text, *save;
	size_t len;
	struct error *err = path_read(b->s->arena, arena_printf(b->s->arena, "%s/recipe", b->kernel_dir), &text, &len);

	*ret = (struct recipe){ 0 };
	for (char *line = err ? NULL : strtok_r(text, "\n", &save); line && !err; line = strtok_r(NULL, "\n", &save))
		err = parse_step(b, line, ret);
	return err;
}

struct error *recipe_store(struct build *b, const struct recipe *r)
{
	struct strbuf text;

	strbuf_init(&text, b->s->arena);
	vec_each(&r->steps, i) {
		strbuf_adds(&text, kind_names[r->steps.data[i].kind]);
		vec_each(&r->steps.data[i].argv, w)
			strbuf_addf(&text, "\t%s", r->steps.data[i].argv.data[w]);
		strbuf_addc(&text, '\n');
	}
	return path_write(b->s->arena, arena_printf(b->s->arena, "%s/recipe", b->kernel_dir), text.s, text.len);
}

/* ---- running ---- */

struct error *build_command(struct session *s, const char *dir, char *const argv[], struct process_result *result)
{
	struct error *err = process_run(s->arena, dir, argv, true, result);

	if (!err && result->status)
		err = error_create(s->arena, ERROR_ENVIRONMENT, "%s failed with status %d:\n%s", argv[0],
				   result->status, result->output);
	return err;
}

static const struct recipe_step *first_step(const struct recipe *r, enum recipe_kind kind)
{
	vec_each(&r->steps, i)
		if (r->steps.data[i].kind == kind)
			return &r->steps.data[i];
	return NULL;
}

static const char *work_dir(struct build *b, const struct recipe *r)
{
	const struct recipe_step *step = first_step(r, RECIPE_DIR);

	return step && step->argv.count && strcmp(step->argv.data[0], "@work@") ? step->argv.data[0] : b->work;
}

static const char *replace(struct arena *a, const char *word, const char *from, const char *to)
{
	const char *at = strstr(word, from);

	return at ? arena_printf(a, "%.*s%s%s", (int)(at - word), word, to, at + strlen(from)) : word;
}

static void add_objects(struct build *b, words *argv)
{
	struct arena *a = b->s->arena;

	vec_push(a, argv, arena_printf(a, "%s/script.o", b->work));
	vec_each(&b->objects, i)
		vec_push(a, argv, object_path(b, b->objects.data[i]));
}

static words expand(struct build *b, const words *in, const char *object)
{
	struct arena *a = b->s->arena;
	words out = { 0 };

	vec_each(in, i) {
		const char *word = in->data[i];

		if (!strcmp(word, "@objects@")) {
			add_objects(b, &out);
			continue;
		}
		if (object && !strcmp(word, "@object@"))
			word = object;
		word = replace(a, replace(a, word, "@work@", b->work), "@name@", b->name);
		vec_push(a, &out, word);
	}
	return out;
}

static struct error *run_words(struct build *b, const struct recipe *r, words *argv, struct process_result *result)
{
	vec_push(b->s->arena, argv, NULL);
	return build_command(b->s, work_dir(b, r), (char *const *)argv->data, result);
}

/* All steps of a kind, in order. */
static struct error *run_steps(struct build *b, const struct recipe *r, enum recipe_kind kind, const char *object)
{
	struct process_result result;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < r->steps.count; i++) {
		if (r->steps.data[i].kind != kind)
			continue;

		words argv = expand(b, &r->steps.data[i].argv, object);

		err = run_words(b, r, &argv, &result);
	}
	return err;
}

/* ---- compiling ---- */

static const char *prefix_path(struct build *b)
{
	return arena_printf(b->s->arena, "%s/prefix.h", b->kernel_dir);
}

static words compile_words(struct build *b, const struct recipe *r)
{
	struct arena *a = b->s->arena;
	words argv = expand(b, &first_step(r, RECIPE_COMPILE)->argv, NULL);

	vec_push(a, &argv, "-g0");
	vec_push(a, &argv, arena_printf(a, "-I%s", b->runtime));
	vec_push(a, &argv, arena_printf(a, "-I%s", b->kernel_dir));
	return argv;
}

/*
 * A precompiled header must be the first thing in a compilation: so it starts with what the kernel's own -include
 * options name. gcc takes it for later runs with the same flags and macros, and reads prefix.h itself for all others.
 */
static struct error *make_prefix(struct build *b, const struct recipe *r)
{
	struct arena *a = b->s->arena;
	const char *path = prefix_path(b), *gch = arena_printf(a, "%s.gch", path);
	const char *made = arena_printf(a, "%s/.%ld.gch", b->kernel_dir, (long)getpid());
	const struct recipe_step *files = first_step(r, RECIPE_PREFIX);
	struct process_result result;
	struct strbuf text;
	struct error *err;

	if (path_exists(gch) && path_exists(path))
		return NULL;
	strbuf_init(&text, a);
	vec_each(&files->argv, i)
		strbuf_addf(&text, "#include \"%s\"\n", files->argv.data[i]);
	strbuf_adds(&text, "#include \"api.h\"\n");
	err = path_write(a, path, text.s, text.len);
	if (err)
		return err;

	words argv = compile_words(b, r);

	vec_push(a, &argv, "-x");
	vec_push(a, &argv, "c-header");
	vec_push(a, &argv, "-o");
	vec_push(a, &argv, made);
	vec_push(a, &argv, path);
	err = run_words(b, r, &argv, &result);
	if (!err && rename(made, gch))
		err = error_errno(a, "%s", gch);
	return err;
}

static struct error *compile(struct build *b, const struct recipe *r, const char *source, const char *object,
			     struct process_result *result)
{
	struct arena *a = b->s->arena;
	words argv = compile_words(b, r);

	vec_push(a, &argv, "-include");
	vec_push(a, &argv, prefix_path(b));
	vec_push(a, &argv, "-c");
	vec_push(a, &argv, "-o");
	vec_push(a, &argv, object);
	vec_push(a, &argv, source);
	return run_words(b, r, &argv, result);
}

static struct error *make_object(struct build *b, const struct recipe *r, const char *name)
{
	struct arena *a = b->s->arena;
	const char *made = arena_printf(a, "%s/%s.o", b->work, name), *kept = object_path(b, name);
	struct process_result result;
	struct error *err;

	if (path_exists(kept))
		return NULL;
	err = compile(b, r, object_source(b, name), made, &result);
	if (!err)
		err = run_steps(b, r, RECIPE_OBJECT, made);
	return err ? err : path_copy(a, made, kept);
}

/*
 * Everything is compiled with one precompiled header and so under one name; what needs the module's own gets it in its
 * text, after the headers.
 */
static const char *with_name(struct build *b, const char *text)
{
	return arena_printf(b->s->arena,
			    "#undef KBUILD_MODNAME\n#define KBUILD_MODNAME \"%s\"\n"
			    "#undef __KBUILD_MODNAME\n#define __KBUILD_MODNAME kmod_%s\n#line 1\n%s",
			    b->name, b->name, text);
}

static struct error *make_script(struct build *b, const struct recipe *r)
{
	struct arena *a = b->s->arena;
	const char *text = with_name(b, b->c_text);
	const char *source = arena_printf(a, "%s/script.c", b->work), *object = arena_printf(a, "%s/script.o", b->work);
	struct process_result result = { 0 };
	struct error *err = path_write(a, source, text, strlen(text));

	if (err)
		return err;
	err = compile(b, r, source, object, &result);
	if (err && result.status && build_blames_script(result.output))
		return error_create(a, ERROR_SCRIPT, "the C compiler refused the module's C:\n%s",
				    build_messages(b, result.output));
	return err ? err : run_steps(b, r, RECIPE_OBJECT, object);
}

static struct error *compile_module_info(struct build *b, const struct recipe *r, const char *object)
{
	struct arena *a = b->s->arena;
	const char *source = arena_printf(a, "%s/%s.mod.c", b->work, b->name);
	const char *named = arena_printf(a, "%s/module_info.c", b->work);
	const char *text = with_name(b, arena_printf(a, "#include \"%s\"\n", source));
	struct process_result result;
	struct error *err;

	if (!first_step(r, RECIPE_MODULE)) {
		err = path_write(a, named, text, strlen(text));
		return err ? err : compile(b, r, named, object, &result);
	}

	words argv = expand(b, &first_step(r, RECIPE_MODULE)->argv, NULL);

	vec_push(a, &argv, "-g0");
	vec_push(a, &argv, "-c");
	vec_push(a, &argv, "-o");
	vec_push(a, &argv, object);
	vec_push(a, &argv, source);
	return run_words(b, r, &argv, &result);
}

static struct error *make_module_info(struct build *b, const struct recipe *r)
{
	const char *object = arena_printf(b->s->arena, "%s/%s.mod.o", b->work, b->name);
	struct error *err = compile_module_info(b, r, object);

	return err ? err : run_steps(b, r, RECIPE_MODULE_OBJECT, object);
}

/* modpost wants to know the sources of a module only for a version it makes of them: none are listed. */
static struct error *run_modpost(struct build *b, const struct recipe *r)
{
	struct arena *a = b->s->arena;
	const char *list = arena_printf(a, "%s/%s.o\n", b->work, b->name);
	struct error *err = path_write(a, arena_printf(a, "%s/modules", b->work), list, strlen(list));

	if (!err)
		err = path_write(a, arena_printf(a, "%s/%s.mod", b->work, b->name), "", 0);
	return err ? err : run_steps(b, r, RECIPE_MODPOST, NULL);
}

struct error *recipe_build(struct build *b, const struct recipe *r)
{
	struct error *err;

	if (!first_step(r, RECIPE_COMPILE) || !first_step(r, RECIPE_PREFIX))
		return error_create(b->s->arena, ERROR_ABSENT, "the recipe is damaged");
	err = make_prefix(b, r);
	for (size_t i = 0; !err && i < b->objects.count; i++)
		err = make_object(b, r, b->objects.data[i]);
	if (!err)
		err = make_script(b, r);
	if (!err)
		err = run_steps(b, r, RECIPE_LINK, NULL);
	if (!err)
		err = run_modpost(b, r);
	if (!err)
		err = make_module_info(b, r);
	return err ? err : run_steps(b, r, RECIPE_FINAL, NULL);
}
