/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations on trees: walk, clone, and print as script text. */
#ifndef STAP_AST_H
#define STAP_AST_H

#include "ast/node.h"
#include "lib/strbuf.h"

/*
 * Visits n and everything below it (not its siblings). pre is called before the children,
 * post after; either may be NULL. A negative result stops the walk and is returned; a
 * positive one from pre skips the children. A callback may overwrite *n in place. Returns
 * 0 at the end.
 */
int ast_walk(struct node *n, int (*pre)(struct node *n, void *ctx),
	     int (*post)(struct node *n, void *ctx), void *ctx);

struct program;
/* Visits the bodies of all handlers and functions in this way. */
void ast_walk_bodies(const struct program *p, int (*pre)(struct node *n, void *ctx),
		     int (*post)(struct node *n, void *ctx), void *ctx);

/* Returns a deep copy; symbol, function and access pointers are shared. */
struct node *ast_clone(struct arena *a, const struct node *n);
/* Returns a copy of a point whose components can be changed. */
struct point *ast_copy_point(struct arena *a, const struct point *p);

/* Returns the script text of an expression, on one line, for messages. */
const char *unparse_node(struct arena *a, const struct node *n);
/* Returns a probe point as text: kernel.function("vfs_read").return ? */
const char *unparse_point(struct arena *a, const struct point *p);
/* Returns several points as text, with `between` between them. */
const char *unparse_points(struct arena *a, struct point *const *points, size_t count,
			   const char *between);
/*
 * Returns a point without its suffixes ('?', '!', a condition), or the name of an alias,
 * as text: vfs.read
 */
const char *unparse_components(struct arena *a, const component_list *list);
/* Prints the whole file back as script text that parses to the same tree (-p1). */
void ast_print_unit(struct strbuf *out, const struct unit *u);
void ast_print_statement(struct strbuf *out, const struct node *n, unsigned depth);

#endif
