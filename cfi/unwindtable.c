/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts the table, leaves out overlaps, and lays it out: the kernel side only searches
 * it.
 */
#include "cfi/unwindtable.h"

#include <stdlib.h>

#include "lib/hashmap.h"

struct layout {
	struct arena *a;
	struct table *t;
	VEC(uint32_t) row_at;
	VEC(uint16_t) row_rule;
	VEC(struct stp_unwind_rule) rules;
	VEC(struct stp_unwind_place) places;
	VEC(struct stp_program_symbol) symbols;
	VEC(struct stp_lineblock) blocks;
	VEC(uint8_t) line_bytes;
	struct stp_program_line last; /* last line written */
	unsigned block_lines;	      /* lines in the last block */
	VEC(char) names;
	struct hashmap known; /* written names: offset + 1 */
};

/* Computes the distance from the base. False: it is too large for the table. */
static bool distance(const struct table *t, uint64_t address, uint32_t *ret)
{
	*ret = (uint32_t)(address - t->base);
	return address >= t->base && address - t->base < UINT32_MAX;
}

static uint32_t add_name(struct layout *l, const char *name)
{
	size_t at = (size_t)hashmap_get(&l->known, name);

	if (at)
		return (uint32_t)at - 1;
	at = l->names.count;
	hashmap_put(&l->known, name, (void *)(at + 1));
	for (size_t i = 0; i <= strlen(name); i++)
		vec_push(l->a, &l->names, name[i]);
	return (uint32_t)at;
}

/* ---- rows ---- */

static int by_begin(const void *a, const void *b)
{
	const struct cfi_function *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row; /* .eh_frame was read first */
}

static void put_row(struct layout *l, uint64_t address, uint32_t rule)
{
	size_t n = l->row_rule.count;
	uint32_t at;

	if (!distance(l->t, address, &at))
		return;
	if (rule > UINT16_MAX)
		rule = CFI_RULE_UNKNOWN;
	if (n && l->row_rule.data[n - 1] == rule)
		return;
	if (n && l->row_at.data[n - 1] == at) { /* where the last function ended */
		l->row_rule.data[n - 1] = (uint16_t)rule;
		return;
	}
	vec_push(l->a, &l->row_at, at);
	vec_push(l->a, &l->row_rule, (uint16_t)rule);
}

static void add_function(struct layout *l, const struct cfi_function *f)
{
	for (size_t i = f->row; i < f->row + f->nrows; i++)
		if (l->t->cfi.rows.data[i].at < f->end)
			put_row(l, l->t->cfi.rows.data[i].at, l->t->cfi.rows.data[i].rule);
	put_row(l, f->end, CFI_RULE_UNKNOWN);
}

static void add_rows(struct layout *l)
{
	struct cfi *c = &l->t->cfi;
	uint64_t end = 0;

	l->t->overlapping = 0;
	if (c->functions.count)
		vec_sort(&c->functions, by_begin);
	vec_each(&c->functions, i) {
		const struct cfi_function *f = &c->functions.data[i];
		/* The same function is in both sections. */
		bool is_same = i && f->begin == f[-1].begin && f->end == f[-1].end;

		if (f->begin >= end) {
			add_function(l, f);
			end = f->end;
		} else {
			l->t->overlapping += !is_same;
		}
	}
}

static void add_rules(struct layout *l)
{
	const struct cfi *c = &l->t->cfi;

	for (size_t i = 0; i < c->rules.count && i <= UINT16_MAX; i++) {
		struct stp_unwind_rule head = c->rules.data[i].head;

		head.places = (uint32_t)l->places.count;
		for (unsigned k = 0; k < head.nplaces; k++)
			vec_push(l->a, &l->places, c->rules.data[i].places[k]);
		vec_push(l->a, &l->rules, head);
	}
}

/* ---- names and lines ---- */

static int by_address(const void *a, const void *b)
{
	const struct table_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void add_symbols(struct layout *l)
{
	struct table *t = l->t;

	if (t->symbols.count)
		vec_sort(&t->symbols, by_address);
	vec_each(&t->symbols, i) {
		const struct table_symbol *sym = &t->symbols.data[i];
		struct stp_program_symbol out = { .size = sym->size < UINT32_MAX
								  ? (uint32_t)sym->size
								  : UINT32_MAX };

		if ((i && sym->address == sym[-1].address) || !distance(t, sym->address, &out.at))
			continue;
		out.name = add_name(l, sym->name);
		vec_push(l->a, &l->symbols, out);
	}
}

/* Sorts by address; an end comes before a line that begins at the same address. */
static int by_place(const void *a, const void *b)
{
	const struct table_line *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (!x->line != !y->line)
		return x->line ? 1 : -1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void put_number(struct layout *l, uint64_t n)
{
	for (; n > 0x7f; n >>= 7)
		vec_push(l->a, &l->line_bytes, (uint8_t)(n | 0x80));
	vec_push(l->a, &l->line_bytes, (uint8_t)n);
}

static void put_line(struct layout *l, const struct stp_program_line *row)
{
	int64_t difference = (int64_t)row->line - l->last.line;
	bool is_other = row->file != l->last.file;

	if (l->block_lines % STP_BLOCK_LINES == 0) {
		struct stp_lineblock block = { *row, (uint32_t)l->line_bytes.count };

		vec_push(l->a, &l->blocks, block);
	} else {
		put_number(l, (uint64_t)(row->at - l->last.at) << 1 | is_other);
		if (is_other)
			put_number(l, row->file);
		put_number(l, difference < 0 ? (uint64_t)-difference * 2 - 1
					     : (uint64_t)difference * 2);
	}
	l->block_lines++;
	l->last = *row;
}

/*
 * Adds lines. Of several rows at one address the last one counts. A row that repeats the
 * one before it is left out.
 */
static void add_lines(struct layout *l)
{
	struct table *t = l->t;
	struct stp_program_line pending = { 0 };
	bool any = false;

	if (t->lines.count)
		vec_sort(&t->lines, by_place);
	vec_each(&t->lines, i) {
		const struct table_line *line = &t->lines.data[i];
		struct stp_program_line row = { .line = line->line };

		if (!distance(t, line->address, &row.at))
			continue;
		row.file = line->line ? add_name(l, line->file) : 0;
		if (any && pending.at != row.at &&
		    (!l->block_lines || pending.line != l->last.line ||
		     pending.file != l->last.file))
			put_line(l, &pending);
		pending = row;
		any = true;
	}
	if (any)
		put_line(l, &pending);
}

/* ---- layout ---- */

/* Appends the data. If `out` is NULL, only counts its bytes. */
static void put(uint8_t *out, size_t *at, const void *data, size_t size)
{
	*at = (*at + 7) & ~(size_t)7;
	if (out && size)
		memcpy(out + *at, data, size);
	*at += size;
}

#define PUT(out, at, array) put((out), (at), (array).data, (array).count * sizeof(*(array).data))

static size_t lay_out(const struct layout *l, const struct stp_program_table *head, uint8_t *out)
{
	size_t at = 0;

	put(out, &at, head, sizeof(*head));
	PUT(out, &at, l->row_at);
	PUT(out, &at, l->row_rule);
	PUT(out, &at, l->rules);
	PUT(out, &at, l->places);
	PUT(out, &at, l->symbols);
	PUT(out, &at, l->blocks);
	PUT(out, &at, l->line_bytes);
	PUT(out, &at, l->names);
	return at;
}

void unwindtable_write(struct arena *a, struct table *t, const uint8_t **ret, uint32_t *size)
{
	struct layout l = { .a = a, .t = t };
	struct stp_program_table head = { .magic = STP_PROGRAM_TABLE_MAGIC };
	uint8_t *out;

	hashmap_init(&l.known, a);
	add_name(&l, "");
	add_rows(&l);
	add_rules(&l);
	add_symbols(&l);
	add_lines(&l);
	head.nrows = (uint32_t)l.row_at.count;
	head.nrules = (uint32_t)l.rules.count;
	head.nplaces = (uint32_t)l.places.count;
	head.nsymbols = (uint32_t)l.symbols.count;
	head.nblocks = (uint32_t)l.blocks.count;
	head.nline_bytes = (uint32_t)l.line_bytes.count;
	head.name_bytes = (uint32_t)l.names.count;
	head.size = (uint32_t)lay_out(&l, &head, NULL);
	*ret = out = arena_alloc(a, head.size);
	*size = head.size;
	lay_out(&l, &head, out);
}
