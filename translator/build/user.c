/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=user: compiles the same C to an ordinary program of this machine. The runtime
 * is compiled once, the script each time. STAP_USER_CFLAGS adds flags to both, for
 * instance -fsanitize=address,undefined.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bpfclang.h"
#include "base/options.h"
#include "base/remedy.h"
#include "base/session.h"
#include "base/tmpdir.h"
#include "build/build.h"
#include "build/cache.h"
#include "build/parts.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"
#include "module/module.h"
#include "runtime/bpf/arena.h"

#define USER_FORM "3"
#define BPF_FORM  "43" /* format of the files made from clang's code */
#define COMPILER  "gcc"

/*
 * The files of the runtime in programs: its own unit, and the files of the trace that
 * merge and write records.
 */
static const char *const sources[] = {
	"runtime/user/runtime.c",  "trace/books.c",
	"trace/dictionary.c",	   "trace/fields.c",
	"trace/merge.c",	   "trace/messages.c",
	"trace/output.c",	   "trace/records.c",
	"trace/form/form.c",	   "trace/form/format.c",
	"trace/form/streamform.c", "trace/form/textform.c",
	"trace/form/textrun.c",	   "trace/source/rawheader.c",
};

static words compiler_words(struct session *s, const char *runtime, const char *level)
{
	const char *extra = getenv("STAP_USER_CFLAGS");
	char *save, *flags = arena_strdup(s->arena, extra ? extra : "");
	words argv = { 0 };

	vec_push(s->arena, &argv, COMPILER);
	vec_push(s->arena, &argv, "-std=gnu11");
	vec_push(s->arena, &argv, level);
	vec_push(s->arena, &argv, "-g0");
	vec_push(s->arena, &argv, "-I");
	vec_push(s->arena, &argv, runtime);
	if (s->options->runtime == RUNTIME_BPF) {
		vec_push(s->arena, &argv, "-DSTP_BPF");
		vec_push(s->arena, &argv, "-fno-pie");
	}
	/* For lib/ and trace/. */
	vec_push(s->arena, &argv, "-I");
	vec_push(s->arena, &argv, s->data_dir);
	vec_push(s->arena, &argv, flags_arch(s, runtime));
	for (char *flag = strtok_r(flags, " ", &save); flag; flag = strtok_r(NULL, " ", &save))
		vec_push(s->arena, &argv, flag);
	return argv;
}

/* Starts `…-o OUT`. */
static struct error *compile_start(struct session *s, words argv, const char *out,
				   struct subprocess *ret)
{
	struct error *err;

	vec_push(s->arena, &argv, "-o");
	vec_push(s->arena, &argv, out);
	vec_push(s->arena, &argv, NULL);
	err = subprocess_start_tool(s->arena, NULL, (char *const *)argv.data, ret);
	if (err && err->kind == ERROR_ABSENT)
		return error_create(s->arena, ERROR_ENVIRONMENT, COMPILER " is missing; %s",
				    remedy_command(s->arena, REMEDY_COMPILER, NULL));
	return err;
}

static struct error *compile_end(struct session *s, struct subprocess *p)
{
	struct process_result result;

	return build_wait(s, p, &result);
}

static struct error *compile(struct session *s, words argv, const char *out)
{
	struct subprocess process;
	struct error *err = compile_start(s, argv, out, &process);

	return err ? err : compile_end(s, &process);
}

static struct error *user_runtime(struct session *s, const char *runtime, const struct strbuf *key,
				  const char *work, const char **dir, const char **ret)
{
	const char *entry, *made = arena_printf(s->arena, "%s/runtime.o", work);
	words argv = compiler_words(s, runtime, "-O2");
	struct error *err = build_cache_entry(s, "runtimes", key, &entry);

	if (err)
		return err;
	*dir = entry;
	*ret = arena_printf(s->arena, "%s/runtime.o", entry);
	build_cache_touch(entry);
	if (build_cache_has(s, *ret))
		return NULL;
	/*
	 * One object of everything; a program leaves out the parts that its script does
	 * not use.
	 */
	vec_push(s->arena, &argv, "-r");
	vec_push(s->arena, &argv, "-nostdlib");
	vec_push(s->arena, &argv, "-D_GNU_SOURCE");
	vec_push(s->arena, &argv, "-ffunction-sections");
	vec_push(s->arena, &argv, "-fdata-sections");
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		vec_push(s->arena, &argv, arena_printf(s->arena, "%s/%s", s->data_dir, sources[i]));
	err = compile(s, argv, made);
	if (!err)
		err = build_cache_make(s, entry);
	return err ? err : path_copy(s->arena, made, *ret);
}

/* Reports errors in the script's C as errors of the script. */
static struct error *blame(struct build *b, struct error *err)
{
	if (!build_blames_script(err->text))
		return err;
	return error_create(b->s->arena, ERROR_SCRIPT, "the C compiler refused the script's C:\n%s",
			    build_messages(b, strchr(err->text, '\n') + 1));
}

/*
 * Makes the linker place the data in the arena, and code after it: memory of the C
 * library begins after the code.
 */
static void push_places(struct session *s, words *argv)
{
	vec_push(s->arena, argv, "-no-pie");
	vec_push(s->arena, argv, arena_printf(s->arena, "-Wl,-Ttext-segment=%#x", BPF_ARENA_END));
	vec_push(s->arena, argv,
		 arena_printf(s->arena, "-Wl,-Trodata-segment=%#x", BPF_PROCESS_AT));
}

/* Makes the program and, at the same time, the handlers for BPF. */
static struct error *build_with_handlers(struct build *b, words argv, const char *source,
					 const char *runtime_dir, const char *program)
{
	struct session *s = b->s;
	struct error *err, *of_handlers;
	struct subprocess process;

	push_places(s, &argv);
	err = compile_start(s, argv, program, &process);
	if (err)
		return err;
	of_handlers = bpf_compile(b, source, runtime_dir);
	err = compile_end(s, &process);
	if (!err)
		err = of_handlers;
	if (!err)
		err = bpf_link(b, runtime_dir, program, arena_printf(s->arena, "%s.bpf", program));
	return err ? blame(b, err) : NULL;
}

static struct error *build_program(struct build *b, const struct strbuf *runtime_key,
				   const char *program)
{
	struct session *s = b->s;
	const char *source = arena_printf(s->arena, "%s/script.c", b->work), *dir, *runtime;
	struct error *err = user_runtime(s, b->runtime, runtime_key, b->work, &dir, &runtime);
	words argv;

	if (!err)
		err = path_write(s->arena, source, b->c_text, strlen(b->c_text));
	if (err)
		return err;
	argv = compiler_words(s, b->runtime, "-O1");
	vec_push(s->arena, &argv, "-Wl,--gc-sections");
	vec_push(s->arena, &argv, source);
	vec_push(s->arena, &argv, runtime);
	if (s->options->runtime == RUNTIME_BPF)
		return build_with_handlers(b, argv, source, dir, program);
	err = compile(s, argv, program);
	return err ? blame(b, err) : NULL;
}

/* Stores the program in the cache. facts: of one that has handlers for BPF. */
static struct error *keep_program(struct build *b, const char *made, const struct strbuf *facts,
				  const char *kept)
{
	struct session *s = b->s;
	const char *file = made;
	struct error *err = NULL;

	if (s->options->runtime == RUNTIME_BPF) {
		file = arena_printf(s->arena, "%s.whole", made);
		err = bpffile_join(s, made, arena_printf(s->arena, "%s.bpf", made), facts, file);
	}
	return err ? err : path_copy_program(s->arena, file, kept);
}

struct error *build_user_program(struct session *s, const char *c_text, const char **ret)
{
	struct build b = { .s = s, .c_text = c_text, .name = build_module_name(s, c_text) };
	const char *extra = getenv("STAP_USER_CFLAGS");
	const char *compiler = subprocess_find(s->arena, COMPILER), *entry, *tmp, *made;
	struct strbuf key, runtime_key, facts;
	struct error *err;

	b.runtime = arena_printf(s->arena, "%s/runtime", s->data_dir);
	strbuf_init(&runtime_key, s->arena);
	build_key_text(&runtime_key, USER_FORM);
	build_key_text(&runtime_key, extra ? extra : "");
	build_key_text(&runtime_key, options_runtime(s->options->runtime));
	if (s->options->runtime == RUNTIME_BPF) {
		const char *clang = bpfclang_find(s->arena);

		build_key_text(&runtime_key, BPF_FORM);
		build_key_text(&runtime_key, clang ? clang : "");
	}
	build_key_file(&runtime_key, compiler ? compiler : COMPILER);
	build_key_tree(&runtime_key, b.runtime);
	build_key_tree(&runtime_key, arena_printf(s->arena, "%s/lib", s->data_dir));
	build_key_tree(&runtime_key, arena_printf(s->arena, "%s/trace", s->data_dir));
	strbuf_init(&key, s->arena);
	strbuf_add(&key, runtime_key.s, runtime_key.len);
	build_key_text(&key, c_text);
	strbuf_init(&facts, s->arena);
	if (s->options->runtime == RUNTIME_BPF)
		info_text(s, b.name, &facts);
	strbuf_add(&key, facts.s, facts.len);
	err = build_cache_entry(s, "programs", &key, &entry);
	if (err)
		return err;
	*ret = arena_printf(s->arena, "%s/%s", entry, b.name);
	build_cache_touch(entry);
	if (build_cache_has(s, *ret))
		return NULL;
	err = tmpdir_of(s, &tmp);
	if (err)
		return err;
	b.work = arena_printf(s->arena, "%s/build", tmp);
	err = path_make_dirs(s->arena, b.work, 0700);
	if (!err)
		err = build_cache_make(s, entry);
	made = arena_printf(s->arena, "%s/program", b.work);
	if (!err)
		err = build_program(&b, &runtime_key, made);
	return err ? err : keep_program(&b, made, &facts, *ret);
}
