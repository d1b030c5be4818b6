/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of a function beside the one that BTF has by its name: inlined into callers,
 * made by the compiler for some of them ("f.isra.0", "f.constprop.0"), or of the same
 * name in another source file.
 */
#ifndef STAP_PROBE_COPIES_H
#define STAP_PROBE_COPIES_H

#include "probe/function/function.h"

/*
 * Appends the copies that BTF's points, ret->data[before] and on, do not stand for: with
 * debuginfo all, without those that have a symbol of their own. Returns true where
 * inlined copies were looked for.
 */
bool copies_add(struct session *s, const struct point *p, const char *module,
		const char *pattern, const struct function_point *template, size_t before,
		derived_list *ret);

/*
 * Appends all copies of a function that BTF lacks. Returns false where there are none or
 * nothing can know; and where those that are known have no variables, which the script
 * wants, and a successor of the function may have them.
 */
bool copies_only(struct session *s, const struct point *p, const char *module,
		 const char *pattern, const struct function_point *template, derived_list *ret);

/* Appends the copies that symbols tell of. */
bool copies_clones(struct session *s, const struct point *p, const char *module,
		   const char *name, const struct function_point *template,
		   derived_list *ret);

#endif
