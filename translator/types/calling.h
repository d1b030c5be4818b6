/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The places of a function's parameters at entry and of its return value at return: the
 * architecture's calling convention applied to BTF prototypes, and the access paths that
 * start there.
 */
#ifndef STAP_TYPES_CALLING_H
#define STAP_TYPES_CALLING_H

#include "ast/access.h"
#include "kernel/functions.h"
#include "types/member.h"

struct session;
struct error;

struct argument {
	const char *name; /* without '$' */
	uint32_t type_id;
	enum path_place place;
	unsigned number;     /* for stp_arg(): first register; after the last one, a stack slot */
	unsigned registers;  /* PATH_REGISTERS: how many */
	const char *problem; /* reason why it cannot be reached, or NULL */
};
typedef VEC(struct argument) arguments;

/* Registers and slots of the stack that arguments have taken so far. */
struct calling_state {
	unsigned reg, vector, slot;
	bool is_32; /* the program */
};

/*
 * Places an argument in programs of 32 bits, whose convention counts slots of 4 bytes.
 * For architectures. too_long: the problem of one that takes two.
 */
void calling_place_32(struct session *s, struct btf *b, struct argument *arg, unsigned *slot,
		      const char *too_long);

void calling_place(struct session *s, const struct kernel_function *f, arguments *ret);

/*
 * Fills a: from a value of the type that base and number give, cut to its size, along the
 * path.
 */
struct error *calling_access(struct session *s, struct btf *btf, const struct argument *arg,
			     enum access_base base, const path_steps *path, bool address_of,
			     struct access *a);
/* The same for the returned value. */
struct error *calling_return(struct session *s, const struct kernel_function *f,
			     const path_steps *path, bool address_of, struct access *a);

#endif
