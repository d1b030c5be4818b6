/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The compiler and the linker that made the target kernel. */
#ifndef STAP_BUILD_COMPILER_H
#define STAP_BUILD_COMPILER_H

#include <stdbool.h>

#include "build/parts.h"

struct session;

/*
 * Finds the programs. A kernel built by gcc names its compiler: "gcc-12", or for another
 * architecture "aarch64-linux-gnu-gcc-12". One built by clang tells only the version:
 * "clang-19" is used, or else "clang" if it is not older.
 */
struct compiler compiler_of(struct session *s);
/* Adds the words by which kbuild uses the kernel's own programs. */
void compiler_add_words(struct session *s, const struct compiler *c, words *argv);
/*
 * Returns the command that installs the compiler or linker of that name, or other advice
 * if it is not available.
 */
const char *compiler_supply(struct session *s, const char *name);

#endif
