/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Returns of functions that an exception may leave. The kernel's way to probe a return is
 * to replace the return address on the stack. An exception of C++ or a panic of Rust that
 * looks for a handler does not find the caller by the kernel's address, and ends the
 * program. So such functions are probed at their return instructions, if all of these are
 * known.
 */
#ifndef STAP_PROBE_THROWING_H
#define STAP_PROBE_THROWING_H

#include "program/executable.h"

struct dwarf_place;
struct session;

enum throwing {
	THROWING_NOT,	/* no exception leaves it */
	THROWING_KNOWN, /* it returns by the listed instructions, */
	THROWING_ENDS,	/* by none: only an exception, or the program's end, ends it, */
	THROWING_BLIND	/* or by others as well; *why says why they are not known */
};

/* Looks at the function that begins at the address. place: by debuginfo, or NULL. */
enum throwing throwing_returns(struct session *s, struct executable *p, uint64_t address,
			       const struct dwarf_place *place, executable_addresses *ret,
			       const char **why);
/* True: a call of the function throws, so that no return of it may be probed. */
bool throwing_is_thrower(const char *function);
/* True: a function of that symbol may be left by an exception. */
bool throwing_may_leave(const char *symbol);

#endif
