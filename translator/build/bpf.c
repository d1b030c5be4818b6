/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: builds the handlers of a program, whose other parts are built as with
 * --runtime=user. clang compiles the runtime, once, and the script's C to intermediate
 * code; the latter includes the functions of the runtime that it calls. irtext.c makes
 * the code work on an arena, clang compiles it to an object, and imagelink.c links it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/bpfclang.h"
#include "base/remedy.h"
#include "base/session.h"
#include "bpf/clines.h"
#include "bpf/imagelink.h"
#include "bpf/irtext.h"
#include "build/build.h"
#include "build/cache.h"
#include "build/parts.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"

static words compiler_words(struct session *s)
{
	words argv = { 0 };

	vec_push(s->arena, &argv, bpfclang_find(s->arena));
	vec_push(s->arena, &argv, "-target");
	vec_push(s->arena, &argv, "bpf");
	vec_push(s->arena, &argv, "-mcpu=v4");
	vec_push(s->arena, &argv, "-Oz");
	return argv;
}

static struct error *run(struct session *s, words argv)
{
	struct process_result result;

	vec_push(s->arena, &argv, NULL);
	return build_command(s, NULL, (char *const *)argv.data, &result);
}

/*
 * Compiles C to intermediate code: text (-S), or binary (-c). If the runtime is given as
 * binary code, the functions that the C code calls become part of the
 * result.
 */
static struct error *to_code(struct build *b, const char *source, const char *form,
			     const char *runtime, const char *code)
{
	static const char *const flags[] = { "-std=gnu11",
					     "-w",
					     "-fno-vectorize",
					     "-fno-slp-vectorize",
					     "-fno-jump-tables",
					     "-D__noinline__=__unused__",
					     "-emit-llvm",
					     "-D__always_inline=inline",
					     "-I" };
	words argv = compiler_words(b->s);
	struct utsname machine;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		vec_push(b->s->arena, &argv, flags[i]);
	vec_push(b->s->arena, &argv, b->runtime);
	vec_push(b->s->arena, &argv, arena_printf(b->s->arena, "-I%s/bpf/arch", b->runtime));
	vec_push(b->s->arena, &argv, flags_arch(b->s, b->runtime));
	/*
	 * Debian's directory of asm/, which clang knows only when it compiles for this
	 * machine.
	 */
	if (!uname(&machine)) {
		vec_push(b->s->arena, &argv, "-idirafter");
		vec_push(b->s->arena, &argv,
			 arena_printf(b->s->arena, "/usr/include/%s-linux-gnu", machine.machine));
	}
	if (runtime) {
		vec_push(b->s->arena, &argv, "-Xclang");
		vec_push(b->s->arena, &argv, "-mlink-builtin-bitcode");
		vec_push(b->s->arena, &argv, "-Xclang");
		vec_push(b->s->arena, &argv, runtime);
		/*
		 * Remarks about nothing: clang notes places for them, for irplaces.h. It
		 * crashes when it makes debug information of this code.
		 */
		vec_push(b->s->arena, &argv, "-Rpass=^$");
	}
	vec_push(b->s->arena, &argv, form);
	vec_push(b->s->arena, &argv, "-o");
	vec_push(b->s->arena, &argv, code);
	vec_push(b->s->arena, &argv, source);
	return run(b->s, argv);
}

/*
 * Compiles intermediate code to an object, without optimising it again, and without loads
 * that extend the sign: kernels before 6.17 refuse these in an arena.
 */
static struct error *to_object(struct build *b, const char *text, const char *object)
{
	static const char *const flags[] = { "-Xclang",
					     "-disable-llvm-passes",
					     "-ffunction-sections",
					     "-Wno-override-module",
					     "-mllvm",
					     "-bpf-stack-size=16384",
					     "-mllvm",
					     "-disable-ldsx",
					     "-c",
					     "-x",
					     "ir",
					     "-o" };
	words argv = compiler_words(b->s);

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		vec_push(b->s->arena, &argv, flags[i]);
	vec_push(b->s->arena, &argv, object);
	vec_push(b->s->arena, &argv, text);
	return run(b->s, argv);
}

/* Without a runtime, the source is the library. */
static struct error *compile(struct build *b, const char *source, const char *runtime,
			     const struct clines *lines, const char *object)
{
	const char *text = arena_printf(b->s->arena, "%s.ll", object);
	struct error *err = to_code(b, source, "-S", runtime, text);
	struct strbuf rewritten;
	char *module;
	size_t len;

	if (!err)
		err = path_read(b->s->arena, text, &module, &len);
	if (err)
		return err;
	strbuf_init(&rewritten, b->s->arena);
	err = irtext_rewrite(b->s, module, lines, &rewritten);
	if (!err)
		err = path_write(b->s->arena, text, rewritten.s, rewritten.len);
	return err ? err : to_object(b, text, object);
}

/* Makes binary code of the runtime. Its data are those of the process. */
static struct error *runtime_code(struct build *b, const char *code)
{
	const char *text = arena_printf(b->s->arena, "%s.ll", code);
	words argv = compiler_words(b->s);
	struct strbuf declared;
	struct error *err;
	char *module;
	size_t len;

	err = to_code(b, arena_printf(b->s->arena, "%s/bpf/runtime.c", b->runtime), "-S", NULL,
		      text);
	if (!err)
		err = path_read(b->s->arena, text, &module, &len);
	if (err)
		return err;
	strbuf_init(&declared, b->s->arena);
	irtext_declare_data(b->s, module, &declared);
	err = path_write(b->s->arena, text, declared.s, declared.len);
	if (err)
		return err;
	vec_push(b->s->arena, &argv, "-Xclang");
	vec_push(b->s->arena, &argv, "-disable-llvm-passes");
	vec_push(b->s->arena, &argv, "-emit-llvm");
	vec_push(b->s->arena, &argv, "-c");
	vec_push(b->s->arena, &argv, "-o");
	vec_push(b->s->arena, &argv, code);
	vec_push(b->s->arena, &argv, text);
	return run(b->s, argv);
}

/*
 * Makes the runtime's code and the library's object in the cache, if they are not there.
 */
static struct error *make_runtime(struct build *b, const char *runtime, const char *library)
{
	const char *code = arena_printf(b->s->arena, "%s/runtime.bpf.bc", b->work);
	const char *object = arena_printf(b->s->arena, "%s/library.bpf.o", b->work);
	struct error *err;

	if (build_cache_has(b->s, runtime) && build_cache_has(b->s, library))
		return NULL;
	err = runtime_code(b, code);
	if (!err)
		err = compile(b, arena_printf(b->s->arena, "%s/bpf/clib.c", b->runtime), NULL, NULL,
			      object);
	if (!err)
		err = path_copy(b->s->arena, code, runtime);
	return err ? err : path_copy(b->s->arena, object, library);
}

static const char *script_object(struct build *b)
{
	return arena_printf(b->s->arena, "%s/script.bpf.o", b->work);
}

static const char *library_object(struct build *b, const char *runtime_dir)
{
	return arena_printf(b->s->arena, "%s/library.bpf.o", runtime_dir);
}

struct error *bpf_compile(struct build *b, const char *source, const char *runtime_dir)
{
	const char *runtime = arena_printf(b->s->arena, "%s/runtime.bpf.bc", runtime_dir);
	struct error *err;
	struct clines lines;

	if (!bpfclang_find(b->s->arena))
		return error_create(b->s->arena, ERROR_ENVIRONMENT,
				    "--runtime=bpf needs clang, %d or later; %s", BPFCLANG_OLDEST,
				    remedy_command(b->s->arena, REMEDY_BPF_CLANG, NULL));
	clines_read(b->s->arena, b->c_text, &lines);
	err = make_runtime(b, runtime, library_object(b, runtime_dir));
	return err ? err : compile(b, source, runtime, &lines, script_object(b));
}

struct error *bpf_link(struct build *b, const char *runtime_dir, const char *program,
		       const char *image)
{
	const char *objects[] = { script_object(b), library_object(b, runtime_dir) };
	struct strbuf linked;
	struct clines lines;
	struct error *err;

	clines_read(b->s->arena, b->c_text, &lines);
	strbuf_init(&linked, b->s->arena);
	err = imagelink_link(b->s, objects, sizeof(objects) / sizeof(objects[0]), program, &lines,
			     &linked);
	return err ? err : path_write(b->s->arena, image, linked.s, linked.len);
}
