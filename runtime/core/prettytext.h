/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes values as text, row by row, for pretty.c, which walks a table once, and for
 * prettylists.c, whose tables have loops. Each gets its own copy of the functions, so
 * that modules that use one do not contain the other.
 */
#ifndef STP_PRETTYTEXT_H
#define STP_PRETTYTEXT_H

#include "core/pretty.h"

#include "core/port.h"
#include "core/printf.h"

#define STRING_PIECE 64

/* Units of work (api/ctx.h): a row or value, a character that may have to be escaped. */
#define VALUE_WORK     400
#define CHARACTER_WORK 220

struct pretty {
	struct stp_ctx *c;
	char *dst;
	uint32_t len, room;
	enum stp_space space;
	const int64_t *words;  /* hold the value; NULL: it is in memory */
	const uint64_t *known; /* bits of each word that are known */
	uint32_t count;
	bool first;	       /* no comma needed */
	unsigned read, failed; /* numbers of values */
};

static void pretty_put(void *ctx, const char *s, size_t len)
{
	struct pretty *p = ctx;

	if (len > p->room - p->len)
		len = p->room - p->len;
	memcpy(p->dst + p->len, s, len);
	p->len += (uint32_t)len;
}

static void pretty_text(struct pretty *p, const char *s)
{
	pretty_put(p, s, strlen(s));
}

struct pretty_argument {
	struct stp_format_args args; /* first: the callback gets its address */
	int64_t number;
};

static bool pretty_argument(struct stp_format_args *args, int64_t *ret)
{
	*ret = ((struct pretty_argument *)args)->number;
	return true;
}

static void pretty_number(struct pretty *p, const char *format, int64_t number)
{
	struct pretty_argument one = { .args = { .number = pretty_argument }, .number = number };

	stp_format_run(format, (uint32_t)strlen(format), &one.args, pretty_put, p);
}

static void pretty_escaped(struct pretty *p, const char *s, uint32_t len)
{
	stp_charge_later(p->c, CHARACTER_WORK * (uint64_t)len);
	for (uint32_t i = 0; i < len && p->len < p->room; i++)
		pretty_number(p, s[i] == '\'' ? "%c" : "%#c", (unsigned char)s[i]);
}

/* Reads one byte of the value in words. */
static bool pretty_held(const struct pretty *p, uint64_t at, uint8_t *ret)
{
	unsigned shift = at % 8 * 8;

	if (at / 8 >= p->count || (p->known[at / 8] >> shift & 0xff) != 0xff)
		return false;
	*ret = (uint8_t)((uint64_t)p->words[at / 8] >> shift);
	return true;
}

/*
 * Reads bytes of the value itself. A number in words is known as a whole or not at all.
 */
static bool pretty_read(const struct pretty *p, void *dst, uint64_t addr, uint32_t size)
{
	if (!p->words)
		return port_memory_read(p->space, dst, addr, size);
	for (uint32_t i = 0; i < size; i++)
		if (!pretty_held(p, addr + i, (uint8_t *)dst + i))
			return false;
	return true;
}

/* Writes characters of the value in words; bytes after a NUL need not be known. */
static bool pretty_held_string(struct pretty *p, uint64_t at, uint64_t max)
{
	uint8_t one;

	pretty_text(p, "\"");
	for (; max && p->len < p->room; at++, max--) {
		if (!pretty_held(p, at, &one))
			return false;
		if (!one)
			break;
		pretty_escaped(p, (const char *)&one, 1);
	}
	pretty_text(p, "\"");
	return true;
}

/*
 * Writes the characters up to a NUL, at most `max`. False: some of them cannot be read.
 */
static bool pretty_string(struct pretty *p, uint64_t addr, uint64_t max)
{
	char piece[STRING_PIECE];

	pretty_text(p, "\"");
	while (max && p->len < p->room) {
		/* Never crosses the end of a page. */
		uint32_t left = STRING_PIECE - (uint32_t)(addr % STRING_PIECE);
		uint32_t wanted = max < left ? (uint32_t)max : left, got;

		if (!port_memory_read(p->space, piece, addr, wanted))
			return false;
		got = (uint32_t)strnlen(piece, wanted);
		pretty_escaped(p, piece, got);
		if (got < wanted)
			break;
		addr += got;
		max -= got;
	}
	pretty_text(p, "\"");
	return true;
}

static int64_t pretty_cut(const struct stp_shape *row, uint64_t v)
{
	unsigned bits = row->bit_size ? row->bit_size : row->size * 8u;
	unsigned left = 64 - bits - row->bit_offset, right = 64 - bits;

	v <<= left;
	return row->kind == STP_SHAPE_SIGNED ? (int64_t)v >> right : (int64_t)(v >> right);
}

static void pretty_unreadable(struct pretty *p)
{
	p->failed++;
	pretty_text(p, "?");
}

static void pretty_bytes(struct pretty *p, uint64_t addr, uint64_t max, const char *otherwise,
			 int64_t v)
{
	uint32_t before = p->len;

	p->read++;
	if (!otherwise && p->words ? pretty_held_string(p, addr, max) : pretty_string(p, addr, max))
		return;
	p->len = before;
	if (otherwise) {
		pretty_number(p, otherwise, v);
	} else {
		p->read--;
		pretty_unreadable(p);
	}
}

static void pretty_value(struct pretty *p, const struct stp_shape *row, uint64_t v)
{
	int64_t number = pretty_cut(row, v);

	p->read++;
	switch (row->kind) {
	case STP_SHAPE_SIGNED:
		pretty_number(p, "%d", number);
		break;
	case STP_SHAPE_UNSIGNED:
		pretty_number(p, "%u", number);
		break;
	case STP_SHAPE_CHAR:
		pretty_number(p, "'%#c'", number);
		break;
	case STP_SHAPE_STRING:
		pretty_bytes(p, v, p->room, "%p", number);
		break;
	default:
		pretty_number(p, "%p", number);
		break;
	}
}

static void pretty_row(struct pretty *p, const struct stp_shape *row, uint64_t base)
{
	uint64_t v = 0; /* little endian: a short read fills the low bytes */

	stp_charge_later(p->c, VALUE_WORK);
	if (!p->first && row->kind != STP_SHAPE_CLOSE)
		pretty_text(p, ", ");
	pretty_text(p, row->text);
	p->first = row->kind == STP_SHAPE_OPEN;
	if (row->kind <= STP_SHAPE_TEXT)
		return;
	if (row->kind == STP_SHAPE_BYTES)
		pretty_bytes(p, base + row->offset, row->count, NULL, 0);
	else if (pretty_read(p, &v, base + row->offset, row->size))
		pretty_value(p, row, v);
	else
		pretty_unreadable(p);
}

static struct pretty pretty_begin(struct stp_ctx *c, char *dst, enum stp_space space)
{
	return (struct pretty){ .c = c,
				.dst = dst,
				.room = stp_script.limits.string - 1,
				.space = space,
				.first = true };
}

/*
 * Shows a pointer without target. True: nothing else is shown. Otherwise *rows is the
 * first row of the value.
 */
static bool pretty_is_null(struct pretty *p, const struct stp_shape **rows, uint64_t address)
{
	if ((*rows)->kind != STP_SHAPE_NULL_POINTER)
		return false;
	if (!address && !stp_failed(p->c)) {
		pretty_text(p, (*rows)->text);
		return true;
	}
	(*rows)++;
	return false;
}

/* True: the value is in words, and the compiler has optimised parts of it out. */
static bool pretty_is_partial(const struct pretty *p)
{
	for (uint32_t i = 0; p->words && i < p->count; i++)
		if (~p->known[i])
			return true;
	return false;
}

/* Also for a value whose address could not be read. */
static struct stp_str pretty_finish(struct pretty *p)
{
	bool failed = stp_failed(p->c);

	if (!stp_pardon(p->c)) {
		p->len = 0;
	} else if (failed || (p->failed && !p->read && !pretty_is_partial(p))) {
		p->len = 0;
		pretty_text(p, "ERROR");
	}
	p->dst[p->len] = 0;
	return (struct stp_str){ p->dst, p->len };
}

#endif
