/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Access paths: ->member[index] followed through types, from a start that defines where
 * the first value is.
 */
#ifndef STAP_TYPES_MEMBER_H
#define STAP_TYPES_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/access.h"
#include "ast/node.h"

struct arena;
struct btf;
struct error;
struct session;

enum path_place {
	PATH_VALUE,   /* the value itself is available */
	PATH_ADDRESS, /* its address is available */
	/*
	 * An aggregate passed by value: a->number is its first register, of `registers`.
	 */
	PATH_REGISTERS,
};

struct path_start {
	struct btf *btf;
	uint32_t type_id;
	enum path_place place;
	unsigned registers;
	bool element; /* a first [i] counts whole values of the type, as in @cast(p, "T")[i] */
};

/*
 * Appends to a->steps the steps that follow path from a value of the type (a pointer to,
 * for aggregates, its address), and sets a->c_type. The value at the end is loaded, or
 * its address when it is an aggregate or array or when address_of. ERROR_ABSENT names the
 * missing member, the type and near members. Also sets a->btf and a->type_id to the type
 * that the path ends at.
 */
struct error *member_follow(struct session *s, const struct path_start *start,
			    const path_steps *path, bool address_of, struct access *a);

#endif
