/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations shared by the files of this folder: one build of a module. Its work
 * directory is in the session's temporary directory; files that later builds for the same
 * kernel use again are in kernel_dir, a cache entry:
 *
 *   stp_facts.h        facts.c
 *   recipe             record.c; its presence says that the first build is over
 *   runtime.o          objects.c: the part of the runtime that every hit runs
 *   runtime_setup.o    the part that no hit runs
 *   values.o …         further parts; family_NAME.o a probe family
 *   module_info        moduleinfo.c: the object that describes a module, to be copied
 *   prefix.h, .gch     prefix.c: the beginning of every compilation, and the same
 *                      precompiled
 */
#ifndef STAP_BUILD_PARTS_H
#define STAP_BUILD_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/subprocess.h"
#include "lib/vec.h"

struct strbuf;
struct session;
struct error;
struct recipe;

typedef VEC(const char *) words;

bool build_words_have(const words *list, const char *word);

/* compiler.c: the programs that compile and link modules of the kernel. */
struct compiler {
	const char *name;   /* "gcc-12", "clang-19" */
	const char *linker; /* "ld.lld-19"; NULL: kbuild's own */
	bool is_clang;
};

struct build {
	struct session *s;
	const char *name; /* of the module */
	const char *c_text;
	const char *runtime; /* the runtime's sources */
	const char *kernel_dir;
	const char *work;
	struct compiler compiler;
	/* compiles NAME.mod.c; pid 0: it has not begun, or has ended */
	struct subprocess module_info;
	/* Objects of the runtime and the families: "runtime", "regex", "family_timer". */
	words objects;
};

/* facts.c: makes the text of stp_facts.h. */
struct error *facts_text(struct session *s, const char **ret);

/*
 * objects.c: the objects that the C text needs, as emit/linkparts.h has noted; the file
 * that is compiled to an object; the place where it is kept.
 */
void objects_of(struct build *b);
const char *object_source(struct build *b, const char *object);
const char *object_path(struct build *b, const char *object);
/*
 * Returns the object's name next to the script's, without ".o"; no module can have that
 * name.
 */
const char *object_file(struct build *b, const char *object);
/* Returns the path of NAME.mod.o. */
const char *objects_module_info_path(struct build *b);
/* True: no hit runs the object's code. */
bool object_is_cold(const char *object);
/* Returns more flags for the object's compiler, or NULL. */
const char *object_flags(const char *object);

/* kbuild.c: checks that the tools are there. */
struct error *kbuild_check(struct build *b);
/*
 * Starts to build an empty module. Call kbuild_check() first. kbuild prints its commands
 * if not all of them are recorded.
 */
struct error *kbuild_start_empty(struct build *b, struct subprocess *ret);
/*
 * questions.c: returns PATH for kbuild's run with the empty module: questions about the
 * compiler's options are answered at once there.
 */
const char *questions_path(struct build *b);
/* Builds work/NAME.ko; kbuild's messages become the error's text when it fails. */
struct error *kbuild_run(struct build *b);
/* Waits for kbuild. Sets *said, unless it is NULL, to its output. */
struct error *kbuild_wait(struct build *b, struct subprocess *p, const char **said);

/*
 * record.c: reads the .cmd files that kbuild left in the work directory, of a module with
 * one object, script.o. ERROR_ABSENT if they are not of a kind that can be replayed;
 * builds then go through kbuild each time. The first function reads only the compiler's
 * flags, which are available as soon as that object is compiled. `said`: kbuild's output.
 */
struct error *record_compiler(struct build *b, struct recipe *ret);
struct error *record_recipe(struct build *b, const char *said, struct recipe *ret);
/* True for kernels before 5.16, which run objtool without recording it. */
bool record_lacks_objtool(struct session *s);

/*
 * flags.c: returns the option for headers that embedded C for older kernels includes:
 * runtime/former, if the kernel has no header of that name.
 */
const char *flags_former_headers(const struct build *b);
/* Returns the option for the runtime's headers of the target's architecture. */
const char *flags_arch(const struct session *s, const char *runtime);

/*
 * firstbuild.c: makes the first build for a kernel: kernel_dir/recipe and, in addition,
 * the objects of compile_objects().
 */
struct error *firstbuild_run(struct build *b, struct recipe *ret);

/*
 * bpf.c: makes the handlers of a program. The first function compiles them from the
 * script's C, with the runtime's part, which is kept in a directory of the cache; the
 * second links them for the finished program.
 */
struct error *bpf_compile(struct build *b, const char *source, const char *runtime_dir);
struct error *bpf_link(struct build *b, const char *runtime_dir, const char *program,
		       const char *image);
/* bpffile.c: makes one file of a program, the file of its handlers, and its facts. */
struct error *bpffile_join(struct session *s, const char *program, const char *handlers,
			   const struct strbuf *facts, const char *file);

/* Returns the compiler's messages, without the work directory's name. */
const char *build_messages(struct build *b, const char *output);
/*
 * True: the compiler found a mistake in the script's C, as opposed to not finding a file.
 */
bool build_blames_script(const char *output);
/*
 * Runs a command; argv is NULL-terminated. Fails when the program cannot be started or
 * (text: its output) when its status is not 0.
 */
struct error *build_command(struct session *s, const char *dir, char *const argv[],
			    struct process_result *result);
/* Waits for a command that runs in parallel; fails like build_command(). */
struct error *build_wait(struct session *s, struct subprocess *p, struct process_result *result);

#endif
