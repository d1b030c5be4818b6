/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts trees back to script text, which parses to the same tree. Operators always get
 * parentheses inside another expression.
 */
#include "ast/unparse.h"

#include <string.h>

#include "ast/ast.h"
#include "ast/ops.h"
#include "ast/program.h"
#include "lib/arena.h"

/* ---- expressions and statements: by their ops ---- */

void unparse_expr(struct strbuf *out, const struct node *n, bool is_inner)
{
	bool parens = is_inner && node_ops[n->kind]->is_operation;

	if (parens)
		strbuf_addc(out, '(');
	node_ops[n->kind]->print(out, n, 0);
	if (parens)
		strbuf_addc(out, ')');
}

void unparse_list(struct strbuf *out, const struct node *list)
{
	for (const struct node *i = list; i; i = i->next) {
		if (i != list)
			strbuf_adds(out, ", ");
		unparse_expr(out, i, false);
	}
}

void unparse_after(struct strbuf *out, const char *before, const struct node *n)
{
	strbuf_adds(out, before);
	if (n)
		unparse_expr(out, n, false);
}

void unparse_indent(struct strbuf *out, unsigned depth)
{
	while (depth--)
		strbuf_adds(out, "  ");
}

void unparse_body(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_addc(out, '\n');
	ast_print_statement(out, n, n->kind == NODE_BLOCK ? depth : depth + 1);
}

void ast_print_statement(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_indent(out, depth);
	node_ops[n->kind]->print(out, n, depth);
}

const char *unparse_node(struct arena *a, const struct node *n)
{
	struct strbuf out;

	strbuf_init(&out, a);
	unparse_expr(&out, n, false);
	return out.s;
}

/* ---- declarations ---- */

static void print_components(struct strbuf *out, const struct component *c, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		strbuf_addf(out, "%s%s", i ? "." : "", c[i].name);
		if (c[i].arg_kind == ARG_STRING) {
			strbuf_addc(out, '(');
			strbuf_addquoted(out, c[i].string, strlen(c[i].string));
			strbuf_addc(out, ')');
		} else if (c[i].arg_kind == ARG_NUMBER) {
			strbuf_addf(out, "(%lld)", (long long)c[i].number);
		}
	}
}

static void print_point(struct strbuf *out, const struct point *p)
{
	print_components(out, p->components.data, p->components.count);
	strbuf_adds(out, p->optional ? "?" : p->sufficient ? "!" : "");
	if (p->condition) {
		strbuf_adds(out, " if (");
		unparse_expr(out, p->condition, false);
		strbuf_addc(out, ')');
	}
}

const char *unparse_point(struct arena *a, const struct point *p)
{
	struct strbuf out;

	strbuf_init(&out, a);
	print_point(&out, p);
	return out.s;
}

const char *unparse_components(struct arena *a, const component_list *list)
{
	const struct point bare = { .components = *list };

	return unparse_point(a, &bare);
}

const char *unparse_points(struct arena *a, struct point *const *points, size_t count,
			   const char *between)
{
	struct strbuf out;

	strbuf_init(&out, a);
	for (size_t i = 0; i < count; i++) {
		strbuf_adds(&out, i ? between : "");
		print_point(&out, points[i]);
	}
	return out.s;
}

static const char *type_suffix(enum type t)
{
	return t == TYPE_LONG ? ":long" : t == TYPE_STRING ? ":string" : "";
}

static void print_global(struct strbuf *out, const struct symbol *sym)
{
	strbuf_addf(out, "%sglobal %s%s", sym->is_private ? "private " : "", sym->name,
		    sym->init ? "" : type_suffix(sym->type));
	if (sym->wrap)
		strbuf_addc(out, '%');
	if (sym->max_entries)
		strbuf_addf(out, "[%lld]", (long long)sym->max_entries);
	if (sym->init) {
		strbuf_adds(out, " = ");
		if (sym->init->kind == NODE_NUMBER)
			strbuf_addf(out, "%lld", (long long)sym->init->number);
		else
			unparse_expr(out, sym->init, false);
	}
	strbuf_addc(out, '\n');
}

static void print_function(struct strbuf *out, const struct function *f)
{
	strbuf_addf(out, "%sfunction %s%s(", f->is_private ? "private " : "", f->name,
		    type_suffix(f->type));
	vec_each(&f->params, i)
		strbuf_addf(out, "%s%s%s", i ? ", " : "", f->params.data[i]->name,
			    type_suffix(f->params.data[i]->type));
	strbuf_addc(out, ')');
	if (f->priority)
		strbuf_addf(out, ":%lld", (long long)f->priority);
	if (f->body) {
		strbuf_addc(out, '\n');
		ast_print_statement(out, f->body, 0);
	} else {
		strbuf_adds(out, "\n%{");
		strbuf_add(out, f->code, f->code_len);
		strbuf_adds(out, "%}\n");
	}
}

static void print_points(struct strbuf *out, struct point *const *points, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			strbuf_adds(out, ",\n      ");
		print_point(out, points[i]);
	}
	strbuf_addc(out, '\n');
}

static void print_alias(struct strbuf *out, const struct alias *a)
{
	strbuf_adds(out, "probe ");
	print_components(out, a->name.data, a->name.count);
	strbuf_adds(out, a->prologue ? " = " : " += ");
	print_points(out, a->points.data, a->points.count);
	if (a->prologue)
		ast_print_statement(out, a->prologue, 0);
	if (a->prologue && a->epilogue)
		strbuf_adds(out, ",\n");
	if (a->epilogue)
		ast_print_statement(out, a->epilogue, 0);
}

void ast_print_unit(struct strbuf *out, const struct unit *u)
{
	vec_each(&u->embeds, i) {
		unparse_expr(out, u->embeds.data[i], false);
		strbuf_addc(out, '\n');
	}
	vec_each(&u->globals, i)
		print_global(out, u->globals.data[i]);
	vec_each(&u->functions, i)
		print_function(out, u->functions.data[i]);
	vec_each(&u->aliases, i)
		print_alias(out, u->aliases.data[i]);
	vec_each(&u->probes, i) {
		strbuf_adds(out, "probe ");
		print_points(out, u->probes.data[i]->points.data, u->probes.data[i]->points.count);
		ast_print_statement(out, u->probes.data[i]->body, 0);
	}
}
