/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pretty-printing of tables with lists and choices: strings with a length, vectors, enums
 * with payload. Only NEXT goes back to earlier rows, at most STP_SHAPE_ELEMENTS times per
 * list; each element prints at least one character, so MAXSTRINGLEN bounds the total
 * work.
 */
#include "core/pretty.h"

#include "core/prettygo.h"
#include "core/prettyletters.h"
#include "core/prettynumbers.h"
#include "core/prettyplaces.h"
#include "core/prettytext.h"

/* ---- text and numbers ---- */

/* Writes the text before a value. */
static void show_name(struct show *s, const char *text)
{
	if (!s->p.first)
		pretty_text(&s->p, ", ");
	s->p.first = false;
	pretty_text(&s->p, text);
}

static bool show_characters(struct show *s, const struct stp_shape *row)
{
	return letters_text(&s->p, s->address, s->count, row->size ? row->size : 1, s->raw);
}

static void show_letters(struct show *s, const struct stp_shape *row)
{
	uint32_t begin;

	show_name(s, row->text);
	begin = s->p.len;
	pretty_text(&s->p, "\"");
	if (!s->missing && show_characters(s, row)) {
		pretty_text(&s->p, "\"");
		s->p.read++;
		return;
	}
	s->p.len = begin;
	pretty_unreadable(&s->p);
}

static void show_raw(struct show *s, const struct stp_shape *row)
{
	s->raw = true;
	if (s->missing)
		stp_error(s->p.c, "the string is not there");
	else if (!show_characters(s, row))
		stp_error(s->p.c, "read fault [man error::fault] at 0x%llx",
			  (unsigned long long)s->address);
}

static void show_sized(struct show *s, const struct stp_shape *row)
{
	uint64_t room;

	show_name(s, row->text);
	if (s->missing || (row->size && !show_read(s, row, &room))) {
		pretty_unreadable(&s->p);
		return;
	}
	s->p.read++;
	pretty_number(&s->p, row->size ? "<size %d" : "<size %d>", (int64_t)s->count);
	if (row->size)
		pretty_number(&s->p, " of %d>", (int64_t)room);
}

static void show_used(struct show *s, const struct stp_shape *row)
{
	if (!s->missing)
		pretty_number(&s->p, " <count %d>", (int64_t)s->count + row->offset);
}

static void show_bits(struct show *s, const struct stp_shape *row)
{
	uint64_t shown = s->count < STP_SHAPE_ELEMENTS ? s->count : STP_SHAPE_ELEMENTS;
	uint16_t bits = 0;

	show_name(s, row->text);
	if (s->missing || (shown && !show_at(s, s->address, &bits, shown > 8 ? 2 : 1))) {
		pretty_unreadable(&s->p);
		return;
	}
	s->p.read++;
	pretty_text(&s->p, "[");
	for (unsigned i = 0; i < shown; i++)
		pretty_number(&s->p, i ? ", %d" : "%d", bits >> i & 1);
	pretty_text(&s->p, s->count > shown ? ", ...]" : "]");
}

/* ---- lists ---- */

enum show_found { SHOW_FOUND, SHOW_END, SHOW_LOST };

/* Finds the next element of the innermost list, and makes it the base. */
static enum show_found show_find(struct show *s)
{
	struct show_list *list = &s->lists[s->depth - 1];
	uint64_t size = list->row->offset, at = list->way.first + list->shown;

	switch (list->way.row) {
	case STP_SHAPE_LINKED:
		if (list->shown && !show_at(s, list->address + list->way.next, &list->address, 8))
			return SHOW_LOST;
		s->base = list->address + list->way.first;
		return list->address ? SHOW_FOUND : list->way.room ? SHOW_END : SHOW_LOST;
	case STP_SHAPE_CHUNKS:
		if (!show_at(s, list->address + at / list->way.room * 8, &s->base, 8))
			return SHOW_LOST;
		s->base += at % list->way.room * size;
		return SHOW_FOUND;
	case STP_SHAPE_RING:
		s->base = list->address + at % list->way.room * size;
		return SHOW_FOUND;
	default:
		s->base = list->address + list->shown * size;
		return SHOW_FOUND;
	}
}

/* Goes back to the value around the innermost list. */
static void show_leave(struct show *s)
{
	const struct show_list *list = &s->lists[--s->depth];

	s->p.words = list->words;
	s->base = list->base;
}

/* Goes to the rows of the next element, or behind those of the list. */
static const struct stp_shape *show_element(struct show *s, const struct stp_shape *next)
{
	struct show_list *list = &s->lists[s->depth - 1];
	enum show_found found = list->shown < list->count ? show_find(s) : SHOW_END;

	if (found == SHOW_FOUND && list->shown < STP_SHAPE_ELEMENTS)
		return list->row + 1;
	if (found == SHOW_LOST) {
		show_name(s, "");
		pretty_unreadable(&s->p);
	}
	pretty_text(&s->p, found == SHOW_FOUND ? ", ...]" : "]");
	s->p.first = false;
	show_leave(s);
	return next + 1;
}

/* Keeps the value around a list. False: there are too many of them. */
static bool show_enter(struct show *s, const struct stp_shape *row)
{
	if (s->missing || s->depth == STP_SHAPE_LISTS)
		return false;
	s->lists[s->depth++] = (struct show_list){ .row = row,
						   .base = s->base,
						   .words = s->p.words,
						   .way = s->way,
						   .address = s->address,
						   .count = s->count };
	if (!s->in_words)
		s->p.words = NULL;
	return true;
}

static const struct stp_shape *show_each(struct show *s, const struct stp_shape *row)
{
	show_name(s, row->text);
	if (!show_enter(s, row)) {
		pretty_unreadable(&s->p);
		return row + row->count + 1;
	}
	pretty_text(&s->p, "[");
	s->p.first = true;
	s->p.read++;
	return show_element(s, row + row->count);
}

static const struct stp_shape *show_next(struct show *s, const struct stp_shape *row)
{
	s->lists[s->depth - 1].shown++;
	return show_element(s, row);
}

static const struct stp_shape *show_inside(struct show *s, const struct stp_shape *row)
{
	struct stp_shape place = *row;
	bool is_value = row->size > 8;

	place.size = 8;
	place.count = 0;
	show_place(s, &place);
	if (is_value && s->missing) {
		show_name(s, row->text);
		pretty_unreadable(&s->p);
	} else if (is_value && !s->address) {
		show_name(s, row->text);
		pretty_text(&s->p, "nil");
		s->p.read++;
	}
	if (s->missing || !s->address || !show_enter(s, row))
		return row + row->count + 1;
	s->base = s->address;
	return row + 1;
}

static const struct stp_shape *show_virtual(struct show *s, const struct stp_shape *row)
{
	struct stp_shape place = *row;
	uint64_t distance = 0;

	place.size = 8;
	place.count = 0;
	show_place(s, &place);
	if (s->p.words || s->missing ||
	    !show_at(s, s->address - row->bit_offset * 8, &distance, sizeof(distance))) {
		show_name(s, row->text);
		pretty_unreadable(&s->p);
		return row + row->count + 1;
	}
	if (!show_enter(s, row))
		return row + row->count + 1;
	s->base += row->offset + distance;
	return row + 1;
}

/* ---- choices ---- */

static const struct stp_shape *show_switch(struct show *s, const struct stp_shape *row)
{
	if (show_read(s, row, &s->choice))
		return row + 1;
	show_name(s, row->text);
	pretty_unreadable(&s->p);
	return row + row->count + 1;
}

static uint64_t show_case(const struct stp_shape *row)
{
	return (uint64_t)row->count << 32 | row->offset;
}

static const struct stp_shape *show_named(struct show *s, const struct stp_shape *row)
{
	unsigned unused = 64 - row->size * 8u;
	const struct stp_shape *name = row + 1, *end = name + row->count;
	uint64_t v;

	show_name(s, row->text);
	if (!show_read(s, row, &v)) {
		pretty_unreadable(&s->p);
		return end;
	}
	s->p.read++;
	stp_charge_later(s->p.c, VALUE_WORK / 8 * (uint64_t)row->count);
	if (row->bit_offset && v)
		v -= s->moved;
	while (name != end && (show_case(name) ^ v) << unused)
		name++;
	if (name != end)
		pretty_text(&s->p, name->text);
	else if (row->bit_offset)
		pretty_number(&s->p, "%p", (int64_t)(v ? v + s->moved : 0));
	else if (row->bit_size)
		pretty_number(&s->p, "%d", (int64_t)(v << unused) >> unused);
	else
		pretty_number(&s->p, "%u", (int64_t)(v << unused >> unused));
	return end;
}

/* ---- numbers ---- */

/* Shows numbers for which pretty_row() has no row. */
static void show_number(struct show *s, const struct stp_shape *row)
{
	char text[FLOATTEXT_ROOM];
	uint32_t nanoseconds = 0;
	uint64_t v[2] = { 0, 0 };
	bool whole = row->kind != STP_SHAPE_SECONDS && row->kind != STP_SHAPE_DATE;

	show_name(s, row->text);
	stp_charge_later(s->p.c, FLOATTEXT_WORK);
	if (!pretty_read(&s->p, v, s->base + row->offset, row->size) ||
	    (!whole && !pretty_read(&s->p, &nanoseconds, s->base + row->offset + row->count, 4))) {
		pretty_unreadable(&s->p);
		return;
	}
	s->p.read++;
	switch (row->kind) {
	case STP_SHAPE_FLOAT:
		if (row->size == 10)
			numbers_extended(&s->p, v[0], v[1]);
		else if (row->size == 16)
			numbers_quad(&s->p, v[0], v[1]);
		else
			pretty_put(&s->p, text, floattext(text, v[0], row->size == 4));
		break;
	case STP_SHAPE_WIDE:
		numbers_wide(&s->p, v[0], v[1], row->bit_size);
		break;
	case STP_SHAPE_LETTER:
		letters_single(&s->p, (uint32_t)v[0]);
		break;
	case STP_SHAPE_SECONDS:
		pretty_number(&s->p, "%u", (int64_t)v[0]);
		numbers_fraction(&s->p, nanoseconds, "s");
		break;
	case STP_SHAPE_NANOSECONDS:
		numbers_nanoseconds(&s->p, (int64_t)v[0]);
		break;
	case STP_SHAPE_DATE:
		numbers_date(&s->p, (int64_t)v[0]);
		numbers_fraction(&s->p, nanoseconds, " UTC");
		break;
	case STP_SHAPE_GO_TIME:
		go_time(&s->p, v[0], (int64_t)v[1]);
		break;
	}
}

static void show_hex(struct show *s, const struct stp_shape *row)
{
	uint8_t bytes[STP_SHAPE_HEX_MOST];

	show_name(s, row->text);
	if (!pretty_read(&s->p, bytes, s->base + row->offset, row->count)) {
		pretty_unreadable(&s->p);
		return;
	}
	s->p.read++;
	stp_charge_later(s->p.c, CHARACTER_WORK * (uint64_t)row->count);
	numbers_hex(&s->p, bytes, row->count);
}

static void show_target(struct show *s, const struct stp_shape *row)
{
	uint64_t v;

	if (show_read(s, row, &v))
		pretty_number(&s->p, "(%p)", (int64_t)v);
}

/* Shows nil, or *errors.errorString(0xc000012250). */
static void show_dynamic(struct show *s, const struct stp_shape *row)
{
	struct stp_shape value = *row;
	uint64_t type, data;
	uint32_t begin;

	show_name(s, row->text);
	begin = s->p.len;
	value.offset += 8;
	if (show_read(s, row, &type) && !type) {
		pretty_text(&s->p, "nil");
		s->p.read++;
		return;
	}
	if (type &&
	    (row->kind != STP_SHAPE_TABLED ||
	     show_at(s, type + GO_TABLE_TYPE, &type, sizeof(type))) &&
	    go_type_name(&s->p, type, row->count + (row->bit_offset ? s->moved : 0)) &&
	    show_read(s, &value, &data)) {
		go_value(&s->p, type, data, begin);
		s->p.read++;
		return;
	}
	s->p.len = begin;
	pretty_unreadable(&s->p);
}

/* ---- rows ---- */

static const struct stp_shape *show_row(struct show *s, const struct stp_shape *row)
{
	stp_charge_later(s->p.c, VALUE_WORK);
	switch (row->kind) {
	case STP_SHAPE_DATA:
		show_place(s, row);
		break;
	case STP_SHAPE_COUNT:
	case STP_SHAPE_BEHIND:
		show_count(s, row);
		break;
	case STP_SHAPE_SHORT:
		show_short(s, row);
		break;
	case STP_SHAPE_LETTERS:
		show_letters(s, row);
		break;
	case STP_SHAPE_RAW:
		show_raw(s, row);
		break;
	case STP_SHAPE_SIZED:
		show_sized(s, row);
		break;
	case STP_SHAPE_BEHIND_BITS:
		show_behind_bits(s, row);
		break;
	case STP_SHAPE_USED:
		show_used(s, row);
		break;
	case STP_SHAPE_BITS:
		show_bits(s, row);
		break;
	case STP_SHAPE_LINKED:
	case STP_SHAPE_CHUNKS:
	case STP_SHAPE_DEQUE:
	case STP_SHAPE_RING:
		show_way(s, row);
		break;
	case STP_SHAPE_INSIDE:
		return show_inside(s, row);
	case STP_SHAPE_VIRTUAL:
		return show_virtual(s, row);
	case STP_SHAPE_OUTSIDE:
		show_leave(s);
		break;
	case STP_SHAPE_EACH:
		return show_each(s, row);
	case STP_SHAPE_NEXT:
		return show_next(s, row);
	case STP_SHAPE_SWITCH:
		return show_switch(s, row);
	case STP_SHAPE_CASE:
		return row + 1 + (show_case(row) == s->choice);
	case STP_SHAPE_JUMP:
		return row + row->count + 1;
	case STP_SHAPE_NAMED:
		return show_named(s, row);
	case STP_SHAPE_FLOAT:
	case STP_SHAPE_WIDE:
	case STP_SHAPE_LETTER:
	case STP_SHAPE_SECONDS:
	case STP_SHAPE_NANOSECONDS:
	case STP_SHAPE_DATE:
	case STP_SHAPE_GO_TIME:
		show_number(s, row);
		break;
	case STP_SHAPE_HEX:
		show_hex(s, row);
		break;
	case STP_SHAPE_SUFFIX:
		pretty_text(&s->p, row->text);
		break;
	case STP_SHAPE_TARGET:
		show_target(s, row);
		break;
	case STP_SHAPE_DYNAMIC:
	case STP_SHAPE_TABLED:
		show_dynamic(s, row);
		break;
	default:
		pretty_row(&s->p, row, s->base);
		break;
	}
	return row + 1;
}

static struct stp_str show_rows(struct show *s, const struct stp_shape *row)
{
	while (row->kind != STP_SHAPE_END && s->p.len < s->p.room && !stp_failed(s->p.c))
		row = show_row(s, row);
	if (!s->raw)
		return pretty_finish(&s->p);
	s->p.dst[s->p.len] = 0;
	return (struct stp_str){ s->p.dst, s->p.len };
}

struct stp_str stp_show(struct stp_ctx *c, char *dst, const struct stp_shape *rows,
			enum stp_space space, int64_t addr, int64_t moved)
{
	struct show s = { .p = pretty_begin(c, dst, space),
			  .base = (uint64_t)addr,
			  .moved = (uint64_t)moved };

	if (pretty_is_null(&s.p, &rows, s.base))
		return pretty_finish(&s.p);
	return show_rows(&s, rows);
}

struct stp_str stp_show_words(struct stp_ctx *c, char *dst, const struct stp_shape *rows,
			      enum stp_space space, const int64_t *words, const uint64_t *known,
			      unsigned count, unsigned offset, int64_t moved)
{
	struct show s = { .p = pretty_begin(c, dst, space),
			  .base = offset,
			  .moved = (uint64_t)moved };

	s.p.words = words;
	s.p.known = known;
	s.p.count = count;
	return show_rows(&s, rows);
}
