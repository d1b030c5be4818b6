/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The right side of a row: the replacement of an old name. In the tables it is a text,
 * and only this file parses such texts. "a|b" are two successors, of which the first that
 * exists is used.
 *
 *   NAME      "kernel_clone"       a name of the same kind: function, type, file, …
 *             "trace:sched_switch" a tracepoint, for the entry of a function
 *             "entry:do_filp_open" a function, for the entry of another
 *   PATH      "f_path.dentry"      members, from the current structure
 *             ""                   the current value
 *   START     "bio.bi_opf"         the same from a parameter or variable
 *             "&iocb.ki_pos"       … leads to a structure that was a pointer once
 *             "1"                  a number, which it always was
 *
 * Steps of a path are members, and:
 *
 *   "^request"                     the structure in memory before the current one
 *   "^sock:sk_timer"               the structure whose member the current one is
 *   "head+network_header:iphdr"    a structure in a buffer, at the offset that a member
 *                                  holds; without a type: the address
 *   "first_area()"                 of an mm_struct, in its maple tree
 *   "next_area()"                  of a vm_area_struct
 *
 * "/N" and "%N" at the end of a path convert a number to the old units. '=' at the
 * beginning: the old name still exists, but has another meaning, or is mostly bypassed.
 */
#ifndef STAP_DRIFT_SUCCESSOR_H
#define STAP_DRIFT_SUCCESSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

/* One step of a path. */
struct drift_step {
	enum {
		DRIFT_MEMBER, /* name */
		DRIFT_BEHIND, /* of `type`, directly followed by the value */
		DRIFT_AROUND, /* of `type`, whose member `name` the value is */
		DRIFT_INTO,   /* name: the buffer; offset; type or NULL */
		DRIFT_FIRST_AREA,
		DRIFT_NEXT_AREA,
	} kind;
	const char *name, *offset, *type;
};

enum successor_form { SUCCESSOR_NAME, SUCCESSOR_PATH, SUCCESSOR_START };

struct successor {
	enum {
		SUCCESSOR_SAME,	      /* name: of the kind that the old name was */
		SUCCESSOR_TRACEPOINT, /* name: of a tracepoint, for a function's entry */
		SUCCESSOR_ENTRY,      /* name: of a function, for another's entry */
		SUCCESSOR_VALUE,      /* steps; name: where they begin, NULL: here */
		SUCCESSOR_NUMBER,
	} kind;
	const char *text; /* as shown in messages */
	const char *name;
	VEC(struct drift_step) steps;
	int64_t divisor; /* VALUE: 0: none */
	bool is_rest;	 /* … the remainder, not the quotient */
	bool is_part;	 /* VALUE: a structure that was a pointer once */
	bool is_beside;	 /* the old name still exists */
	int64_t number;	 /* NUMBER */
};
typedef VEC(struct successor) successors;

/*
 * Parses the right side of a row; NULL: there is no successor. Returns an error text or
 * NULL.
 */
const char *successor_parse(struct arena *a, enum successor_form form, const char *text,
			    successors *ret);

#endif
