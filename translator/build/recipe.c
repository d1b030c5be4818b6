/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays the recorded commands, without make and without a shell. */
#include "build/recipe.h"

#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "base/subprocess.h"
#include "base/session.h"
#include "base/strbuf.h"

static const char *const kind_names[RECIPE_KINDS] = {
	[RECIPE_DIR] = "dir",	      [RECIPE_PREFIX] = "prefix",
	[RECIPE_COMPILE] = "compile", [RECIPE_OBJECT] = "object",
	[RECIPE_LINK] = "link",	      [RECIPE_MODPOST] = "modpost",
	[RECIPE_MODULE] = "module",   [RECIPE_MODULE_OBJECT] = "module_object",
	[RECIPE_FINAL] = "final",
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
	struct error *err = path_read(
		b->s->arena, arena_printf(b->s->arena, "%s/recipe", b->kernel_dir), &text, &len);

	*ret = (struct recipe){ 0 };
	for (char *line = err ? NULL : strtok_r(text, "\n", &save); line && !err;
	     line = strtok_r(NULL, "\n", &save))
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
	return path_write(b->s->arena, arena_printf(b->s->arena, "%s/recipe", b->kernel_dir),
			  text.s, text.len);
}

/* ---- running ---- */

struct error *build_wait(struct session *s, struct subprocess *p, struct process_result *result)
{
	struct error *err = subprocess_wait(s->arena, p, result);

	if (!err && result->status)
		err = error_create(s->arena, ERROR_ENVIRONMENT, "%s failed with status %d:\n%s",
				   p->program, result->status, result->output);
	return err;
}

struct error *build_command(struct session *s, const char *dir, char *const argv[],
			    struct process_result *result)
{
	struct subprocess process;
	struct error *err = subprocess_start(s->arena, dir, argv, true, &process);

	*result = (struct process_result){ .output = "" };
	return err ? err : build_wait(s, &process, result);
}

const struct recipe_step *recipe_step(const struct recipe *r, enum recipe_kind kind)
{
	vec_each(&r->steps, i)
		if (r->steps.data[i].kind == kind)
			return &r->steps.data[i];
	return NULL;
}

const char *recipe_dir(struct build *b, const struct recipe *r)
{
	const struct recipe_step *step = recipe_step(r, RECIPE_DIR);

	return step && step->argv.count && strcmp(step->argv.data[0], "@work@") ? step->argv.data[0]
										: b->work;
}

static const char *replace(struct arena *a, const char *word, const char *from, const char *to)
{
	const char *at = strstr(word, from);

	return at ? arena_printf(a, "%.*s%s%s", (int)(at - word), word, to, at + strlen(from))
		  : word;
}

static void add_objects(struct build *b, words *argv)
{
	struct arena *a = b->s->arena;

	vec_push(a, argv, arena_printf(a, "%s/script.o", b->work));
	vec_each(&b->objects, i)
		vec_push(a, argv, object_path(b, b->objects.data[i]));
}

words recipe_expand(struct build *b, const words *in, const char *object)
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

struct error *recipe_run(struct build *b, const struct recipe *r, words *argv,
			 struct process_result *result)
{
	vec_push(b->s->arena, argv, NULL);
	return build_command(b->s, recipe_dir(b, r), (char *const *)argv->data, result);
}

/*
 * Runs all steps of a kind, in order. `change`, unless NULL, makes the words differ from
 * kbuild's.
 */
static struct error *run_steps(struct build *b, const struct recipe *r, enum recipe_kind kind,
			       const char *object, void (*change)(struct arena *a, words *argv))
{
	struct process_result result;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < r->steps.count; i++) {
		if (r->steps.data[i].kind != kind)
			continue;

		words argv = recipe_expand(b, &r->steps.data[i].argv, object);

		if (change)
			change(b->s->arena, &argv);
		err = recipe_run(b, r, &argv, &result);
	}
	return err;
}

/* ---- the module ---- */

static struct error *make_module_info(struct build *b, const struct recipe *r)
{
	struct error *err = compile_module_info(b, r);

	if (!err)
		err = run_steps(b, r, RECIPE_MODULE_OBJECT, objects_module_info_path(b), NULL);
	return err ? err : relocs_fold(b, objects_module_info_path(b));
}

/*
 * Runs modpost. It wants to know the sources of a module only for a version that it makes
 * of them: none are listed.
 */
static struct error *run_modpost(struct build *b, const struct recipe *r)
{
	struct arena *a = b->s->arena;
	const char *list = arena_printf(a, "%s/%s.o\n", b->work, b->name);
	struct error *err =
		path_write(a, arena_printf(a, "%s/modules", b->work), list, strlen(list));

	if (!err)
		err = path_write(a, arena_printf(a, "%s/%s.mod", b->work, b->name), "", 0);
	return err ? err : run_steps(b, r, RECIPE_MODPOST, NULL, NULL);
}

static void add_layout(struct arena *a, words *argv, const char *layout)
{
	const char *const more[] = { "--gc-sections",  "-u", "init_module", "-u",
				     "cleanup_module", "-T", layout };

	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		vec_push(a, argv, more[i]);
}

/*
 * Links the objects into one, by the recorded linker with the layout of layout.c, unless
 * the kernel has a layout for this step.
 */
static struct error *link_objects(struct build *b, const struct recipe *r)
{
	const char *object = arena_printf(b->s->arena, "%s/%s.o", b->work, b->name), *layout;
	struct error *err = layout_write(b, &layout);
	bool linked = false;

	for (size_t i = 0; !err && i < r->steps.count; i++) {
		struct process_result result;
		words argv;

		if (r->steps.data[i].kind != RECIPE_LINK)
			continue;
		argv = recipe_expand(b, &r->steps.data[i].argv, NULL);
		if (!linked && !build_words_have(&argv, "-T"))
			add_layout(b->s->arena, &argv, layout);
		linked = true;
		err = recipe_run(b, r, &argv, &result);
	}
	if (!err)
		err = run_steps(b, r, RECIPE_OBJECT, object, NULL);
	return err ? err : relocs_fold(b, object);
}

/* Adds the options that strip NAME.ko: kbuild gives debuginfo to its own part. */
static void add_strip(struct arena *a, words *argv)
{
	if (build_words_have(argv, "-r"))
		vec_push(a, argv, "--strip-debug");
}

struct error *recipe_link(struct build *b, const struct recipe *r)
{
	struct error *err = link_objects(b, r);

	if (!err)
		err = run_modpost(b, r);
	if (!err)
		err = make_module_info(b, r);
	return err ? err : run_steps(b, r, RECIPE_FINAL, NULL, add_strip);
}
