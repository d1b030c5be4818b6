/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recipe: kbuild's commands for a module of this kernel, as lists of words. In the
 * file each step is a line, `KIND\tWORD\tWORD…`. These words stand for something else:
 *
 *   @object@   the object file at hand          @work@    the work directory (also as the
 *              begin of a word)
 *   @objects@  all objects of the module        @name@    the module's name (also after
 *              "@work@/", before ".ko")
 *
 * What is done with each object is done once, with all of them linked: by then it is
 * known which functions remain. RECIPE_COMPILE and RECIPE_MODULE lack "-c -o OBJECT
 * SOURCE" and, of -include, what RECIPE_PREFIX has.
 */
#ifndef STAP_BUILD_RECIPE_H
#define STAP_BUILD_RECIPE_H

#include "build/parts.h"

struct arena;
struct elf64;

enum recipe_kind {
	RECIPE_DIR,      /* one word: where the commands run */
	RECIPE_PREFIX,   /* files that the compiler includes first */
	RECIPE_COMPILE,  /* C to object */
	RECIPE_OBJECT,   /* what is done with an object: objtool */
	RECIPE_LINK,     /* objects to NAME.o, and what is done with that */
	RECIPE_MODPOST,  /* makes NAME.mod.c; the list of modules is in the file @work@/modules */
	RECIPE_MODULE,   /* compiles NAME.mod.c, when its flags are not RECIPE_COMPILE's */
	RECIPE_MODULE_OBJECT, /* what is done with NAME.mod.o */
	RECIPE_FINAL,    /* NAME.ko */
	RECIPE_KINDS
};

struct recipe_step {
	enum recipe_kind kind;
	words argv;
};

struct recipe {
	VEC(struct recipe_step) steps;
};

/* ERROR_ABSENT: there is none yet. */
struct error *recipe_load(struct build *b, struct recipe *ret);
struct error *recipe_store(struct build *b, const struct recipe *r);

/* The first step of a kind, or NULL. */
const struct recipe_step *recipe_step(const struct recipe *r, enum recipe_kind kind);
/* The words with what @…@ stands for; `object` is @object@'s, or NULL. */
words recipe_expand(struct build *b, const words *in, const char *object);
/* The directory that the commands run in. */
const char *recipe_dir(struct build *b, const struct recipe *r);
/* Runs argv there. */
struct error *recipe_run(struct build *b, const struct recipe *r, words *argv,
			 struct process_result *result);

/* prefix.c: what every compilation includes first; written when it is not there. */
const char *prefix_path(struct build *b);
struct error *prefix_write(struct build *b, const struct recipe *r);
/*
 * Has the compiler include what the kernel has included
 * first, and, where it costs nothing, the rest of it.
 */
void prefix_add(struct build *b, const struct recipe *r, words *argv);
/* Has it precompiled in the background, for the scripts to come, unless that was done. */
void prefix_precompile(struct build *b, const struct recipe *r);

/*
 * compile.c: the compiler with its flags, up to where it is said what is to be compiled.
 */
words compile_words(struct build *b, const struct recipe *r);
/*
 * The script's object and those that are not kept yet, on all
 * CPUs. ERROR_SCRIPT: the compiler refused the script's C.
 */
struct error *compile_objects(struct build *b, const struct recipe *r);
/* NAME.mod.o */
struct error *compile_module_info(struct build *b, const struct recipe *r);
/* Nothing is left that was begun for it. */
void compile_drop(struct build *b);

/*
 * layout.c: the linker script that leaves out
 * what the module never uses; *ret is its path.
 */
struct error *layout_write(struct build *b, const char **ret);
/* In front of this symbol lies the code that no hit runs. */
#define LAYOUT_HOT_CODE "stp_hot_code"

/*
 * icf.c: what is left for the kernel to do for an object is
 * made less: relocations of the code against itself are done …
 */
struct error *relocs_fold(struct build *b, const char *path);
/* … jumps.c: many calls of one function become one … */
void jumps_share(struct arena *a, const struct elf64 *o);
/* … pack.c: those of tables are left to the module itself … */
void pack_tables(struct arena *a, struct elf64 *o);
/* … strip.c: tables that have served, and symbols that nobody asks for, go. */
void strip_calls(const struct elf64 *o);
void strip_names(struct arena *a, struct elf64 *o);

/* Makes work/NAME.ko of the objects. An error: kbuild should be asked. */
struct error *recipe_link(struct build *b, const struct recipe *r);

#endif
