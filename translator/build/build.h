/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 4: C to a module (or, with --runtime=user, to a program), with a cache.
 *
 *   build.c    build_module(): the cache, else the recipe, else kbuild
 *   first.c    the first build for a kernel: the recipe is made
 *   cache.c    where it is, keys, owner and mode checks, storing by rename
 *   kbuild.c   builds through the kernel's own build system
 *   questions.c what kbuild asks the compiler first, answered at once
 *   record.c   the commands it left in .cmd files, as a recipe
 *   recipe.c   the recorded commands run directly
 *   compile.c  those that compile, side by side, with a precompiled header
 *   layout.c   the linker leaves out what the script does not use
 *   icf.c     relocations that need not be left to the kernel
 *   facts.c    #define STP_HAVE_… from BTF and Module.symvers into one generated header
 *   objects.c  runtime.o and the probe families' objects, compiled once per kernel and
 *              runtime hash
 *   user.c     --runtime=user
 */
#ifndef STAP_BUILD_H
#define STAP_BUILD_H

#include <stdbool.h>

struct session;
struct error;

/*
 * Builds the module NAME from the C text; *ret is the path of NAME.ko (in the cache, or
 * in the temporary directory when the cache is off). An identical earlier build is found
 * in the cache without running anything.
 */
struct error *build_module(struct session *s, const char *c_text, const char **ret);
/* Same for the user runtime: *ret is a program. */
struct error *build_user_program(struct session *s, const char *c_text, const char **ret);

/* A name for the module: -m, else "stap_" and a hash of the C text. */
const char *build_module_name(struct session *s, const char *c_text);

#endif
