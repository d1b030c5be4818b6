/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Function probes, between function.c and syscall.c. */
#ifndef STAP_PROBE_FUNCTION_H
#define STAP_PROBE_FUNCTION_H

#include "debuginfo/kernel.h"
#include "probe/arguments.h"
#include "probe/probe.h"

/* What stands behind `.function("…")`. */
struct function_suffix {
	bool is_return, is_call, is_exported;
	uint32_t maxactive;
};

/* derived->data of a function point. */
struct function_point {
	struct kernel_function fn;
	const struct kernel_syscall
		*syscall; /* entry of a system call: its parameters stand in pt_regs; else NULL */
	bool is_compat;	  /* … as 32-bit callers enter it */
	bool is_twin;	  /* the same call's native entry is a point too, and has the same messages */
	bool optional;
	struct function_suffix suffix;
	arguments args; /* placed on first use */
	bool args_placed;
};

/* True for points whose messages another point of the same probe has given. */
bool function_is_twin(const struct derived *d);

/* One more point. Its names follow from fn. */
struct derived *function_add(struct session *s, const struct point *p, const struct function_point *data,
			     derived_list *ret);

/*
 * syscall.c. "sys_read", "SyS_read" and globs of such names stand for the entry points of system calls: true
 * when the pattern is one, and then all that match are appended.
 */
bool syscall_is_pattern(const char *pattern);
struct error *syscall_resolve(struct session *s, const struct point *p, const char *pattern,
			      const struct function_point *template, derived_list *ret);
/* A function that is a system call's entry point ("__x64_sys_read") gets the call's parameters. */
void syscall_recognise(struct session *s, struct function_point *f);
struct error *syscall_access(struct session *s, const struct function_point *f, const struct node *n,
			     struct access *a);
void syscall_vars(struct session *s, const struct function_point *f, target_variables *ret);

#endif
