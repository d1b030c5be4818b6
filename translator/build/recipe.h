/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recipe: kbuild's commands for a module of this kernel, as lists of words. In the file each step is a line, `KIND\tWORD\tWORD…`.
 * These words stand for something else:
 *
 *   @object@   the object file at hand          @work@    the work directory (also as the begin of a word)
 *   @objects@  all objects of the module        @name@    the module's name (also after "@work@/", before ".ko")
 *
 * RECIPE_COMPILE and RECIPE_MODULE lack "-c -o OBJECT SOURCE" and, of -include, what RECIPE_PREFIX has.
 */
#ifndef STAP_BUILD_RECIPE_H
#define STAP_BUILD_RECIPE_H

#include "build/parts.h"

enum recipe_kind {
	RECIPE_DIR,      /* one word: where the commands run */
	RECIPE_PREFIX,   /* files that the compiler includes first */
	RECIPE_COMPILE,  /* C to object */
	RECIPE_OBJECT,   /* what is done with each object: objtool */
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

/* Builds work/NAME.ko. ERROR_SCRIPT: the compiler refused the script's C. Another error: kbuild should be asked. */
struct error *recipe_build(struct build *b, const struct recipe *r);

#endif
