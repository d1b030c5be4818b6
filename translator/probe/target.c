/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Target variables of one concrete point. In this order:
 *
 *   1 bind     every TARGET gets its access, or the message that says why not; $$parms and its like become
 * sprintf() calls 2 fold     @defined becomes 0 or 1, and branches that can then never run go away 3 report
 * what is still unresolved 4 save     in return probes, @entry(…) and parameters become slots that are filled
 * at entry
 */
#include <string.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/hashmap.h"
#include "base/session.h"
#include "base/strbuf.h"
#include "lang/lang.h"
#include "options.h"
#include "probe/cast.h"
#include "probe/function.h"
#include "probe/probe.h"
#include "probe/tracepoint.h"

struct binding {
	struct session *s;
	struct derived *d;
	struct hashmap
		variables; /* name -> struct access: what a variable of the script was last seen to hold */
	bool found;
};

/* n becomes `with` in the list where it stands. */
static void replace(struct node *n, const struct node *with)
{
	struct node *next = n->next;
	struct loc loc = n->loc;

	*n = *with;
	n->next = next;
	n->loc = loc;
}

/* ---- 1: binding ---- */

static void bind_variable(struct binding *b, struct node *n)
{
	if (b->d->family->target)
		b->d->family->target(b->s, b->d, n);
	else
		n->unresolved = arena_printf(b->s->arena, "'%s': '%s' has no target variables", n->target_name,
					     b->d->pp);
	if (!n->access)
		n->access = arena_new(b->s->arena, struct access);
}

static struct node *variable_node(struct binding *b, const char *name, struct loc loc)
{
	struct node *n = node_new(b->s->arena, NODE_TARGET, loc);

	n->target = TARGET_VAR;
	n->target_name = name;
	bind_variable(b, n);
	return n;
}

/* sprintf("a=%#x b=%#x", $a, $b), of the variables that can be read; `wanted` is NULL for all parameters. */
static void expand_list(struct binding *b, struct node *n, const char *wanted)
{
	struct node *print = node_new(b->s->arena, NODE_PRINT, n->loc);
	target_variables list = { 0 };
	struct strbuf format;

	strbuf_init(&format, b->s->arena);
	if (b->d->family->vars)
		b->d->family->vars(b->s, b->d, &list);
	vec_each(&list, i)
	{
		const char *name = list.data[i].name;

		if (wanted ? strcmp(name, wanted) : !strcmp(name, "$return"))
			continue;

		struct node *value = variable_node(b, name, n->loc);

		strbuf_addf(&format, "%s%s=%s", format.len ? " " : "", name + 1,
			    value->unresolved ? "?" : "%#x");
		if (!value->unresolved)
			print->list = node_append(print->list, value);
	}
	print->to_string = true;
	print->with_format = true;
	print->format = format.s;
	print->format_len = format.len;
	replace(n, print);
}

static void expand_string(struct binding *b, struct node *n, const char *text)
{
	struct node *string = node_new(b->s->arena, NODE_STRING, n->loc);

	string->string = text;
	string->string_len = strlen(text);
	replace(n, string);
}

/* $$parms $$vars $$locals $$return; $$name and $$system of tracepoints. */
static void bind_summary(struct binding *b, struct node *n)
{
	const char *name = n->target_name + 2;

	if (n->path.count)
		n->unresolved = arena_printf(
			b->s->arena,
			"'%s' is a string: it has no members, and pretty-printing ('$' at its end) "
			"is not supported",
			n->target_name);
	else if (!b->d->family->vars)
		n->unresolved = arena_printf(b->s->arena, "'%s': '%s' has no target variables", n->target_name,
					     b->d->pp);
	else if (!strcmp(name, "parms") || !strcmp(name, "vars"))
		expand_list(b, n, NULL);
	else if (!strcmp(name, "return"))
		expand_list(b, n, "$return");
	else if (!strcmp(name, "locals"))
		n->unresolved = "'$$locals': local variables need debuginfo, which is not read; '$$parms' "
				"has the parameters";
	else if (!strcmp(name, "name") && tracepoint_name(b->d))
		expand_string(b, n, tracepoint_name(b->d));
	else if (!strcmp(name, "system") && tracepoint_system(b->d))
		expand_string(b, n, tracepoint_system(b->d));
	else if (!strcmp(name, "system") && tracepoint_name(b->d))
		n->unresolved =
			"'$$system' is known only where the probe names it: kernel.trace(\"sched:…\")";
	else
		n->unresolved = arena_printf(
			b->s->arena,
			"unknown '%s'; there are $$parms, $$vars, $$return, and for tracepoints $$name",
			n->target_name);
}

/* What an expression holds, as far as the text before it tells: p in "p = $file; … p->f_path". */
static const struct access *known_access(struct binding *b, const struct node *n)
{
	if (n->kind == NODE_TARGET)
		return n->unresolved ? NULL : n->access;
	return n->kind == NODE_NAME ? hashmap_get(&b->variables, n->name) : NULL;
}

static int bind_node(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind == NODE_ASSIGN && n->op == OP_NONE && n->lhs->kind == NODE_NAME)
		hashmap_put(&b->variables, n->lhs->name, (void *)known_access(b, n->rhs));
	if (n->kind != NODE_TARGET || n->access || n->unresolved)
		return 0;
	switch (n->target) {
	case TARGET_VAR:
		if (!strncmp(n->target_name, "$$", 2))
			bind_summary(b, n);
		else
			bind_variable(b, n);
		break;
	case TARGET_CAST:
		cast_bind(b->s, n);
		break;
	case TARGET_ATVAR:
		atvar_bind(b->s, n);
		break;
	case TARGET_AUTO:
		auto_bind(b->s, n, known_access(b, n->operand));
		break;
	}
	return 0;
}

/* ---- 2: @defined ---- */

static int find_unresolved(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind == NODE_TARGET && n->unresolved)
		b->found = true;
	return 0;
}

static int fold_defined(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind != NODE_DEFINED)
		return 0;

	struct node *number = node_new(b->s->arena, NODE_NUMBER, n->loc);

	b->found = false;
	ast_walk(n->operand, find_unresolved, NULL, b);
	number->number = !b->found;
	replace(n, number);
	return 0;
}

/* ---- 3: reports ---- */

static int report(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind != NODE_TARGET || !n->unresolved)
		return 0;
	if (b->s->options->skip_badvars) {
		diag_warning(b->s, n->loc, "%s; it is taken as 0", n->unresolved);
		*n = (struct node){ .kind = NODE_NUMBER, .type = TYPE_LONG, .loc = n->loc, .next = n->next };
		return 1;
	}
	if (!b->d || !function_is_twin(b->d)) {
		diag_error(b->s, n->loc, "%s", n->unresolved);
		diag_page(b->s, PAGE_CONTEXTVARS);
	}
	n->type = TYPE_ERROR;
	return 1;
}

/* ---- 4: values saved at entry ---- */

/* The slot of the expression; a variable that is used twice is saved once. */
static unsigned save(struct binding *b, struct node *value)
{
	struct handler *h = b->d->handler;
	const char *text = node_str(b->s->arena, value);

	vec_each(&h->saved, i) if (value->kind == NODE_TARGET && !value->list &&
				   !strcmp(node_str(b->s->arena, h->saved.data[i]), text)) return i;
	vec_push(b->s->arena, &h->saved, value);
	return h->saved.count - 1;
}

static bool is_entry_value(const struct node *n)
{
	return n->kind == NODE_TARGET && n->target == TARGET_VAR && n->access &&
	       (n->access->base == ACCESS_ARG || n->access->base == ACCESS_SYSCALL_ARG);
}

static int find_return(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind == NODE_TARGET && n->access && n->access->base == ACCESS_RETURN)
		b->found = true;
	return 0;
}

static int save_node(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind == NODE_ENTRY) {
		if (!n->operand)
			return 1;
		b->found = false;
		ast_walk(n->operand, find_return, NULL, b);
		if (!probe_is_return(b->d))
			diag_error(b->s, n->loc, "@entry is for return probes: function(\"…\").return");
		else if (b->found)
			diag_error(b->s, n->loc, "@entry: '$return' is not known at entry");
		n->slot = save(b, n->operand);
		n->operand = NULL;
		return 1;
	}
	if (!probe_is_return(b->d) || !is_entry_value(n))
		return 0;

	struct node *entry = node_new(b->s->arena, NODE_ENTRY, n->loc);
	struct node *value = node_new(b->s->arena, NODE_TARGET, n->loc);

	*value = *n;
	value->next = NULL;
	entry->slot = save(b, value);
	entry->type = n->type;
	replace(n, entry);
	return 1;
}

static void walk(struct node *body, int (*pre)(struct node *n, void *ctx),
		 int (*post)(struct node *n, void *ctx), struct binding *b)
{
	if (body)
		ast_walk(body, pre, post, b);
}

void probe_bind_targets(struct session *s, struct derived *d, struct node *body)
{
	struct binding b = { .s = s, .d = d };

	hashmap_init(&b.variables, s->arena);
	walk(body, NULL, bind_node, &b);
	walk(body, NULL, fold_defined, &b);
	lang_fold(s, body);
	walk(body, report, NULL, &b);
	walk(body, save_node, NULL, &b);
}

/* ---- without a probe ---- */

static int bind_cast(struct node *n, void *ctx)
{
	struct binding *b = ctx;

	if (n->kind == NODE_TARGET && n->target == TARGET_VAR)
		return 0;
	return bind_node(n, b);
}

void probe_bind_casts(struct session *s, struct node *body)
{
	struct binding b = { .s = s };

	if (!probe_has_targets(body))
		return;
	hashmap_init(&b.variables, s->arena);
	walk(body, NULL, bind_cast, &b);
	walk(body, NULL, fold_defined, &b);
	lang_fold(s, body);
	walk(body, report, NULL, &b);
}

static int find_targets(struct node *n, void *ctx)
{
	return n->kind == NODE_DEFINED || n->kind == NODE_ENTRY || n->kind == NODE_TARGET ? -1 : 0;
}

bool probe_has_targets(const struct node *body)
{
	return body && ast_walk((struct node *)body, find_targets, NULL, NULL) < 0;
}
