/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters of functions of older kernels, and what such functions returned.
 */
#ifndef STAP_PROBE_FUNCTION_PARAMETERDRIFT_H
#define STAP_PROBE_FUNCTION_PARAMETERDRIFT_H

#include "probe/function/function.h"

/*
 * Returns true when the parameter can be reached from one of today's parameters.
 * Otherwise *err is the error that prevented it, or NULL: there is nothing to start from.
 */
bool parameterdrift_find(struct session *s, struct function_point *f, const arguments *args,
			 const struct node *n, struct access *a, struct error **err);
/*
 * Finds $return where a successor gets the former result as an argument, or returns
 * errors in the place of NULL. False: the successor returns the same.
 */
bool parameterdrift_return(struct session *s, struct function_point *f, const arguments *args,
			   const struct node *n, struct access *a);
/*
 * True: the parameter's name means another thing today; parameterdrift_find() finds the
 * former one.
 */
bool parameterdrift_meaning(struct session *s, const struct function_point *f,
			    const struct node *n);

#endif
