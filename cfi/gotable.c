/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout, of which all numbers are little-endian:
 *
 *   u32 magic; u8 0, 0, quantum, size of an address
 *   u64 functions, files, text, and the offsets of: names, units, files, counters, table
 *   table: for each function u32 entry, u32 offset of its record here; u32 end
 *   record: u32 entry, name, arguments, deferreturn, offset of the distances; …
 *
 * Distances are pairs of LEB128 numbers: the change of the distance, from -1 on and with
 * its sign in the lowest bit, and the units of code to which it applies. A change of 0
 * ends them, unless it is the first.
 */
#include "cfi/gotable.h"

#include <string.h>

#include "cfi/bytes.h"
#include "cfi/registers.h"
#include "cfi/rules.h"
#include "cfi/unwindtable.h"

#define MAGIC_1_18     0xfffffff0u
#define MAGIC_1_20     0xfffffff1u
#define HEADER	       72	  /* bytes */
#define FUNCTIONS_MOST (1u << 22) /* in a program */
#define GO_NAME_MOST   8192	  /* bytes of a name */
#define TOP_FRAME      1	  /* flag: nobody has called it */
#define WRITES_STACK   2	  /* flag: it goes on with another stack */

bool gotable_is_section(const char *name)
{
	return !strcmp(name, ".gopclntab") || !strcmp(name, ".data.rel.ro.gopclntab");
}

static struct cursor cursor_at(const struct gotable *t, uint64_t offset)
{
	struct cursor c = { t->data, t->data + t->size, false };

	cursor_skip(&c, offset);
	return c;
}

static uint64_t number_at(const struct gotable *t, uint64_t offset, unsigned size)
{
	struct cursor c = cursor_at(t, offset);

	return cursor_fixed(&c, size);
}

/* True: a function begins at the address. */
static bool begins(const struct gotable *t, uint64_t address)
{
	struct gotable_function f;
	uint64_t low = 0, high = t->number;

	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (!gotable_function(t, middle, &f))
			return false;
		if (f.begin == address)
			return true;
		if (f.begin < address)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

bool gotable_open(const uint8_t *data, uint64_t size, uint64_t text, uint64_t entry,
		  struct gotable *ret)
{
	struct gotable t = { .data = data, .size = size };
	uint64_t magic = size < HEADER ? 0 : number_at(&t, 0, 4);

	if ((magic != MAGIC_1_18 && magic != MAGIC_1_20) || number_at(&t, 7, 1) != 8)
		return false;
	t.quantum = (uint8_t)number_at(&t, 6, 1);
	t.number = number_at(&t, 8, 8);
	t.text = number_at(&t, 24, 8);
	t.names = number_at(&t, 32, 8);
	t.counters = number_at(&t, 56, 8);
	t.functions = number_at(&t, 64, 8);
	t.has_lines = magic == MAGIC_1_20;
	if (t.names >= size || t.counters >= size || t.functions >= size || !t.number ||
	    t.number > FUNCTIONS_MOST || (size - t.functions) / 8 <= t.number)
		return false;
	*ret = t;
	if (t.text)
		return true;
	ret->text = text;
	return begins(ret, entry);
}

static uint64_t record_of(const struct gotable *t, uint64_t i)
{
	return t->functions + number_at(t, t->functions + 8 * i + 4, 4);
}

bool gotable_function(const struct gotable *t, uint64_t i, struct gotable_function *ret)
{
	uint64_t entry = t->functions + 8 * i;
	struct cursor name = cursor_at(t, t->names + number_at(t, record_of(t, i) + 4, 4));

	if (cursor_left(&name) > GO_NAME_MOST)
		name.end = name.at + GO_NAME_MOST;
	ret->begin = t->text + number_at(t, entry, 4);
	ret->end = t->text + number_at(t, entry + 8, 4);
	ret->name = cursor_string(&name);
	return !name.bad && *ret->name && ret->begin < ret->end;
}

/* ---- frames ---- */

static uint32_t rule_of(struct cfi *c, int64_t distance)
{
	struct cfi_rule rule = {
		.head = { .cfa = STP_CFA_REGISTER,
			  .base = c->arch->sp,
			  .nplaces = 1,
			  .offset = (int32_t)distance + 8 },
		.places[0] = { .reg = STP_UNWIND_RETURN, .from = STP_FROM_CFA, .offset = -8 }
	};

	return distance < 0 || distance >= INT32_MAX - 8 ? CFI_RULE_UNKNOWN : rules_index(c, &rule);
}

static void push_row(struct cfi *c, uint64_t at, uint32_t rule)
{
	struct cfi_row row = { at, rule };

	vec_push(c->arena, &c->rows, row);
}

static void add_distances(struct cfi *c, const struct gotable *t, struct cursor *from,
			  const struct gotable_function *f)
{
	uint64_t at = f->begin;
	int64_t distance = -1;

	while (at < f->end && !from->bad) {
		uint64_t change = cursor_uleb(from);

		if (!change && at != f->begin)
			break;
		distance += change & 1 ? ~(int64_t)(change >> 1) : (int64_t)(change >> 1);
		push_row(c, at, rule_of(c, distance));
		at += cursor_uleb(from) * t->quantum;
	}
}

static void add_frames(struct cfi *c, const struct gotable *t, uint64_t i)
{
	struct cfi_function ret = { .row = c->rows.count };
	struct gotable_function f;
	uint64_t record = record_of(t, i),
		 flags = number_at(t, record + (t->has_lines ? 41 : 37), 1);
	struct cursor from = cursor_at(t, t->counters + number_at(t, record + 16, 4));

	if (!gotable_function(t, i, &f))
		return;
	ret.begin = f.begin;
	ret.end = f.end;
	if (flags & (TOP_FRAME | WRITES_STACK))
		push_row(c, f.begin, flags & TOP_FRAME ? CFI_RULE_END : CFI_RULE_UNKNOWN);
	else
		add_distances(c, t, &from, &f);
	ret.nrows = c->rows.count - ret.row;
	if (ret.nrows)
		vec_push(c->arena, &c->functions, ret);
}

/*
 * Several functions may share their distances. Damaged tables could have endless rows;
 * others have fewer rows than bytes.
 */
static void add_all_frames(struct cfi *c, const struct gotable *t)
{
	size_t first = c->rows.count;

	for (uint64_t i = 0; i < t->number && !c->arch->has_link; i++) {
		if (c->rows.count - first > t->size)
			break;
		add_frames(c, t, i);
	}
}

/* ---- names ---- */

void gotable_add(const struct gotable *t, struct table *to, bool frames)
{
	bool has_symbols = to->symbols.count;
	struct gotable_function f;

	if (frames && !to->cfi.functions.count)
		add_all_frames(&to->cfi, t);
	for (uint64_t i = 0; i < t->number && !has_symbols; i++) {
		if (!gotable_function(t, i, &f))
			continue;

		struct table_symbol out = { f.begin, f.end - f.begin, f.name, 0 };

		vec_push(to->cfi.arena, &to->symbols, out);
	}
}
