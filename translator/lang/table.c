/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One row of ops for each kind of node. A kind of
 * ast/kinds.def without a row in LANG_ROWS does not compile.
 */
#include "lang/ops.h"

const struct node_ops *const node_ops[NODE_KIND_COUNT] = {
#define ROW(kind, name) [NODE_##kind] = &lang_##name##_ops,
	LANG_ROWS(ROW)
#undef ROW
};

enum row {
#define ROW(kind, name) ROW_##kind,
	LANG_ROWS(ROW)
#undef ROW
		ROW_COUNT
};
/*
 * Checks that both lists have the same kinds in the same order: a missing row is an
 * undeclared ROW_…, a superfluous one breaks the count.
 */
#define NODE(kind, name, times) _Static_assert((int)ROW_##kind >= 0, "every kind has a row");
#include "ast/kinds.def"
#undef NODE
_Static_assert((int)ROW_COUNT == (int)NODE_KIND_COUNT, "no row without a kind");
