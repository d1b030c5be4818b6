/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pretty-printing of tables with lists and choices: strings with a length, vectors, enums
 * with payload. Only NEXT goes back to earlier rows, at most STP_SHAPE_ELEMENTS times per
 * list; each element prints at least one character, so MAXSTRINGLEN bounds the total
 * work.
 */
#include "core/pretty.h"

#include "core/floattext.h"
#include "core/prettytext.h"

struct show_list {
	const struct stp_shape *row; /* EACH */
	uint64_t base;		     /* of the value around the list */
	const int64_t *words;
	uint64_t count, shown;
};

struct show {
	struct pretty p;
	uint64_t base;		 /* of the value that the rows describe */
	uint64_t address, count; /* of the value that the next row shows */
	uint64_t choice;	 /* the number of the last SWITCH */
	bool in_words, missing;	 /* of the address */
	bool raw;
	unsigned depth;
	struct show_list lists[STP_SHAPE_LISTS];
};

static bool show_read(struct show *s, const struct stp_shape *row, uint64_t *ret)
{
	*ret = 0;
	return pretty_read(&s->p, ret, s->base + row->offset, row->size);
}

/* Notes where the data of the following rows are. */
static void show_place(struct show *s, const struct stp_shape *row)
{
	s->in_words = !row->size && s->p.words;
	s->missing = false;
	if (!row->size)
		s->address = s->base + row->offset;
	else if (!show_read(s, row, &s->address))
		s->missing = true;
}

static void show_count(struct show *s, const struct stp_shape *row)
{
	uint64_t end;

	if (row->kind == STP_SHAPE_COUNT && !row->size) {
		s->count = row->count;
	} else if (row->kind == STP_SHAPE_COUNT) {
		s->missing |= !show_read(s, row, &s->count);
	} else if (!show_read(s, row, &end) || end < s->address) {
		s->missing = true;
	} else {
		s->count = (end - s->address) / row->count;
	}
}

static void show_short(struct show *s, const struct stp_shape *row)
{
	uint64_t first;

	if (!show_read(s, row, &first)) {
		s->missing = true;
	} else if (!(first & 1)) {
		s->address = s->base + row->offset + 1;
		s->count = first >> 1;
		s->missing = false;
	}
}

/* Writes the text before a value. */
static void show_name(struct show *s, const char *text)
{
	if (!s->p.first)
		pretty_text(&s->p, ", ");
	s->p.first = false;
	pretty_text(&s->p, text);
}

static bool show_characters(struct show *s)
{
	char piece[STRING_PIECE];
	uint64_t at = s->address, left = s->count;

	while (left && s->p.len < s->p.room) {
		uint64_t got = STRING_PIECE - at % STRING_PIECE; /* not across the end of a page */

		if (got > left)
			got = left;
		if (!port_memory_read(s->p.space, piece, at, got))
			return false;
		if (s->raw)
			pretty_put(&s->p, piece, got);
		else
			pretty_escaped(&s->p, piece, (uint32_t)got);
		at += got;
		left -= got;
	}
	return true;
}

static void show_letters(struct show *s, const struct stp_shape *row)
{
	uint32_t begin;

	show_name(s, row->text);
	begin = s->p.len;
	pretty_text(&s->p, "\"");
	if (!s->missing && show_characters(s)) {
		pretty_text(&s->p, "\"");
		s->p.read++;
		return;
	}
	s->p.len = begin;
	pretty_unreadable(&s->p);
}

static void show_raw(struct show *s)
{
	s->raw = true;
	if (s->missing)
		stp_error(s->p.c, "the string is not there");
	else if (!show_characters(s))
		stp_error(s->p.c, "read fault [man error::fault] at 0x%llx",
			  (unsigned long long)s->address);
}

static void show_sized(struct show *s, const struct stp_shape *row)
{
	show_name(s, row->text);
	if (s->missing) {
		pretty_unreadable(&s->p);
		return;
	}
	s->p.read++;
	pretty_number(&s->p, "<size %d>", (int64_t)s->count);
}

static const struct stp_shape *show_each(struct show *s, const struct stp_shape *row)
{
	show_name(s, row->text);
	if (s->missing || s->depth == STP_SHAPE_LISTS) {
		pretty_unreadable(&s->p);
		return row + row->count + 1;
	}
	pretty_text(&s->p, "[");
	s->p.first = true;
	s->p.read++;
	s->lists[s->depth++] = (struct show_list){
		.row = row, .base = s->base, .words = s->p.words, .count = s->count
	};
	if (!s->in_words)
		s->p.words = NULL;
	s->base = s->address;
	return s->count ? row + 1 : row + row->count;
}

static const struct stp_shape *show_next(struct show *s, const struct stp_shape *row)
{
	struct show_list *list = &s->lists[s->depth - 1];

	if (++list->shown < list->count && list->shown < STP_SHAPE_ELEMENTS) {
		s->base += list->row->offset;
		return list->row + 1;
	}
	pretty_text(&s->p, list->shown < list->count ? ", ...]" : "]");
	s->p.first = false;
	s->p.words = list->words;
	s->base = list->base;
	s->depth--;
	return row + 1;
}

static const struct stp_shape *show_switch(struct show *s, const struct stp_shape *row)
{
	if (show_read(s, row, &s->choice))
		return row + 1;
	show_name(s, row->text);
	pretty_unreadable(&s->p);
	return row + row->count + 1;
}

static uint64_t show_number(const struct stp_shape *row)
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
	while (name != end && (show_number(name) ^ v) << unused)
		name++;
	if (name != end)
		pretty_text(&s->p, name->text);
	else
		pretty_number(&s->p, "%d", (int64_t)(v << unused) >> unused);
	return end;
}

static void show_float(struct show *s, const struct stp_shape *row)
{
	char text[FLOATTEXT_ROOM];
	uint64_t v;

	show_name(s, row->text);
	if (!show_read(s, row, &v)) {
		pretty_unreadable(&s->p);
		return;
	}
	s->p.read++;
	stp_charge_later(s->p.c, FLOATTEXT_WORK);
	pretty_put(&s->p, text, floattext(text, v, row->size == 4));
}

/* Members of internal/abi.Type that give the name of a type, since Go 1.14 (64 bits). */
#define GO_TABLE_TYPE	8  /* in a table of an interface */
#define GO_TYPE_FLAGS	20 /* a byte */
#define GO_TYPE_NAME	40 /* int32_t: distance from the names */
#define GO_EXTRA_STAR	2  /* flag: the name is that of a pointer, from its second letter on */
#define GO_NAME_LENGTHS 3  /* bytes of a length that are read */
#define GO_NAME_MOST	256

static bool show_at(struct show *s, uint64_t addr, void *dst, uint32_t size)
{
	return port_memory_read(s->p.space, dst, addr, size);
}

/* Shows a type's name: a byte of flags, the length in groups of 7 bits, the letters. */
static bool show_type_name(struct show *s, uint64_t type, uint64_t names)
{
	uint8_t flags, byte = 0x80;
	int32_t distance;

	if (!show_at(s, type + GO_TYPE_FLAGS, &flags, 1) ||
	    !show_at(s, type + GO_TYPE_NAME, &distance, sizeof(distance)))
		return false;
	s->address = names + (uint64_t)(int64_t)distance + 1;
	s->count = 0;
	for (unsigned i = 0; i < GO_NAME_LENGTHS && byte & 0x80; i++) {
		if (!show_at(s, s->address++, &byte, 1))
			return false;
		s->count |= (uint64_t)(byte & 0x7f) << (7 * i);
	}
	if (!s->count || s->count > GO_NAME_MOST)
		return false;
	s->address += (flags & GO_EXTRA_STAR) != 0;
	s->count -= (flags & GO_EXTRA_STAR) != 0;
	return show_characters(s);
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
	    show_type_name(s, type, row->count) && show_read(s, &value, &data)) {
		pretty_number(&s->p, "(%p)", (int64_t)data);
		s->p.read++;
		return;
	}
	s->p.len = begin;
	pretty_unreadable(&s->p);
}

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
		show_raw(s);
		break;
	case STP_SHAPE_SIZED:
		show_sized(s, row);
		break;
	case STP_SHAPE_EACH:
		return show_each(s, row);
	case STP_SHAPE_NEXT:
		return show_next(s, row);
	case STP_SHAPE_SWITCH:
		return show_switch(s, row);
	case STP_SHAPE_CASE:
		return row + 1 + (show_number(row) == s->choice);
	case STP_SHAPE_JUMP:
		return row + row->count + 1;
	case STP_SHAPE_NAMED:
		return show_named(s, row);
	case STP_SHAPE_FLOAT:
		show_float(s, row);
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
			enum stp_space space, int64_t addr)
{
	struct show s = { .p = pretty_begin(c, dst, space), .base = (uint64_t)addr };

	return show_rows(&s, rows);
}

struct stp_str stp_show_words(struct stp_ctx *c, char *dst, const struct stp_shape *rows,
			      enum stp_space space, const int64_t *words, const uint64_t *known,
			      unsigned count, unsigned offset)
{
	struct show s = { .p = pretty_begin(c, dst, space), .base = offset };

	s.p.words = words;
	s.p.known = known;
	s.p.count = count;
	return show_rows(&s, rows);
}
