/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a target variable is reached, as a list of steps on a 64-bit value. probe/ makes it from BTF or DWARF
 * when the probe point is known; lang/target.c emits it: one line of C a step, each load fault-safe.
 *
 *   $file->f_path.dentry   ARG 0 · ADD 16 · ADD 8 · LOAD 8
 *   $regs->di              ARG 0 · ADD 112 · LOAD 8
 *   $task->comm[3]         ARG 0 · ADD 1800 · INDEX expr×1 · LOAD 1 signed
 */
#ifndef STAP_ACCESS_H
#define STAP_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct node;
struct arena;
struct btf;

enum access_base {
	ACCESS_ARG,          /* function argument `number` at entry: stp_arg(c, n) */
	ACCESS_RETURN,       /* value returned: stp_retval(c) */
	ACCESS_TRACE_ARG,    /* tracepoint argument: stp_trace_arg(c, n) */
	ACCESS_SYSCALL_ARG,  /* system-call argument: stp_syscall_arg(c, n) */
	ACCESS_SAVED,        /* value saved at entry, slot `number`: stp_saved(c, n) */
	ACCESS_VALUE,        /* the value of `value` (a @cast) */
	ACCESS_ADDRESS,      /* symbol or constant address in `number` */
};

struct access_step {
	enum {
		ACCESS_ADD,       /* value += offset */
		ACCESS_INDEX,     /* value += index * size */
		ACCESS_LOAD,      /* value = *(size bytes at value), sign-extended if is_signed; kernel or user memory */
		ACCESS_TRUNCATE,  /* value cut to size bytes, sign-extended if is_signed (arguments in registers) */
		ACCESS_BITS,      /* value = bits [bit_offset, bit_offset + bit_size) of value, sign-extended if is_signed */
	} kind;
	int64_t offset;
	struct node *index;
	unsigned size;        /* bytes: 1 2 4 8; INDEX: element size, any */
	bool is_signed;
	unsigned bit_offset, bit_size;
};

struct access {
	enum access_base base;
	int64_t number;
	struct node *value;
	bool user;           /* loads read user memory */
	VEC(struct access_step) steps;
	unsigned pretty;     /* the text of what is reached is wanted: 1 for '$', 2 for '$$' */
	bool pretty_number;  /* … which is the value itself; else the value is its address */
	const char *c_type;  /* what is reached, spelled as in C, for -L and messages: "struct dentry *" */
	bool is_address;     /* … whose address this is: of an array, or by '&' */
	struct btf *btf;     /* the same as a type id, or NULL: lets a path go on from here */
	uint32_t type_id;
};

#endif
