/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this folder share: one build of a module. Its work directory is in the session's temporary directory;
 * what later builds for the same kernel use again stands in kernel_dir, a cache entry:
 *
 *   stp_facts.h        facts.c
 *   recipe             record.c; its presence says that the first build is over
 *   runtime.o          the runtime, and family_NAME.o a probe family: objects.c
 *   prefix.h, .gch     recipe.c: what every compilation starts with, and the same precompiled
 */
#ifndef STAP_BUILD_PARTS_H
#define STAP_BUILD_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct session;
struct error;
struct process_result;

typedef VEC(const char *) words;

struct build {
	struct session *s;
	const char *name;       /* of the module */
	const char *c_text;
	const char *runtime;    /* the runtime's sources */
	const char *kernel_dir;
	const char *work;
	const char *compiler;   /* the kernel's: "gcc-12" */
	words objects;          /* runtime's and families', without ".o": "runtime", "regex", "family_timer" */
};

/* facts.c: the text of stp_facts.h. */
struct error *facts_text(struct session *s, const char **ret);

/* objects.c: which objects the C text needs; the file that is compiled to one; where it is kept. */
void objects_of(struct build *b);
const char *object_source(struct build *b, const char *object);
const char *object_path(struct build *b, const char *object);
/* Keeps those that kbuild has made in the work directory. */
struct error *objects_keep(struct build *b);

/* kbuild.c: checks that the tools are there; builds work/NAME.ko. */
struct error *kbuild_check(struct build *b);
struct error *kbuild_run(struct build *b);

/* record.c: reads the .cmd files that kbuild left in the work directory and writes kernel_dir/recipe. ERROR_ABSENT when they are not of a
 * kind that can be replayed; builds then go through kbuild each time. */
struct error *record_recipe(struct build *b);

/* What the compiler said, without the work directory's name. */
const char *build_messages(struct build *b, const char *output);
/* The compiler found a mistake in the script's C, as opposed to not finding a file. */
bool build_blames_script(const char *output);
/* PATH's first file of that name; NULL: none. */
const char *build_find_program(struct session *s, const char *name);
/* argv is NULL-terminated. Fails when the program cannot be started or (text: its output) when its status is not 0. */
struct error *build_command(struct session *s, const char *dir, char *const argv[], struct process_result *result);

#endif
