/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel is loaded at any address, but in one piece: its lines are one table. A
 * module's sections are loaded wherever there is room: each has its own table and symbol.
 */
#include "unwind/sourcetable.h"

#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "dwarf/kernelinfo.h"
#include "dwarf/rows.h"
#include "kernel/factcache.h"
#include "kernel/modules.h"
#include "lib/cleanup.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "unwind/moduletable.h"
#include "cfi/unwindtable.h"

/* No kernel's image is larger: its code begins above the anchor minus this. */
#define KERNEL_REACH 0x40000000

struct section {
	uint64_t begin, first; /* addresses of the section, of its lowest row */
	struct table table;
};

struct reading {
	struct session *s;
	struct dwarf_file *f;
	VEC(struct section *) sections;
	struct section *now; /* section of the current sequence; NULL: the sequence is left out */
	bool in_sequence;
	unsigned rows;
	const char *last_file; /* file of the row before: a row */
	unsigned last_line;    /* with the same file and line is dropped */
};

/* ---- rows ---- */

static void add_row(struct reading *r, uint64_t address, const char *file, unsigned line)
{
	struct table_line row = { address, file, line, r->rows++ };

	if (r->in_sequence && line == r->last_line && file == r->last_file)
		return;
	r->last_line = line;
	r->last_file = file;
	r->in_sequence = line;
	if (!r->now)
		return;
	if (!r->now->table.lines.count || address < r->now->first)
		r->now->first = address;
	vec_push(r->s->arena, &r->now->table.lines, row);
}

static struct section *section_at(struct reading *r, uint64_t begin)
{
	struct section *x;

	vec_each(&r->sections, i)
		if (r->sections.data[i]->begin == begin)
			return r->sections.data[i];
	x = arena_new(r->s->arena, struct section);
	x->begin = begin;
	rules_init(&x->table.cfi, r->s->arena, arch_of(r->s)->unwind);
	vec_push(r->s->arena, &r->sections, x);
	return x;
}

static void kernel_row(void *ctx, uint64_t address, const char *file, unsigned line)
{
	add_row(ctx, address, file, line);
}

/* Adds a row of a module. A sequence stays in one section. */
static void module_row(void *ctx, uint64_t address, const char *file, unsigned line)
{
	struct reading *r = ctx;
	uint64_t begin;

	if (!r->in_sequence)
		r->now = dwarf_kernel_section(r->f, address, &begin) ? section_at(r, begin) : NULL;
	add_row(r, address, file, line);
}

static void add_table(struct reading *r, struct section *x, struct source_table *t,
		      source_tables *ret)
{
	unwindtable_write(r->s->arena, &x->table, &t->table, &t->size);
	vec_push(r->s->arena, ret, *t);
}

/* ---- the kernel: its table is cached, because making it takes a second ---- */

static struct error *read_kernel(struct session *s, source_tables *ret)
{
	struct reading r = { .s = s };
	struct source_table t = { .distance = -KERNEL_REACH };
	struct error *err = dwarf_kernel(s, NULL, &r.f);
	const char *id = err ? NULL : dwarf_cache_id(s, r.f),
		   *name = id ? arena_printf(s->arena, "lines1-%s", id) : NULL;
	uint64_t anchor;

	if (err)
		return err;
	if (unwind_table_cached(s, name, &t.table, &t.size)) {
		vec_push(s->arena, ret, t);
		return NULL;
	}
	err = dwarf_kernel_anchor(s, r.f, &anchor);
	if (err)
		return err;
	r.now = section_at(&r, 0);
	r.now->table.base = anchor - KERNEL_REACH;
	dwarf_rows(s, r.f, kernel_row, &r);
	add_table(&r, r.now, &t, ret);
	if (name)
		factcache_put(s, name, t.table, t.size);
	return NULL;
}

/* ---- modules ---- */

static struct error *read_module(struct session *s, const char *module, source_tables *ret)
{
	struct reading r = { .s = s };
	struct error *err = dwarf_kernel(s, module, &r.f);

	if (err)
		return err;
	dwarf_rows(s, r.f, module_row, &r);
	vec_each(&r.sections, i) {
		struct section *x = r.sections.data[i];
		struct source_table t = { .module = module };

		if (!x->table.lines.count ||
		    dwarf_module_symbol(s, r.f, x->first, &t.symbol, &t.distance))
			continue;
		x->table.base = x->first;
		add_table(&r, x, &t, ret);
	}
	return NULL;
}

/* ---- choice ---- */

struct collection {
	struct session *s;
	struct hashmap known; /* names seen so far */
	source_tables *ret;
};

static void add_module(struct collection *c, const char *name, bool may_lack)
{
	struct error *err;

	if (!name || !strcmp(name, "kernel") || hashmap_get(&c->known, name))
		return;
	hashmap_put(&c->known, name, (void *)name);
	err = read_module(c->s, name, c->ret);
	if (err && !may_lack)
		diag_warning(c->s, (struct loc){ 0 }, "no source lines of module '%s': %s", name,
			     err->text);
}

static void add_named(struct collection *c, const char *name)
{
	const char *const *names;
	size_t n;

	if (!strchr(name, '/') && !kernel_modules_matching(c->s, name, &names, &n))
		for (size_t i = 0; i < n; i++)
			add_module(c, names[i], false);
}

/* Adds the loaded modules; those without debuginfo, which are many, draw no warning. */
static void add_loaded(struct collection *c)
{
	_cleanup_fclose_ FILE *f = fopen("/proc/modules", "re");
	char name[256];

	while (f && fscanf(f, "%255s%*[^\n]", name) == 1)
		add_module(c, kernel_module_name(c->s, name), true);
}

void sourcetable_collect(struct session *s, source_tables *ret)
{
	struct collection c = { .s = s, .ret = ret };
	struct error *err = read_kernel(s, ret);

	hashmap_init(&c.known, s->arena);
	if (err)
		diag_warning(s, (struct loc){ 0 }, "no source lines of the kernel: %s", err->text);
	vec_each(&s->program->probes, i)
		if (strncmp(s->program->probes.data[i]->pp, "process(", 8))
			add_module(&c, s->program->probes.data[i]->pmodule, false);
	vec_each(&s->options->modules, i)
		add_named(&c, s->options->modules.data[i]);
	if (s->options->all_modules)
		add_loaded(&c);
}
