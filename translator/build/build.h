/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 4: C to a module (or, with --runtime=user, to a program), with a cache.
 *
 *   build.c        build_module(): the cache, else the recipe, else kbuild
 *   firstbuild.c   the first build for a kernel: makes the recipe
 *   cache.c        the cache's place, keys, checks of owner and mode, storing by rename
 *   compiler.c     the compiler that made the kernel, and how to get it
 *   kbuild.c       builds through the kernel's own build system
 *   questions.c    answers kbuild's first questions to the compiler at once
 *   record.c       makes a recipe of the commands that kbuild left in .cmd files
 *   recipe.c       runs the recorded commands directly
 *   compile.c      runs the compilers, side by side, with a precompiled header (prefix.c)
 *   layout.c       lets the linker leave out code that the script does not use
 *   relocs.c       resolves relocations that need not be left to the kernel
 *   facts.c        #define STP_HAVE_… from BTF and Module.symvers into one header
 *   objects.c      runtime.o and the probe families' objects, compiled once per kernel
 *                  and runtime hash
 *   user.c         --runtime=user, and the programs of --runtime=bpf
 *   bpf.c          the handlers of those
 *   bpffile.c      one file of both
 */
#ifndef STAP_BUILD_H
#define STAP_BUILD_H

#include <stdbool.h>

struct session;
struct error;

/*
 * Builds the module NAME from the C text; *ret is the path of NAME.ko (in the cache, or
 * in the temporary directory when the cache is off). An identical earlier build is found
 * in the cache without running any program.
 */
struct error *build_module(struct session *s, const char *c_text, const char **ret);
/* Builds a program for the user runtime; *ret is its path. */
struct error *build_user_program(struct session *s, const char *c_text, const char **ret);

/* Returns a name for the module: -m, else "stap_" and a hash of the C text. */
const char *build_module_name(struct session *s, const char *c_text);

#endif
