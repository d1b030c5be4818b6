/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks: each probe takes those of the globals that its handler, its condition, its entry handler and the functions
 * they call use, in the order of the globals. A global that nobody writes needs none; adding to a scalar aggregate
 * needs none, since every CPU adds to its own part.
 */
#include "ast/ast.h"
#include "base/session.h"
#include "emit/module.h"
#include "lang/ops.h"
#include "lang/uses.h"

struct needs {
	struct program *p;
	unsigned char *use;    /* by global */
	bool *visited;         /* by function */
};

static unsigned lock_use(const struct symbol *sym, unsigned use)
{
	if (!(use & USE_ADD))
		return use;
	return sym->arity > 0 ? use | USE_WRITE : use & ~USE_ADD;
}

static void note_use(struct symbol *sym, unsigned use, void *ctx)
{
	struct needs *n = ctx;

	if (sym->kind == SYMBOL_GLOBAL)
		n->use[sym->index] |= lock_use(sym, use);
}

static void note_body(struct needs *n, struct node *body);

static int note_call(struct node *call, void *ctx)
{
	struct needs *n = ctx;
	struct function *f;

	if (call->kind != NODE_CALL)
		return 0;
	for (unsigned i = 0; (f = call_candidate(call, i)); i++) {
		for (size_t k = 0; k < n->p->functions.count; k++) {
			if (n->p->functions.data[k] != f || n->visited[k])
				continue;
			n->visited[k] = true;
			if (f->body)
				note_body(n, f->body);
			else
				uses_visit_function(n->p, f, note_use, n);
		}
	}
	return 0;
}

static void note_body(struct needs *n, struct node *body)
{
	uses_visit(body, note_use, n);
	ast_walk(body, note_call, NULL, n);
}

static unsigned char *probe_needs(struct emit_module *m, const struct derived *d)
{
	struct program *p = m->s->program;
	struct needs n = { .p = p };

	n.use = arena_array(m->s->arena, unsigned char, p->globals.count + 1);
	n.visited = arena_array(m->s->arena, bool, p->functions.count + 1);
	note_body(&n, d->handler->body);
	vec_each(&d->handler->saved, i)
		note_body(&n, d->handler->saved.data[i]);
	if (d->condition)
		note_body(&n, d->condition);
	return n.use;
}

static void emit_probe_locks(struct emit_module *m, const struct derived *d, const unsigned char *use,
			     const unsigned char *any)
{
	struct program *p = m->s->program;
	unsigned count = 0;

	writer_open(m->w, "static const struct stp_lock_use locks_%u[] =", d->index);
	vec_each(&p->globals, i) {
		if (!use[i] || !(any[i] & (USE_WRITE | USE_SORT)))
			continue;
		writer_line(m->w, "{ &lock_%s, %s },", p->globals.data[i]->c_name + 2,
			    use[i] & (USE_WRITE | USE_SORT) ? "true" : "false");
		count++;
	}
	if (!count)
		writer_line(m->w, "{ NULL, false },");
	writer_close(m->w, ";");
	writer_line(m->w, "#define NLOCKS_%u %u", d->index, count);
}

void emit_locks(struct emit_module *m)
{
	struct program *p = m->s->program;
	unsigned char *any = arena_array(m->s->arena, unsigned char, p->globals.count + 1);
	unsigned char **use = arena_array(m->s->arena, unsigned char *, p->probes.count + 1);

	vec_each(&p->probes, i) {
		use[i] = probe_needs(m, p->probes.data[i]);
		vec_each(&p->globals, g)
			any[g] |= use[i][g];
	}
	vec_each(&p->globals, g) {
		if (any[g] & (USE_WRITE | USE_SORT))
			writer_line(m->w, "static struct stp_lock lock_%s;", p->globals.data[g]->c_name + 2);
	}
	vec_each(&p->probes, i)
		emit_probe_locks(m, p->probes.data[i], use[i], any);
	writer_line(m->w, "%s", "");
}
