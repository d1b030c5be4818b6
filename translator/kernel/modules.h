/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules of the target kernel: loadable, built in, or in a separate file. */
#ifndef STAP_KERNEL_MODULES_H
#define STAP_KERNEL_MODULES_H

#include <stddef.h>

struct session;
struct error;

/*
 * Returns the kernel's name of the module with that name or path: "fs/nfs-acl.ko.xz" is
 * "nfs_acl".
 */
const char *kernel_module_name(struct session *s, const char *text);
enum kernel_module_kind { MODULE_ABSENT, MODULE_LOADABLE, MODULE_BUILT_IN };
enum kernel_module_kind kernel_module_kind(struct session *s, const char *name);
/*
 * Adds a module in a separate file outside of the kernel's directory. *name is the
 * kernel's name for it, by which it is found from now on.
 */
struct error *kernel_module_file(struct session *s, const char *path, const char **name);
/* Returns the modules of the target whose names match the glob. */
struct error *kernel_modules_matching(struct session *s, const char *glob, const char *const **ret,
				      size_t *count);
/* Calls back for each function of a module's file that stays after it has started. */
struct error *kernel_module_symbols(struct session *s, const char *module,
				    void (*callback)(void *ctx, const char *name), void *ctx);

#endif
