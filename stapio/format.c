/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See format.h. */
#include "stapio/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/decimal.h"
#include "core/record_format.h"
#include "stapio/output.h"
#include "uapi/record.h"

/* ---- formats ---- */

static enum write_how how_to_write(const struct stp_directive *d)
{
	bool is_plain = d->len == 2; /* '%' and a letter */

	if (d->kind == STP_DIR_LITERAL)
		return WRITE_TEXT;
	if (is_plain && d->kind == STP_DIR_STRING)
		return WRITE_STRING;
	if (is_plain && (d->kind == STP_DIR_SIGNED || d->kind == STP_DIR_SIGNED_I))
		return WRITE_NUMBER;
	return WRITE_FORMATTED;
}

static struct directive directive_make(const struct stp_directive *d)
{
	struct directive ret = { .how = how_to_write(d), .len = d->len, .directive = *d };

	if (ret.how == WRITE_TEXT)
		memcpy(ret.begin, d->text, d->len < FORMAT_SHORT ? d->len : FORMAT_SHORT);
	return ret;
}

/* Cuts a text into directives; without `to` they are only counted. */
static size_t cut(const struct stp_format_text *t, struct directive *to)
{
	struct stp_directive d;
	const char *error = NULL;
	size_t count = 0;
	uint32_t pos = 0;

	for (; stp_format_next(t->text, t->len, &pos, &d, &error); count++)
		if (to)
			to[count] = directive_make(&d);
	if (error && to)
		to[count] = (struct directive){ .how = WRITE_DAMAGED };
	return count + (error != NULL);
}

#define NUMBER_MAX (1 + STP_DECIMAL_MAX)

/* Returns `room` of struct format. Strings are as long as the record says. */
static uint32_t room_for(const struct format *f)
{
	uint32_t room = FORMAT_SHORT;

	for (uint32_t i = 0; i < f->count; i++) {
		const struct directive *d = &f->directives[i];

		if (d->how >= WRITE_FORMATTED)
			return 0;
		room += d->how == WRITE_TEXT ? d->len : NUMBER_MAX;
	}
	return room;
}

bool formats_init(struct formats *f, const struct stp_format_text *texts, uint32_t count)
{
	size_t directives = 0, at = 0;

	*f = (struct formats){ .count = count };
	for (uint32_t i = 0; i < count; i++)
		directives += cut(&texts[i], NULL);
	f->formats = calloc(count + 1u, sizeof(*f->formats));
	f->directives = calloc(directives + 1, sizeof(*f->directives));
	if (!f->formats || !f->directives)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		f->formats[i] = (struct format){ f->directives + at,
						 (uint32_t)cut(&texts[i], f->directives + at), 0 };
		f->formats[i].room = room_for(&f->formats[i]);
		at += f->formats[i].count;
	}
	return true;
}

void formats_color(struct formats *f, uint32_t format, uint32_t value)
{
	struct format *t = &f->formats[format];
	uint32_t seen = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		struct directive *d = &t->directives[i];

		if (d->how == WRITE_DAMAGED || !stp_directive_arg(d->directive.kind))
			continue;
		if (seen++ == value && d->how == WRITE_STRING)
			d->how = WRITE_HEAT;
	}
	t->room = room_for(t);
}

void formats_deinit(struct formats *f)
{
	free(f->formats);
	free(f->directives);
}

/* ---- items ---- */

struct reader {
	struct stp_format_args args; /* first: the callbacks get its address */
	const uint8_t *p, *end;
};

static bool take_number(struct stp_format_args *a, int64_t *ret)
{
	struct reader *r = (struct reader *)a;

	if ((size_t)(r->end - r->p) < sizeof(*ret))
		return false;
	memcpy(ret, r->p, sizeof(*ret));
	r->p += sizeof(*ret);
	return true;
}

static bool take_bytes(struct stp_format_args *a, const char **s, uint32_t *len)
{
	struct reader *r = (struct reader *)a;
	uint16_t n;

	if ((size_t)(r->end - r->p) < sizeof(n))
		return false;
	memcpy(&n, r->p, sizeof(n));
	if ((size_t)(r->end - r->p) - sizeof(n) < n)
		return false;
	*s = (const char *)r->p + sizeof(n);
	*len = n;
	r->p += sizeof(n) + n;
	return true;
}

static void put(void *ctx, const char *s, size_t len)
{
	output_put(ctx, s, len);
}

static char *number_put(char *to, int64_t number)
{
	if (number < 0)
		*to++ = '-';
	return stp_decimal(to, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

static inline char *near_put(struct near *n, char *to, int64_t number)
{
	const uint64_t e8 = 100000000;
	uint64_t high;

	if ((uint64_t)number < e8)
		return stp_decimal_first(to, (uint32_t)number);
	if (number < 0)
		return number_put(to, number);
	high = (uint64_t)number / e8;
	if (high != n->high) {
		n->high = high;
		n->len = (uint32_t)(stp_decimal(n->text, high) - n->text);
	}
	memcpy(to, n->text, sizeof(n->text));
	return stp_decimal_eight(to + n->len, (uint32_t)((uint64_t)number - high * e8));
}

/*
 * Copies bytes of a record, which may have more behind them. There is room for
 * FORMAT_SHORT.
 */
static inline char *string_put(char *to, const uint8_t *s, size_t len, const uint8_t *end)
{
	if (len <= FORMAT_SHORT && (size_t)(end - s) >= FORMAT_SHORT)
		memcpy(to, s, FORMAT_SHORT);
	else
		stp_bytes_copy(to, (const char *)s, len);
	return to + len;
}

static inline char *text_put(char *to, const struct directive *d)
{
	memcpy(to, d->begin, FORMAT_SHORT);
	if (d->len > FORMAT_SHORT)
		memcpy(to + FORMAT_SHORT, d->directive.text + FORMAT_SHORT, d->len - FORMAT_SHORT);
	return to + d->len;
}

/*
 * Writes an item whose directives are all plain to *to, which has room. False: the
 * record lacks what the format wants.
 */
static inline bool plain_put(const struct format *f, struct near *near, const uint8_t **from,
			     const uint8_t *end, char **to)
{
	const struct directive *d = f->directives, *last = d + f->count;
	const uint8_t *p = *from;
	char *at = *to;
	int64_t number;
	uint16_t len;

	for (; d < last; d++) {
		if (d->how == WRITE_TEXT) {
			at = text_put(at, d);
		} else if (d->how == WRITE_NUMBER) {
			if ((size_t)(end - p) < sizeof(number))
				break;
			memcpy(&number, p, sizeof(number));
			p += sizeof(number);
			at = near_put(near, at, number);
		} else {
			if ((size_t)(end - p) < sizeof(len))
				break;
			memcpy(&len, p, sizeof(len));
			p += sizeof(len);
			if ((size_t)(end - p) < len)
				break;
			at = string_put(at, p, len, end);
			p += len;
		}
	}
	*from = p;
	*to = at;
	return d == last;
}

static void write_number(struct output *o, int64_t number)
{
	char digits[NUMBER_MAX];

	output_put(o, digits, (size_t)(number_put(digits, number) - digits));
}

/* Levels of heat, as core/heat.c has them, from cold to hot; a blank has no colour. */
static const struct {
	char level;
	const char *color;
} heat[] = {
	{ '.', "34" }, { ':', "34;1" }, { '-', "36" }, { '=', "36;1" }, { '+', "32" },
	{ '*', "33" }, { '#', "33;1" }, { '%', "31" }, { '@', "31;1" },
};

static const char *color_of(char level)
{
	for (size_t i = 0; i < sizeof(heat) / sizeof(heat[0]); i++)
		if (heat[i].level == level)
			return heat[i].color;
	return NULL;
}

/* Writes a row: each run of one level in its colour. */
static void write_heat(struct output *o, const char *s, uint32_t len)
{
	for (uint32_t n; len; s += n, len -= n) {
		const char *color = color_of(*s);
		char begin[16];

		for (n = 1; n < len && s[n] == *s;)
			n++;
		if (color)
			output_put(o, begin, (size_t)sprintf(begin, "\033[%sm", color));
		output_put(o, s, n);
		if (color)
			output_put(o, "\033[m", 3);
	}
}

static bool write_directive(const struct directive *d, struct reader *r, struct output *o)
{
	const char *s;
	uint32_t len;
	int64_t number;

	switch (d->how) {
	case WRITE_TEXT:
		output_put(o, d->directive.text, d->directive.len);
		return true;
	case WRITE_STRING:
		if (!take_bytes(&r->args, &s, &len))
			return false;
		output_put(o, s, len);
		return true;
	case WRITE_HEAT:
		if (!take_bytes(&r->args, &s, &len))
			return false;
		write_heat(o, s, len);
		return true;
	case WRITE_NUMBER:
		if (!take_number(&r->args, &number))
			return false;
		write_number(o, number);
		return true;
	case WRITE_FORMATTED:
		return stp_directive_run(&d->directive, &r->args, put, o);
	case WRITE_DAMAGED:
		break;
	}
	return false;
}

/*
 * Writes directives one at a time: those that are not plain, or may not fit in the
 * buffer.
 */
static __attribute__((noinline)) bool write_directives(const struct format *f, const uint8_t **from,
						       const uint8_t *end, struct output *o)
{
	struct reader r = { .args = { take_number, take_bytes, 0 }, .p = *from, .end = end };
	bool good = true;

	for (uint32_t i = 0; i < f->count && good; i++)
		good = write_directive(&f->directives[i], &r, o);
	*from = r.p;
	return good;
}

static inline bool write_item(const struct format *f, struct near *near, const uint8_t **from,
			      const uint8_t *end, struct output *o)
{
	char *to = f->room ? output_reserve(o, f->room + (size_t)(end - *from)) : NULL;
	bool good;

	if (!to)
		return write_directives(f, from, end, o);
	good = plain_put(f, near, from, end, &to);
	output_advance(o, to);
	return good;
}

bool formats_write(struct formats *f, const uint8_t *body, size_t len, struct output *o)
{
	static struct directive text[] = { { .how = WRITE_STRING } };
	static const struct format plain = { text, 1, FORMAT_SHORT };
	const uint8_t *p = body, *end = body + len;

	while (p < end) {
		const struct format *format = &plain;
		uint16_t index;

		if ((size_t)(end - p) < sizeof(index))
			return false;
		memcpy(&index, p, sizeof(index));
		p += sizeof(index);
		if (stp_record_is_data(index)) {
			if (!stp_record_skip(index, &p, end))
				return false;
			continue;
		}
		if (index != STP_FORMAT_TEXT) {
			if (index >= f->count)
				return false;
			format = &f->formats[index];
		}
		if (!write_item(format, &f->near, &p, end, o))
			return false;
	}
	return true;
}
