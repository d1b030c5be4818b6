/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function points of older kernels: functions and parameters that have other names now,
 * modules that are built in, files that moved. Each function here says with a note what
 * it took instead. Optional points are left alone: lists of them name the functions of
 * all kernels.
 */
#ifndef STAP_PROBE_FORMER_H
#define STAP_PROBE_FORMER_H

#include "probe/function/function.h"

struct drift;
struct hashmap;

/* False for points that are left alone: the library's, and optional ones. */
bool former_may_drift(const struct point *p);

/* True: this kernel has the change that the row tells of. */
bool former_has_come(struct session *s, const struct drift *row);

/*
 * Resolves one name or pattern among the functions of the kernel (module NULL) or of a
 * module.
 */
typedef struct error *former_finder(struct session *s, const struct point *p, const char *module,
				    const char *pattern, const struct function_point *template,
				    derived_list *ret);

/*
 * Says so when most callers go past the function today, though it is there and is probed.
 */
void former_bypassed(struct session *s, const struct point *p, const char *old,
		     const struct function_point *template, former_finder *find);
/*
 * Returns true when a successor was found. Otherwise *err, the error that there is no
 * such function, gets the name's story where there is one.
 */
bool former_function(struct session *s, const struct point *p, const char *module, const char *old,
		     const struct function_point *template, former_finder *find, struct error **err,
		     derived_list *ret);
/*
 * Returns true when the parameter can be reached from one of today's parameters.
 * Otherwise *err is the error that prevented it, or NULL: there is nothing to start from.
 */
bool former_parameter(struct session *s, struct function_point *f, const arguments *args,
		      const struct node *n, struct access *a, struct error **err);
/*
 * Finds $return where a successor gets the former result as an argument, or returns
 * errors in the place of NULL. False: the successor returns the same.
 */
bool former_return(struct session *s, struct function_point *f, const arguments *args,
		   const struct node *n, struct access *a);
/*
 * True: the parameter's name means another thing today; former_parameter() finds the
 * former one.
 */
bool former_meaning(struct session *s, const struct function_point *f, const struct node *n);
/*
 * Makes *module the module's name of today, NULL where it is a part of the kernel now;
 * then a pattern that begins with '*' is cut down to the module's functions.
 */
void former_module(struct session *s, const struct point *p, const char **module,
		   const char **pattern);
/*
 * Returns the name of "name@file" where only debuginfo could tell the file and the name
 * says enough; else NULL.
 */
const char *former_file(struct session *s, const struct point *p, const char *module,
			const char *text);
/*
 * Returns the pattern of "pattern@file" in the kernel, without the file; names gets the
 * file's functions, and only matches among these are meant.
 */
const char *former_files(struct session *s, const struct point *p, const char *text,
			 struct hashmap *names);
/* Returns "f@fs/bio.c:12" with the file's name of today; NULL: the file has not moved. */
const char *former_place(struct session *s, const struct point *p, const char *text);

#endif
