/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions shared by the print callbacks of all constructs. */
#ifndef STAP_AST_UNPARSE_H
#define STAP_AST_UNPARSE_H

#include <stdbool.h>

#include "ast/node.h"
#include "lib/strbuf.h"

/* Prints an expression; is_inner: as an operand, in parentheses if it needs them. */
void unparse_expr(struct strbuf *out, const struct node *n, bool is_inner);
/* Prints the expressions of a list, separated by commas. */
void unparse_list(struct strbuf *out, const struct node *list);
/* Prints `before`, and the expression unless it is NULL. */
void unparse_after(struct strbuf *out, const char *before, const struct node *n);
/* Prints a newline and the statement that is the body of the one before it. */
void unparse_body(struct strbuf *out, const struct node *n, unsigned depth);
void unparse_indent(struct strbuf *out, unsigned depth);

#endif
