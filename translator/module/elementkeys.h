/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the arrays that a handler uses by one key only. The key does not change while the
 * handler runs, and can be computed before: so the handler needs only the lock of this
 * element (runtime/api/shards.h).
 */
#ifndef STAP_MODULE_ELEMENTKEYS_H
#define STAP_MODULE_ELEMENTKEYS_H

#include <stdbool.h>

struct handler;
struct node;
struct session;
struct symbol;

/*
 * Returns a list of the key's expressions, or NULL. `fixed_cpu`: the handler does not
 * change the processor. The functions that the handler calls must not use the array.
 */
struct node *elementkeys_find(struct session *s, const struct handler *h,
			      const struct symbol *array, bool fixed_cpu);

#endif
