/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recipe's file, and its commands: they run without make and without a shell. link.c
 * replays them.
 */
#include "build/recipe.h"

#include <string.h>

#include "base/session.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"

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
	struct error *err = subprocess_start_tool(s->arena, dir, argv, &process);

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
