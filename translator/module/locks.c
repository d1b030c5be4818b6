/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks: each probe takes the locks of the globals that its handler, its condition, its
 * entry handler and the functions they call use, in the order of the globals. A global
 * that nobody writes needs none; adding to a scalar aggregate needs none, since every CPU
 * adds to its own part.
 *
 * The elements of an array are added to in the same way when all probes but rare ones
 * only add to it. The probes that add share the lock; the others have the array for
 * themselves, and sum the parts up before they read it.
 */
#include <string.h>

#include "ast/ast.h"
#include "base/session.h"
#include "module/module.h"
#include "lang/ops.h"
#include "lang/uses.h"
#include "probe/probe.h"

struct needs {
	struct program *p;
	unsigned char *use;    /* by global */
	bool *visited;         /* by function */
};

/* Returns how the use locks. Adding to an element is USE_ADD alone. */
static unsigned lock_use(const struct symbol *sym, unsigned use)
{
	if (use & (USE_ADD | USE_TALLY))
		return sym->arity > 0 ? USE_ADD : use & ~USE_ADD;
	return use & (USE_READ | USE_WRITE | USE_SORT);
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
	for (unsigned i = 0; (f = overload_candidate(call, i)); i++) {
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

/*
 * The number of bits in `adders` of struct stp_lock: at most so many arrays have adders.
 */
#define ADDERS_MOST 64
/* The value of STP_MAP_SORTS. */
#define SORTS_MOST 8

/* True: an element is so large that one for each processor were too much memory. */
static bool array_is_fine(const struct symbol *sym)
{
	vec_each(&sym->histograms, i)
		if (sym->histograms.data[i]->hist_kind == HIST_FINE)
			return true;
	return false;
}

/* True: the array's adders take a part each. */
static bool array_has_adders(struct emit_module *m, const struct symbol *sym)
{
	struct program *p = m->s->program;
	bool adders = false;

	if (sym->arity <= 0 || sym->wrap || (sym->type != TYPE_LONG && sym->type != TYPE_STATS) ||
	    array_is_fine(sym))
		return false;
	vec_each(&p->probes, i) {
		unsigned use = m->locks.uses[i][sym->index];

		if (use == USE_ADD)
			adders |= !p->probes.data[i]->family->runs_alone;
		else if (use && !p->probes.data[i]->family->is_rare)
			return false;
	}
	return adders;
}

static void count_sort(struct symbol *sym, unsigned use, void *ctx)
{
	struct lock_plan *plan = ctx;

	if ((use & USE_SORT) && sym->kind == SYMBOL_GLOBAL && plan->sorts[sym->index] < SORTS_MOST)
		plan->sorts[sym->index]++;
}

/*
 * Plans the sorted loops that can be inside each other: no more than there are loops,
 * unless a function calls itself, which it may do once.
 */
static void plan_sorts(struct emit_module *m)
{
	struct program *p = m->s->program;

	vec_each(&p->handlers, i)
		uses_visit(p->handlers.data[i]->body, count_sort, &m->locks);
	vec_each(&p->functions, i) {
		uses_visit_function(p, p->functions.data[i], count_sort, &m->locks);
		uses_visit_function(p, p->functions.data[i], count_sort, &m->locks);
	}
}

void locks_plan(struct emit_module *m)
{
	struct program *p = m->s->program;
	struct lock_plan *plan = &m->locks;
	unsigned char bits = 0;

	plan->any = arena_array(m->s->arena, unsigned char, p->globals.count + 1);
	plan->adders = arena_array(m->s->arena, unsigned char, p->globals.count + 1);
	plan->sorts = arena_array(m->s->arena, unsigned char, p->globals.count + 1);
	plan->uses = arena_array(m->s->arena, unsigned char *, p->probes.count + 1);
	plan->tables = arena_array(m->s->arena, unsigned, p->probes.count + 1);
	vec_each(&p->probes, i) {
		plan->uses[i] = probe_needs(m, p->probes.data[i]);
		vec_each(&p->globals, g)
			plan->any[g] |= plan->uses[i][g];
	}
	vec_each(&p->globals, g) {
		if (bits < ADDERS_MOST && array_has_adders(m, p->globals.data[g]))
			plan->adders[g] = ++bits;
	}
	plan_sorts(m);
}

/* ---- the tables ---- */

bool locks_has(const struct emit_module *m, size_t global)
{
	return m->locks.any[global] & (USE_WRITE | USE_SORT | USE_ADD);
}

static const char *lock_mode(const struct emit_module *m, unsigned use, size_t global)
{
	if (m->locks.adders[global])
		return use == USE_ADD ? "STP_LOCK_ADD" : "STP_LOCK_ALONE";
	return use == USE_READ ? "STP_LOCK_READ" : "STP_LOCK_WRITE";
}

static void emit_probe_locks(struct emit_module *m, const struct derived *d,
			     const unsigned char *use)
{
	struct program *p = m->s->program;
	unsigned count = 0;

	writer_open(m->w, "static const struct stp_lock_use locks_%u[] =", d->index);
	vec_each(&p->globals, i) {
		if (!use[i] || !locks_has(m, i))
			continue;
		writer_line(m->w, "{ &lock_%s, %s },", p->globals.data[i]->c_name,
			    lock_mode(m, use[i], i));
		count++;
	}
	if (!count)
		writer_line(m->w, "{ NULL, 0 },");
	writer_close(m->w, ";");
	writer_line(m->w, "#define NLOCKS_%u %u", d->index, count);
}

void locks_write(struct emit_module *m)
{
	struct program *p = m->s->program;

	vec_each(&p->globals, g) {
		const char *name = p->globals.data[g]->c_name;

		if (m->locks.adders[g])
			writer_line(
				m->w,
				"static struct stp_lock lock_%s = { .adders = UINT64_C(1) << %u };",
				name, m->locks.adders[g] - 1u);
		else if (locks_has(m, g))
			writer_line(m->w, "static struct stp_lock lock_%s;", name);
	}
	vec_each(&p->probes, i) {
		bool same = i && !memcmp(m->locks.uses[i], m->locks.uses[i - 1], p->globals.count);

		m->locks.tables[i] = same ? m->locks.tables[i - 1] : p->probes.data[i]->index;
		if (!same)
			emit_probe_locks(m, p->probes.data[i], m->locks.uses[i]);
	}
	writer_line(m->w, "%s", "");
}
