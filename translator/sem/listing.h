/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output of -l, -L, -p2 and the --dump options. */
#ifndef STAP_LISTING_H
#define STAP_LISTING_H

#include <stdbool.h>
#include <stddef.h>

struct session;
struct function;
struct alias;

/*
 * -l and -L: prints the points of the program, sorted, once each. False if there are
 * none.
 */
bool listing_points(struct session *s, bool variables);
/* Stores the same lines, and returns how many there are. */
size_t listing_lines(struct session *s, bool variables, const char ***ret);
/* -p2: prints globals, functions and probes with their types. */
void listing_program(struct session *s);

/* Puts all public functions into s->program, with their types inferred. */
void dump_infer_library(struct session *s);
/* Prints lines in order, equal ones once. */
void listing_sorted(const char **lines, size_t count);
/* Returns "f:long (x:string)". */
const char *listing_function(struct session *s, const struct function *f);
/* Returns "vfs.read = kernel.function("vfs_read")". */
const char *listing_alias(struct session *s, const struct alias *a);

#endif
