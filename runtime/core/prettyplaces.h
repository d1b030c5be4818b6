/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places of the elements that a table shows: the address and the count of a list, and the
 * way from each element to the next.
 */
#ifndef STP_PRETTYPLACES_H
#define STP_PRETTYPLACES_H

#include "core/pretty.h"
#include "core/prettytext.h"

/* The way to the elements of a list: its row, or that they lie one behind the other. */
struct show_way {
	uint8_t row;	/* STP_SHAPE_LINKED to STP_SHAPE_RING */
	uint64_t first; /* number of the first element; LINKED: of bytes before a value */
	uint64_t room;	/* of an array in CHUNKS, of that of RING; LINKED: the count is not known */
	uint8_t next;	/* LINKED: bytes before the address of the next one */
};

struct show_list {
	const struct stp_shape *row; /* EACH or INSIDE */
	uint64_t base;		     /* of the value around the list */
	const int64_t *words;
	struct show_way way;
	uint64_t address, count, shown;
};

struct show {
	struct pretty p;
	uint64_t base;		 /* of the value that the rows describe */
	uint64_t address, count; /* of the value that the next row shows */
	struct show_way way;
	uint64_t choice;	/* the number of the last SWITCH */
	uint64_t moved;		/* between the process's addresses and those in the file */
	bool in_words, missing; /* of the address */
	bool raw;
	unsigned depth;
	struct show_list lists[STP_SHAPE_LISTS];
};

static bool show_read(struct show *s, const struct stp_shape *row, uint64_t *ret)
{
	*ret = 0;
	return pretty_read(&s->p, ret, s->base + row->offset, row->size);
}

static bool show_at(struct show *s, uint64_t addr, void *dst, uint32_t size)
{
	return port_memory_read(s->p.space, dst, addr, size);
}

/* Notes where the data of the following rows are. */
static void show_place(struct show *s, const struct stp_shape *row)
{
	s->in_words = !row->size && s->p.words;
	s->missing = false;
	s->way.row = 0;
	if (!row->size)
		s->address = s->base + row->offset;
	else if (!show_read(s, row, &s->address))
		s->missing = true;
	else
		s->address += row->count;
}

static void show_count(struct show *s, const struct stp_shape *row)
{
	uint64_t end;

	if (row->kind == STP_SHAPE_COUNT && !row->size) {
		s->count = row->count;
	} else if (row->kind == STP_SHAPE_COUNT) {
		s->missing |= !show_read(s, row, &s->count) || s->count < row->count;
		s->count -= row->count;
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
		s->address = s->base + row->offset + row->count;
		s->count = first >> 1;
		s->missing = false;
	}
}

static void show_behind_bits(struct show *s, const struct stp_shape *row)
{
	uint64_t end;
	uint32_t bits;

	if (!show_read(s, row, &end) || end < s->address ||
	    !pretty_read(&s->p, &bits, s->base + row->offset + 8, sizeof(bits)))
		s->missing = true;
	else
		s->count = (end - s->address) * 8 + bits;
}

/* Reads the places of a deque of libstdc++: of its first element, and of its end. */
static bool show_deque(struct show *s, const struct stp_shape *row)
{
	enum { ELEMENT, ARRAY, ARRAY_END, TABLE };
	uint64_t from[4], to[4];

	if (!pretty_read(&s->p, from, s->base + row->offset, sizeof(from)) ||
	    !pretty_read(&s->p, to, s->base + row->offset + sizeof(from), sizeof(to)))
		return false;
	s->way.room = (from[ARRAY_END] - from[ARRAY]) / row->count;
	s->way.first = (from[ELEMENT] - from[ARRAY]) / row->count;
	s->address = from[TABLE];
	s->count = (to[TABLE] - from[TABLE]) / 8 * s->way.room +
		   (to[ELEMENT] - to[ARRAY]) / row->count - s->way.first;
	return from[ARRAY_END] > from[ARRAY] && s->way.first < s->way.room &&
	       to[TABLE] >= from[TABLE] && s->count <= INT64_MAX;
}

static void show_way(struct show *s, const struct stp_shape *row)
{
	struct stp_shape room = *row;

	s->way = (struct show_way){ .row = row->kind, .room = row->count, .next = row->size };
	switch (row->kind) {
	case STP_SHAPE_LINKED:
		s->way.first = row->offset;
		if (row->count)
			s->count = s->address ? UINT64_MAX : 0;
		break;
	case STP_SHAPE_CHUNKS:
		s->missing |= !show_read(s, row, &s->way.first);
		break;
	case STP_SHAPE_DEQUE:
		s->missing = !show_deque(s, row);
		s->way.row = STP_SHAPE_CHUNKS;
		break;
	case STP_SHAPE_RING:
		room.offset += row->count;
		s->missing |= !show_read(s, row, &s->way.first) ||
			      !show_read(s, &room, &s->way.room) ||
			      (s->count && (s->way.first >= s->way.room || s->count > s->way.room));
		break;
	}
}

#endif
