/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The access path to a target variable: a list of steps on a 64-bit value. probe/ makes
 * it from BTF or DWARF when the probe point is known. lang/targetvar.c emits it, one line
 * of C per step, with fault-safe loads.
 *
 *   $file->f_path.dentry   ARG 0 · ADD 16 · ADD 8 · LOAD 8
 *   $task->comm[3]         ARG 0 · ADD 1800 · INDEX expr×1 · LOAD 1 signed
 */
#ifndef STAP_ACCESS_H
#define STAP_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/node.h"
#include "lib/vec.h"

struct node;
struct arena;
struct btf;
struct executable;
struct dwarf_place;

enum access_base {
	ACCESS_ARG,	    /* function argument `number` at entry: stp_arg(c, n) */
	ACCESS_RETURN,	    /* value returned: stp_retval(c) */
	ACCESS_TRACE_ARG,   /* tracepoint argument: stp_trace_arg(c, n) */
	ACCESS_SYSCALL_ARG, /* system-call argument: stp_syscall_arg(c, n) */
	ACCESS_SAVED,	    /* value saved at entry, slot `number`: stp_saved(c, n) */
	ACCESS_VALUE,	    /* the value of `value` (a @cast) */
	ACCESS_ADDRESS,	    /* symbol or constant address in `number` */
	ACCESS_EXPRESSION,  /* word `number` of the result of `expression` */
	ACCESS_OWN,	    /* not memory: the functions that `own` names */
};

/*
 * A variable that the runtime of a probe family keeps. Functions of points.h read and
 * write it. NULL: this is impossible, for the given reason.
 */
struct access_own {
	bool is_string;
	const char *get;    /* f(c), of strings f(c, dst) */
	const char *set;    /* f(c, value) */
	const char *append; /* strings: f(c, value), for `.=` */
	const char *unread, *unwritten;
};

/*
 * The operations of a DWARF location at one address: each is one line of C and may use
 * the results of earlier ones. The words of the value have 8 bytes each, lowest first;
 * ACCESS_NO_WORD: that part was optimised out.
 */
#define ACCESS_NO_WORD UINT32_MAX
struct access_operation {
	enum {
		ACCESS_CONSTANT, /* number */
		ACCESS_REGISTER, /* DWARF register `number` of the probed code */
		/*
		 * The address of the kernel's init_task. The distances of other variables
		 * from it are those in the kernel's file.
		 */
		ACCESS_ANCHOR,
		ACCESS_SYMBOL, /* address of `symbol` of the kernel's module `module` */
		ACCESS_THREAD, /* the thread pointer of the current process */
		/*
		 * The distance between the addresses of `file` in the current process and
		 * those in the file.
		 */
		ACCESS_FILE,
		ACCESS_MEMORY, /* `size` bytes at a */
		/*
		 * A return address: a, which a return probe may have replaced. The return
		 * probe identifies the call by the stack pointer b. Programs only.
		 */
		ACCESS_RETURN_ADDRESS,
		ACCESS_GIVEN,  /* b; an error if a is 0: `symbol` names the missing thing */
		ACCESS_CUT,    /* the low `size` bytes of a */
		ACCESS_BINARY, /* a op b */
	} kind;
	enum op op;
	uint32_t a, b; /* of earlier operations */
	unsigned size;
	int64_t number;
	const char *symbol, *module;
	const struct executable *file;
};
struct access_expression {
	VEC(struct access_operation) operations;
	VEC(uint32_t) words;
	VEC(uint64_t) known; /* valid bits of each word, for values in pieces; empty: all bits */
};

/*
 * A place in a type of the kernel. With --runtime=bpf, it is found again in the types of
 * the kernel that runs the program (runtime/api/field.h).
 */
struct access_field {
	enum {
		FIELD_MEMBER,	    /* of `type`; `is` is what the member's type is, or NULL */
		FIELD_PARAMETER,    /* number `number` of the function `type` */
		FIELD_RESULT,	    /* of the function `type` */
		FIELD_ENUMERATOR,   /* its value is `number` */
		FIELD_NAMES,	    /* enumerators have the values in `path`: "A=0 B=1 " */
		FIELD_NO_MEMBER,    /* there is no such member of `type`, or no type */
		FIELD_NO_PARAMETER, /* the function `type` has none called `path` */
		FIELD_VERSION,	    /* `is` (kernel_v) compared, by `type`, with `path` */
		FIELD_KERNEL,	    /* only the kernel of the translation, because of `is` */
	} kind;
	const char *module; /* NULL: the kernel's own */
	const char *type;   /* "struct task_struct" */
	/*
	 * ".se.avg[2]"; "*" follows a pointer; the parameter's or the enumerator's name
	 */
	const char *path;
	const char *is; /* "struct file *", as types/relocation.c names types */
	int64_t number;
	bool may_lack; /* the kernel may lack it: for printing, or @defined asks */
};

typedef VEC(const struct access_field *) access_fields;

struct access_step {
	enum {
		ACCESS_ADD,   /* value += offset */
		ACCESS_INDEX, /* value += index * size */
		/*
		 * value = *(size bytes at value), sign-extended if is_signed; kernel or
		 * user memory
		 */
		ACCESS_LOAD,
		/*
		 * value cut to size bytes, sign-extended
		 * if is_signed (arguments in registers)
		 */
		ACCESS_TRUNCATE,
		/*
		 * value = bits [bit_offset, bit_offset +
		 * bit_size) of value, sign-extended if is_signed
		 */
		ACCESS_BITS,
		ACCESS_DIVIDE,	   /* value /= offset; the remainder, if is_rest */
		ACCESS_NO_ERROR,   /* value = 0 if it is an error code in place of a pointer */
		ACCESS_FIRST_AREA, /* value = the first area of the mm at value */
		ACCESS_NEXT_AREA,  /* value = the area after the one at value */
		/*
		 * value = *(pointer at value) + *(size bytes at value + offset): into a
		 * buffer, at the offset that the structure holds
		 */
		ACCESS_INTO,
	} kind;
	int64_t offset;
	bool is_rest;
	struct node *index;
	unsigned size; /* bytes: 1 2 4 8; INDEX: element size, any */
	bool is_signed;
	unsigned bit_offset, bit_size;
	/*
	 * ADD: from the place `since` (NULL: the beginning) to this one; INDEX: the
	 * element; LOAD: with its bits; BITS: LOAD has taken them; TRUNCATE: the
	 * parameter or result. NULL: the numbers above are the same in every kernel.
	 */
	const struct access_field *field, *since;
};

struct access {
	enum access_base base;
	/* $return of a function whose successor gets the result as an argument */
	bool at_entry;
	/* The value at the return, if its address is known only at the entry. */
	bool place_at_entry;
	bool of_result; /* a result of Go, in registers or on the stack at the return */
	int64_t number;
	/*
	 * the parameter or result that the base is; why only this kernel will do; or NULL
	 */
	const struct access_field *origin, *bound;
	const struct access_field *absent; /* what was not found, for @defined; or NULL */
	access_fields asked; /* the value is 1 if the running kernel has all of these */
	const struct access_expression *expression;
	const struct access_own *own;
	struct node *value;
	bool user;	 /* loads read user memory */
	bool in_summary; /* a part of $$parms$ or the like, where a ? may stand for it */
	VEC(struct access_step) steps;
	enum pretty pretty;	/* the value is wanted as text */
	bool pretty_number;	/* … as a number; otherwise its address is available, */
	bool is_pointed;	/* … that of a pointer's target: 0 if the pointer is NULL; */
	unsigned pretty_words;	/* or this many words from `number` on hold it (0: none), */
	unsigned pretty_offset; /* … after this many bytes of the first word */
	/* Type of the result, spelled as in C, for -L and messages: "struct dentry *". */
	const char *c_type;
	bool is_address; /* … whose address the result is: of an array, or by '&' */
	struct btf *btf; /* table of type_id, from which a path may continue; or NULL */
	uint32_t type_id;
	const struct access_field *reached; /* … its place, as in the steps, or NULL */
	/* For target_hint(), when the variable was not found: */
	bool is_sought; /* the probed function of the kernel has no such variable, */
	const struct dwarf_place *absent_at; /* or the variable is missing at this place */
	/* Text for messages: the name that was taken for an old name; or NULL. */
	const char *drift;
	/* A member whose numbers have changed their meaning; or NULL. */
	const struct drift_values *values;
};

#endif
