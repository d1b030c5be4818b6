/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters of the C library's functions, for
 * probes on a library that comes without debuginfo.
 */
#ifndef STAP_PROTOTYPES_H
#define STAP_PROTOTYPES_H

#include "kernel/kernel.h"

struct executable;

/*
 * False: the file is not the C library, the function is none of
 * those that prototypes.def has, or its header is not installed.
 */
bool prototype_of_library(struct session *s, const struct executable *file, const char *function,
			  struct kernel_function *ret);
/*
 * What the parameter that is also called `name` is called in the prototype:
 * "bytes" for malloc's "size". `name` itself where there is none.
 */
const char *prototype_parameter(struct session *s, const char *function, const char *name);

#endif
