/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --top=SECONDS: how often a script prints its tables. */
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/options.h"
#include "base/session.h"
#include "sem/sem.h"

#define DEEP 8 /* depth of calls that are followed */

struct search {
	struct session *s;
	int depth;
};

static bool prints(struct session *s, struct node *body, int depth);

/* True: a function of the script that the call can reach prints. */
static bool callee_prints(struct session *s, const char *name, int depth)
{
	vec_each(&s->program->units, i) {
		const struct unit *u = s->program->units.data[i];

		vec_each(&u->functions, k)
			if (!strcmp(u->functions.data[k]->name, name) &&
			    prints(s, u->functions.data[k]->body, depth + 1))
				return true;
	}
	return false;
}

static int look(struct node *n, void *ctx)
{
	const struct search *c = ctx;
	bool found = n->kind == NODE_PRINT ? !n->to_string
					   : n->kind == NODE_CALL && c->depth < DEEP &&
						     callee_prints(c->s, n->name, c->depth);

	return found ? -1 : 0;
}

static bool prints(struct session *s, struct node *body, int depth)
{
	struct search c = { s, depth };

	return body && ast_walk(body, look, NULL, &c) < 0;
}

/* Gives timer.UNIT(N), the first two words of a point, another interval. */
static void set_timer(struct point *p, long seconds)
{
	struct component *c = p->components.data;

	if (p->components.count < 2 || strcmp(c[0].name, "timer") || c[1].arg_kind != ARG_NUMBER)
		return;
	c[1].name = "s";
	c[1].number = seconds;
	p->components.count = 2; /* without .randomize() */
}

void sem_set_interval(struct session *s)
{
	vec_each(&s->program->units, i) {
		struct unit *u = s->program->units.data[i];

		vec_each(&u->probes, k) {
			struct probe *p = u->probes.data[k];

			if (!prints(s, p->body, 0))
				continue;
			vec_each(&p->points, j)
				set_timer(p->points.data[j], s->options->top_seconds);
		}
	}
}
