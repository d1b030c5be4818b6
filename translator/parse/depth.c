/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Refuses trees that could exhaust the stack, before a later pass walks them recursively.
 * 1 + 1 + … is as deep as it is long; a chain of '.' is not.
 */
#include "ast/ast.h"
#include "base/diag.h"
#include "base/session.h"
#include "parse/parser.h"

#define DEPTH_MAX 2000

struct depth {
	struct session *s;
	unsigned now;
	bool is_exceeded;
};

static int enter_node(struct node *n, void *ctx)
{
	struct depth *d = ctx;

	if (++d->now <= DEPTH_MAX)
		return 0;
	d->is_exceeded = true;
	diag_error(
		d->s, n->loc,
		"this nests too deeply; at most %d levels of statements and operators are possible",
		DEPTH_MAX);
	return -1;
}

static int leave_node(struct node *n, void *ctx)
{
	((struct depth *)ctx)->now--;
	return 0;
}

static void check_tree(struct session *s, struct unit *unit, struct node *n)
{
	struct depth d = { .s = s };

	ast_walk(n, enter_node, leave_node, &d);
	unit->is_too_deep |= d.is_exceeded;
}

static void check_conditions(struct session *s, struct unit *unit, struct point *const *points,
			     size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_tree(s, unit, points[i]->condition);
}

void depth_check(struct session *s, struct unit *unit)
{
	vec_each(&unit->functions, i)
		check_tree(s, unit, unit->functions.data[i]->body);
	vec_each(&unit->aliases, i) {
		const struct alias *alias = unit->aliases.data[i];

		check_conditions(s, unit, alias->points.data, alias->points.count);
		check_tree(s, unit, alias->prologue);
		check_tree(s, unit, alias->epilogue);
	}
	vec_each(&unit->probes, i) {
		check_conditions(s, unit, unit->probes.data[i]->points.data,
				 unit->probes.data[i]->points.count);
		check_tree(s, unit, unit->probes.data[i]->body);
	}
}
