/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Global variables: their storage and descriptors, and the table by which the runtime
 * allocates and sets them.
 */
#include <inttypes.h>
#include <string.h>

#include "base/session.h"
#include "emit/limits.h"
#include "module/module.h"

static const char *const type_names[TYPE_COUNT] = {
	[TYPE_LONG] = "STP_LONG",
	[TYPE_STRING] = "STP_STRING",
	[TYPE_STATS] = "STP_STATS",
};

static const char *const hist_names[] = {
	[HIST_NONE] = "STP_HIST_NONE",
	[HIST_LOG] = "STP_HIST_LOG",
	[HIST_LINEAR] = "STP_HIST_LINEAR",
	[HIST_FINE] = "STP_HIST_FINE",
};

/* Members that an added value changes: only those that the script uses somewhere. */
static const char *const keeps[STAT_OP_COUNT] = {
	[STAT_SUM] = "STP_KEEP_SUM",
	[STAT_MIN] = "STP_KEEP_MIN",
	[STAT_MAX] = "STP_KEEP_MAX",
	[STAT_VARIANCE] = "STP_KEEP_SQUARES",
};

static void add_shape(struct strbuf *b, const struct node *hist)
{
	strbuf_addf(b, ", .hist = %s, .low = %" PRId64 ", .high = %" PRId64 ", .width = %" PRId64,
		    hist_names[hist->hist_kind], hist->hist_low, hist->hist_high, hist->hist_width);
}

/* Programs that read an aggregate also get its sum and extremes. */
#define TOLD_OPS (1u << STAT_SUM | 1u << STAT_MIN | 1u << STAT_MAX)
/* These are calculated from the sum. */
#define OPS_OF_SUM (1u << STAT_AVG | 1u << STAT_VARIANCE)

static void add_keeps(struct emit_module *m, struct strbuf *b, const struct symbol *sym)
{
	unsigned ops = sym->stat_ops | (globalsinfo_wanted(m->s, sym) ? TOLD_OPS : 0);
	const char *between = "";

	if (ops & OPS_OF_SUM)
		ops |= 1u << STAT_SUM;
	strbuf_adds(b, ".keeps = ");
	for (unsigned op = 0; op < STAT_OP_COUNT; op++) {
		if (!keeps[op] || !(ops & 1u << op))
			continue;
		strbuf_addf(b, "%s%s", between, keeps[op]);
		between = " | ";
	}
	if (!*between)
		strbuf_addc(b, '0');
}

static const char *stat_fields(struct emit_module *m, const struct symbol *sym)
{
	struct strbuf b;

	strbuf_init(&b, m->s->arena);
	add_keeps(m, &b, sym);
	if (sym->histograms.count > 1)
		strbuf_addf(&b, ", .hist = STP_HIST_SEVERAL, .several = &hist_%s_0", sym->c_name);
	else if (sym->histograms.count)
		add_shape(&b, sym->histograms.data[0]);
	return b.s;
}

/*
 * Emits the histograms that printing and other uses need; the last one first, because
 * each refers to the next.
 */
static void emit_histograms(struct emit_module *m, const struct symbol *sym, const char *name)
{
	size_t n = sym->histograms.count;
	int64_t at = 0;
	struct strbuf b;

	vec_each(&sym->histograms, i)
		at += node_hist_buckets(sym->histograms.data[i]);
	for (size_t i = n; i-- > 0;) {
		strbuf_init(&b, m->s->arena);
		add_keeps(m, &b, sym);
		add_shape(&b, sym->histograms.data[i]);
		at -= node_hist_buckets(sym->histograms.data[i]);
		if (i + 1 < n)
			strbuf_addf(&b, ", .several = &hist_%s_%zu", name, i + 1);
		writer_line(m->w,
			    "static const struct stp_stat_desc hist_%s_%zu STP_UNUSED = { .name = "
			    "\"%s\", %s, .at = %" PRId64 " };",
			    name, i, sym->name, b.s, at);
	}
}

/* The size of an array that drops its oldest entries. */
#define WRAP_ENTRIES 2048

/* Returns the array's size in entries. 0: it grows. */
static uint64_t array_entries(struct emit_module *m, const struct symbol *sym)
{
	if (sym->max_entries > 0)
		return (uint64_t)sym->max_entries;
	return sym->wrap && !limit_is_set(m->s, LIMIT_MAP_ENTRIES)
		       ? WRAP_ENTRIES
		       : limit_value(m->s, LIMIT_MAP_ENTRIES);
}

static void emit_array(struct emit_module *m, const struct symbol *sym, const char *name)
{
	struct strbuf keys;

	strbuf_init(&keys, m->s->arena);
	for (int i = 0; i < sym->arity; i++)
		strbuf_addf(&keys, "%s%s", i ? ", " : "", type_names[sym->key_types[i]]);
	writer_line(m->w, "static struct stp_map *%s;", sym->c_name);
	if (m->locks.shards[sym->index]) /* locks_write() defines it */
		writer_line(m->w, "static struct stp_lock lock_%s;", sym->c_name);
	writer_open(m->w, "static const struct stp_map_desc desc_%s =", name);
	writer_line(m->w, ".name = \"%s\", .nkeys = %d, .key_types = { %s }, .value_type = %s,",
		    sym->name, sym->arity, keys.s, type_names[sym->type]);
	if (array_entries(m, sym))
		writer_line(m->w, ".max_entries = %" PRIu64 ", .wrap = %s,", array_entries(m, sym),
			    sym->wrap ? "true" : "false");
	if (m->locks.adders[sym->index])
		writer_line(m->w, "%s = true,", m->locks.sets[sym->index] ? ".sets" : ".adds");
	if (m->locks.shards[sym->index])
		writer_line(m->w, ".shards = &stp_shards_calls,");
	if (m->locks.sorts[sym->index])
		writer_line(m->w, ".sorts = %u,", m->locks.sorts[sym->index]);
	if (sym->type == TYPE_STATS)
		writer_line(m->w, "%s,", stat_fields(m, sym));
	writer_close(m->w, ";");
}

static void emit_string(struct emit_module *m, const struct symbol *sym, const char *name)
{
	const char *text = sym->init && sym->init->kind == NODE_STRING ? sym->init->string : "";
	size_t len = sym->init && sym->init->kind == NODE_STRING ? sym->init->string_len : 0;
	size_t limit = limit_value(m->s, LIMIT_STRING) - 1;

	if (len > limit)
		len = limit;
	for (size_t i = 0; i < len; i++) {
		if (!text[i])
			len = i;
	}
	if (len)
		writer_line(m->w, "static char s_%s[MAXSTRINGLEN] = %s;", name,
			    strbuf_quoted(m->s->arena, text, len));
	else
		writer_line(m->w, "static char s_%s[MAXSTRINGLEN];", name);
	writer_line(m->w, "static struct stp_str %s = { s_%s, %zu };", sym->c_name, name, len);
}

static void emit_long(struct emit_module *m, const struct symbol *sym)
{
	int64_t value = sym->init && sym->init->kind == NODE_NUMBER ? sym->init->number : 0;

	if (value)
		writer_line(m->w, "static int64_t %s = (int64_t)UINT64_C(%" PRIu64 ");",
			    sym->c_name, (uint64_t)value);
	else
		writer_line(m->w, "static int64_t %s;", sym->c_name);
}

static void emit_global(struct emit_module *m, const struct symbol *sym)
{
	const char *name = sym->c_name;

	if (sym->type == TYPE_STATS)
		emit_histograms(m, sym, name);
	if (sym->arity > 0) {
		emit_array(m, sym, name);
	} else if (sym->type == TYPE_STATS) {
		writer_line(m->w, "static struct stp_stat *%s;", sym->c_name);
		writer_line(m->w,
			    "static const struct stp_stat_desc desc_%s = { .name = \"%s\", %s };",
			    name, sym->name, stat_fields(m, sym));
	} else if (sym->type == TYPE_STRING) {
		emit_string(m, sym, name);
	} else {
		emit_long(m, sym);
	}
}

void globals_write(struct emit_module *m)
{
	struct program *p = m->s->program;

	vec_each(&p->globals, i)
		emit_global(m, p->globals.data[i]);
	if (p->globals.count)
		writer_line(m->w, "%s", "");
}

/*
 * Emits the module parameter of a global. The kernel's headers have macros with all kinds
 * of names, and the parameter's name becomes part of others.
 */
static void emit_param(struct emit_module *m, const char *name, size_t index)
{
	writer_line(m->w, "#pragma push_macro(\"%s\")", name);
	writer_line(m->w, "#undef %s", name);
	writer_line(m->w, "STP_PARAM(%s, %zu);", name, index);
	writer_line(m->w, "#pragma pop_macro(\"%s\")", name);
}

static const char *told_field(struct emit_module *m, const struct symbol *sym)
{
	const char *text;

	if (!globalsinfo_wanted(m->s, sym))
		return "";
	text = globalsinfo_text(m->s, sym);
	return arena_printf(m->s->arena, ", .told = %s",
			    strbuf_quoted(m->s->arena, text, strlen(text)));
}

void globals_write_table(struct emit_module *m)
{
	struct program *p = m->s->program;

	writer_open(m->w, "static const struct stp_global globals[] =");
	vec_each(&p->globals, i) {
		const struct symbol *sym = p->globals.data[i];
		const char *name = sym->c_name;
		bool is_string = sym->arity <= 0 && sym->type == TYPE_STRING;
		bool has_desc = sym->arity > 0 || sym->type == TYPE_STATS;
		bool is_locked = lockplan_has(&m->locks, i);
		size_t first = m->locks.first[i];

		writer_line(m->w, "{ .name = \"%s\", .type = %s, %s.place = &%s%s%s%s%s%s%s%s%s },",
			    sym->name, type_names[sym->type],
			    sym->arity > 0 ? ".is_array = true, " : "", sym->c_name,
			    is_string ? ", .storage = s_" : "", is_string ? name : "",
			    has_desc ? ", .desc = &desc_" : "", has_desc ? name : "",
			    is_locked ? ", .lock = &lock_" : "",
			    is_locked ? p->globals.data[first]->c_name : "",
			    first == i ? "" : ", .shares_lock = true", told_field(m, sym));
	}
	if (!p->globals.count)
		writer_line(m->w, "{ .name = \"\" },");
	writer_close(m->w, ";");
	writer_line(m->w, "#ifdef __KERNEL__");
	vec_each(&p->globals, i) {
		const struct symbol *sym = p->globals.data[i];

		if (sym->arity <= 0 && sym->type != TYPE_STATS && !sym->is_private)
			emit_param(m, sym->name, i);
	}
	writer_line(m->w, "#endif\n");
}
