/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks and copies trees. The children are kid[], list, and the keys of a foreach; there
 * are no others.
 */
#include "ast/ast.h"

#include "ast/program.h"
#include "lib/arena.h"

int ast_walk(struct node *n, int (*pre)(struct node *n, void *ctx),
	     int (*post)(struct node *n, void *ctx), void *ctx)
{
	struct node *next;
	int r;

	if (!n)
		return 0;
	r = pre ? pre(n, ctx) : 0;
	if (r < 0)
		return r;
	if (r == 0) {
		for (unsigned i = 0; i < 4; i++)
			if (n->kid[i] && (r = ast_walk(n->kid[i], pre, post, ctx)) < 0)
				return r;
		for (struct node *i = n->list; i; i = next) {
			next = i->next;
			if ((r = ast_walk(i, pre, post, ctx)) < 0)
				return r;
		}
		for (struct node *i = n->kind == NODE_FOREACH ? n->keys : NULL; i; i = next) {
			next = i->next;
			if ((r = ast_walk(i, pre, post, ctx)) < 0)
				return r;
		}
	}
	r = post ? post(n, ctx) : 0;
	return r < 0 ? r : 0;
}

static struct node *clone_list(struct arena *a, const struct node *list)
{
	struct node *head = NULL, **tail = &head;

	for (; list; list = list->next) {
		*tail = ast_clone(a, list);
		tail = &(*tail)->next;
	}
	return head;
}

/*
 * A path's index expressions are also in `list`: the copy's steps must refer to its list.
 */
static void clone_path(struct arena *a, struct node *copy, const struct node *n)
{
	struct node *index = copy->list;

	copy->path.data = NULL;
	copy->path.count = copy->path.capacity = 0;
	vec_each(&n->path, i) {
		struct path_step step = n->path.data[i];

		if (step.kind == STEP_INDEX && index) {
			step.index = index;
			index = index->next;
		}
		vec_push(a, &copy->path, step);
	}
}

struct node *ast_clone(struct arena *a, const struct node *n)
{
	struct node *copy;

	if (!n)
		return NULL;
	copy = arena_new(a, struct node);
	*copy = *n;
	copy->next = NULL;
	for (unsigned i = 0; i < 4; i++)
		copy->kid[i] = ast_clone(a, n->kid[i]);
	copy->list = clone_list(a, n->list);
	if (n->kind == NODE_FOREACH)
		copy->keys = clone_list(a, n->keys);
	if (n->kind == NODE_TARGET)
		clone_path(a, copy, n);
	return copy;
}

struct point *ast_copy_point(struct arena *a, const struct point *p)
{
	struct point *copy = arena_new(a, struct point);

	*copy = *p;
	copy->components = (component_list){ 0 };
	vec_each(&p->components, i)
		vec_push(a, &copy->components, p->components.data[i]);
	return copy;
}

void ast_walk_bodies(const struct program *p, int (*pre)(struct node *n, void *ctx),
		     int (*post)(struct node *n, void *ctx), void *ctx)
{
	vec_each(&p->handlers, i)
		ast_walk(p->handlers.data[i]->body, pre, post, ctx);
	vec_each(&p->functions, i) {
		if (p->functions.data[i]->body)
			ast_walk(p->functions.data[i]->body, pre, post, ctx);
	}
}
