/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target kernel as it was built: its makefiles, exports and options. */
#ifndef STAP_KERNEL_CONFIG_H
#define STAP_KERNEL_CONFIG_H

#include <stdbool.h>

struct session;

/*
 * Returns the directory of the makefiles and headers. Debian's build directory only
 * includes the makefile of that directory, by its full name; where the kernel was
 * unpacked elsewhere, the directory is found relative to the build directory.
 */
const char *kernel_source_dir(struct session *s);

/* True: the kernel or one of its modules exports the symbol. */
bool kernel_exports(struct session *s, const char *symbol);
/*
 * Returns the value of CONFIG_X from the target's .config/auto.conf: "y", "m", "100",
 * "\"text\"" without quotes; NULL when unset. The name may leave "CONFIG_" out.
 */
const char *kernel_config(struct session *s, const char *name);

#endif
