/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of the target kernel, from its headers. */
#ifndef STAP_TYPES_SYSCALLS_H
#define STAP_TYPES_SYSCALLS_H

#include <stdbool.h>

#include "kernel/functions.h"
#include "lib/vec.h"

struct session;
struct error;
struct btf;

/*
 * A system call as declared in include/linux/syscalls.h; name is without "sys_".
 * ERROR_ABSENT if there is none. c_types holds each parameter's C type as written. A
 * type id is 0 when BTF does not know the type.
 */
struct kernel_syscall {
	const char *name;
	VEC(struct kernel_param) params;
	VEC(const char *) c_types;
	VEC(unsigned) sizes; /* bytes: 1 2 4 8 */
	VEC(bool) is_signed;
	const char *entry; /* entry point, NULL if the kernel has none */
	/* that of 32-bit programs, NULL if there is none */
	const char *compat_entry;
	VEC(struct kernel_param) compat_params; /* reserved: same as params */
	struct btf *btf;
};

/*
 * True: an optimising linker may have inlined entry points of system calls into their
 * callers. Those are then never entered, although BTF and the symbol table have them.
 */
bool syscalls_may_be_inlined(struct session *s);
struct error *syscalls_find(struct session *s, const char *name, struct kernel_syscall *ret);
/* Returns every system call that the kernel has an entry for, sorted by name. */
struct error *syscalls_names(struct session *s, const char *const **ret, size_t *count);

/* Returns the entry point that the library calls "64.sys_read"; else the name itself. */
const char *syscalls_entry_point(struct session *s, const char *name);

#endif
