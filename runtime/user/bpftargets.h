/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --runtime=bpf: functions in the types of the running kernel and its modules. */
#ifndef STP_USER_BPFTARGETS_H
#define STP_USER_BPFTARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "user/bpfload.h"

#define BPFTARGETS_ARGS 6 /* at most, in registers */

struct bpftarget {
	unsigned point;		      /* the caller's */
	const char *name, *module;    /* module: NULL is the kernel */
	struct bpfload_target target; /* function 0: there is none, or more than one */
	/*
	 * Numbers and pointers: each argument, and behind them the result. A program may
	 * load the first kind from its context; it asks the kernel for those of the
	 * second kind.
	 */
	enum { BPFTARGETS_NONE, BPFTARGETS_LOADED, BPFTARGETS_ASKED } args[BPFTARGETS_ARGS + 1];
	unsigned nargs;
	bool is_seen; /* its name is among the types' */
};

/*
 * Finds those functions that have up to BPFTARGETS_ARGS arguments, all of them numbers or
 * pointers. The descriptors of modules' types remain open. The array is sorted anew.
 */
void bpftargets_find(struct bpftarget *targets, unsigned n);

#endif
