/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice in messages about target variables. */
#ifndef STAP_TARGET_HINT_H
#define STAP_TARGET_HINT_H

struct node;
struct session;

/*
 * Returns a hint for the message about a TARGET that was not found: where it can be read,
 * or how to write the kernel's variable of that name; "": nothing. Takes a while.
 */
const char *target_hint(struct session *s, const struct node *n);

#endif
