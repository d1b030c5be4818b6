
#include "kernel/functions.h"
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters of the C library's functions, for
 * probes on a library that comes without debuginfo.
 */
#ifndef STAP_PROTOTYPES_H
#define STAP_PROTOTYPES_H

struct executable;

/*
 * Returns false if the file is not the C library, when prototypes.def lacks the
 * function, or when its header is not installed.
 */
bool prototype_of_library(struct session *s, const struct executable *file, const char *function,
			  struct kernel_function *ret);
/*
 * Returns the prototype's name of the parameter that is also called `name`: "bytes" for
 * malloc's "size". Returns `name` itself if there is none.
 */
const char *prototype_parameter(struct session *s, const char *function, const char *name);

#endif
