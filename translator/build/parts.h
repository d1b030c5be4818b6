/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this folder share: one build of a module. Its work directory is in
 * the session's temporary directory; what later builds for the same kernel use again
 * stands in kernel_dir, a cache entry:
 *
 *   stp_facts.h        facts.c
 *   recipe             record.c; its presence says that the first build is over
 *   runtime.o          the runtime: what every hit runs; runtime_setup.o what none runs;
 *                      values.o …; family_NAME.o a probe family: objects.c
 *   prefix.h, .gch     prefix.c: what every compilation starts with, and the same
 *                      precompiled
 */
#ifndef STAP_BUILD_PARTS_H
#define STAP_BUILD_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/subprocess.h"
#include "base/vec.h"

struct session;
struct error;
struct recipe;

typedef VEC(const char *) words;

bool build_words_have(const words *list, const char *word);

struct build {
	struct session *s;
	const char *name;       /* of the module */
	const char *c_text;
	const char *runtime;    /* the runtime's sources */
	const char *kernel_dir;
	const char *work;
	const char *compiler;   /* the kernel's: "gcc-12" */
	/* compiles NAME.mod.c; pid 0: that has not begun, or is over */
	struct subprocess module_info;
	/* Of the runtime and the families: "runtime", "regex", "family_timer". */
	words objects;
};

/* facts.c: the text of stp_facts.h. */
struct error *facts_text(struct session *s, const char **ret);

/*
 * objects.c: which objects the C text needs; the
 * file that is compiled to one; where it is kept.
 */
void objects_of(struct build *b);
const char *object_source(struct build *b, const char *object);
const char *object_path(struct build *b, const char *object);
/* Its name beside the script's, without ".o": no module can have it. */
const char *object_file(struct build *b, const char *object);
/* NAME.mod.o */
const char *objects_module_info_path(struct build *b);
/* No hit runs what it has. */
bool object_is_cold(const char *object);
/* More flags for its compiler, or NULL. */
const char *object_flags(const char *object);

/* kbuild.c: checks that the tools are there. */
struct error *kbuild_check(struct build *b);
/*
 * Begins to build a module that does nothing; kbuild_check() comes
 * first. Where not all commands are recorded, kbuild prints them.
 */
struct error *kbuild_start_empty(struct build *b, struct subprocess *ret);
/*
 * questions.c: PATH for kbuild's run with the empty module:
 * questions about the compiler's options are answered at once there.
 */
const char *questions_path(struct build *b);
/* Builds work/NAME.ko; what kbuild says when it fails goes into the error. */
struct error *kbuild_run(struct build *b);
/* *said, unless NULL: what it printed. */
struct error *kbuild_wait(struct build *b, struct subprocess *p, const char **said);

/*
 * record.c: reads the .cmd files that kbuild left in the work directory, of a module with
 * one object, script.o. ERROR_ABSENT when they are not of a kind that can be replayed;
 * builds then go through kbuild each time. The first takes no more than there is as soon
 * as that object is compiled: the compiler's flags. `said`: what kbuild printed.
 */
struct error *record_compiler(struct build *b, struct recipe *ret);
struct error *record_recipe(struct build *b, const char *said, struct recipe *ret);
/* Kernels before 5.16 run objtool without recording it. */
bool record_lacks_objtool(struct session *s);

/*
 * compile.c: the option for headers that embedded C of older kernels
 * includes: runtime/former, where the kernel has none of that name.
 */
const char *compile_former_headers(const struct build *b);

/*
 * first.c: the first build for a kernel: kernel_dir/recipe
 * and, beside it, what compile_objects() makes.
 */
struct error *first_build(struct build *b, struct recipe *ret);

/* What the compiler said, without the work directory's name. */
const char *build_messages(struct build *b, const char *output);
/* The compiler found a mistake in the script's C, as opposed to not finding a file. */
bool build_blames_script(const char *output);
/*
 * argv is NULL-terminated. Fails when the program cannot be
 * started or (text: its output) when its status is not 0.
 */
struct error *build_command(struct session *s, const char *dir, char *const argv[],
			    struct process_result *result);
/* The second half of that, for what runs beside something else. */
struct error *build_wait(struct session *s, struct subprocess *p, struct process_result *result);

#endif
