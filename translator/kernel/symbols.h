/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of the target kernel's functions, from its image. */
#ifndef STAP_KERNEL_SYMBOLS_H
#define STAP_KERNEL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

struct session;

/*
 * True: the symbol is a function that stays after boot, or the kernel's image cannot
 * tell.
 */
bool kernel_has_symbol(struct session *s, const char *symbol);
/* Calls back for each function of the kernel's image whose name has that prefix. */
struct error *kernel_each_symbol(struct session *s, const char *prefix,
				 void (*callback)(void *ctx, const char *name), void *ctx);
/*
 * Returns "foo.isra.0" for "foo": the i-th variant, with other parameters, that the
 * compiler made of a function. NULL: there are no more, or this is unknown.
 */
const char *kernel_specialised(struct session *s, const char *name, size_t i);
/* True: kprobes refuse the kernel's function, or struct arch_kprobes does. */
bool kernel_refuses_kprobe(struct session *s, const char *symbol);
/*
 * True: the function is a global symbol of the kernel, visible to its other files. For a
 * module, or if the kernel's image cannot tell: it is exported to modules.
 */
bool kernel_is_global(struct session *s, const char *module, const char *symbol);
/* Makes sure that kernel_is_global() can tell. */
struct error *kernel_need_globals(struct session *s);

#endif
