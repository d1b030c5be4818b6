/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules other than types: where statements are allowed, what a loop must not change, and
 * what needs -g or a privilege. The constructs' `check` callbacks use these.
 */
#ifndef STAP_LANG_CHECKING_H
#define STAP_LANG_CHECKING_H

#include "lang/lang.h"
#include "uapi/privilege.h"

struct checking {
	struct infer in;		     /* for messages given once */
	unsigned loops;			     /* loops around this place */
	VEC(const struct symbol *) iterated; /* arrays of the foreach loops around it */
	bool is_in_library;		     /* a library function: callers are checked */
};

/* Checks n and all below it; n may be NULL. */
void checking_node(struct checking *ck, struct node *n);
void checking_children(struct checking *ck, struct node *n);
/* Checks a place that is changed at loc. */
void checking_place(struct checking *ck, const struct node *place, struct loc loc);
/* Reports a change of the variable inside a loop over it. */
void checking_iterated(struct checking *ck, const struct node *name, struct loc loc);

/* Sets `reach` of the program's functions; before bodies are checked. */
void checking_mark(struct session *s);

/* Report the user's code at loc if the run lacks this right. */
void checking_need_guru(struct checking *ck, struct loc loc, const char *what);
void checking_need_level(struct checking *ck, struct loc loc, enum stp_privilege least,
			 const char *what);

/* The `reach` callback of constructs that only compute with their operands. */
enum stp_privilege_reach checking_reach_nothing(const struct node *n);

#endif
