/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Uses of variables: for locks, to find variables that are never read, and for operands
 * that must be copied.
 */
#ifndef STAP_LANG_USES_H
#define STAP_LANG_USES_H

#include <stdbool.h>

#include "ast/node.h"

struct session;
struct program;

enum use {
	USE_READ = 1,
	USE_WRITE = 2, /* assigned, changed, deleted */
	USE_ADD = 4,   /* <<< */
	USE_SORT = 8,  /* iterated in an order, which reorders the array's entries */
	/*
	 * with USE_WRITE: the new value comes from the old one, or there is none: its
	 * type is needed in any case
	 */
	USE_CHANGE = 16,
	USE_ELEMENT = 32, /* with any of these: use of one element, by its index */
	/*
	 * with USE_CHANGE: an element is increased or decreased, and the value is not
	 * used
	 */
	USE_TALLY = 64,
	/* of a plan of locks: one element is set, and the handler changes nothing else */
	USE_SET = 128,
};

typedef void (*use_fn)(struct symbol *sym, unsigned use, void *ctx);

/* ---- building blocks of the constructs' `uses` callbacks; n may be NULL ---- */

struct uses {
	use_fn fn;
	void *ctx;
};
void uses_value(struct uses *u, struct node *n);  /* n, whose value is used */
void uses_effect(struct uses *u, struct node *n); /* n, whose value is not used */
void uses_list(struct uses *u, struct node *list);
/* Reports this use of the variable of a NAME or INDEX; the keys are read. */
void uses_place(struct uses *u, struct node *n, unsigned use);
/* A callback: the values of all children are used, and no other variable. */
void uses_children(struct uses *u, struct node *n, bool wanted);

/* ---- visits ---- */

/*
 * Visits every use below n; calls are not followed. An assignment whose value is not used
 * does not read.
 */
void uses_visit(struct node *n, use_fn fn, void *ctx);
/*
 * Visits every use of the function itself. In C these are the globals named by
 * STAP_GLOBAL_GET_x and STAP_GLOBAL_SET_x.
 */
void uses_visit_function(const struct program *p, struct function *f, use_fn fn, void *ctx);
/* Visits the uses of one global in C. */
void uses_visit_code(const char *code, struct symbol *sym, use_fn fn, void *ctx);
/* True: some function of the program has the pragma. */
bool uses_pragma(const struct program *p, unsigned pragma);
/*
 * Sets read, written, assigned and the like of every
 * variable, from all handlers and functions of the program.
 */
void uses_mark(struct session *s);

#endif
