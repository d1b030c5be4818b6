/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/program_table.h"

#define SYMBOLS_TRIED 16 /* symbols that may begin inside another one and end before */

/* ---- opening: done once, everything is checked ---- */

struct reader {
	const char *data;
	uint64_t at, size;
};

static const void *take(struct reader *r, uint64_t count, uint64_t each)
{
	uint64_t from = (r->at + 7) & ~7ull;

	r->at = from + count * each; /* 32 bits times a few: no overflow */
	return r->at <= r->size ? r->data + from : NULL;
}

static bool rule_valid(const struct stp_unwind_rule *rule, uint32_t nplaces)
{
	if (rule->cfa >= STP_CFA_KINDS || rule->base >= STP_UNWIND_RETURN)
		return false;
	return rule->places <= nplaces && rule->nplaces <= nplaces - rule->places;
}

static bool place_valid(const struct stp_unwind_place *place)
{
	return place->reg < STP_UNWIND_REGISTERS &&
	       (place->from < STP_UNWIND_RETURN || place->from == STP_FROM_CFA ||
		place->from == STP_FROM_LOST);
}

static bool rows_valid(const struct stp_program_view *v, const struct stp_program_table *t)
{
	for (uint32_t i = 0; i < t->nrows; i++)
		if (v->row_rule[i] >= t->nrules || (i && v->row_at[i] <= v->row_at[i - 1]))
			return false;
	for (uint32_t i = 0; i < t->nrules; i++)
		if (!rule_valid(&v->rules[i], t->nplaces))
			return false;
	for (uint32_t i = 0; i < t->nplaces; i++)
		if (!place_valid(&v->places[i]))
			return false;
	return true;
}

static bool names_valid(const struct stp_program_view *v, const struct stp_program_table *t)
{
	if (!t->name_bytes || v->names[t->name_bytes - 1])
		return false;
	for (uint32_t i = 0; i < t->nsymbols; i++)
		if (v->symbols[i].name >= t->name_bytes ||
		    (i && v->symbols[i].at < v->symbols[i - 1].at))
			return false;
	return true;
}

/*
 * Checks the blocks. The rows after a block's first one are checked again when they are
 * read.
 */
static bool blocks_valid(const struct stp_program_view *v)
{
	for (uint32_t i = 0; i < v->nblocks; i++)
		if (v->blocks[i].rest > v->nline_bytes ||
		    (i && v->blocks[i].first.at < v->blocks[i - 1].first.at))
			return false;
	return true;
}

bool stp_program_table_open(const void *data, uint32_t size, struct stp_program_view *ret)
{
	struct reader r = { data, 0, size };
	const struct stp_program_table *t = take(&r, 1, sizeof(*t));

	if (!t || t->magic != STP_PROGRAM_TABLE_MAGIC || t->size != size)
		return false;
	ret->row_at = take(&r, t->nrows, sizeof(*ret->row_at));
	ret->row_rule = take(&r, t->nrows, sizeof(*ret->row_rule));
	ret->rules = take(&r, t->nrules, sizeof(*ret->rules));
	ret->places = take(&r, t->nplaces, sizeof(*ret->places));
	ret->symbols = take(&r, t->nsymbols, sizeof(*ret->symbols));
	ret->blocks = take(&r, t->nblocks, sizeof(*ret->blocks));
	ret->line_bytes = take(&r, t->nline_bytes, 1);
	ret->names = take(&r, t->name_bytes, 1);
	if (!ret->names) /* the last one: if it fits, all do */
		return false;
	ret->nrows = t->nrows;
	ret->nsymbols = t->nsymbols;
	ret->nblocks = t->nblocks;
	ret->nline_bytes = t->nline_bytes;
	ret->name_bytes = t->name_bytes;
	return rows_valid(ret, t) && names_valid(ret, t) && blocks_valid(ret);
}

/* ---- look-up ---- */

/*
 * Returns the last element whose address, its first word, is not above `at`; n: there is
 * none.
 */
static uint32_t find_last(const void *array, uint32_t n, uint32_t each, uint32_t at)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (*(const uint32_t *)((const char *)array + (uint64_t)middle * each) <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : n;
}

const struct stp_unwind_rule *stp_program_table_rule(const struct stp_program_view *v, uint32_t at)
{
	uint32_t i = find_last(v->row_at, v->nrows, sizeof(*v->row_at), at);
	const struct stp_unwind_rule *rule = i < v->nrows ? &v->rules[v->row_rule[i]] : NULL;

	return rule && rule->cfa != STP_CFA_UNKNOWN ? rule : NULL;
}

const struct stp_program_symbol *stp_program_table_symbol(const struct stp_program_view *v,
							  uint32_t at)
{
	uint32_t i = find_last(v->symbols, v->nsymbols, sizeof(*v->symbols), at);

	if (i == v->nsymbols)
		return NULL;
	for (uint32_t tried = 0; tried < SYMBOLS_TRIED; tried++, i--) {
		const struct stp_program_symbol *s = &v->symbols[i];

		if (s->size ? at - s->at < s->size : !tried)
			return s;
		if (!i)
			break;
	}
	return NULL;
}

struct line_reader {
	const uint8_t *at, *end;
};

/* Reads one number. False: there are no more, or they are damaged. */
static bool read_number(struct line_reader *r, uint64_t *ret)
{
	*ret = 0;
	for (unsigned int shift = 0; r->at < r->end && shift < 64; shift += 7) {
		uint8_t byte = *r->at++;

		*ret |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

static bool read_line(struct line_reader *r, struct stp_program_line *row)
{
	uint64_t distance, file = row->file, line;

	if (!read_number(r, &distance) || (distance & 1 && !read_number(r, &file)) ||
	    !read_number(r, &line))
		return false;
	row->at += distance >> 1;
	row->file = file;
	row->line += line >> 1 ^ -(line & 1);
	return true;
}

bool stp_program_table_line(const struct stp_program_view *v, uint32_t at,
			    struct stp_program_line *ret)
{
	uint32_t i = find_last(v->blocks, v->nblocks, sizeof(*v->blocks), at);
	struct line_reader r = { v->line_bytes, v->line_bytes };
	struct stp_program_line next;

	if (i == v->nblocks)
		return false;
	r.at += v->blocks[i].rest;
	r.end += i + 1 < v->nblocks ? v->blocks[i + 1].rest : v->nline_bytes;
	next = v->blocks[i].first;
	for (uint32_t n = 1; next.at <= at; n++) {
		*ret = next;
		if (n == STP_BLOCK_LINES || !read_line(&r, &next))
			break;
	}
	return ret->line && ret->file < v->name_bytes;
}
