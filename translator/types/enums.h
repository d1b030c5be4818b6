/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enumerations in the kernel's BTF: values of enumerators, and names of values. */
#ifndef STAP_ENUMS_H
#define STAP_ENUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

struct access_field;
struct btf;
struct error;
struct session;

struct enumerator {
	const char *name;
	int64_t value;
};
struct enumeration {
	VEC(struct enumerator) rows;	  /* in the order of declaration */
	const struct access_field *field; /* to compare it with the running kernel's; or NULL */
};

/* An enumerator, with its enumeration. */
struct enum_value {
	int64_t value;
	struct btf *btf;
	uint32_t type;
};
/*
 * Finds the enumerator's value, in any enumeration of the kernel or (module: not NULL) of
 * a module and the kernel. ERROR_ABSENT: there is none; the text gives near names.
 * ERROR_SCRIPT: enumerations disagree about it.
 */
struct error *enums_find(struct session *s, const char *module, const char *name,
			 struct enum_value *ret);
/*
 * True: some enumeration of these has it. This is fast, because unknown names are looked
 * up in each of thousands of probes.
 */
bool enums_have(struct session *s, const char *module, const char *name);
/* The same as enums_find(), for the value alone. */
struct error *enums_enumerator(struct session *s, const char *module, const char *name,
			       int64_t *ret);
/*
 * Returns the enumeration that the type is, without typedefs and qualifiers; NULL: it is
 * not one.
 */
const struct enumeration *enums_enumeration(struct session *s, const struct btf *btf,
					    uint32_t type_id);

#endif
