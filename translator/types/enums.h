/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Enumerations in the kernel's BTF: what an
 * enumerator is worth, and what a value is called.
 */
#ifndef STAP_ENUMS_H
#define STAP_ENUMS_H

#include <stdint.h>

#include "base/vec.h"

struct btf;
struct error;
struct session;

struct enumerator {
	const char *name;
	int64_t value;
};
struct enumeration {
	VEC(struct enumerator) rows; /* in the order of declaration */
};

/*
 * The value of the enumerator, of whatever enumeration, in the kernel or (module: not
 * NULL) in a module and the kernel. ERROR_ABSENT: there is none, with near names.
 * ERROR_SCRIPT: enumerations differ about it.
 */
struct error *enums_enumerator(struct session *s, const char *module, const char *name,
			       int64_t *ret);
/*
 * The enumeration behind the type, through typedefs
 * and qualifiers; NULL when it is something else.
 */
const struct enumeration *enums_enumeration(struct session *s, const struct btf *btf,
					    uint32_t type_id);

#endif
