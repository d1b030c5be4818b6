/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the locks of globals, and the table of each probe that takes locks. */
#include <string.h>

#include "base/session.h"
#include "lang/uses.h"
#include "module/module.h"
#include "probe/probe.h"

static const char *lock_mode(const struct lockplan *plan, unsigned use, size_t global)
{
	if (plan->shards[global])
		return "ALL";
	if (plan->adders[global])
		return use == lockplan_shared_use(plan, global) ? "ADD" : "ALONE";
	return use == USE_READ ? "READ" : "WRITE";
}

static void emit_probe_locks(struct emit_module *m, size_t probe)
{
	const struct lockplan *plan = &m->locks;
	struct program *p = m->s->program;
	unsigned index = p->probes.data[probe]->index;

	if (!lockplan_count(plan, p, probe))
		return;
	writer_open(m->w, "static const struct stp_lock_use locks_%u[] =", index);
	/*
	 * The locks of elements come last, as in handlers that take one of them when they
	 * have all their other locks.
	 */
	for (int shards = 0; shards < 2; shards++)
		vec_each(&p->globals, g)
			if (lockplan_takes(plan, probe, g) && plan->shards[g] == shards)
				writer_line(m->w, "STP_USE(%s, %s),", p->globals.data[g]->c_name,
					    lock_mode(plan, plan->uses[probe][g], g));
	writer_close(m->w, ";");
}

static void emit_lock(struct emit_module *m, size_t global)
{
	const char *name = m->s->program->globals.data[global]->c_name;
	unsigned adders = m->locks.adders[global];

	if (!lockplan_has(&m->locks, global) || m->locks.first[global] != global)
		return;
	if (m->locks.shards[global])
		writer_line(m->w, "static struct stp_lock lock_%s = { .array = &%s };", name, name);
	else if (adders)
		writer_line(m->w,
			    "static struct stp_lock lock_%s = { .adders = UINT64_C(1) << %u };",
			    name, adders - 1u);
	else
		writer_line(m->w, "static struct stp_lock lock_%s;", name);
}

void locks_write(struct emit_module *m)
{
	struct program *p = m->s->program;
	unsigned char **uses = m->locks.uses;

	m->lock_tables = arena_array(m->s->arena, unsigned, p->probes.count + 1);
	vec_each(&p->globals, g)
		emit_lock(m, g);
	vec_each(&p->probes, i) {
		bool same = i && !memcmp(uses[i], uses[i - 1], p->globals.count);

		m->lock_tables[i] = same ? m->lock_tables[i - 1] : p->probes.data[i]->index;
		if (!same)
			emit_probe_locks(m, i);
	}
	writer_line(m->w, "%s", "");
}
