/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions and tracepoints of the target kernel and its modules, from BTF. */
#ifndef STAP_KERNEL_FUNCTIONS_H
#define STAP_KERNEL_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

struct session;
struct error;
struct btf;

/* A function's prototype from BTF. */
struct kernel_param {
	const char *name; /* "" when BTF has none */
	uint32_t type_id;
};
struct kernel_function {
	const char *name;
	/* name in kallsyms: name, or name with a compiler's suffix (".isra.0") */
	const char *symbol;
	const char *module;   /* NULL: vmlinux */
	uint32_t return_type; /* 0: void */
	VEC(struct kernel_param) params;
	bool variadic;
	bool returns_by_address; /* of C++: an argument says where the result is put */
	bool loses_place;	 /* of Rust: no result register says where that was */
	struct btf *btf;	 /* the table the type ids belong to */
};
typedef VEC(struct kernel_function) kernel_functions;

/*
 * Finds all functions that match a glob (fnmatch) in the kernel (module NULL) or in
 * modules that match a glob, sorted by name, without duplicates. Wildcards do not match
 * compiler-made names (with a '.'), __pfx_* and __cfi_*. Functions that pass
 * (kernel_function_passes()) are never found.
 */
struct error *kernel_find_functions(struct session *s, const char *module, const char *glob,
				    kernel_functions *ret);
/*
 * True: the function passes: it exists while the kernel or the module starts or ends, and
 * not in between.
 */
bool kernel_function_passes(struct session *s, const char *module, const char *name);
/*
 * Finds tracepoints: name without "__traceiter_", parameters without the leading void *.
 * Without a module (a glob): those of the kernel, or if none of them match, those of all
 * modules.
 */
struct error *kernel_find_tracepoints(struct session *s, const char *module, const char *glob,
				      kernel_functions *ret);
/* Returns "sched" for sched_switch; NULL: the kernel's headers do not tell. */
const char *kernel_tracepoint_system(struct session *s, const char *name);
/* True: the kernel's headers have tracepoints of that system. */
bool kernel_has_trace_system(struct session *s, const char *system);
/* Returns near names for "did you mean". */
const char *kernel_near_functions(struct session *s, const char *module, const char *name);
const char *kernel_near_tracepoints(struct session *s, const char *name);

#endif
