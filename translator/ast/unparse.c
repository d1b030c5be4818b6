/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trees back to script text that parses to the same tree. Each group of kinds has one
 * function; binary operators always get parentheses inside another expression.
 */
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/arena.h"

static void print_expr(struct strbuf *out, const struct node *n, bool inner);

static void print_items(struct strbuf *out, const struct node *list, bool inner)
{
	for (const struct node *i = list; i; i = i->next) {
		if (i != list)
			strbuf_adds(out, ", ");
		print_expr(out, i, inner);
	}
}

static void print_list(struct strbuf *out, const struct node *list)
{
	print_items(out, list, false);
}

static void print_steps(struct strbuf *out, const struct node *n)
{
	const struct node *index = n->list;

	vec_each(&n->path, i) {
		const struct path_step *step = &n->path.data[i];

		switch (step->kind) {
		case STEP_MEMBER:
			strbuf_addf(out, "->%s", step->member);
			break;
		case STEP_INDEX:
			strbuf_addc(out, '[');
			print_expr(out, index ? index : step->index, false);
			strbuf_addc(out, ']');
			index = index ? index->next : NULL;
			break;
		case STEP_PRETTY:
			strbuf_adds(out, step->depth == 1 ? "$" : "$$");
			break;
		}
	}
}

/* Prints the expression that a path starts from: `&` binds less than `->`. */
static void print_base(struct strbuf *out, const struct node *n)
{
	bool parens =
		(n->kind == NODE_TARGET && n->address_of) || (n->kind == NODE_NAME && n->in_parens);

	strbuf_adds(out, parens ? "(" : "");
	print_expr(out, n, true);
	strbuf_adds(out, parens ? ")" : "");
}

static void print_target(struct strbuf *out, const struct node *n)
{
	if (n->address_of)
		strbuf_addc(out, '&');
	switch (n->target) {
	case TARGET_VAR:
		strbuf_adds(out, n->target_name);
		break;
	case TARGET_CAST:
		strbuf_adds(out, "@cast(");
		print_expr(out, n->operand, false);
		strbuf_adds(out, ", ");
		strbuf_addquoted(out, n->cast_type, strlen(n->cast_type));
		break;
	case TARGET_ATVAR:
		strbuf_adds(out, "@var(");
		strbuf_addquoted(out, n->target_name, strlen(n->target_name));
		break;
	case TARGET_AUTO:
		print_base(out, n->operand);
		break;
	}
	if (n->target == TARGET_CAST || n->target == TARGET_ATVAR) {
		if (n->module) {
			strbuf_adds(out, ", ");
			strbuf_addquoted(out, n->module, strlen(n->module));
		}
		strbuf_addc(out, ')');
	}
	print_steps(out, n);
}

static void print_print(struct strbuf *out, const struct node *n)
{
	strbuf_addf(out, "%sprint%s%s(", n->to_string ? "s" : "",
		    n->with_format	? "f"
		    : n->with_delimiter ? "d"
					: "",
		    n->with_newline ? "ln" : "");
	if (n->with_format || n->with_delimiter) {
		strbuf_addquoted(out, n->format, n->format_len);
		if (n->list)
			strbuf_adds(out, ", ");
	}
	print_list(out, n->list);
	strbuf_addc(out, ')');
}

static void print_hist(struct strbuf *out, const struct node *n)
{
	strbuf_adds(out, n->hist_kind == HIST_LOG ? "@hist_log(" : "@hist_linear(");
	print_expr(out, n->operand, false);
	if (n->hist_kind == HIST_LINEAR)
		strbuf_addf(out, ", %lld, %lld, %lld", (long long)n->hist_low,
			    (long long)n->hist_high, (long long)n->hist_width);
	strbuf_addc(out, ')');
}

/* Prints expressions made of operators; they get parentheses inside another one. */
static bool print_operation(struct strbuf *out, const struct node *n)
{
	switch (n->kind) {
	case NODE_UNARY:
		strbuf_adds(out, op_texts[n->op]);
		print_expr(out, n->operand, true);
		return true;
	case NODE_BINARY:
	case NODE_LOGICAL:
	case NODE_ASSIGN:
		print_expr(out, n->lhs, true);
		if (n->kind == NODE_ASSIGN && n->op != OP_STAT)
			strbuf_addf(out, " %s= ", op_texts[n->op]);
		else
			strbuf_addf(out, " %s ", op_texts[n->op]);
		print_expr(out, n->rhs, true);
		return true;
	case NODE_TERNARY:
		print_expr(out, n->cond, true);
		strbuf_adds(out, " ? ");
		print_expr(out, n->then, true);
		strbuf_adds(out, " : ");
		print_expr(out, n->els, true);
		return true;
	case NODE_CONCAT:
		for (const struct node *i = n->list; i; i = i->next) {
			print_expr(out, i, true);
			if (i->next)
				strbuf_adds(out, " . ");
		}
		return true;
	case NODE_INCDEC:
		if (n->prefix)
			strbuf_adds(out, op_texts[n->op]);
		print_expr(out, n->operand, true);
		if (!n->prefix)
			strbuf_adds(out, op_texts[n->op]);
		return true;
	case NODE_IN:
		if (node_count(n->list) == 1 && n->list->kind != NODE_STAR) {
			print_expr(out, n->list, true);
		} else {
			strbuf_addc(out, '[');
			print_items(out, n->list, true);
			strbuf_addc(out, ']');
		}
		strbuf_adds(out, " in ");
		print_expr(out, n->rhs, true);
		return true;
	case NODE_REGEX:
		print_expr(out, n->lhs, true);
		strbuf_addf(out, " %s ", op_texts[n->op]);
		strbuf_addquoted(out, n->pattern, n->pattern_len);
		return true;
	default:
		return false;
	}
}

static void print_primary(struct strbuf *out, const struct node *n)
{
	switch (n->kind) {
	case NODE_NUMBER:
		if (n->number < 0)
			strbuf_addf(out, "%llu", (unsigned long long)n->number);
		else
			strbuf_addf(out, "%lld", (long long)n->number);
		break;
	case NODE_STRING:
		strbuf_addquoted(out, n->string, n->string_len);
		break;
	case NODE_NAME:
		strbuf_adds(out, n->name);
		break;
	case NODE_INDEX:
		print_expr(out, n->base, false);
		strbuf_addc(out, '[');
		print_list(out, n->list);
		strbuf_addc(out, ']');
		break;
	case NODE_STAR:
		strbuf_addc(out, '*');
		break;
	case NODE_CALL:
		strbuf_addf(out, "%s(", n->name);
		print_list(out, n->list);
		strbuf_addc(out, ')');
		break;
	case NODE_TARGET:
		print_target(out, n);
		break;
	case NODE_DEFINED:
	case NODE_ENTRY:
		strbuf_adds(out, n->kind == NODE_DEFINED ? "@defined(" : "@entry(");
		if (n->operand)
			print_expr(out, n->operand, false);
		else if (n->kind == NODE_ENTRY)
			print_expr(out, n->entry_of->saved.data[n->slot], false);
		strbuf_addc(out, ')');
		break;
	case NODE_STATOP:
		strbuf_addf(out, "@%s(", stat_op_names[n->stat]);
		print_expr(out, n->operand, false);
		if (n->stat_param)
			strbuf_addf(out, ", %lld", (long long)n->stat_param);
		strbuf_addc(out, ')');
		break;
	case NODE_HISTOP:
		print_hist(out, n);
		break;
	case NODE_HISTINDEX:
		print_hist(out, n->hist);
		strbuf_addc(out, '[');
		print_expr(out, n->bucket, false);
		strbuf_addc(out, ']');
		break;
	case NODE_ATOP:
		strbuf_addf(out, "@%s(", n->atop);
		print_list(out, n->list);
		strbuf_addc(out, ')');
		break;
	case NODE_PRINT:
		print_print(out, n);
		break;
	case NODE_EMBED:
		strbuf_adds(out, "%{");
		strbuf_add(out, n->string, n->string_len);
		strbuf_adds(out, "%}");
		break;
	default:
		strbuf_addf(out, "<%s>", node_kind_name(n->kind));
	}
}

static bool is_operation(const struct node *n)
{
	switch (n->kind) {
	case NODE_UNARY: case NODE_BINARY: case NODE_LOGICAL: case NODE_ASSIGN: case NODE_TERNARY:
	case NODE_CONCAT: case NODE_INCDEC: case NODE_IN: case NODE_REGEX:
		return true;
	default:
		return false;
	}
}

static void print_expr(struct strbuf *out, const struct node *n, bool inner)
{
	bool parens = inner && is_operation(n);

	if (parens)
		strbuf_addc(out, '(');
	if (!print_operation(out, n))
		print_primary(out, n);
	if (parens)
		strbuf_addc(out, ')');
}

/* ---- statements ---- */

static void indent(struct strbuf *out, unsigned depth)
{
	while (depth--)
		strbuf_adds(out, "  ");
}

static void print_body(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_addc(out, '\n');
	ast_print_statement(out, n, n->kind == NODE_BLOCK ? depth : depth + 1);
}

static const char *direction(int d)
{
	return d > 0 ? "+" : d < 0 ? "-" : "";
}

static void print_foreach(struct strbuf *out, const struct node *n, unsigned depth)
{
	bool many = node_count(n->keys) > 1;
	int column = 1;

	strbuf_adds(out, "foreach (");
	if (n->value) {
		print_expr(out, n->value, false);
		strbuf_adds(out, " = ");
	}
	strbuf_adds(out, many ? "[" : "");
	for (const struct node *k = n->keys; k; k = k->next, column++) {
		print_expr(out, k, false);
		strbuf_addf(out, "%s%s",
			    n->sort_column == column ? direction(n->sort_direction) : "",
			    k->next ? ", " : "");
	}
	strbuf_adds(out, many ? "] in " : " in ");
	print_expr(out, n->array, false);
	if (n->slice) {
		strbuf_addc(out, '[');
		print_list(out, n->list);
		strbuf_addc(out, ']');
	}
	if (n->sort_column == -1)
		strbuf_addf(out, "%s%s%s", n->sort_stat ? " @" : "",
			    n->sort_stat ? stat_op_names[n->sort_stat] : "",
			    direction(n->sort_direction));
	if (n->limit) {
		strbuf_adds(out, " limit ");
		print_expr(out, n->limit, false);
	}
	strbuf_addc(out, ')');
	print_body(out, n->each_body, depth);
}

static void print_optional(struct strbuf *out, const char *before, const struct node *n)
{
	strbuf_adds(out, before);
	if (n)
		print_expr(out, n, false);
}

static void print_loop(struct strbuf *out, const struct node *n, unsigned depth)
{
	if (n->kind == NODE_WHILE) {
		print_optional(out, "while (", n->test);
	} else {
		print_optional(out, "for (", n->init);
		print_optional(out, "; ", n->test);
		print_optional(out, "; ", n->step);
	}
	strbuf_addc(out, ')');
	print_body(out, n->body, depth);
}

static void print_if(struct strbuf *out, const struct node *n, unsigned depth)
{
	print_optional(out, "if (", n->cond);
	strbuf_addc(out, ')');
	print_body(out, n->then, depth);
	if (n->els) {
		indent(out, depth);
		strbuf_adds(out, "else");
		print_body(out, n->els, depth);
	}
}

void ast_print_statement(struct strbuf *out, const struct node *n, unsigned depth)
{
	indent(out, depth);
	switch (n->kind) {
	case NODE_BLOCK:
		strbuf_adds(out, "{\n");
		for (const struct node *i = n->list; i; i = i->next)
			ast_print_statement(out, i, depth + 1);
		indent(out, depth);
		strbuf_adds(out, "}\n");
		return;
	case NODE_IF:
		print_if(out, n, depth);
		return;
	case NODE_WHILE:
	case NODE_FOR:
		print_loop(out, n, depth);
		return;
	case NODE_FOREACH:
		print_foreach(out, n, depth);
		return;
	case NODE_TRY:
		strbuf_adds(out, "try\n");
		ast_print_statement(out, n->block, depth);
		indent(out, depth);
		strbuf_adds(out, "catch");
		if (n->catch_var)
			strbuf_addf(out, " (%s)", n->catch_var->name);
		strbuf_addc(out, '\n');
		ast_print_statement(out, n->catch_block, depth);
		return;
	case NODE_RETURN:
		print_optional(out, n->operand ? "return " : "return", n->operand);
		break;
	case NODE_DELETE:
		print_optional(out, "delete ", n->operand);
		break;
	case NODE_BREAK:
	case NODE_CONTINUE:
	case NODE_NEXT:
		strbuf_adds(out, node_kind_name(n->kind));
		break;
	case NODE_EXPR:
		print_expr(out, n->operand, false);
		break;
	default:
		break;
	}
	strbuf_adds(out, ";\n");
}

const char *unparse_node(struct arena *a, const struct node *n)
{
	struct strbuf out;

	strbuf_init(&out, a);
	print_expr(&out, n, false);
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
		print_expr(out, p->condition, false);
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
			print_expr(out, sym->init, false);
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
		print_primary(out, u->embeds.data[i]);
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
