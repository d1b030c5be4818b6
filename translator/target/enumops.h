/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * @enum("NAME") and @enumname(value, "enumeration"): finds the enumerations that they
 * name.
 */
#ifndef STAP_TARGET_ENUMOPS_H
#define STAP_TARGET_ENUMOPS_H

#include <stdbool.h>

struct node;
struct session;

/* True: the ATOP is one of the two. */
bool enumops_are_asked(const struct node *n);
/*
 * Binds n if it is one of them, and not bound yet: @enum becomes a number, @enumname gets
 * its enumeration, or the node gets a message about the missing thing. An @enumname that
 * depends on the type of a variable of the script stays as it is until that is known.
 * `module`: of the probe, or NULL.
 */
void enumops_bind(struct session *s, const char *module, struct node *n);
/*
 * Binds $NAME, which the probed function of the kernel or of the module does not have as
 * a variable, if it is an enumerator there.
 */
void enumops_bind_variable(struct session *s, const char *module, struct node *n);

#endif
