/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function points of older kernels: functions and parameters that are called otherwise
 * now, modules that are built in, files that moved. Each says with a note what it took.
 * What is optional is left alone: such lists name the functions of all kernels.
 */
#ifndef STAP_PROBE_FORMER_H
#define STAP_PROBE_FORMER_H

#include "probe/function/function.h"

struct drift;
struct hashmap;

/* The library's points and what is optional are left alone. */
bool former_may_drift(const struct point *p);

/* What the row tells is so in this kernel. */
bool former_has_come(struct session *s, const struct drift *row);

/*
 * What resolves one name or pattern among the
 * kernel's (module NULL) or a module's functions.
 */
typedef struct error *former_finder(struct session *s, const struct point *p, const char *module,
				    const char *pattern, const struct function_point *template,
				    derived_list *ret);

/*
 * The function is there and is probed, but if most callers go past it today that is said.
 */
void former_bypassed(struct session *s, const struct point *p, const char *old,
		     const struct function_point *template, former_finder *find);
/*
 * A successor was found. Else *err, which said that there is
 * no such function, gets the name's story where there is one.
 */
bool former_function(struct session *s, const struct point *p, const char *module, const char *old,
		     const struct function_point *template, former_finder *find, struct error **err,
		     derived_list *ret);
/*
 * A parameter that is reached from one of today's. Else *err is
 * what hindered that, or NULL: there is nothing to start from.
 */
bool former_parameter(struct session *s, struct function_point *f, const arguments *args,
		      const struct node *n, struct access *a, struct error **err);
/*
 * $return where a successor is told what was returned then, or
 * returns errors in the place of NULL. False: it returns the same.
 */
bool former_return(struct session *s, struct function_point *f, const arguments *args,
		   const struct node *n, struct access *a);
/*
 * A parameter that by itself means another thing
 * than it did: former_parameter() has what it was.
 */
bool former_meaning(const struct function_point *f, const struct node *n);
/*
 * *module becomes what it is called now, NULL where it is a part of the
 * kernel; then a pattern that begins with '*' is cut to its functions.
 */
void former_module(struct session *s, const struct point *p, const char **module,
		   const char **pattern);
/*
 * The name of "name@file", where only debuginfo could
 * tell the file and the name says enough; else NULL.
 */
const char *former_file(struct session *s, const struct point *p, const char *module,
			const char *text);
/*
 * The same of "pattern@file" in the kernel; of what
 * matches it, the file has those that are in names.
 */
const char *former_files(struct session *s, const struct point *p, const char *text,
			 struct hashmap *names);
/* "f@fs/bio.c:12" with the file as it is called now; NULL: it has not moved. */
const char *former_place(struct session *s, const struct point *p, const char *text);

#endif
