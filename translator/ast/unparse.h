/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Printing of trees: what the constructs' print callbacks have in common. */
#ifndef STAP_AST_UNPARSE_H
#define STAP_AST_UNPARSE_H

#include <stdbool.h>

#include "ast/node.h"
#include "lib/strbuf.h"

/* Prints an expression; is_inner: as an operand, in parentheses if it needs them. */
void unparse_expr(struct strbuf *out, const struct node *n, bool is_inner);
/* Prints the expressions of a list, with commas between them. */
void unparse_list(struct strbuf *out, const struct node *list);
/* Prints `before`, and the expression unless it is NULL. */
void unparse_after(struct strbuf *out, const char *before, const struct node *n);
/* Prints the end of a line and the statement that belongs to the one before it. */
void unparse_body(struct strbuf *out, const struct node *n, unsigned depth);
void unparse_indent(struct strbuf *out, unsigned depth);

#endif
