/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: builds the handlers of a program, whose other parts are built as with
 * --runtime=user. clang compiles C to intermediate code, irtext.c makes that work on an
 * arena, clang compiles it to an object. This happens once for the runtime, and each time
 * for the script, together with those functions of the runtime that depend on it most
 * (inlined.def). imagelink.c links the objects, with what the script uses of them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/bpfclang.h"
#include "base/remedy.h"
#include "base/session.h"
#include "bpf/clines.h"
#include "bpf/imagelink.h"
#include "bpf/irinlined.h"
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
 * Compiles C to intermediate code, as text. If it is the script's, `inlined` is the
 * binary code of those functions of the runtime that become part of the result; else
 * NULL.
 */
static struct error *to_code(struct build *b, const char *source, const char *inlined,
			     const char *code)
{
	static const char *const flags[] = { "-std=gnu11",
					     "-w",
					     "-fno-vectorize",
					     "-fno-slp-vectorize",
					     "-fno-jump-tables",
					     "-D__noinline__=__unused__",
					     "-emit-llvm",
					     "-S",
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
	if (inlined) {
		vec_push(b->s->arena, &argv, "-Xclang");
		vec_push(b->s->arena, &argv, "-mlink-builtin-bitcode");
		vec_push(b->s->arena, &argv, "-Xclang");
		vec_push(b->s->arena, &argv, inlined);
		/*
		 * Remarks about nothing: clang notes places for them, for irplaces.h. It
		 * crashes when it makes debug information of this code.
		 */
		vec_push(b->s->arena, &argv, "-Rpass=^$");
	}
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
					     "-fdata-sections",
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

/* Makes an object of intermediate code, for the linker. */
static struct error *finish(struct build *b, const char *module, const struct clines *lines,
			    const char *object)
{
	const char *text = arena_printf(b->s->arena, "%s.ll", object);
	struct strbuf rewritten;
	struct error *err;

	strbuf_init(&rewritten, b->s->arena);
	err = irtext_rewrite(b->s, module, lines, &rewritten);
	if (!err)
		err = path_write(b->s->arena, text, rewritten.s, rewritten.len);
	return err ? err : to_object(b, text, object);
}

/* Returns the intermediate code of C, which to_code() leaves next to the object. */
static struct error *code_of(struct build *b, const char *source, const char *inlined,
			     const char *object, char **ret)
{
	const char *text = arena_printf(b->s->arena, "%s.ll", object);
	struct error *err = to_code(b, source, inlined, text);
	size_t len;

	return err ? err : path_read(b->s->arena, text, ret, &len);
}

/* Makes binary code of the functions that are compiled with each script. */
static struct error *make_inlined(struct build *b, const char *module, const char *code)
{
	const char *text = arena_printf(b->s->arena, "%s.ll", code);
	words argv = compiler_words(b->s);
	struct strbuf taken;
	struct error *err;

	strbuf_init(&taken, b->s->arena);
	irinlined_take(b->s, module, &taken);
	err = path_write(b->s->arena, text, taken.s, taken.len);
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

/* These files are made of the runtime once, and kept in the cache. */
enum { RUNTIME, LIBRARY, INLINED, PARTS };
static const char *const parts[PARTS] = {
	[RUNTIME] = "runtime.bpf.o",
	[LIBRARY] = "library.bpf.o",
	[INLINED] = "inlined.bpf.bc",
};

static const char *part_in(struct build *b, const char *dir, unsigned part)
{
	return arena_printf(b->s->arena, "%s/%s", dir, parts[part]);
}

/* Makes all parts in the work directory. The runtime's data are those of the process. */
static struct error *make_parts(struct build *b)
{
	const char *runtime = part_in(b, b->work, RUNTIME), *library = part_in(b, b->work, LIBRARY);
	struct strbuf declared;
	char *module;
	struct error *err = code_of(b, arena_printf(b->s->arena, "%s/bpf/runtime.c", b->runtime),
				    NULL, runtime, &module);

	if (err)
		return err;
	strbuf_init(&declared, b->s->arena);
	irtext_declare_data(b->s, module, &declared);
	err = make_inlined(b, declared.s, part_in(b, b->work, INLINED));
	if (!err)
		err = finish(b, declared.s, NULL, runtime);
	if (!err)
		err = code_of(b, arena_printf(b->s->arena, "%s/bpf/clib.c", b->runtime), NULL,
			      library, &module);
	return err ? err : finish(b, module, NULL, library);
}

static struct error *keep_parts(struct build *b, const char *runtime_dir)
{
	bool has_all = true;
	struct error *err;

	for (unsigned i = 0; i < PARTS; i++)
		has_all &= build_cache_has(b->s, part_in(b, runtime_dir, i));
	if (has_all)
		return NULL;
	err = make_parts(b);
	for (unsigned i = 0; i < PARTS && !err; i++)
		err = path_copy(b->s->arena, part_in(b, b->work, i), part_in(b, runtime_dir, i));
	return err;
}

static const char *script_object(struct build *b)
{
	return arena_printf(b->s->arena, "%s/script.bpf.o", b->work);
}

struct error *bpf_compile(struct build *b, const char *source, const char *runtime_dir)
{
	const char *object = script_object(b);
	struct clines lines;
	struct error *err;
	char *module;

	if (!bpfclang_find(b->s->arena))
		return error_create(b->s->arena, ERROR_ENVIRONMENT,
				    "--runtime=bpf needs clang, %d or later; %s", BPFCLANG_OLDEST,
				    remedy_command(b->s->arena, REMEDY_BPF_CLANG, NULL));
	err = keep_parts(b, runtime_dir);
	if (!err)
		err = code_of(b, source, part_in(b, runtime_dir, INLINED), object, &module);
	if (err)
		return err;
	clines_read(b->s->arena, b->c_text, &lines);
	return finish(b, module, &lines, object);
}

struct error *bpf_link(struct build *b, const char *runtime_dir, const char *program,
		       const char *image)
{
	const char *objects[] = { script_object(b), part_in(b, runtime_dir, RUNTIME),
				  part_in(b, runtime_dir, LIBRARY) };
	struct strbuf linked;
	struct clines lines;
	struct error *err;

	clines_read(b->s->arena, b->c_text, &lines);
	strbuf_init(&linked, b->s->arena);
	err = imagelink_link(b->s, objects, sizeof(objects) / sizeof(objects[0]), program, &lines,
			     &linked);
	return err ? err : path_write(b->s->arena, image, linked.s, linked.len);
}
