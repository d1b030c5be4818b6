/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recipe: kbuild's commands for a module of this kernel, as lists of words. In the
 * file each step is a line, `KIND\tWORD\tWORD…`. These words are placeholders:
 *
 *   @object@   the current object file          @work@    the work directory (also as the
 *                                                         beginning of a word)
 *   @objects@  all objects of the module        @name@    the module's name (also after
 *                                                         "@work@/", before ".ko")
 *
 * Steps for each object run once, after all objects are linked: then it is known which
 * functions remain. RECIPE_COMPILE and RECIPE_MODULE lack "-c -o OBJECT SOURCE" and the
 * -include options that RECIPE_PREFIX has.
 */
#ifndef STAP_BUILD_RECIPE_H
#define STAP_BUILD_RECIPE_H

#include "build/parts.h"

struct arena;
struct elf64;

enum recipe_kind {
	RECIPE_DIR,	/* one word: the directory that the commands run in */
	RECIPE_PREFIX,	/* files that the compiler includes first */
	RECIPE_COMPILE, /* C to object */
	RECIPE_OBJECT,	/* commands run with an object: objtool */
	RECIPE_LINK,	/* objects to NAME.o, and commands run with that */
	RECIPE_MODPOST, /* makes NAME.mod.c; the list of modules is in the file @work@/modules */
	RECIPE_MODULE,	/* compiles NAME.mod.c, when its flags differ from RECIPE_COMPILE's */
	RECIPE_MODULE_OBJECT, /* commands run with NAME.mod.o */
	RECIPE_FINAL,	      /* NAME.ko */
	RECIPE_KINDS
};

struct recipe_step {
	enum recipe_kind kind;
	words argv;
};

struct recipe {
	VEC(struct recipe_step) steps;
};

/* Reads the recipe. ERROR_ABSENT: there is none yet. */
struct error *recipe_load(struct build *b, struct recipe *ret);
struct error *recipe_store(struct build *b, const struct recipe *r);

/* Returns the first step of a kind, or NULL. */
const struct recipe_step *recipe_step(const struct recipe *r, enum recipe_kind kind);
/* Returns the words with their @…@ replaced; `object` is @object@'s value, or NULL. */
words recipe_expand(struct build *b, const words *in, const char *object);
/* Returns the directory that the commands run in. */
const char *recipe_dir(struct build *b, const struct recipe *r);
/* Runs argv in that directory. */
struct error *recipe_run(struct build *b, const struct recipe *r, words *argv,
			 struct process_result *result);

/*
 * prefix.c: writes the header that every compilation includes first, unless it is there.
 */
struct error *prefix_write(struct build *b, const struct recipe *r);
/*
 * Adds options to include the headers that the kernel includes first and, where it costs
 * nothing, the rest of the prefix.
 */
void prefix_add(struct build *b, const struct recipe *r, words *argv);
/*
 * Adds the option to include all of the prefix, precompiled if the object has no `flags`
 * of its own.
 */
void prefix_add_whole(struct build *b, const char *flags, words *argv);
/* Precompiles the prefix in the background, for later scripts, unless that was done. */
void prefix_precompile(struct build *b, const struct recipe *r);

/*
 * flags.c: returns the compiler of a step, RECIPE_COMPILE or RECIPE_MODULE, with its
 * flags, up to the file to compile.
 */
words flags_recorded(struct build *b, const struct recipe *r, enum recipe_kind kind);
/* Returns RECIPE_COMPILE's, which find the runtime's headers. */
words flags_with_runtime(struct build *b, const struct recipe *r);

/*
 * compile.c: compiles the script's object and the runtime's objects that are not kept
 * yet, on all CPUs. ERROR_SCRIPT: the compiler refused the script's C.
 */
struct error *compile_objects(struct build *b, const struct recipe *r);
/* Makes NAME.mod.o. */
struct error *compile_module_info(struct build *b, const struct recipe *r);
/* Ends the compiler that was started for NAME.mod.o. */
void compile_drop(struct build *b);

/*
 * moduleinfo.c: makes NAME.mod.o as a copy of an object that was made for this kernel.
 * False: there is none, or this one differs in more than names.
 */
bool moduleinfo_copy(struct build *b);
bool moduleinfo_is_kept(struct build *b);
/* Keeps NAME.mod.o for later scripts, if it can be copied. */
void moduleinfo_keep(struct build *b);

/*
 * layout.c: writes the linker script that leaves out code and data that the module never
 * uses; *ret is its path.
 */
struct error *layout_write(struct build *b, const char **ret);
/* The symbol after the code that no hit runs. */
#define LAYOUT_HOT_CODE "stp_hot_code"

/* relocs.c: leaves the kernel less work in an object … */
struct error *relocs_fold(struct build *b, const char *path);
/* Refuses a module that would crash the kernel; arch.h explains why. */
struct error *relocs_refuse(struct build *b, const char *module);
/* … pack.c: leaves relocations of tables to the module itself … */
void pack_tables(struct arena *a, struct elf64 *o);
/* … strip.c: drops tables and symbols that are no longer needed. */
void strip_calls(const struct elf64 *o);
void strip_names(struct arena *a, struct elf64 *o);

/* link.c: makes work/NAME.ko from the objects. On an error, use kbuild. */
struct error *link_module(struct build *b, const struct recipe *r);

#endif
