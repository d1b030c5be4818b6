/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The compiler that made the target kernel. */
#ifndef STAP_BUILD_COMPILER_H
#define STAP_BUILD_COMPILER_H

struct session;

/* Returns its name: "gcc-12", or for another architecture "aarch64-linux-gnu-gcc-12". */
const char *compiler_of(struct session *s);
/* Returns the command that installs it, or else what helps where it cannot be had. */
const char *compiler_supply(struct session *s, const char *name);

#endif
