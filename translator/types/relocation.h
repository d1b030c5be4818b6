/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: places in types of the kernel, by name, which the program finds again in
 * the types of the kernel that runs it. A place is a path from a type that has a name;
 * after a pointer to such a type it begins anew.
 */
#ifndef STAP_TYPES_RELOCATION_H
#define STAP_TYPES_RELOCATION_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/access.h"

struct btf;
struct enumeration;
struct follow;
struct kernel_function;
struct session;

/* Return what is asked of the running kernel; NULL: nothing. */
const struct access_field *relocation_parameter(struct session *s, const struct kernel_function *fn,
						size_t i, bool is_traced);
const struct access_field *relocation_result(struct session *s, const struct kernel_function *fn);
/* Lets the value be cut to the size that its parameter or result, a number, has then. */
void relocation_cut(struct session *s, struct access *a);
const struct access_field *relocation_enumerator(struct session *s, const char *module,
						 const char *name, int64_t value);
const struct access_field *relocation_names(struct session *s, const struct btf *btf,
					    const struct enumeration *e);
/* Returns the place after more of a path; a kernel may lack it. */
const struct access_field *relocation_part(struct session *s, const struct access_field *origin,
					   const char *path, const struct btf *btf, uint32_t type);
/* Returns why no other kernel can run the program, for access.bound. */
const struct access_field *relocation_bound(struct session *s, const char *why);

/* The steps of a path (follow.h): its beginning, and after a pointer; a member; [n]. */
void relocation_begin(struct follow *f);
void relocation_origin(struct follow *f);
void relocation_member(struct follow *f, const char *name);
void relocation_element(struct follow *f, int64_t n);
/* Returns the present place with its type, which is loaded. */
const struct access_field *relocation_here(const struct follow *f);
/*
 * Return, or note in the access, what was not found: a type, a member here, a parameter.
 */
const struct access_field *relocation_no_type(struct session *s, const char *name);
void relocation_absent(struct follow *f, const char *name);
const struct access_field *relocation_no_parameter(struct session *s,
						   const struct kernel_function *fn,
						   const char *name, bool is_traced);
/* The path ends with an address: the type there is compared, too. */
void relocation_end(struct follow *f);

#endif
