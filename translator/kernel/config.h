/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target kernel as it was built: its makefiles, exports and options. */
#ifndef STAP_KERNEL_CONFIG_H
#define STAP_KERNEL_CONFIG_H

#include <stdbool.h>

struct error;
struct session;

/*
 * Returns the directory of the makefiles and headers. Debian's build directory only
 * includes the makefile of that directory, by its full name; if the kernel was
 * unpacked elsewhere, the directory is found relative to the build directory.
 */
const char *kernel_source_dir(struct session *s);

/*
 * True: the kernel or one of its modules exports the symbol. This comes from
 * Module.symvers, a part of the headers: call kernel_need_exports() first.
 */
bool kernel_exports(struct session *s, const char *symbol);
struct error *kernel_need_exports(struct session *s);
/*
 * Returns the value of CONFIG_X: "y", "m", "100", "\"text\"" without quotes; NULL if it
 * is unset or unknown. The name may leave "CONFIG_" out. The options are those of the
 * headers; without headers those of /proc/config.gz or config-RELEASE.
 */
const char *kernel_config(struct session *s, const char *name);
/* False: nothing here has the target's options. */
bool kernel_knows_config(struct session *s);
/* Returns the error for an option that a script depends on, where none is known. */
struct error *kernel_need_config(struct session *s, const char *name);

#endif
