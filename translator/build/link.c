/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of a build, by the recorded commands: links the objects to one, runs modpost,
 * and makes NAME.mod.o and NAME.ko.
 */
#include <string.h>

#include "base/session.h"
#include "build/recipe.h"
#include "lib/error.h"
#include "lib/path.h"

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

static struct error *make_module_info(struct build *b, const struct recipe *r)
{
	struct error *err;

	if (moduleinfo_copy(b))
		return NULL;
	err = compile_module_info(b, r);
	if (!err)
		err = run_steps(b, r, RECIPE_MODULE_OBJECT, objects_module_info_path(b), NULL);
	if (!err)
		err = relocs_fold(b, objects_module_info_path(b));
	if (!err)
		moduleinfo_keep(b);
	return err;
}

/*
 * Runs modpost. It uses the list of a module's sources only to compute a version from
 * them, so the list is empty.
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

struct error *link_module(struct build *b, const struct recipe *r)
{
	struct error *err = link_objects(b, r);

	if (!err)
		err = run_modpost(b, r);
	if (!err)
		err = make_module_info(b, r);
	return err ? err : run_steps(b, r, RECIPE_FINAL, NULL, add_strip);
}
