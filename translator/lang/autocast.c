/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of pointers, through variables of the script:
 *
 *   f = $file                          f points to the type that $file points to
 *   function dir(f) { return f->f_path->dentry }
 *   println(dir(f)->d_inode->i_ino)    parameters and results of functions do the same
 *
 * Locals, parameters and results keep one type each; numbers without a known target do
 * not affect it. Globals and arrays keep none: where they are read, it is unknown who has
 * stored into them.
 */
#include <string.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "base/session.h"
#include "lang/ops.h"
#include "lib/arena.h"
#include "target/cast.h"

static bool same_pointee(const struct access *a, const struct access *b)
{
	return a->user == b->user && a->is_address == b->is_address &&
	       !strcmp(a->c_type, b->c_type);
}

static bool is_pointer(const struct access *a)
{
	size_t len = a->c_type ? strlen(a->c_type) : 0;

	return a->btf && !a->pretty && (a->is_address || (len && a->c_type[len - 1] == '*'));
}

static const struct access *target_pointee(const struct node *n)
{
	return n->access && !n->unresolved && is_pointer(n->access) ? n->access : NULL;
}

static const struct access *either(const struct access *a, const struct access *b)
{
	if (!a || !b)
		return a ? a : b;
	return same_pointee(a, b) ? a : NULL;
}

/* Returns the variable or function that n reads its value from. */
static const struct pointee *pointee_place(const struct node *n)
{
	if (n->kind == NODE_NAME && n->symbol && n->symbol->kind != SYMBOL_GLOBAL)
		return &n->symbol->pointee;
	return n->kind == NODE_CALL && n->function && overload_candidate(n, 0)
		       ? &overload_candidate(n, 0)->pointee
		       : NULL;
}

/*
 * Returns the type that the value of n points to; NULL: it is not known, or n is not a
 * place that keeps types.
 */
static const struct access *pointee_of(const struct node *n)
{
	const struct pointee *p = pointee_place(n);

	if (p)
		return p->other ? NULL : p->access;
	switch (n->kind) {
	case NODE_TARGET:
		return target_pointee(n);
	case NODE_ENTRY:
		return n->operand ? NULL : pointee_of(n->entry_of->saved.data[n->slot]);
	case NODE_ASSIGN:
		return n->op == OP_NONE ? pointee_of(n->rhs) : NULL;
	case NODE_TERNARY:
		return either(pointee_of(n->then), pointee_of(n->els));
	default:
		return NULL;
	}
}

void autocast_note(struct infer *in, struct pointee *p, const struct node *n)
{
	const struct access *a = pointee_of(n);

	if (in->silent)
		return;
	p->mistaken |= n->type == TYPE_ERROR;
	if (!a)
		return;
	if (!p->access) {
		p->access = a;
		p->loc = n->loc;
		in->changed = true;
	} else if (!p->other && !same_pointee(p->access, a)) {
		p->other = a;
		p->other_loc = n->loc;
		in->changed = true;
	}
}

/* ---- results of embedded C: pragma:points_to:task_struct, …:nfs_server@nfs ---- */

void autocast_result(struct infer *in, struct function *f)
{
	static const char word[] = "pragma:points_to:";
	const char *at = strstr(f->code, word);
	struct arena *a = in->s->arena;
	struct node *cast;
	size_t len;

	if (!at || f->pointee.access)
		return;
	at += strlen(word);
	len = strcspn(at, "@ *");
	cast = node_new(a, NODE_TARGET, f->loc);
	cast->target = TARGET_CAST;
	cast->cast_type = arena_strndup(a, at, len);
	cast->module = at[len] == '@' ? arena_strndup(a, at + len + 1, strcspn(at + len + 1, " *"))
				      : "kernel";
	cast->operand = node_new(a, NODE_NUMBER, f->loc);
	cast->address_of = true;
	cast_bind(in->s, cast, NULL);
	f->pointee.access = target_pointee(cast);
	in->changed |= f->pointee.access != NULL;
}

/* ---- value->member ---- */

static const char *why_unknown(const struct node *n)
{
	if (n->kind == NODE_INDEX)
		return ": elements of arrays keep no type";
	if (n->kind == NODE_NAME && n->symbol && n->symbol->kind == SYMBOL_GLOBAL)
		return ": global variables keep no type";
	return "";
}

/* Returns why n->operand has no known type. */
static const char *unknown_pointee(struct infer *in, const struct node *target)
{
	const struct node *n = target->operand;
	const struct pointee *p = pointee_place(n);
	const struct path_step *step = &target->path.data[0];
	const char *text = unparse_node(in->s->arena, n);

	if (!strcmp(text, "args")) /* bpftrace has args.x */
		return arena_printf(in->s->arena,
				    "there is no 'args' here: a probe's arguments are target "
				    "variables, such as $%s; stap -L POINT lists them",
				    step->kind == STEP_MEMBER ? step->member : "name");
	if (p && p->other)
		return arena_printf(in->s->arena,
				    "'%s' points to '%s' (%s) and to '%s' (%s); choose one "
				    "with @cast(%s, \"...\")->...",
				    text, p->access->c_type, source_loc_str(in->s->arena, p->loc),
				    p->other->c_type, source_loc_str(in->s->arena, p->other_loc),
				    text);
	return arena_printf(in->s->arena,
			    "the type that '%s' points to is not known%s; write @cast(%s, \"struct "
			    "...\")->...",
			    text, why_unknown(n), text);
}

/* True: the node has no value, or got none, which was reported. */
static bool is_mistaken(const struct node *n)
{
	const struct pointee *p = pointee_place(n);

	return n->type == TYPE_ERROR || (p && p->mistaken);
}

void autocast_settle(struct infer *in, struct node *n)
{
	const struct access *from = pointee_of(n->operand);

	if (from && !n->access) {
		cast_bind_auto(in->s, n, from);
		in->changed = true;
	}
	if (from || !in->final)
		return;
	if (is_mistaken(n->operand))
		n->type = TYPE_ERROR;
	else
		n->unresolved = unknown_pointee(in, n);
	/* The message about the name is printed by that. */
	if (n->unresolved && n->operand->kind == NODE_NAME && n->operand->symbol)
		n->operand->symbol->type = TYPE_ERROR;
}
