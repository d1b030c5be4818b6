/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles C to objects with the recipe's compiler flags (flags.c): the runtime's
 * objects, which are kept for the kernel, and the script's own.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/session.h"
#include "build/recipe.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"

enum { MOST_AT_ONCE = 4 }; /* each compiler takes up to 100 MB */

/* Adds `-o OUT IN`. */
static void add_files(struct arena *a, words *argv, const char *out, const char *in)
{
	vec_push(a, argv, "-o");
	vec_push(a, argv, out);
	vec_push(a, argv, in);
	vec_push(a, argv, NULL);
}

static struct error *start(struct build *b, const struct recipe *r, words *argv, const char *out,
			   const char *in, struct subprocess *ret)
{
	add_files(b->s->arena, argv, out, in);
	return subprocess_start_tool(b->s->arena, recipe_dir(b, r), (char *const *)argv->data, ret);
}

/* ---- objects ---- */

/*
 * Returns the text after a definition of the module's own name. The precompiled header
 * has another name, because it is shared by all modules.
 */
static const char *with_name(struct build *b, const char *text)
{
	return arena_printf(
		b->s->arena,
		"#undef KBUILD_MODNAME\n#define KBUILD_MODNAME \"%s\"\n"
		"#undef __KBUILD_MODNAME\n#define __KBUILD_MODNAME kmod_%s\n#line 1\n%s",
		b->name, b->name, text);
}

struct compilation {
	const char *source, *object;
	const char *flags; /* more options for the compiler, or NULL */
	/*
	 * path of the copy that is kept; NULL: the script's own object, which is not kept
	 */
	const char *kept;
	struct subprocess process;
	bool runs;
};

typedef VEC(struct compilation) compilations;

static void add_flags(struct arena *a, words *argv, const char *flags)
{
	char *save, *copy = arena_strdup(a, flags ? flags : "");

	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		vec_push(a, argv, word);
}

static struct error *compile_start(struct build *b, const struct recipe *r, struct compilation *c)
{
	struct arena *a = b->s->arena;
	words argv = flags_with_runtime(b, r);

	prefix_add_whole(b, c->flags, &argv);
	vec_push(a, &argv, "-c");
	add_flags(a, &argv, c->flags);

	struct error *err = start(b, r, &argv, c->object, c->source, &c->process);

	c->runs = !err;
	return err;
}

/*
 * Waits for the first compiler that ends, or that prints something, which means an error.
 */
static struct compilation *await_one(compilations *list)
{
	struct compilation *running[MOST_AT_ONCE];
	struct pollfd ends[MOST_AT_ONCE];
	nfds_t n = 0;

	vec_each(list, i) {
		if (!list->data[i].runs)
			continue;
		running[n] = &list->data[i];
		ends[n++] = (struct pollfd){ .fd = list->data[i].process.output, .events = POLLIN };
	}
	if (poll(ends, n, -1) > 0)
		for (nfds_t i = 0; i < n; i++)
			if (ends[i].revents)
				return running[i];
	return running[0];
}

static struct error *compile_end(struct build *b, struct compilation *c)
{
	struct arena *a = b->s->arena;
	struct process_result result;
	struct error *err = build_wait(b->s, &c->process, &result);

	c->runs = false;
	if (err && !c->kept && result.status && build_blames_script(result.output))
		return error_create(a, ERROR_SCRIPT, "the C compiler refused the module's C:\n%s",
				    build_messages(b, result.output));
	return err || !c->kept ? err : path_copy(a, c->object, c->kept);
}

/*
 * Passes of gcc that take a sixth of its time for scripts of thousands of lines, and save
 * hits nothing: straight lines of calls have nothing to hoist, and processors order
 * instructions themselves. Its heap is searched for free memory early: by default it
 * grows to 128 MB before that. It forgets where in a macro a token stands.
 */
#define LARGE_TEXT (320u << 10)
#define LARGE_FLAGS                                                                                \
	"-fno-schedule-insns2 -fno-gcse -fno-tree-pre -fno-tree-vrp -fno-ipa-vrp "                 \
	"-fno-ipa-modref -fno-rerun-cse-after-loop -fno-tree-pta -fno-ipa-pure-const "             \
	"-fno-ipa-reference -fno-tree-slp-vectorize -fno-tree-loop-vectorize "                     \
	"-ftrack-macro-expansion=0 "                                                               \
	"--param=ggc-min-heapsize=16384 --param=ggc-min-expand=30"

static struct error *list_compilations(struct build *b, compilations *ret)
{
	struct arena *a = b->s->arena;
	const char *text = with_name(b, b->c_text);
	struct compilation script = {
		.source = arena_printf(a, "%s/script.c", b->work),
		.object = arena_printf(a, "%s/script.o", b->work),
		.flags = !b->compiler.is_clang && strlen(text) > LARGE_TEXT ? LARGE_FLAGS : NULL,
	};

	vec_each(&b->objects, i) {
		const char *name = b->objects.data[i];
		struct compilation c = {
			.source = object_source(b, name),
			.object = arena_printf(a, "%s/%s.o", b->work, object_file(b, name)),
			.flags = object_flags(name),
			.kept = object_path(b, name),
		};

		if (!path_exists(c.kept))
			vec_push(a, ret, c);
	}
	vec_push(a, ret, script);
	return path_write(a, script.source, text, strlen(text));
}

/* ---- NAME.mod.o ---- */

/*
 * Starts the compiler of NAME.mod.c. modpost writes a page of C after the kernel's
 * headers. The headers take nearly all of the time, at the end of a build, when there is
 * nothing else to do. So the compiler starts earlier, as soon as a processor is free, and
 * after the headers it waits for its standard input.
 */
static struct error *module_info_start(struct build *b, const struct recipe *r)
{
	struct arena *a = b->s->arena;
	const char *source = arena_printf(a, "%s/module_info.c", b->work);
	const char *text = with_name(b, "#include <linux/module.h>\n#include \"/dev/stdin\"\n");
	words argv = flags_with_runtime(b, r);
	struct error *err = path_write(a, source, text, strlen(text));

	prefix_add(b, r, &argv);
	vec_push(a, &argv, "-c");
	add_files(a, &argv, objects_module_info_path(b), source);
	return err ? err
		   : subprocess_start_tool_fed(a, recipe_dir(b, r), (char *const *)argv.data,
					       &b->module_info);
}

static bool module_info_may_start(const struct build *b, const struct recipe *r)
{
	return !b->module_info.pid && !recipe_step(r, RECIPE_MODULE);
}

static struct error *module_info_end(struct build *b, const char *text, size_t len)
{
	struct process_result result;
	struct subprocess p = b->module_info;

	b->module_info = (struct subprocess){ 0 };
	subprocess_feed(&p, text, len);
	return build_wait(b->s, &p, &result);
}

void compile_drop(struct build *b)
{
	if (b->module_info.pid)
		module_info_end(b, "", 0);
}

/* Compiles a file unchanged, with its own flags. */
static struct error *compile_alone(struct build *b, const struct recipe *r, const char *source)
{
	struct subprocess process;
	struct process_result result;
	words argv = flags_recorded(b, r, RECIPE_MODULE);
	struct error *err;

	compile_drop(b);
	vec_push(b->s->arena, &argv, "-c");
	err = start(b, r, &argv, objects_module_info_path(b), source, &process);
	return err ? err : build_wait(b->s, &process, &result);
}

struct error *compile_module_info(struct build *b, const struct recipe *r)
{
	const char *source = arena_printf(b->s->arena, "%s/%s.mod.c", b->work, b->name);
	struct error *err = NULL;
	char *text;
	size_t len;

	if (recipe_step(r, RECIPE_MODULE))
		return compile_alone(b, r, source);
	if (module_info_may_start(b, r))
		err = module_info_start(b, r);
	if (!err)
		err = path_read(b->s->arena, source, &text, &len);
	return err ? err : module_info_end(b, text, len);
}

/* ---- all objects ---- */

struct error *compile_objects(struct build *b, const struct recipe *r)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t most = cpus < 1 ? 1 : cpus > MOST_AT_ONCE ? MOST_AT_ONCE : (size_t)cpus;
	compilations list = { 0 };
	size_t started = 0;
	struct error *err = list_compilations(b, &list);

	if (!err)
		err = prefix_write(b, r);
	for (size_t ended = 0; ended < list.count && (!err || ended < started);) {
		if (!err && started < list.count && started - ended < most) {
			err = compile_start(b, r, &list.data[started]);
			started += !err;
		} else if (!err && started - ended < most && module_info_may_start(b, r) &&
			   !moduleinfo_is_kept(b)) {
			err = module_info_start(b, r);
		} else {
			struct error *failed = compile_end(b, await_one(&list));

			ended++;
			err = err ? err : failed;
		}
	}
	return err;
}
