/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What -l, -L, -p2 and the --dump options print. */
#ifndef STAP_LISTING_H
#define STAP_LISTING_H

#include <stdbool.h>
#include <stddef.h>

struct session;
struct function;
struct alias;

/* -l and -L: the points of the program, sorted, once each. False when there are none. */
bool listing_points(struct session *s, bool variables);
/* -p2: globals, functions and probes with their types. */
void listing_program(struct session *s);
/* --dump-probe-types, --dump-probe-aliases, --dump-functions. */
void dump_program(struct session *s);

/* All public functions into s->program, their types inferred. */
void dump_infer_library(struct session *s);
/* Lines in order, equal ones once. */
void listing_sorted(const char **lines, size_t count);
/* "f:long (x:string)" */
const char *listing_function(struct session *s, const struct function *f);
/* "vfs.read = kernel.function("vfs_read")" */
const char *listing_alias(struct session *s, const struct alias *a);

#endif
